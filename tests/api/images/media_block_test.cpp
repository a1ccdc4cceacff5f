// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_intel_media_block_io: sub-groups of 8 read regions of images, at edges and outside too, and write them elsewhere.
#include <algorithm>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

constexpr int kWidth = 12, kHeight = 9, kLanes = 8;
constexpr std::uint8_t kUntouched = 0xEE;

struct Region {
  const char* type;  ///< of an element
  const char* suffix;
  int element;  ///< bytes
  int components;
  int texel;  ///< bytes
  int width, height;
  int x, y;  ///< x in bytes
};

cl_image_format format_of(int texel) {
  return {CL_R, texel == 1   ? cl_channel_type{CL_UNSIGNED_INT8}
                : texel == 2 ? cl_channel_type{CL_UNSIGNED_INT16}
                             : cl_channel_type{CL_UNSIGNED_INT32}};
}

std::string source_for(const Region& r) {
  const std::string count = r.components == 1 ? "" : std::to_string(r.components);
  const std::string vector = r.type + count, name = "_" + std::string(r.suffix) + count;
  const std::string size = std::to_string(r.width) + ", " + std::to_string(r.height);
  return "__attribute__((intel_reqd_sub_group_size(8))) kernel void f(read_only image2d_t a, write_only image2d_t b,\n"
         "                                                           int2 at, global " +
         vector + "* out) {\n  " + vector + " v = intel_sub_group_media_block_read" + name + "(at, " + size +
         ", a);\n  intel_sub_group_media_block_write" + name + "(at, " + size +
         ", v, b);\n  out[get_global_id(0)] = v;\n}";
}

class ImageMediaBlocks : public WithImageKernels {
 protected:
  static std::size_t pitch(const Region& r) { return static_cast<std::size_t>(kWidth * r.texel); }
  static Part whole() { return {{0, 0, 0}, {kWidth, kHeight, 1}}; }

  /// Byte `b` of the element at `column` and `row` of the region: texels at the edge are repeated outside.
  static std::uint8_t byte_of(const Region& r, const Bytes& texels, int column, int row, int b) {
    const int x = r.x + column * r.element + b + 1024 * r.texel, y = std::clamp(r.y + row, 0, kHeight - 1);
    const int texel = std::clamp(x / r.texel - 1024, 0, kWidth - 1);
    return texels[static_cast<std::size_t>(y) * pitch(r) + static_cast<std::size_t>(texel * r.texel + x % r.texel)];
  }

  void expect_read(const Region& r, const Bytes& texels, const Bytes& out) const {
    for (int place = 0; place < std::min(kLanes * r.components, r.width * r.height); ++place)
      for (int b = 0; b < r.element; ++b) {
        const int at = (place % kLanes * r.components + place / kLanes) * r.element + b;
        ASSERT_EQ(out[static_cast<std::size_t>(at)], byte_of(r, texels, place % r.width, place / r.width, b))
            << source_for(r) << "\nplace " << place << ", byte " << b;
      }
  }

  void expect_written(const Region& r, const Bytes& texels, const Bytes& got) const {
    const int bytes = r.width * r.element, row = static_cast<int>(pitch(r));
    for (int i = 0; i < static_cast<int>(got.size()); ++i) {
      const int x = i % row - r.x, y = i / row - r.y;
      const bool inside = x >= 0 && x < bytes && y >= 0 && y < r.height;
      const bool written = inside && y * r.width + x / r.element < kLanes * r.components;
      const auto at = static_cast<std::size_t>(i);
      ASSERT_EQ(got[at], written ? texels[at] : kUntouched) << source_for(r) << "\nbyte " << i;
    }
  }

  void check(const Region& r) const {
    const auto program = build(source_for(r));
    const auto f = kernel(program, "f");
    Bytes texels = some_bytes(pitch(r) * kHeight, CL_UNSIGNED_INT8);
    Bytes untouched(texels.size(), kUntouched);
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    const Mem a = image(format_of(r.texel), desc, CL_MEM_COPY_HOST_PTR, texels.data());
    const Mem b = image(format_of(r.texel), desc, CL_MEM_COPY_HOST_PTR, untouched.data());
    const Mem out = buffer(static_cast<std::size_t>(kLanes * r.components * r.element));
    const cl_int2 at{{r.x, r.y}};
    set(f, a.get(), b.get(), at, out.get());
    const std::size_t items = kLanes;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, f.get(), 1, nullptr, &items, &items, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_NO_FATAL_FAILURE(expect_read(r, texels, values_of<std::uint8_t>(out)));
    expect_written(r, texels, read(b.get(), whole(), static_cast<std::size_t>(r.texel)));
  }
};

TEST_F(ImageMediaBlocks, Regions) {
  constexpr Region kRegions[] = {
      {"uchar", "uc", 1, 1, 1, 4, 2, 0, 0},     {"uchar", "uc", 1, 4, 1, 8, 4, 4, 3},
      {"uchar", "uc", 1, 2, 2, 4, 4, 8, 1},     {"uchar", "uc", 1, 16, 1, 4, 32, -4, -2},
      {"uchar", "uc", 1, 8, 1, 12, 4, 8, 7},    {"ushort", "us", 2, 2, 1, 4, 4, -4, -1},
      {"ushort", "us", 2, 4, 2, 2, 16, 20, 5},  {"ushort", "us", 2, 8, 2, 8, 8, 16, -3},
      {"ushort", "us", 2, 16, 2, 10, 8, -8, 2}, {"uint", "ui", 4, 1, 1, 1, 8, -4, 2},
      {"uint", "ui", 4, 2, 1, 1, 16, 8, -4},    {"uint", "ui", 4, 2, 2, 2, 8, 20, 4},
      {"uint", "ui", 4, 4, 4, 4, 8, -8, -2},    {"uint", "ui", 4, 8, 4, 8, 4, 32, 6},
      {"ushort", "us", 2, 1, 1, 2, 16, 0, 0},   {"uint", "ui", 4, 4, 4, 3, 5, 4, 1},
  };
  for (const Region& region : kRegions) ASSERT_NO_FATAL_FAILURE(check(region));
}

}  // namespace

}  // namespace lanewise::test
