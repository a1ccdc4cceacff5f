// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Many reads in one kernel, which the compiler merges (compiler/kernel/shared_reads.h).
#include <algorithm>
#include <numeric>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

class ImageReads : public WithImageKernels {};

/// Reads that were written out one after the other, for all work-items and for some: they share a body.
TEST_F(ImageReads, ManyReadsWrittenOut) {
  constexpr int kSide = 3;
  std::string around_a, around_b;
  for (int i = 0; i < kSide * kSide; ++i) {
    const std::string place = std::to_string(i % kSide - 1) + ", " + std::to_string(i / kSide - 1);
    around_a += "  sum = sum * 3 + read_imageui(a, edge, at + (int2)(" + place + ")).x;\n";
    around_b += "    sum = sum * 5 + read_imageui(b, edge, at + (int2)(" + place + ")).x;\n";
  }
  const auto program = build(
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "kernel void f(read_only image2d_t a, read_only image2d_t b, global uint* out) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n  uint sum = 1;\n" +
      around_a + "  if (sum % 3 != 0) {\n" + around_b + "  }\n  out[at.y * get_global_size(0) + at.x] = sum;\n}");
  const auto f = kernel(program, "f");
  constexpr int kAcross = 21, kRows = 5;
  const auto texel = [](int x, int y) {
    return static_cast<cl_uint>(std::clamp(y, 0, kRows - 1) * kAcross + std::clamp(x, 0, kAcross - 1));
  };
  std::vector<cl_uint> texels(std::size_t{kAcross} * kRows);
  std::iota(texels.begin(), texels.end(), 0U);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kAcross;
  desc.image_height = kRows;
  const cl_image_format words{CL_R, CL_UNSIGNED_INT32};
  const Mem a = image(words, desc, CL_MEM_COPY_HOST_PTR, texels.data());
  const Mem b = image(words, desc, CL_MEM_COPY_HOST_PTR, texels.data());
  const Mem out = buffer(texels.size() * sizeof(cl_uint));
  set(f, a.get(), b.get(), out.get());
  run(f, kAcross, kRows);
  const auto got = values_of<cl_uint>(out);
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kAcross; ++x) {
      cl_uint sum = 1;
      for (const cl_uint factor : {3U, 5U}) {
        if (factor == 5 && sum % 3 == 0) continue;
        for (int i = 0; i < kSide * kSide; ++i) sum = sum * factor + texel(x + i % kSide - 1, y + i / kSide - 1);
      }
      ASSERT_EQ(got[static_cast<std::size_t>(y * kAcross + x)], sum) << x << " " << y;
    }
}

}  // namespace

}  // namespace lanewise::test
