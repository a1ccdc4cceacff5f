// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Creating images, their formats and queries (API 5.3.1, 5.3.2, 5.3.9).
#include <algorithm>
#include <set>
#include <utility>

#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

class ImageCreation : public WithImages {};

TEST_F(ImageCreation, DeviceLimits) {
  EXPECT_EQ(device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT), cl_bool{CL_TRUE});
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_READ_IMAGE_ARGS), 128u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS), 64u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS), 64u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH), 16384u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT), 16384u);
  for (const cl_device_info what :
       {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH})
    EXPECT_GE(device_value<std::size_t>(device, what), 2048u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 65536u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), 2048u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_SAMPLERS), 16u);
}

TEST_F(ImageCreation, QueriesOfEveryType) {
  for (const auto type : kImageTypes) {
    Mem owner;
    const Mem made = image_of(type, kRgba8, owner);
    const cl_image_desc desc = described(type);
    EXPECT_EQ(mem_value<cl_mem_object_type>(made.get(), CL_MEM_TYPE), type);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_WIDTH), desc.image_width);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_HEIGHT), desc.image_height);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_DEPTH), desc.image_depth);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_ARRAY_SIZE), desc.image_array_size);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_ELEMENT_SIZE), 4u);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_ROW_PITCH), 37u * 4);
    const bool sliced = desc.image_depth != 0 || desc.image_array_size != 0;
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_SLICE_PITCH),
              sliced ? std::max<std::size_t>(desc.image_height, 1) * 37 * 4 : 0);
    EXPECT_EQ(image_value<cl_uint>(made.get(), CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(image_value<cl_uint>(made.get(), CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(image_value<cl_mem>(made.get(), CL_IMAGE_BUFFER), owner.get());
    EXPECT_EQ(mem_value<cl_mem>(made.get(), CL_MEM_ASSOCIATED_MEMOBJECT), owner.get());
    const auto format = image_value<cl_image_format>(made.get(), CL_IMAGE_FORMAT);
    EXPECT_EQ(format.image_channel_order, kRgba8.image_channel_order);
    EXPECT_EQ(format.image_channel_data_type, kRgba8.image_channel_data_type);
    const Triple extent = extent_of(type);
    EXPECT_EQ(mem_value<std::size_t>(made.get(), CL_MEM_SIZE), extent[0] * extent[1] * extent[2] * 4);
  }
  const Mem plain = buffer(64);
  std::size_t width = 0;
  EXPECT_EQ(clGetImageInfo(plain.get(), CL_IMAGE_WIDTH, sizeof width, &width, nullptr), CL_INVALID_MEM_OBJECT);
  const Mem made = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  EXPECT_EQ(clGetImageInfo(made.get(), 0x1234, sizeof width, &width, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetImageInfo(made.get(), CL_IMAGE_WIDTH, 1, &width, nullptr), CL_INVALID_VALUE);
  for (cl_mem bad : invalid_handles<cl_mem>(queue))
    EXPECT_EQ(clGetImageInfo(bad, CL_IMAGE_WIDTH, sizeof width, &width, nullptr), CL_INVALID_MEM_OBJECT);
}

std::set<std::pair<cl_uint, cl_uint>> formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type) {
  cl_uint count = 0;
  EXPECT_EQ(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_image_format> list(count);
  EXPECT_EQ(clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr), CL_SUCCESS);
  std::set<std::pair<cl_uint, cl_uint>> out;
  for (const auto& format : list) out.insert({format.image_channel_order, format.image_channel_data_type});
  EXPECT_EQ(out.size(), count);
  return out;
}

TEST_F(ImageCreation, EveryListedFormatWorksAndTheMinimumIsListed) {
  for (const auto type : kImageTypes) {
    const auto list = formats(context, CL_MEM_READ_WRITE, type);
    for (const cl_uint order : {CL_R, CL_RG, CL_RGBA})
      for (const cl_uint channel :
           {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16,
            CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT})
        EXPECT_TRUE(list.contains({order, channel}));
    EXPECT_TRUE(list.contains({CL_BGRA, CL_UNORM_INT8}));
    EXPECT_TRUE(list.contains({CL_sRGBA, CL_UNORM_INT8}));
    for (const auto& [order, channel] : list) {
      Mem owner;
      const Mem made = image_of(type, {order, channel}, owner);
      const auto element = image_value<std::size_t>(made.get(), CL_IMAGE_ELEMENT_SIZE);
      EXPECT_EQ(element & (element - 1), 0u) << std::hex << order << " " << channel;
    }
  }
  EXPECT_TRUE(formats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D).contains({CL_DEPTH, CL_FLOAT}));
  EXPECT_FALSE(formats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D).contains({CL_DEPTH, CL_FLOAT}));
  cl_uint count = 0;
  cl_image_format one{};
  const auto list = [&](cl_context owner, cl_mem_flags flags, cl_mem_object_type type, cl_uint entries,
                        cl_image_format* out) {
    return clGetSupportedImageFormats(owner, flags, type, entries, out, &count);
  };
  EXPECT_EQ(list(nullptr, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, &one), CL_INVALID_CONTEXT);
  EXPECT_EQ(list(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 1, &one), CL_INVALID_VALUE);
  EXPECT_EQ(list(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, &one), CL_INVALID_VALUE);
  EXPECT_EQ(list(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 1, &one), CL_INVALID_VALUE);
  EXPECT_EQ(list(context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, &one), CL_SUCCESS);
}

