// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images in kernels, apart from reading and writing one texel: arguments, queries, views, levels, order.
#include <CL/cl_ext.h>

#include <cmath>
#include <limits>

#include "include/lanewise/cl_compat.h"
#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

constexpr cl_image_format kFloats{CL_RGBA, CL_FLOAT};
constexpr cl_image_format kWords{CL_R, CL_UNSIGNED_INT32};

cl_image_desc plane(std::size_t width, std::size_t height, cl_uint levels = 0) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.num_mip_levels = levels;
  return desc;
}

std::vector<cl_uint> numbers(std::size_t count, cl_uint from = 0) {
  std::vector<cl_uint> out(count);
  std::iota(out.begin(), out.end(), from);
  return out;
}

class ImageKernels : public WithImageKernels {
 protected:
  /// An image of `numbers`.
  [[nodiscard]] Mem counted(std::size_t width, std::size_t height, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    auto values = numbers(width * height);
    return image(kWords, plane(width, height), flags | CL_MEM_COPY_HOST_PTR, values.data());
  }
  [[nodiscard]] std::vector<cl_uint> words_of(const Mem& from, std::size_t width, std::size_t height) const {
    const Bytes bytes = read(from.get(), {{0, 0, 0}, {width, height, 1}}, sizeof(cl_uint));
    std::vector<cl_uint> out(width * height);
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  cl_int set_one(const KernelPtr& made, cl_uint index, std::size_t size, const void* value) const {
    return clSetKernelArg(made.get(), index, size, value);
  }
};

TEST_F(ImageKernels, VectorsOfWorkItemsThatHaveAllReturned) {
  constexpr std::size_t kWidth = 256, kLeft = 192;
  const auto program = build(
      "kernel void f(global const float* left, read_only image2d_t a, read_only image2d_t b, write_only image2d_t c,"
      " write_only image2d_t d) {"
      " const int g = get_global_id(0); const int2 at = (int2)(g, 0); if (left[g] > 0) return;"
      " write_imagef(c, at, read_imagef(a, at)); write_imageui(d, at, read_imageui(b, at)); }");
  const auto f = kernel(program, "f");
  std::vector<float> left(kWidth, 0);
  std::fill_n(left.begin(), kLeft, 1.0F);
  // Formats for which first code calls functions, with all lanes of a vector.
  const cl_image_format formats[] = {{CL_RGBA, CL_HALF_FLOAT}, {CL_RGBA, CL_UNSIGNED_INT16}};
  std::vector<cl_ushort> texels(4 * kWidth), zeros(4 * kWidth);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<cl_ushort>(0x3C00 + i);
  std::vector<Mem> from, to;
  for (const cl_image_format& format : formats) {
    from.push_back(image(format, plane(kWidth, 1), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, texels.data()));
    to.push_back(image(format, plane(kWidth, 1), CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, zeros.data()));
  }
  const Mem in = buffer_with(left);
  set(f, in.get(), from[0].get(), from[1].get(), to[0].get(), to[1].get());
  run(f, kWidth);
  for (const Mem& written : to) {
    const Bytes bytes = read(written.get(), {{0, 0, 0}, {kWidth, 1, 1}}, 8);
    std::vector<cl_ushort> got(4 * kWidth);
    std::memcpy(got.data(), bytes.data(), bytes.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i < 4 * kLeft ? 0 : texels[i]) << i;
  }
}

TEST_F(ImageKernels, OneTexelBehindAReturnOfAllWorkItems) {
  constexpr std::size_t kItems = 256, kLeft = 192;
  const auto program = build(
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
      "kernel void f(global const float* left, read_only image2d_t a, global float* out) {"
      " const int g = get_global_id(0); if (left[g] > 0) return; *(global float4*)(out + (uint)g * 4) = read_imagef(a, "
      "s, (float2)(1, 0)); }");
  const auto f = kernel(program, "f");
  std::vector<float> left(kItems, 0);
  std::fill_n(left.begin(), kLeft, 1.0F);
  const cl_ushort texels[] = {0, 0, 0, 0, 0x3C00, 0x4000, 0x4200, 0x4400};
  const Mem from = image({CL_RGBA, CL_HALF_FLOAT}, plane(2, 1), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                         const_cast<cl_ushort*>(texels));
  std::vector<float> out(4 * kItems, 0);
  const Mem in = buffer_with(left);
  const Mem written = buffer_with(out);
  set(f, in.get(), from.get(), written.get());
  run(f, kItems);
  ASSERT_EQ(clEnqueueReadBuffer(queue, written.get(), CL_TRUE, 0, 4 * out.size(), out.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], i < 4 * kLeft ? 0.0F : static_cast<float>(i % 4 + 1)) << i;
}

TEST_F(ImageKernels, ErrorsOfArguments) {
  const auto program = build(
      "kernel void f(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c, sampler_t s,"
      " read_only image2d_depth_t d, read_only image3d_t e, global float* p) {}");
  const auto f = kernel(program, "f");
  const Mem both = image(kFloats, plane(4, 4)), readable = image(kFloats, plane(4, 4), CL_MEM_READ_ONLY),
            writable = image(kFloats, plane(4, 4), CL_MEM_WRITE_ONLY), plain = buffer(64);
  const SamplerPtr with = sampler({false, CL_ADDRESS_CLAMP, false});
  const auto set_handle = [&](cl_uint index, const auto& handle) {
    const auto raw = handle.get();
    return set_one(f, index, sizeof raw, &raw);
  };
  for (cl_uint i = 0; i < 3; ++i) {
    EXPECT_EQ(set_handle(i, both), CL_SUCCESS) << i;
    EXPECT_EQ(set_handle(i, plain), CL_INVALID_MEM_OBJECT) << i;
    EXPECT_EQ(set_handle(i, with), CL_INVALID_MEM_OBJECT) << i;
    EXPECT_EQ(set_one(f, i, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT) << i;
    const cl_mem handle = both.get();
    EXPECT_EQ(set_one(f, i, sizeof(cl_mem) - 1, &handle), CL_INVALID_ARG_SIZE) << i;
  }
  EXPECT_EQ(set_handle(0, readable), CL_SUCCESS);
  EXPECT_EQ(set_handle(0, writable), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_handle(1, writable), CL_SUCCESS);
  EXPECT_EQ(set_handle(1, readable), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_handle(2, readable), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_handle(2, writable), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_handle(3, with), CL_SUCCESS);
  EXPECT_EQ(set_handle(3, both), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_one(f, 3, sizeof(cl_sampler), nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_one(f, 3, 4, &with), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set_handle(4, both), CL_INVALID_MEM_OBJECT) << "no depth image";
  EXPECT_EQ(set_handle(4, image({CL_DEPTH, CL_FLOAT}, plane(4, 4))), CL_SUCCESS);
  EXPECT_EQ(set_handle(5, both), CL_INVALID_MEM_OBJECT) << "no 3D image";
  EXPECT_EQ(set_handle(6, both), CL_INVALID_MEM_OBJECT) << "no buffer";
  float pixels[64] = {};
  const Mem fixed = image(kFloats, plane(4, 4), CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, pixels);
  EXPECT_EQ(set_handle(0, fixed), CL_SUCCESS);
  EXPECT_EQ(set_handle(2, fixed), CL_INVALID_ARG_VALUE);
}

TEST_F(ImageKernels, ObjectsReleasedBeforeTheLaunch) {
  const auto program = build(
      "kernel void f(read_only image2d_t a, sampler_t s, global uint* out)"
      "{ out[get_global_id(0)] = read_imageui(a, s, (int2)(get_global_id(0) - 1, 0)).x; }");
  const auto f = kernel(program, "f");
  Mem from = counted(4, 1);
  const Mem out = buffer(6 * sizeof(cl_uint));
  SamplerPtr with = sampler({false, CL_ADDRESS_CLAMP_TO_EDGE, false});
  set(f, from.get(), with.get(), out.get());
  with.reset();
  run(f, 6);
  EXPECT_EQ(values_of<cl_uint>(out), (std::vector<cl_uint>{0, 0, 1, 2, 3, 3}));
  from.reset();
  const std::size_t global = 6;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, f.get(), 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
}

TEST_F(ImageKernels, Queries) {
  const auto program = build(
      "kernel void a(read_only image2d_array_t i, write_only image3d_t j, read_write image1d_array_t k,"
      " read_only image2d_depth_t d, global int* out) {\n"
      "  out[0] = get_image_width(i); out[1] = get_image_height(i); out[2] = (int)get_image_array_size(i);\n"
      "  out[3] = get_image_channel_order(i) == CLK_BGRA; out[4] = get_image_channel_data_type(i) == CLK_UNORM_INT8;\n"
      "  out[5] = get_image_dim(i).y;\n"
      "  out[6] = get_image_width(j); out[7] = get_image_height(j); out[8] = get_image_depth(j);\n"
      "  out[9] = get_image_dim(j).z; out[10] = get_image_channel_data_type(j) == CLK_SIGNED_INT16;\n"
      "  out[11] = get_image_width(k); out[12] = (int)get_image_array_size(k);\n"
      "  out[13] = get_image_channel_order(d) == CLK_DEPTH; out[14] = get_image_dim(d).x;\n"
      "  out[15] = get_image_dim(j).w; }");
  const auto a = kernel(program, "a");
  cl_image_desc array = plane(5, 6);
  array.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  array.image_array_size = 7;
  cl_image_desc cube = plane(8, 9);
  cube.image_type = CL_MEM_OBJECT_IMAGE3D;
  cube.image_depth = 10;
  cl_image_desc rows = plane(11, 0);
  rows.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  rows.image_array_size = 12;
  const Mem i = image({CL_BGRA, CL_UNORM_INT8}, array), j = image({CL_RGBA, CL_SIGNED_INT16}, cube),
            k = image(kFloats, rows), d = image({CL_DEPTH, CL_UNORM_INT16}, plane(13, 14));
  const Mem out = buffer(16 * sizeof(cl_int));
  set(a, i.get(), j.get(), k.get(), d.get(), out.get());
  run(a, 1);
  EXPECT_EQ(values_of<cl_int>(out), (std::vector<cl_int>{5, 6, 7, 1, 1, 6, 8, 9, 10, 10, 1, 11, 12, 1, 13, 0}));
}

TEST_F(ImageKernels, SamplersOfTheProgram) {
  const auto program = build(
      "constant sampler_t outside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "const sampler_t between = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
      "kernel void f(read_only image2d_t a, global float* out) {\n"
      "  const sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "  size_t i = get_global_id(0);\n"
      "  out[3 * i] = read_imagef(a, outside, (float2)((float)i - 1.5f, 0.5f)).x;\n"
      "  out[3 * i + 1] = read_imagef(a, edge, (int2)((int)i - 2, 0)).x;\n"
      "  out[3 * i + 2] = read_imagef(a, between, (float2)(i / 4.0f, 0.5f)).x; }");
  const auto f = kernel(program, "f");
  float pixels[] = {2, 4, 8, 16};
  const Mem from = image({CL_R, CL_FLOAT}, plane(4, 1), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pixels);
  const Mem out = buffer(21 * sizeof(float));
  set(f, from.get(), out.get());
  run(f, 7);
  EXPECT_EQ(values_of<float>(out),
            (std::vector<float>{0, 2, 9, 0, 2, 3, 2, 2, 6, 4, 4, 12, 8, 8, 9, 16, 16, 3, 0, 16, 6}));
}

/// Beyond an edge a filter takes the texel at the edge twice: the next one does not count, even if it is infinite.
TEST_F(ImageKernels, FiltersBeyondEdges) {
  const auto program = build(
      "kernel void f(read_only image2d_t a, sampler_t s, global float* out) {\n"
      "  const float at[] = {-7.0f, 0.0f, 0.25f, 3.75f, 4.0f, 9.0f};\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = read_imagef(a, s, (float2)(at[i % 6], 0.25f)).x; }");
  const auto f = kernel(program, "f");
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr cl_ushort kTwo = 0x4000, kEight = 0x4800, kInfiniteHalf = 0x7C00;
  float single[] = {2, kInfinity, kInfinity, 8};
  float four[16] = {};
  cl_ushort half[16] = {};
  for (std::size_t x = 0; x < 4; ++x) {
    four[4 * x] = single[x];
    half[4 * x] = x == 0 ? kTwo : x == 3 ? kEight : kInfiniteHalf;
  }
  const auto expect = [&](const cl_image_format& format, void* pixels) {
    const Mem from = image(format, plane(4, 1), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pixels);
    const Mem out = buffer(24 * sizeof(float));
    const SamplerPtr edge = sampler({false, CL_ADDRESS_CLAMP_TO_EDGE, true});
    set(f, from.get(), edge.get(), out.get());
    run(f, 24);
    const std::vector<float> got = values_of<float>(out);
    for (std::size_t i = 0; i < 24; ++i)
      EXPECT_EQ(got[i], i % 6 < 3 ? 2 : 8) << i << " of " << format.image_channel_data_type;
  };
  expect({CL_R, CL_FLOAT}, single);
  expect({CL_RGBA, CL_FLOAT}, four);
  expect({CL_RGBA, CL_HALF_FLOAT}, half);
}

/// A function of the program that is not inlined takes images and samplers like any other argument.
TEST_F(ImageKernels, FunctionsOfTheProgram) {
  const auto program = build(
      "__attribute__((noinline)) uint at(read_only image2d_t a, sampler_t s, int x, int y)"
      "{ return read_imageui(a, s, (int2)(x, y)).x; }\n"
      "__attribute__((noinline)) void put(write_only image2d_t b, int x, int y, uint v)"
      "{ write_imageui(b, (int2)(x, y), (uint4)(v)); }\n"
      "kernel void f(read_only image2d_t a, sampler_t s, write_only image2d_t b) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  put(b, x, y, at(a, s, x - 1, y) + at(a, s, x + 1, y)); }");
  const auto f = kernel(program, "f");
  const Mem from = counted(19, 3), to = image(kWords, plane(19, 3));
  const SamplerPtr with = sampler({false, CL_ADDRESS_CLAMP, false});
  set(f, from.get(), with.get(), to.get());
  run(f, 19, 3);
  const auto got = words_of(to, 19, 3);
  for (cl_uint y = 0; y < 3; ++y)
    for (cl_uint x = 0; x < 19; ++x)
      ASSERT_EQ(got[y * 19 + x], (x > 0 ? y * 19 + x - 1 : 0) + (x < 18 ? y * 19 + x + 1 : 0)) << x << " " << y;
}

TEST_F(ImageKernels, ReadWriteInPlace) {
  const auto program = build(
      "kernel void f(read_write image2d_t a) {\n"
      "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  write_imageui(a, p, read_imageui(a, p) + 5);\n"
      "  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);\n"
      "  write_imageui(a, p, read_imageui(a, p) * 2); }\n"
      "kernel void g(read_write image2d_t a) {\n"  // a row turns round within its group
      "  int x = get_local_id(0), y = get_global_id(1), n = get_local_size(0);\n"
      "  uint4 v = read_imageui(a, (int2)(x, y));\n"
      "  work_group_barrier(CLK_IMAGE_MEM_FENCE);\n"
      "  write_imageui(a, (int2)(n - 1 - x, y), v);\n"
      "  work_group_barrier(CLK_IMAGE_MEM_FENCE);\n"
      "  v = read_imageui(a, (int2)(n - 1, y));\n"
      "  work_group_barrier(CLK_IMAGE_MEM_FENCE);\n"
      "  if (x == 0) write_imageui(a, (int2)(0, y), v); }");
  const auto f = kernel(program, "f"), g = kernel(program, "g");
  const Mem made = counted(24, 4);
  set(f, made.get());
  run(f, 24, 4);
  auto got = words_of(made, 24, 4);
  for (cl_uint i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], (i + 5) * 2) << i;
  set(g, made.get());
  const std::size_t global[] = {24, 4}, local[] = {24, 1};
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, g.get(), 2, nullptr, global, local, 0, nullptr, nullptr), CL_SUCCESS);
  got = words_of(made, 24, 4);
  for (cl_uint y = 0; y < 4; ++y)
    for (cl_uint x = 0; x < 24; ++x)
      ASSERT_EQ(got[y * 24 + x], (y * 24 + (x == 0 ? 0 : 23 - x) + 5) * 2) << x << " " << y;
}

