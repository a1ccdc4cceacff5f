// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// clGetImageRequirementsInfoEXT, and images of all types from buffers (cl_ext_image_requirements_info,
/// cl_ext_image_from_buffer).
#include <algorithm>
#include <bit>

#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};
constexpr cl_image_format kRgba32{CL_RGBA, CL_FLOAT};

class ImageRequirements : public WithImages {
 protected:
  void SetUp() override {
    WithImages::SetUp();
    ask = reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(
        clGetExtensionFunctionAddressForPlatform(platform_of_device(), "clGetImageRequirementsInfoEXT"));
    ASSERT_NE(ask, nullptr);
  }
  cl_platform_id platform_of_device() const { return device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM); }

  template <class T>
  T value(cl_uint what, const cl_image_format* format, const cl_image_desc* desc, cl_mem_flags flags = 0) const {
    T out{};
    std::size_t size = 0;
    EXPECT_EQ(ask(context, nullptr, flags, format, desc, what, sizeof out, &out, &size), CL_SUCCESS)
        << std::hex << what;
    EXPECT_EQ(size, sizeof out);
    return out;
  }
  cl_int code(cl_uint what, const cl_image_format* format, const cl_image_desc* desc) const {
    std::size_t out = 0;
    return ask(context, nullptr, 0, format, desc, what, sizeof out, &out, nullptr);
  }
  std::vector<cl_image_format> formats(cl_mem_object_type type) const {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_image_format> list(count);
    EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, count, list.data(), nullptr), CL_SUCCESS);
    return list;
  }
  clGetImageRequirementsInfoEXT_fn ask = nullptr;
};

constexpr cl_uint kAlignments[] = {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
                                   CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
                                   CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT};
struct Limit {
  cl_uint what;
  std::size_t cl_image_desc::* extent;
};
constexpr Limit kLimits[] = {{CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &cl_image_desc::image_width},
                             {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &cl_image_desc::image_height},
                             {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, &cl_image_desc::image_depth},
                             {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, &cl_image_desc::image_array_size}};

TEST_F(ImageRequirements, AlignmentsArePowersOfTwoAndThoseOfTheDevice) {
  const auto pixels_of_pitch = device_value<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  const auto pixels_of_base = device_value<cl_uint>(device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
  for (const cl_uint what : kAlignments) {
    const auto any = value<std::size_t>(what, nullptr, nullptr);
    EXPECT_LE(any, 16 * (what == CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT ? pixels_of_base : pixels_of_pitch));
    for (const auto type : kImageTypes) {
      const cl_image_desc desc = described(type);
      EXPECT_EQ(value<std::size_t>(what, nullptr, &desc), any);
      for (const cl_image_format& format : formats(type)) {
        const auto bytes = value<std::size_t>(what, &format, &desc, CL_MEM_KERNEL_READ_AND_WRITE);
        EXPECT_TRUE(std::has_single_bit(bytes));
        EXPECT_EQ(value<std::size_t>(what, &format, nullptr), bytes);
        EXPECT_LE(bytes, any);
      }
    }
  }
}

TEST_F(ImageRequirements, ABufferOfTheSizeIsEnoughAndALittleLessIsNot) {
  for (const auto type : kImageTypes)
    for (const cl_image_format& format : formats(type))
      for (const std::size_t padding : {0, 3}) {
        cl_image_desc desc = described(type);
        const auto align = value<std::size_t>(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, &format, &desc);
        Mem parent = buffer(1 << 20);
        desc.buffer = parent.get();
        const Mem packed = image(format, desc, 0);
        if (padding != 0) {
          desc.image_row_pitch = image_value<std::size_t>(packed.get(), CL_IMAGE_ROW_PITCH) + padding * align;
          desc.image_slice_pitch = desc.image_row_pitch * (std::max<std::size_t>(desc.image_height, 1) + 2);
        }
        const auto size = value<std::size_t>(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &desc);
        parent = buffer(size);
        desc.buffer = parent.get();
        const Mem made = image(format, desc, 0);
        ASSERT_NE(made.get(), nullptr);
        EXPECT_EQ(mem_value<std::size_t>(made.get(), CL_MEM_SIZE), size);
        EXPECT_EQ(mem_value<cl_mem>(made.get(), CL_MEM_ASSOCIATED_MEMOBJECT), parent.get());
        parent = buffer(size - 1);
        desc.buffer = parent.get();
        image(format, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
      }
}

TEST_F(ImageRequirements, SizeFollowsThePitches) {
  const auto size = [&](cl_mem_object_type type, std::size_t row, std::size_t slice) {
    cl_image_desc desc = described(type);
    desc.image_row_pitch = row;
    desc.image_slice_pitch = slice;
    return value<std::size_t>(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &desc);
  };
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D, 0, 0), 37u * 4);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D, 200, 0), 37u * 4);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0), 37u * 4);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D_ARRAY, 200, 0), 200u * 7);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D_ARRAY, 200, 600), 600u * 7);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, 0, 0), 37u * 4 * 11);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, 200, 0), 200u * 11);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D_ARRAY, 200, 0), 200u * 11 * 7);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE3D, 200, 200 * 13), 200u * 13 * 5);
}

