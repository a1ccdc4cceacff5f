// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program may ask for at most of images and samplers: each limit that the device reports is one that works.
#include <numeric>
#include <string>
#include <vector>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {
namespace {

class ImageLimits : public WithImageKernels {
 protected:
  Mem image_of_size(std::size_t width, std::size_t height) const {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    return image({CL_R, CL_UNSIGNED_INT8}, desc);
  }
};

/// Wide and high ones: the last texel by coordinates of every kind.
TEST_F(ImageLimits, TheLargestExtents) {
  const auto width = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto height = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  EXPECT_EQ(width, 32768U);
  EXPECT_EQ(height, 32768U);
  const auto program = build(R"(
    kernel void put(write_only image2d_t t) {
      const int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imageui(t, at, (uint4)((at.x * 7 + at.y * 3) & 255, 0, 0, 0));
    }
    kernel void get(read_only image2d_t t, sampler_t s, global uint* bad) {
      const int2 size = get_image_dim(t), at = (int2)(get_global_id(0), get_global_id(1));
      const uint expected = (at.x * 7 + at.y * 3) & 255;
      const float2 middle = (convert_float2(at) + 0.5f) / convert_float2(size);
      if (read_imageui(t, at).x != expected || read_imageui(t, s, middle).x != expected) atomic_inc(bad);
    })");
  const auto nearest = sampler({.normalised = true, .addressing = CL_ADDRESS_CLAMP_TO_EDGE, .linear = false});
  for (const auto& [w, h] : {std::pair{width, std::size_t{3}}, std::pair{std::size_t{3}, height}}) {
    const Mem made = image_of_size(w, h);
    const Mem bad = buffer_with(std::vector<cl_uint>{0});
    const auto put = kernel(program, "put");
    set(put, made.get());
    run(put, w, h);
    const auto get = kernel(program, "get");
    set(get, made.get(), nearest.get(), bad.get());
    run(get, w, h);
    EXPECT_EQ(values_of<cl_uint>(bad)[0], 0U) << w << " x " << h;
  }
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width + 1;
  desc.image_height = 1;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
  cl_int code = 1;
  EXPECT_EQ(clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
}

/// Only the pages that are touched take memory.
TEST_F(ImageLimits, TheLongestImageFromABuffer) {
  const auto most = device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
  EXPECT_EQ(most, std::size_t{1} << 30U);
  if (device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE) < 2 * most) GTEST_SKIP() << "too little memory";
  const Mem memory = buffer(2 * most);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = most;
  desc.buffer = memory.get();
  const cl_image_format format{CL_RG, CL_UNSIGNED_INT8};
  cl_int code = 1;
  const Mem made(clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto program = build(R"(
    kernel void put(write_only image1d_buffer_t t) {
      const int last = get_image_width(t) - 1;
      write_imageui(t, last - (int)get_global_id(0), (uint4)(get_global_id(0), 9, 0, 0));
    }
    kernel void get(read_only image1d_buffer_t t, global uint* out) {
      out[get_global_id(0)] = read_imageui(t, get_image_width(t) - 1 - (int)get_global_id(0)).x;
    })");
  constexpr std::size_t kItems = 100;
  const Mem out = buffer_with(std::vector<cl_uint>(kItems, 0));
  const auto put = kernel(program, "put");
  set(put, made.get());
  run(put, kItems);
  const auto get = kernel(program, "get");
  set(get, made.get(), out.get());
  run(get, kItems);
  std::vector<cl_uint> expected(kItems);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(values_of<cl_uint>(out), expected);
  std::vector<unsigned char> end(4);
  EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 2 * most - 4, 4, end.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(end, (std::vector<unsigned char>{1, 9, 0, 9}));
}

/// A kernel with as many arguments of one kind as there may be; `use` is what each of them does.
std::string many(const std::string& type, unsigned count, const std::string& before, const std::string& use,
                 const std::string& after) {
  std::string text = "kernel void k(global uint* o, read_only image2d_t first, sampler_t s";
  for (unsigned i = 0; i < count; ++i) text += ", " + type + " a" + std::to_string(i);
  text += ") {\n" + before;
  for (unsigned i = 0; i < count; ++i) {
    std::string line = use;
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#'))
      line.replace(at, 1, std::to_string(i));
    text += line;
  }
  return text + after + "}\n";
}

TEST_F(ImageLimits, TheMostImagesOfAKernel) {
  for (const cl_device_info what : {CL_DEVICE_MAX_READ_IMAGE_ARGS, CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
                                    CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, CL_DEVICE_MAX_SAMPLERS})
    EXPECT_EQ(device_value<cl_uint>(device, what), 480U);
  constexpr unsigned kCount = 480;
  const auto reads = build(many("read_only image2d_t", kCount - 1, "uint sum = read_imageui(first, s, (int2)(0)).x;\n",
                                "sum += read_imageui(a#, s, (int2)(#, 0)).x * (# + 2);\n", "o[0] = sum;\n"));
  const auto read = kernel(reads, "k");
  std::vector<Mem> images;
  for (unsigned i = 0; i < kCount; ++i) images.push_back(image_of_size(kCount, 1));
  const auto program = build(R"(
    kernel void put(write_only image2d_t t, uint n) {
      write_imageui(t, (int2)(get_global_id(0), 0), (uint4)((get_global_id(0) + n) & 255, 0, 0, 0));
    })");
  const auto put = kernel(program, "put");
  const auto plain = sampler({.normalised = false, .addressing = CL_ADDRESS_CLAMP_TO_EDGE, .linear = false});
  const Mem out = buffer_with(std::vector<cl_uint>{0});
  set(read, out.get(), images[0].get(), plain.get());
  cl_uint expected = 0;
  for (cl_uint i = 0; i < kCount; ++i) {
    set(put, images[i].get(), i);
    run(put, kCount);
    const cl_mem handle = images[i].get();
    if (i > 0) {
      ASSERT_EQ(clSetKernelArg(read.get(), 2 + i, sizeof handle, &handle), CL_SUCCESS);
    }
    expected += i == 0 ? 0 : ((i - 1 + i) & 255U) * (i + 1);
  }
  run(read, 1);
  EXPECT_EQ(values_of<cl_uint>(out)[0], expected);
}

TEST_F(ImageLimits, TheMostWrittenImagesOfAKernel) {
  constexpr unsigned kCount = 480;
  const auto program =
      build(many("write_only image2d_t", kCount, "", "write_imageui(a#, (int2)(0), (uint4)(# & 255));\n", ""));
  const auto write = kernel(program, "k");
  const auto plain = sampler({.normalised = false, .addressing = CL_ADDRESS_NONE, .linear = false});
  const Mem out = buffer_with(std::vector<cl_uint>{0}), first = image_of_size(1, 1);
  set(write, out.get(), first.get(), plain.get());
  std::vector<Mem> images;
  for (cl_uint i = 0; i < kCount; ++i) {
    images.push_back(image_of_size(1, 1));
    const cl_mem handle = images.back().get();
    ASSERT_EQ(clSetKernelArg(write.get(), 3 + i, sizeof handle, &handle), CL_SUCCESS);
  }
  run(write, 1);
  for (cl_uint i = 0; i < kCount; ++i) {
    unsigned char texel = 1;
    const Triple origin{}, one{1, 1, 1};
    ASSERT_EQ(clEnqueueReadImage(queue, images[i].get(), CL_TRUE, origin.data(), one.data(), 0, 0, &texel, 0, nullptr,
                                 nullptr),
              CL_SUCCESS);
    ASSERT_EQ(texel, i & 255U) << i;
  }
}

TEST_F(ImageLimits, TheMostSamplersOfAKernel) {
  constexpr unsigned kCount = 480;
  // Beyond the edge the texel is that of the edge with every second sampler, and zero with the others.
  const auto program = build(many("sampler_t", kCount - 1, "uint sum = read_imageui(first, s, (int2)(5, 0)).x;\n",
                                  "sum += read_imageui(first, a#, (int2)(5, 0)).x * (# + 2);\n", "o[0] = sum;\n"));
  const auto made = kernel(program, "k");
  const Mem texels = image_of_size(2, 1), out = buffer_with(std::vector<cl_uint>{0});
  const unsigned char values[] = {1, 3};
  const Triple origin{}, all{2, 1, 1};
  ASSERT_EQ(
      clEnqueueWriteImage(queue, texels.get(), CL_TRUE, origin.data(), all.data(), 0, 0, values, 0, nullptr, nullptr),
      CL_SUCCESS);
  const auto edge = sampler({.normalised = false, .addressing = CL_ADDRESS_CLAMP_TO_EDGE, .linear = false});
  const auto border = sampler({.normalised = false, .addressing = CL_ADDRESS_CLAMP, .linear = false});
  set(made, out.get(), texels.get(), edge.get());
  cl_uint expected = 3;
  for (cl_uint i = 0; i + 1 < kCount; ++i) {
    const cl_sampler handle = i % 2 == 0 ? edge.get() : border.get();
    ASSERT_EQ(clSetKernelArg(made.get(), 3 + i, sizeof handle, &handle), CL_SUCCESS);
    expected += i % 2 == 0 ? 3 * (i + 2) : 0;
  }
  run(made, 1);
  EXPECT_EQ(values_of<cl_uint>(out)[0], expected);
}

}  // namespace
}  // namespace lanewise::test