/// Images with the data of a buffer see what is written to it, and their rows may have padding, which stays unchanged.
TEST_F(ImageKernels, FromBuffer) {
  const auto program = build(
      "kernel void f(read_only image2d_t a, write_only image2d_t b) {\n"
      "  int2 p = (int2)((int)get_global_id(0) - 2, (int)get_global_id(1) - 2);\n"
      "  write_imageui(b, p, read_imageui(a, p) + 1000); }\n"
      "kernel void g(global uint* p) { p[get_global_id(0)] = get_global_id(0); }");
  const auto f = kernel(program, "f"), g = kernel(program, "g");
  constexpr std::size_t kPitch = 64, kRows = 5, kUsed = 37;
  const Mem from = buffer(kPitch * kRows * 4), to = buffer_with(std::vector<cl_uint>(kPitch * (kRows + 2), 7));
  cl_image_desc desc = plane(kUsed, kRows);
  desc.image_row_pitch = kPitch * 4;
  desc.buffer = from.get();
  const Mem a = image(kWords, desc, 0);
  desc.buffer = to.get();
  const Mem b = image(kWords, desc, 0);
  set(g, from.get());
  run(g, kPitch * kRows);
  set(f, a.get(), b.get());
  run(f, kPitch, kRows + 4);
  const auto got = values_of<cl_uint>(to);
  for (cl_uint i = 0; i < got.size(); ++i) {
    const bool inside = i % kPitch < kUsed && i / kPitch < kRows;
    ASSERT_EQ(got[i], inside ? i + 1000 : 7) << i;
  }
}

