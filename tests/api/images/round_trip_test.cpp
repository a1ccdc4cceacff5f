// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every value of the normalised formats of 8 and 16 bits, read and written again: at texel centres with either filter and
/// without a sampler. Programs that keep numbers in such images, as coordinates of a map, multiply by the largest one and
/// round down (ffmpeg's remap_opencl).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

struct Normalised {
  cl_channel_type type;
  unsigned bits;
  bool is_signed;
  [[nodiscard]] int most() const { return (1 << (is_signed ? bits - 1 : bits)) - 1; }
  /// What the format stands for: the lowest number of a signed one is as much as the one above it.
  [[nodiscard]] int number(unsigned stored) const {
    const unsigned sign = is_signed ? 1U << (bits - 1) : 0;
    return std::max(static_cast<int>(stored ^ sign) - static_cast<int>(sign), -most());
  }
};

class ImageRoundTrips : public WithImageKernels {
 protected:
  static constexpr std::size_t kWidth = 256;

  /// All values in a row of four channels, or one.
  [[nodiscard]] Mem all_values(const Normalised& of, cl_channel_order order, unsigned channels, bool filled) const {
    const std::size_t bytes = of.bits / 8;
    const std::size_t texels = height(of) * kWidth;
    std::vector<std::uint8_t> data(texels * channels * bytes);
    for (std::size_t i = 0; filled && i < texels * channels; ++i) {
      const std::size_t value = i / channels + i % channels;  // neighbouring channels differ
      std::memcpy(&data[i * bytes], &value, bytes);
    }
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = height(of);
    return image({order, of.type}, desc, CL_MEM_COPY_HOST_PTR, data.data());
  }
  static std::size_t height(const Normalised& of) { return (std::size_t{1} << of.bits) / kWidth; }

  /// The first channel is number `i`; after the read and the product with the largest number it is itself again.
  void check(const Normalised& of, const std::vector<float>& values, const std::string& what) {
    const auto most = static_cast<float>(of.most());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<float>(of.number(static_cast<unsigned>(i)));
      // With 8 bits and no sign a value may be the float above (runtime/layout/description.cpp).
      const float least = number / most;
      const float largest = of.bits == 8 && !of.is_signed ? std::nextafter(least, 2.0F) : least;
      ASSERT_TRUE(values[i] >= least && values[i] <= largest) << what << ", number " << number << ": " << values[i];
      ASSERT_EQ(std::trunc(values[i] * most), number) << what;
    }
  }
  void check_format(const KernelPtr& copy, const Normalised& of, cl_channel_order order, unsigned channels);
};

constexpr const char* kSource =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
    "constant sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
    "kernel void copy(read_only image2d_t from, write_only image2d_t to, global float* values, int way) {\n"
    "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  const float2 centre = convert_float2(at) + 0.5f;\n"
    "  const float4 colour = way == 0   ? read_imagef(from, at)\n"
    "                        : way == 1 ? read_imagef(from, nearest, centre)\n"
    "                        : way == 2 ? read_imagef(from, linear, centre)\n"
    "                                   : read_imagef(from, bordered, centre);\n"
    "  values[at.y * get_global_size(0) + at.x] = colour.x;\n"
    "  write_imagef(to, at, colour);\n"
    "}\n";

void ImageRoundTrips::check_format(const KernelPtr& copy, const Normalised& of, cl_channel_order order,
                                   unsigned channels) {
  const Mem from = all_values(of, order, channels, true);
  const std::size_t texels = height(of) * kWidth;
  const std::size_t bytes = texels * channels * (of.bits / 8);
  const auto contents = [&](const Mem& of_image) {
    std::vector<std::uint8_t> data(bytes);
    const Triple origin{}, region{kWidth, height(of), 1};
    EXPECT_EQ(clEnqueueReadImage(queue, of_image.get(), CL_TRUE, origin.data(), region.data(), 0, 0, data.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    return data;
  };
  auto expected = contents(from);
  // The lowest number of a signed format comes back as the one above it, which is as much.
  for (std::size_t i = 0; of.is_signed && i < bytes; i += of.bits / 8)
    if (expected[i + of.bits / 8 - 1] == 0x80 && (of.bits == 8 || expected[i] == 0)) ++expected[i];
  for (const int way : {0, 1, 2, 3}) {
    const Mem to = all_values(of, order, channels, false);
    const Mem values = buffer(texels * sizeof(float));
    set(copy, from.get(), to.get(), values.get(), way);
    run(copy, kWidth, height(of));
    const std::string what =
        std::to_string(of.type) + ", " + std::to_string(channels) + " channels, way " + std::to_string(way);
    check(of, values_of<float>(values), what);
    EXPECT_EQ(contents(to), expected) << what;
  }
}

TEST_F(ImageRoundTrips, GiveEveryNumberBack) {
  const ProgramPtr program = build(kSource);
  const KernelPtr copy = kernel(program, "copy");
  for (const Normalised& of : {Normalised{CL_UNORM_INT8, 8, false},
                               {CL_SNORM_INT8, 8, true},
                               {CL_UNORM_INT16, 16, false},
                               {CL_SNORM_INT16, 16, true}}) {
    check_format(copy, of, CL_R, 1);
    check_format(copy, of, CL_RG, 2);
    check_format(copy, of, CL_RGBA, 4);
  }
}

}  // namespace

}  // namespace lanewise::test