TEST_F(ImageCreation, Errors) {
  const cl_image_desc flat = described(CL_MEM_OBJECT_IMAGE2D);
  const auto refused = [&](const cl_image_desc& desc, cl_int expected, cl_mem_flags flags = 0, void* host = nullptr) {
    image(kRgba8, desc, flags, host, expected);
  };
  const auto changed = [&](auto member, auto value) {
    cl_image_desc desc = flat;
    desc.*member = value;
    return desc;
  };
  cl_int code = 1;
  EXPECT_EQ(clCreateImage(nullptr, 0, &kRgba8, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateImage(context, 0, nullptr, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(clCreateImage(context, 0, &kRgba8, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_mem_properties unknown[] = {0x1234, 1, 0};
  EXPECT_EQ(clCreateImageWithProperties(context, unknown, 0, &kRgba8, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
  image({CL_RGB, CL_UNORM_INT8}, flat, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  image({0x1234, CL_UNORM_INT8}, flat, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  image({CL_DEPTH_STENCIL, CL_UNORM_INT24}, flat, 0, nullptr, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  refused(flat, CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  refused(flat, CL_INVALID_VALUE, cl_mem_flags{1} << 40);
  refused(changed(&cl_image_desc::image_type, cl_mem_object_type{CL_MEM_OBJECT_BUFFER}), CL_INVALID_IMAGE_DESCRIPTOR);
  refused(changed(&cl_image_desc::image_width, std::size_t{0}), CL_INVALID_IMAGE_DESCRIPTOR);
  refused(changed(&cl_image_desc::image_height, std::size_t{0}), CL_INVALID_IMAGE_DESCRIPTOR);
  refused(changed(&cl_image_desc::image_width, std::size_t{1} << 20), CL_INVALID_IMAGE_SIZE);
  refused(changed(&cl_image_desc::image_height, std::size_t{1} << 20), CL_INVALID_IMAGE_SIZE);
  refused(changed(&cl_image_desc::image_row_pitch, std::size_t{37 * 4}), CL_INVALID_IMAGE_DESCRIPTOR);
  refused(changed(&cl_image_desc::num_samples, cl_uint{2}), CL_INVALID_IMAGE_DESCRIPTOR);
  refused(changed(&cl_image_desc::num_mip_levels, cl_uint{7}), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc array = described(CL_MEM_OBJECT_IMAGE2D_ARRAY);
  array.image_array_size = 0;
  refused(array, CL_INVALID_IMAGE_DESCRIPTOR);
  Bytes memory(64 * 64 * 8);
  refused(flat, CL_INVALID_HOST_PTR, CL_MEM_USE_HOST_PTR);
  refused(flat, CL_INVALID_HOST_PTR, 0, memory.data());
  const auto use = CL_MEM_USE_HOST_PTR;
  refused(changed(&cl_image_desc::image_row_pitch, std::size_t{37 * 4 - 4}), CL_INVALID_IMAGE_DESCRIPTOR, use,
          memory.data());
  refused(changed(&cl_image_desc::image_row_pitch, std::size_t{37 * 4 + 2}), CL_INVALID_IMAGE_DESCRIPTOR, use,
          memory.data());
  cl_image_desc slices = described(CL_MEM_OBJECT_IMAGE3D);
  slices.image_slice_pitch = 37 * 4 * 11 + 4;
  refused(slices, CL_INVALID_IMAGE_DESCRIPTOR, use, memory.data());
}

TEST_F(ImageCreation, WithPropertiesHasTheSameErrors) {
  cl_int code = 1;
  const cl_mem_properties none[] = {0};
  const auto refused = [&](cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* desc, void* host) {
    EXPECT_EQ(clCreateImageWithProperties(context, none, flags, format, desc, host, &code), nullptr);
    return code;
  };
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  const cl_image_format stencil{CL_DEPTH_STENCIL, CL_UNORM_INT24};
  int host = 0;
  EXPECT_EQ(refused(1 << 20, &kRgba8, &desc, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(refused(0, nullptr, &desc, nullptr), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(refused(0, &stencil, &desc, nullptr), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(refused(0, &kRgba8, nullptr, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(refused(0, &kRgba8, &desc, &host), CL_INVALID_HOST_PTR);
  desc.image_width = 1 << 20;
  EXPECT_EQ(refused(0, &kRgba8, &desc, nullptr), CL_INVALID_IMAGE_SIZE);
  desc.image_width = 8;
  const Mem made(clCreateImageWithProperties(context, none, 0, &kRgba8, &desc, nullptr, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  std::size_t size = 0;
  EXPECT_EQ(clGetMemObjectInfo(made.get(), CL_MEM_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof none);
}

TEST_F(ImageCreation, OldFunctions) {
  cl_int code = 1;
  Mem flat(clCreateImage2D(context, 0, &kRgba8, 8, 4, 0, nullptr, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mem_value<cl_mem_object_type>(flat.get(), CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D});
  Mem deep(clCreateImage3D(context, 0, &kRgba8, 8, 4, 2, 0, 0, nullptr, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(image_value<std::size_t>(deep.get(), CL_IMAGE_DEPTH), 2u);
  Bytes memory(4096);
  const auto refused = [&](cl_mem made, cl_int expected) {
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(code, expected);
  };
  const auto flags = CL_MEM_COPY_HOST_PTR;
  refused(clCreateImage2D(nullptr, 0, &kRgba8, 8, 4, 0, nullptr, &code), CL_INVALID_CONTEXT);
  refused(clCreateImage2D(context, 1 << 20, &kRgba8, 8, 4, 0, nullptr, &code), CL_INVALID_VALUE);
  refused(clCreateImage2D(context, 0, nullptr, 8, 4, 0, nullptr, &code), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  refused(clCreateImage2D(context, 0, &kRgba8, 0, 4, 0, nullptr, &code), CL_INVALID_IMAGE_SIZE);
  refused(clCreateImage2D(context, 0, &kRgba8, 8, 1 << 20, 0, nullptr, &code), CL_INVALID_IMAGE_SIZE);
  refused(clCreateImage2D(context, flags, &kRgba8, 8, 4, 30, memory.data(), &code), CL_INVALID_IMAGE_SIZE);
  refused(clCreateImage2D(context, flags, &kRgba8, 8, 4, 0, nullptr, &code), CL_INVALID_HOST_PTR);
  const cl_image_format stencil{CL_DEPTH_STENCIL, CL_UNORM_INT24};
  refused(clCreateImage2D(context, 0, &stencil, 8, 4, 0, nullptr, &code), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  refused(clCreateImage3D(nullptr, 0, &kRgba8, 8, 4, 2, 0, 0, nullptr, &code), CL_INVALID_CONTEXT);
  refused(clCreateImage3D(context, 1 << 20, &kRgba8, 8, 4, 2, 0, 0, nullptr, &code), CL_INVALID_VALUE);
  refused(clCreateImage3D(context, 0, nullptr, 8, 4, 2, 0, 0, nullptr, &code), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  refused(clCreateImage3D(context, 0, &kRgba8, 8, 4, 1, 0, 0, nullptr, &code), CL_INVALID_IMAGE_SIZE);
  refused(clCreateImage3D(context, flags, &kRgba8, 8, 4, 2, 0, 0, nullptr, &code), CL_INVALID_HOST_PTR);
  refused(clCreateImage3D(context, flags, &kRgba8, 8, 4, 2, 32, 100, memory.data(), &code), CL_INVALID_IMAGE_SIZE);
  refused(clCreateImage3D(context, 0, &stencil, 8, 4, 2, 0, 0, nullptr, &code), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_F(ImageCreation, FromHostMemoryWithPitches) {
  for (const auto type :
       {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    cl_image_desc desc = described(static_cast<cl_mem_object_type>(type));
    const Triple extent = extent_of(static_cast<cl_mem_object_type>(type));
    const bool line_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    desc.image_row_pitch = 40 * 4;
    if (type != CL_MEM_OBJECT_IMAGE2D) desc.image_slice_pitch = line_array ? 80 * 4 : 40 * 4 * 13;
    const std::size_t row = line_array ? desc.image_slice_pitch : desc.image_row_pitch;
    Bytes memory = some_bytes(row * extent[1] + desc.image_slice_pitch * extent[2] + 64);
    for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
      const Mem made = image(kRgba8, desc, flags, memory.data());
      const Bytes whole = read(made.get(), {{0, 0, 0}, extent}, 4);
      const unsigned char* at = whole.data();
      for (std::size_t z = 0; z < extent[2]; ++z)
        for (std::size_t y = 0; y < extent[1]; ++y, at += extent[0] * 4)
          ASSERT_EQ(std::memcmp(at, memory.data() + z * desc.image_slice_pitch + y * row, extent[0] * 4), 0);
      EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_ROW_PITCH), desc.image_row_pitch);
      EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_SLICE_PITCH), desc.image_slice_pitch);
      const bool uses = flags == CL_MEM_USE_HOST_PTR;
      EXPECT_EQ(mem_value<void*>(made.get(), CL_MEM_HOST_PTR), uses ? memory.data() : nullptr);
    }
  }
}

TEST_F(ImageCreation, FromBuffers) {
  const Bytes bytes = some_bytes(8192);
  const Mem parent = buffer_of(bytes, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  desc.buffer = parent.get();
  desc.image_row_pitch = 48 * 4;
  const Mem flat = image(kRgba8, desc, 0);
  EXPECT_EQ(mem_value<cl_mem_flags>(flat.get(), CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_COPY_HOST_PTR});
  const Bytes row = read(flat.get(), {{0, 3, 0}, {37, 1, 1}}, 4);
  EXPECT_EQ(std::memcmp(row.data(), bytes.data() + 3 * 48 * 4, row.size()), 0);
  image(kRgba8, desc, CL_MEM_READ_WRITE, nullptr, CL_INVALID_VALUE);
  image(kRgba8, desc, CL_MEM_WRITE_ONLY, nullptr, CL_INVALID_VALUE);
  image(kRgba8, desc, CL_MEM_HOST_WRITE_ONLY, nullptr, CL_INVALID_VALUE);
  image(kRgba8, desc, CL_MEM_ALLOC_HOST_PTR, nullptr, CL_INVALID_VALUE);
  desc.image_row_pitch = 37 * 4 - 4;
  image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_row_pitch = 1024 * 4;
  image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
  desc = described(CL_MEM_OBJECT_IMAGE1D_BUFFER);
  image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);  // without a buffer
  desc.buffer = parent.get();
  desc.image_width = 2049;
  image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
  // From a sub-buffer: the data begins at its origin.
  const Mem root = buffer_of(bytes);
  const Mem part = sub_buffer(root, 1024, 2048);
  desc = described(CL_MEM_OBJECT_IMAGE1D_BUFFER);
  desc.buffer = part.get();
  const Mem line = image(kRgba8, desc, 0);
  const Bytes first = read(line.get(), {{0, 0, 0}, {37, 1, 1}}, 4);
  EXPECT_EQ(std::memcmp(first.data(), bytes.data() + 1024, first.size()), 0);
  EXPECT_EQ(image_value<cl_mem>(line.get(), CL_IMAGE_BUFFER), part.get());
}

/// cl_ext_image_from_buffer: the image and the (sub-)buffer are the same bytes, at the pitches of the description.
TEST_F(ImageCreation, FromBuffersOfEveryType) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    const Triple extent = extent_of(type);
    const bool line_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_image_desc desc = described(type);
    desc.image_row_pitch = 40 * 4;
    if (desc.image_depth != 0 || desc.image_array_size != 0) desc.image_slice_pitch = line_array ? 80 * 4 : 40 * 4 * 13;
    const std::size_t row = line_array ? desc.image_slice_pitch : desc.image_row_pitch;
    const Bytes bytes = some_bytes(1 << 16);
    const Mem root = buffer_of(bytes);
    const Mem part = sub_buffer(root, 4096, 1 << 15);
    desc.buffer = part.get();
    const Mem made = image(kRgba8, desc, 0);
    const bool one_row = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_ROW_PITCH), one_row ? 37u * 4 : 40u * 4);
    EXPECT_EQ(image_value<std::size_t>(made.get(), CL_IMAGE_SLICE_PITCH), desc.image_slice_pitch);
    EXPECT_EQ(image_value<cl_mem>(made.get(), CL_IMAGE_BUFFER), part.get());
    const auto at = [&](std::size_t y, std::size_t z) { return 4096 + z * desc.image_slice_pitch + y * row; };
    const Bytes whole = read(made.get(), {{0, 0, 0}, extent}, 4);
    const unsigned char* from = whole.data();
    for (std::size_t z = 0; z < extent[2]; ++z)
      for (std::size_t y = 0; y < extent[1]; ++y, from += extent[0] * 4)
        ASSERT_EQ(std::memcmp(from, bytes.data() + at(y, z), extent[0] * 4), 0);
    // And back: what is written to a part of the image changes these bytes of the buffer, and no others.
    const Part middle = middle_of(extent);
    const Bytes data = some_bytes(middle.region[0] * middle.region[1] * middle.region[2] * 4, 99);
    write(made.get(), middle, data);
    Bytes expected = bytes, now(bytes.size());
    from = data.data();
    for (std::size_t z = 0; z < middle.region[2]; ++z)
      for (std::size_t y = 0; y < middle.region[1]; ++y, from += middle.region[0] * 4)
        std::memcpy(expected.data() + at(middle.origin[1] + y, middle.origin[2] + z) + middle.origin[0] * 4, from,
                    middle.region[0] * 4);
    EXPECT_EQ(clEnqueueReadBuffer(queue, root.get(), CL_TRUE, 0, now.size(), now.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(now, expected);
  }
}

TEST_F(ImageCreation, FromBufferErrors) {
  const Mem parent = buffer(1 << 16);
  const Mem small = buffer(37 * 4 - 1);
  alignas(64) unsigned char memory[1 << 14];
  const Mem crooked = buffer(sizeof memory - 1, CL_MEM_USE_HOST_PTR, memory + 1);
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    cl_image_desc desc = described(type);
    desc.buffer = parent.get();
    desc.image_row_pitch = 37 * 4 + 1;
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    desc.image_row_pitch = 36 * 4;
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    desc.image_row_pitch = 0;
    desc.buffer = small.get();
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
    desc.buffer = crooked.get();
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    desc.buffer = parent.get();
    desc.num_mip_levels = 2;
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 0;
    if (desc.image_depth == 0 && desc.image_array_size == 0) continue;
    const std::size_t packed = 37 * 4 * std::max<std::size_t>(desc.image_height, 1);
    for (const std::size_t wrong : {packed + 4, packed - 4, std::size_t{1}}) {
      desc.image_slice_pitch = wrong;
      image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    desc.image_slice_pitch = 37 * 4 * (std::size_t{1} << 54);
    image(kRgba8, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
  }
}

TEST_F(ImageCreation, ViewsOfImages) {
  const cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  const Mem source = image(kRgba8, desc);
  cl_image_desc view = desc;
  view.mem_object = source.get();
  const Mem made = image({CL_sRGBA, CL_UNORM_INT8}, view, 0);
  const Bytes data = some_bytes(37 * 11 * 4);
  write(source.get(), {{0, 0, 0}, {37, 11, 1}}, data);
  EXPECT_EQ(read(made.get(), {{0, 0, 0}, {37, 11, 1}}, 4), data);
  EXPECT_EQ(mem_value<cl_mem>(made.get(), CL_MEM_ASSOCIATED_MEMOBJECT), source.get());
  EXPECT_EQ(image_value<cl_mem>(made.get(), CL_IMAGE_BUFFER), nullptr);
  image({CL_BGRA, CL_UNORM_INT8}, view, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  image({CL_RGBA, CL_SNORM_INT8}, view, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  view.image_width = 36;
  image({CL_sRGBA, CL_UNORM_INT8}, view, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  cl_image_desc line = described(CL_MEM_OBJECT_IMAGE1D_BUFFER);
  line.mem_object = source.get();
  image(kRgba8, line, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageCreation, OneLevelMayBeCalledNone) {
  for (const cl_uint levels : {0U, 1U}) {
    cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
    desc.num_mip_levels = levels;
    const Mem source = image(kRgba8, desc);
    EXPECT_EQ(image_value<cl_uint>(source.get(), CL_IMAGE_NUM_MIP_LEVELS), levels);
    const Bytes data = some_bytes(37 * 11 * 4);
    write(source.get(), {{0, 0, 0}, {37, 11, 1}}, data);
    for (const cl_uint levels_of_view : {0U, 1U}) {
      cl_image_desc view = described(CL_MEM_OBJECT_IMAGE2D);
      view.mem_object = source.get();
      view.num_mip_levels = levels_of_view;
      const Mem made = image({CL_sRGBA, CL_UNORM_INT8}, view, 0);
      EXPECT_EQ(read(made.get(), {{0, 0, 0}, {37, 11, 1}}, 4), data) << levels << levels_of_view;
    }
  }
}

TEST_F(ImageCreation, BufferFunctionsRefuseImages) {
  const Mem made = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  unsigned char bytes[16] = {};
  cl_int code = 1;
  EXPECT_EQ(clEnqueueReadBuffer(queue, made.get(), CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, made.get(), bytes, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapBuffer(queue, made.get(), CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region{0, 4};
  EXPECT_EQ(clCreateSubBuffer(made.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
}

}  // namespace
}  // namespace lanewise::test