/// cl_intel_subgroups: a sub-group reads consecutive bytes of rows, whatever the format is.
TEST_F(ImageKernels, SubGroupBlocks) {
  const auto program = build(
      "__attribute__((intel_reqd_sub_group_size(8))) kernel void f(read_only image2d_t a, write_only image2d_t b,"
      " read_write image2d_t c) {\n"
      "  int2 at = (int2)((int)(get_global_id(0) - get_sub_group_local_id()) * 4, 0);\n"
      "  intel_sub_group_block_write4(b, at, intel_sub_group_block_read4(a, at + (int2)(4, -1)) + 7);\n"
      "  at = (int2)((int)(get_global_id(0) - get_sub_group_local_id()) * 2, 1);\n"
      "  intel_sub_group_block_write_us2(c, at, intel_sub_group_block_read_us2(c, at) + (ushort2)(1)); }");
  const auto f = kernel(program, "f");
  constexpr std::size_t kUsed = 20, kRows = 3;
  const Mem a = counted(kUsed, kRows), b = image(kWords, plane(kUsed, kRows)), c = counted(kUsed, kRows);
  set(f, a.get(), b.get(), c.get());
  const std::size_t global = 24, local = 24;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, f.get(), 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  const auto moved = words_of(b, kUsed, kRows), raised = words_of(c, kUsed, kRows);
  for (cl_uint y = 0; y < kRows; ++y)
    for (cl_uint x = 0; x < kUsed; ++x) {
      const cl_uint from = std::min<cl_uint>(x + 1, kUsed - 1), row = y == 0 ? 0 : y - 1;
      ASSERT_EQ(moved[y * kUsed + x], row * kUsed + from + 7) << x << " " << y;
      // 24 elements of two bytes are the first 12 of four.
      const cl_uint before = y * kUsed + x;
      ASSERT_EQ(raised[y * kUsed + x], y >= 1 && x < 12 ? before + 0x10001 : before) << x << " " << y;
    }
}

