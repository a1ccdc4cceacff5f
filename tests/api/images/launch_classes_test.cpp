// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One kernel with images and samplers that change from launch to launch. The second tier has their formats in its code;
/// a launch must never get that of another's. Runs in the driver's default mode and with LANEWISE_TIER=2, where each
/// launch has code of the second tier.
#include <cmath>
#include <thread>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

constexpr int kWidth = 37, kHeight = 9;

class LaunchClasses : public WithImageKernels {
 protected:
  static ReferenceImage picture(const cl_image_format& format, std::uint64_t seed) {
    ReferenceImage made{format, {kWidth, kHeight, 1}, 2, false, {}};
    made.bytes = some_bytes(static_cast<std::size_t>(kWidth * kHeight) * texel_bytes(format), seed);
    if (format.image_channel_data_type == CL_FLOAT)
      for (std::size_t i = 0; i + 4 <= made.bytes.size(); i += 4) {
        const float value = static_cast<float>(made.bytes[i]) / 16.0F - 3.0F;
        std::memcpy(&made.bytes[i], &value, sizeof value);
      }
    return made;
  }
  [[nodiscard]] Mem image_of(const ReferenceImage& from, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    return image(from.format, desc, flags | CL_MEM_COPY_HOST_PTR, const_cast<unsigned char*>(from.bytes.data()));
  }
};

constexpr cl_image_format kFormats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}, {CL_RGBA, CL_FLOAT},
                                        {CL_R, CL_UNORM_INT16},   {CL_RG, CL_SNORM_INT8},   {CL_sRGBA, CL_UNORM_INT8},
                                        {CL_INTENSITY, CL_FLOAT}};
constexpr ReferenceSampler kSamplers[] = {{false, CL_ADDRESS_CLAMP, false},
                                          {false, CL_ADDRESS_CLAMP_TO_EDGE, true},
                                          {true, CL_ADDRESS_REPEAT, true},
                                          {true, CL_ADDRESS_MIRRORED_REPEAT, false}};

TEST_F(LaunchClasses, ReadsFollowTheFormatAndTheSamplerOfEachLaunch) {
  const auto program = build(
      "kernel void f(read_only image2d_t from, sampler_t s, global float4* to, float2 scale) {"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  to[at.y * 48 + at.x] = read_imagef(from, s, (convert_float2(at) - 3.75f) * scale);"
      "}");
  const auto f = kernel(program, "f");
  const Mem out = buffer(std::size_t{48} * 16 * 16);
  for (int round = 0; round < 2; ++round)
    for (const cl_image_format& format : kFormats)
      for (const ReferenceSampler& traits : kSamplers) {
        const ReferenceImage model = picture(format, format.image_channel_order);
        const Mem from = image_of(model);
        const SamplerPtr with = sampler(traits);
        const float scale[2] = {traits.normalised ? 0.03125F : 1.0F, traits.normalised ? 0.125F : 1.0F};
        set(f, from.get(), with.get(), out.get(), scale);
        run(f, 48, 16);
        const auto got = values_of<std::array<float, 4>>(out);
        for (std::size_t i = 0; i < got.size(); ++i) {
          const std::size_t row = i / 48;
          const float x = (static_cast<float>(i % 48) - 3.75F) * scale[0];
          const float y = (static_cast<float>(row) - 3.75F) * scale[1];
          const Sample want = sample(model, traits, {x, y, 0});
          for (std::size_t c = 0; c < 4; ++c)
            ASSERT_NEAR(static_cast<double>(got[i][c]), want.colour[c], 1e-4 * (1 + want.largest))
                << "order " << std::hex << format.image_channel_order << ", type " << format.image_channel_data_type
                << ", addressing " << traits.addressing << std::dec << ", work-item " << i << ", channel " << c;
        }
      }
}