TEST_F(ImageRequirements, LargestExtents) {
  const std::size_t flat = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const std::size_t high = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  const std::size_t cube = device_value<std::size_t>(device, CL_DEVICE_IMAGE3D_MAX_WIDTH);
  const std::size_t images = device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const std::size_t line = device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
  const auto most = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto of = [&](cl_uint what, cl_mem_object_type type, const cl_image_format* format = &kRgba8) {
    cl_image_desc desc{};
    desc.image_type = type;
    return value<cl_uint>(what, format, &desc);
  };
  constexpr cl_uint kWidth = CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, kHeight = CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT;
  for (const auto type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D})
    EXPECT_EQ(of(kWidth, static_cast<cl_mem_object_type>(type)), flat);
  EXPECT_EQ(of(kWidth, CL_MEM_OBJECT_IMAGE3D), cube);
  EXPECT_EQ(of(kWidth, CL_MEM_OBJECT_IMAGE1D_BUFFER, nullptr), std::min<std::size_t>(line, most / 16));
  EXPECT_EQ(of(kHeight, CL_MEM_OBJECT_IMAGE2D_ARRAY), high);
  EXPECT_EQ(of(kHeight, CL_MEM_OBJECT_IMAGE3D), cube);
  EXPECT_EQ(of(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, CL_MEM_OBJECT_IMAGE3D), cube);
  EXPECT_EQ(of(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_MEM_OBJECT_IMAGE1D_ARRAY), images);
  // Without a type: the limits that hold for all types with this extent.
  for (const Limit& limit : kLimits) {
    const std::size_t all = limit.what == CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT ? images : cube;
    EXPECT_EQ(value<cl_uint>(limit.what, nullptr, nullptr), all);
    EXPECT_EQ(of(limit.what, 0, nullptr), all);
  }
}