class ImageLevels : public ImageKernels {
 protected:
  /// 2D, 16 x 8 with all five levels; every texel of level n is 10 n + its x.
  [[nodiscard]] Mem pyramid() const {
    Mem made = image({CL_R, CL_FLOAT}, plane(16, 8, 5));
    for (std::size_t level = 0; level < 5; ++level) {
      const std::size_t width = 16 >> level, height = std::max<std::size_t>(8 >> level, 1);
      std::vector<float> values(width * height);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(10 * level) + static_cast<float>(i % width);
      const std::size_t origin[] = {0, 0, level}, region[] = {width, height, 1};
      EXPECT_EQ(
          clEnqueueWriteImage(queue, made.get(), CL_TRUE, origin, region, 0, 0, values.data(), 0, nullptr, nullptr),
          CL_SUCCESS);
    }
    return made;
  }
  [[nodiscard]] SamplerPtr with_levels(bool linear, cl_filter_mode mip, float low, float high) const {
    const auto bits = [](float value) {
      cl_uint out = 0;
      std::memcpy(&out, &value, sizeof out);
      return static_cast<cl_sampler_properties>(out);
    };
    const cl_sampler_properties list[] = {
        CL_SAMPLER_NORMALIZED_COORDS,
        CL_TRUE,
        CL_SAMPLER_ADDRESSING_MODE,
        CL_ADDRESS_CLAMP_TO_EDGE,
        CL_SAMPLER_FILTER_MODE,
        static_cast<cl_sampler_properties>(linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
        CL_SAMPLER_MIP_FILTER_MODE_KHR,
        mip,
        CL_SAMPLER_LOD_MIN_KHR,
        bits(low),
        CL_SAMPLER_LOD_MAX_KHR,
        bits(high),
        0};
    cl_int code = 1;
    SamplerPtr made(clCreateSamplerWithProperties(context, list, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
};

constexpr const char* kLevelSource =
    "kernel void lod(read_only image2d_t a, sampler_t s, global const float* lods, global float* out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = read_imagef(a, s, (float2)(0.99f, 0.5f), lods[i]).x; }\n"
    "kernel void gradient(read_only image2d_t a, sampler_t s, global const float* d, global float* out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = read_imagef(a, s, (float2)(0.99f, 0.5f), (float2)(d[i], 0.0f), (float2)(0.0f, d[i])).x; }\n"
    "kernel void count(read_only image2d_t a, global int* out) { out[0] = get_image_num_mip_levels(a); }\n"
    "kernel void put(write_only image2d_t a, int level) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(a, p, level, (float4)(100 * level + p.x)); }\n";

TEST_F(ImageLevels, LevelOfDetail) {
  const auto program = build(kLevelSource);
  const auto lod = kernel(program, "lod"), count = kernel(program, "count");
  const Mem made = pyramid();
  const std::vector<float> lods = {-3, 0, 0.4F, 0.6F, 1, 1.5F, 2, 3.75F, 4, 9, NAN};
  const Mem in = buffer_with(lods), out = buffer(lods.size() * sizeof(float));
  const auto expect = [&](const SamplerPtr& with, const std::vector<float>& wanted) {
    set(lod, made.get(), with.get(), in.get(), out.get());
    run(lod, lods.size());
    const auto got = values_of<float>(out);
    for (std::size_t i = 0; i < lods.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-4) << lods[i];
  };
  // The last texels of the levels: 15, 17, 23, 31, 40.
  expect(with_levels(false, CL_FILTER_NEAREST, 0, 100), {15, 15, 15, 17, 17, 17, 23, 40, 40, 40, 15});
  expect(with_levels(false, CL_FILTER_NEAREST, 1, 3), {17, 17, 17, 17, 17, 17, 23, 31, 31, 31, 17});
  expect(with_levels(false, CL_FILTER_LINEAR, 0, 100), {15, 15, 15.8F, 16.2F, 17, 20, 23, 37.75F, 40, 40, 15});
  expect(with_levels(true, CL_FILTER_LINEAR, 0, 100), {15, 15, 15.8F, 16.2F, 17, 20, 23, 37.75F, 40, 40, 15});
  const Mem levels = buffer(sizeof(cl_int));
  set(count, made.get(), levels.get());
  run(count, 1);
  EXPECT_EQ(values_of<cl_int>(levels), std::vector<cl_int>{5});
}

TEST_F(ImageLevels, Gradients) {
  const auto program = build(kLevelSource);
  const auto gradient = kernel(program, "gradient");
  const Mem made = pyramid();
  // Steps of 1/2, 1, 2, 4, 8 and 100 texels in x.
  const std::vector<float> steps = {0, 1 / 32.F, 1 / 16.F, 2 / 16.F, 4 / 16.F, 8 / 16.F, 100 / 16.F};
  const Mem in = buffer_with(steps), out = buffer(steps.size() * sizeof(float));
  set(gradient, made.get(), with_levels(false, CL_FILTER_NEAREST, 0, 100).get(), in.get(), out.get());
  run(gradient, steps.size());
  EXPECT_EQ(values_of<float>(out), (std::vector<float>{15, 15, 15, 17, 23, 31, 40}));
}

TEST_F(ImageLevels, Writes) {
  const auto program = build(kLevelSource);
  const auto put = kernel(program, "put");
  const Mem made = pyramid();
  for (const cl_int level : {-1, 1, 3, 5, 1000}) {
    set(put, made.get(), level);
    run(put, 32, 32);
  }
  for (std::size_t level = 0; level < 5; ++level) {
    const std::size_t width = 16 >> level, height = std::max<std::size_t>(8 >> level, 1);
    const Bytes bytes = read(made.get(), {{0, 0, level}, {width, height, 1}}, sizeof(float));
    const bool written = level == 1 || level == 3;
    for (std::size_t i = 0; i < width * height; ++i) {
      float got = 0;
      std::memcpy(&got, &bytes[i * sizeof got], sizeof got);
      ASSERT_EQ(got, static_cast<float>((written ? 100 : 10) * level + i % width)) << level << " " << i;
    }
  }
}

}  // namespace

}  // namespace lanewise::test