TEST_F(LaunchClasses, WritesFollowTheFormatOfEachLaunch) {
  const auto program = build(
      "kernel void f(write_only image2d_t to, float bias) {"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imagef(to, at, (float4)(0.0078125f * at.x, 0.0625f * at.y, 0.25f, 0.5f) + bias);"
      "}");
  const auto f = kernel(program, "f");
  for (int round = 0; round < 2; ++round)
    for (const cl_image_format& format : kFormats) {
      const ReferenceImage model = picture(format, 1);
      const Mem to = image_of(model);
      const float bias = 0.0625F;
      set(f, to.get(), bias);
      run(f, kWidth, kHeight);
      const Bytes got = read(to.get(), {{0, 0, 0}, {kWidth, kHeight, 1}}, texel_bytes(format));
      for (std::size_t i = 0; i < std::size_t{kWidth} * kHeight; ++i) {
        const std::size_t row = i / kWidth;
        const auto x = static_cast<double>(i % kWidth), y = static_cast<double>(row);
        const Colour colour{0.0078125 * x + 0.0625, 0.0625 * y + 0.0625, 0.3125, 0.5625};
        ASSERT_TRUE(may_store(format, got.data() + i * texel_bytes(format), colour))
            << "order " << std::hex << format.image_channel_order << ", type " << format.image_channel_data_type
            << std::dec << ", texel " << i;
      }
    }
}

/// Each thread launches a kernel of the same program with formats of its own, from its first launch on and until some of
/// them are hot.
TEST_F(LaunchClasses, ThreadsWithFormatsOfTheirOwn) {
  const auto program = build(
      "kernel void f(read_only image2d_t from, global float4* to) {"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  if (((at.x ^ at.y) & 3) != 0) to[at.y * get_global_size(0) + at.x] = read_imagef(from, at);"
      "}");
  const auto work = [&](const cl_image_format& format) {
    const ReferenceImage model = picture(format, format.image_channel_data_type);
    const Mem from = image_of(model);
    const Mem out = buffer(std::size_t{kWidth} * kHeight * sizeof(cl_float4));
    const auto f = kernel(program, "f");
    set(f, from.get(), out.get());
    for (int round = 0; round < 40; ++round) {
      run(f, kWidth, kHeight);
      const auto got = values_of<std::array<float, 4>>(out);
      for (int i = 0; i < kWidth * kHeight; ++i) {
        const int x = i % kWidth, y = i / kWidth;
        if (((x ^ y) & 3) == 0) continue;
        const Colour want = model.texel(x, y, 0);
        for (std::size_t c = 0; c < 4; ++c)
          ASSERT_NEAR(static_cast<double>(got[static_cast<std::size_t>(i)][c]), want[c], 1e-4)
              << "order " << std::hex << format.image_channel_order << std::dec << ", " << x << ", " << y;
      }
    }
  };
  std::vector<std::thread> threads;
  for (const cl_image_format& format : kFormats) threads.emplace_back(work, format);
  for (std::thread& thread : threads) thread.join();
}

/// More images than a class names: the others are read as their descriptions say.
TEST_F(LaunchClasses, ManyImages) {
  std::string source = "kernel void f(global float* sums";
  for (int i = 0; i < 9; ++i) source += ", read_only image2d_t i" + std::to_string(i);
  source += ") { const int2 at = (int2)(get_global_id(0), get_global_id(1)); float sum = 0.0f;";
  for (int i = 0; i < 9; ++i)
    source += " sum += " + std::to_string(1 << i) + ".0f * read_imagef(i" + std::to_string(i) + ", at).x;";
  source += " sums[at.y * get_global_size(0) + at.x] = sum; }";
  const auto program = build(source);
  const auto f = kernel(program, "f");
  const Mem out = buffer(std::size_t{kWidth} * kHeight * sizeof(float));
  for (std::size_t shift = 0; shift < 3; ++shift) {
    std::vector<ReferenceImage> models;
    std::vector<Mem> images;
    const cl_mem sums = out.get();
    ASSERT_EQ(clSetKernelArg(f.get(), 0, sizeof sums, &sums), CL_SUCCESS);
    for (cl_uint i = 0; i < 9; ++i) {
      models.push_back(picture(kFormats[(i + shift) % std::size(kFormats)], i));
      images.push_back(image_of(models.back()));
      const cl_mem handle = images.back().get();
      ASSERT_EQ(clSetKernelArg(f.get(), i + 1, sizeof handle, &handle), CL_SUCCESS);
    }
    run(f, kWidth, kHeight);
    const auto got = values_of<float>(out);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        double want = 0;
        for (std::size_t i = 0; i < 9; ++i) want += static_cast<double>(1 << i) * models[i].texel(x, y, 0)[0];
        ASSERT_NEAR(static_cast<double>(got[static_cast<std::size_t>(y * kWidth + x)]), want, 0.01) << x << ", " << y;
      }
  }
}

}  // namespace

}  // namespace lanewise::test