TEST_F(ImageRequirements, GivenExtentsAndPitchesLimitTheOthers) {
  const auto most = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = 2048;
  desc.image_height = 2048;
  const auto depth = value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, &kRgba32, &desc);
  EXPECT_EQ(depth, std::min<cl_ulong>(2048, most / (cl_ulong{2048} * 2048 * 16)));
  desc.image_depth = depth + 1;
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba32, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_depth = depth;
  EXPECT_EQ(value<std::size_t>(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba32, &desc), std::size_t{2048} * 2048 * 16 * depth);

  desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_row_pitch = 400;
  EXPECT_EQ(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &desc), 100u);
  EXPECT_EQ(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, &desc), 25u);
  desc.image_row_pitch = 402;
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  desc.image_height = 10;
  desc.image_slice_pitch = 4 * 10 * 30 + 4 * 30;  // eleven rows of 30, and so on down to the rows that divide it
  EXPECT_EQ(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &desc), 33u);
  desc.image_width = 30;
  EXPECT_EQ(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &desc), 11u);
  desc = {};
  desc.num_mip_levels = 3;
  EXPECT_EQ(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &desc), 2048u);
  desc.num_mip_levels = 40;
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageRequirements, ContextPropertiesFlagsAndFormats) {
  const cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  constexpr cl_uint kRow = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
  std::size_t out = 0;
  const auto refused = [&](cl_context owner, const cl_mem_properties* properties, cl_mem_flags flags,
                           const cl_image_format& format) {
    return ask(owner, properties, flags, &format, &desc, kRow, sizeof out, &out, nullptr);
  };
  for (cl_context bad : invalid_handles<cl_context>(queue))
    EXPECT_EQ(refused(bad, nullptr, 0, kRgba8), CL_INVALID_CONTEXT);
  const cl_mem_properties none[] = {0}, unknown[] = {0x1234, 1, 0};
  EXPECT_EQ(refused(context, none, 0, kRgba8), CL_SUCCESS);
  EXPECT_EQ(refused(context, unknown, 0, kRgba8), CL_INVALID_PROPERTY);
  EXPECT_EQ(refused(context, nullptr, ~cl_mem_flags{0}, kRgba8), CL_INVALID_VALUE);
  EXPECT_EQ(refused(context, nullptr, cl_mem_flags{1} << 40, kRgba8), CL_INVALID_VALUE);
  EXPECT_EQ(refused(context, nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, kRgba8), CL_INVALID_VALUE);
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE})
    EXPECT_EQ(refused(context, nullptr, flags, kRgba8), CL_SUCCESS);
  EXPECT_EQ(refused(context, nullptr, 0, {CL_INTENSITY, CL_UNORM_SHORT_555}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(refused(context, nullptr, 0, {0x1234, CL_FLOAT}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(refused(context, nullptr, 0, {CL_DEPTH_STENCIL, CL_UNORM_INT24}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_F(ImageRequirements, ParametersAndSizes) {
  const cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE3D);
  std::size_t out = 0, size = 0;
  EXPECT_EQ(code(CL_IMAGE_FORMAT, &kRgba8, &desc), CL_INVALID_VALUE);
  EXPECT_EQ(code(0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_SIZE_EXT, nullptr, &desc), CL_INVALID_VALUE);
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, nullptr), CL_INVALID_VALUE);
  for (const cl_uint what : kAlignments) {
    EXPECT_EQ(ask(context, nullptr, 0, &kRgba8, &desc, what, sizeof out - 1, &out, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(ask(context, nullptr, 0, &kRgba8, &desc, what, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof(std::size_t));
  }
  EXPECT_EQ(ask(context, nullptr, 0, &kRgba8, &desc, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, 3, &out, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(ask(context, nullptr, 0, &kRgba8, &desc, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, 0, nullptr, &size),
            CL_SUCCESS);
  EXPECT_EQ(size, sizeof(cl_uint));
}

TEST_F(ImageRequirements, Descriptions) {
  constexpr cl_uint kRow = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, kSize = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
  const cl_image_desc flat = described(CL_MEM_OBJECT_IMAGE2D);
  const auto refused = [&](cl_uint what, auto member, auto bad, const cl_image_format& format = kRgba8) {
    cl_image_desc desc = flat;
    desc.*member = bad;
    EXPECT_EQ(code(what, &format, &desc), CL_INVALID_IMAGE_DESCRIPTOR) << std::hex << what;
  };
  for (const cl_uint what : {kRow, kSize}) {
    refused(what, &cl_image_desc::image_type, cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
    refused(what, &cl_image_desc::image_type, cl_mem_object_type{0});
    refused(what, &cl_image_desc::image_width, std::size_t{0});
    refused(what, &cl_image_desc::image_height, std::size_t{1} << 20);
    refused(what, &cl_image_desc::num_mip_levels, cl_uint{7});
    refused(what, &cl_image_desc::num_samples, cl_uint{2});
    refused(what, &cl_image_desc::num_mip_levels, cl_uint{2}, {CL_DEPTH, CL_FLOAT});
  }
  refused(kSize, &cl_image_desc::num_mip_levels, cl_uint{2});  // there is none in a buffer
  refused(kSize, &cl_image_desc::image_row_pitch, std::size_t{36 * 4});
  refused(kSize, &cl_image_desc::image_row_pitch, std::size_t{37 * 4 + 1});
  refused(kSize, &cl_image_desc::image_row_pitch, SIZE_MAX - 3);
  // Queries of extents that the type does not have, and extents beyond the limits beside them.
  for (const Limit& limit : kLimits) {
    refused(limit.what, &cl_image_desc::image_type, cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
    for (const auto type : kImageTypes) {
      const cl_image_desc desc = described(type);
      EXPECT_EQ(code(limit.what, &kRgba8, &desc), desc.*limit.extent != 0 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR);
    }
  }
  cl_image_desc wide = flat;
  wide.image_width = 1 << 20;
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &wide), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &kRgba8, &wide), CL_SUCCESS);  // the width itself is ignored
}

TEST_F(ImageRequirements, MemoryObjectsOfTheDescription) {
  constexpr cl_uint kSize = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
  const Stranger stranger(device);
  const Mem foreign(clCreateBuffer(stranger.context, 0, 8192, nullptr, nullptr));
  const Mem own = buffer(8192);
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE3D);
  desc.mem_object = own.get();
  EXPECT_EQ(code(kSize, &kRgba8, &desc), CL_SUCCESS);
  desc.mem_object = foreign.get();
  EXPECT_EQ(code(kSize, &kRgba8, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  for (cl_mem bad : invalid_handles<cl_mem>(queue)) {
    if (bad == nullptr) continue;  // none
    desc.mem_object = bad;
    EXPECT_EQ(code(kSize, &kRgba8, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  }
  const Mem flat = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  desc.mem_object = flat.get();
  EXPECT_EQ(code(kSize, &kRgba8, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc = described(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = flat.get();
  EXPECT_EQ(code(kSize, &kRgba8, &desc), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
