// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes, origins and pitches of images that overflow, by table (tests/api/huge_sizes.h).
#include "tests/api/huge_sizes.h"

#include <CL/cl_ext.h>

#include "include/lanewise/cl_compat.h"
#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
const std::vector<cl_int> kCreation{CL_INVALID_IMAGE_SIZE, CL_INVALID_IMAGE_DESCRIPTOR,
                                    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR};

class HugeImages : public WithImages {
 protected:
  void SetUp() override {
    WithImages::SetUp();
    for (Mem& made : images_) made = image(kFormat, described(CL_MEM_OBJECT_IMAGE3D));
    memory_ = buffer(1 << 16);
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (Mem& made : images_) made.reset();
    memory_.reset();
    WithImages::TearDown();
  }
  /// width, height, depth, array size, row pitch, slice pitch
  static cl_image_desc desc_of(cl_mem_object_type type, const Values& v) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = v[0];
    desc.image_height = v[1];
    desc.image_depth = v[2];
    desc.image_array_size = v[3];
    desc.image_row_pitch = v[4];
    desc.image_slice_pitch = v[5];
    return desc;
  }
  cl_int created(const cl_image_desc& desc, cl_mem_flags flags, void* host_ptr) const {
    cl_int code = 1;
    const Mem made(clCreateImage(context, flags, &kFormat, &desc, host_ptr, &code));
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    return code;
  }

  Mem images_[2];
  Mem memory_;
  Bytes host_ = Bytes(1 << 16);
};

TEST_F(HugeImages, Creation) {
  for (const auto type : kImageTypes) {
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    SCOPED_TRACE(testing::Message() << std::hex << type);
    const cl_image_desc desc = described(type);
    const bool is_2d = desc.image_height != 0;
    const bool slices = desc.image_depth != 0 || desc.image_array_size != 0;
    const std::size_t row = 40 * 4;
    const Values legal{desc.image_width,     desc.image_height, desc.image_depth, desc.image_array_size, row,
                       slices ? row * 12 : 0};
    std::vector<std::size_t> unused;
    if (!is_2d) unused.push_back(1);
    if (desc.image_depth == 0) unused.push_back(2);
    if (desc.image_array_size == 0) unused.push_back(3);
    if (!is_2d) unused.push_back(4);  // one row of any pitch
    if (!slices) unused.push_back(5);
    check_huge({"clCreateImage with host memory", legal,
                [&](const Values& v) { return created(desc_of(type, v), CL_MEM_COPY_HOST_PTR, host_.data()); },
                kCreation, unused});
  }
}

TEST_F(HugeImages, CreationFromABuffer) {
  const std::size_t row = 64 * 4;
  for (const auto type : {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
    const bool slices = type != CL_MEM_OBJECT_IMAGE2D;
    check_huge({"clCreateImage from a buffer",
                {37, 11, 5, 5, row, slices ? row * 11 : 0},
                [&](const Values& v) {
                  cl_image_desc desc = desc_of(static_cast<cl_mem_object_type>(type), v);
                  desc.mem_object = memory_.get();
                  return created(desc, 0, nullptr);
                },
                kCreation,
                type == CL_MEM_OBJECT_IMAGE2D   ? std::vector<std::size_t>{2, 3, 5}
                : type == CL_MEM_OBJECT_IMAGE3D ? std::vector<std::size_t>{3}
                                                : std::vector<std::size_t>{2}});
  }
  check_huge({"1D image buffer",
              {37},
              [&](const Values& v) {
                cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE1D_BUFFER);
                desc.image_width = v[0];
                desc.mem_object = memory_.get();
                return created(desc, 0, nullptr);
              },
              kCreation});
}

TEST_F(HugeImages, Requirements) {
  const auto function = reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetImageRequirementsInfoEXT"));
  ASSERT_NE(function, nullptr);
  check_huge({"clGetImageRequirementsInfoEXT",
              {37, 11, 5, 0, 0, 0},
              [&](const Values& v) {
                const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE3D, v);
                std::size_t size = 0;
                return function(context, nullptr, 0, &kFormat, &desc, CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof size,
                                &size, nullptr);
              },
              kCreation,
              {3}});
}

TEST_F(HugeImages, Transfers) {
  const std::vector<cl_int> refusals{CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP};
  using Sizes = const std::size_t*;
  const auto host_side = [&](const char* name, auto run) {
    check_huge({name,
                {1, 1, 1, 4, 4, 3, 64, 512},
                [run](const Values& v) { return run(v.data(), v.data() + 3, v[6], v[7]); },
                refusals});
  };
  host_side("clEnqueueReadImage", [&](Sizes origin, Sizes region, std::size_t row, std::size_t slice) {
    return clEnqueueReadImage(queue, images_[0].get(), CL_FALSE, origin, region, row, slice, host_.data(), 0, nullptr,
                              nullptr);
  });
  host_side("clEnqueueWriteImage", [&](Sizes origin, Sizes region, std::size_t row, std::size_t slice) {
    return clEnqueueWriteImage(queue, images_[0].get(), CL_FALSE, origin, region, row, slice, host_.data(), 0, nullptr,
                               nullptr);
  });
  const cl_float colour[4] = {};
  check_huge({"clEnqueueFillImage",
              {1, 1, 1, 4, 4, 3},
              [&](const Values& v) {
                return clEnqueueFillImage(queue, images_[0].get(), colour, v.data(), v.data() + 3, 0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueCopyImage",
              {1, 1, 1, 2, 2, 1, 4, 4, 3},
              [&](const Values& v) {
                return clEnqueueCopyImage(queue, images_[0].get(), images_[1].get(), v.data(), v.data() + 3,
                                          v.data() + 6, 0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueCopyImageToBuffer",
              {1, 1, 1, 4, 4, 3, 16},
              [&](const Values& v) {
                return clEnqueueCopyImageToBuffer(queue, images_[0].get(), memory_.get(), v.data(), v.data() + 3, v[6],
                                                  0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueCopyBufferToImage",
              {1, 1, 1, 4, 4, 3, 16},
              [&](const Values& v) {
                return clEnqueueCopyBufferToImage(queue, memory_.get(), images_[0].get(), v[6], v.data(), v.data() + 3,
                                                  0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueMapImage",
              {1, 1, 1, 4, 4, 3},
              [&](const Values& v) {
                std::size_t row = 0;
                std::size_t slice = 0;
                cl_int code = 1;
                void* mapped = clEnqueueMapImage(queue, images_[0].get(), CL_FALSE, CL_MAP_READ, v.data(), v.data() + 3,
                                                 &row, &slice, 0, nullptr, nullptr, &code);
                EXPECT_EQ(mapped != nullptr, code == CL_SUCCESS);
                if (mapped != nullptr) {
                  EXPECT_EQ(clEnqueueUnmapMemObject(queue, images_[0].get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
                }
                return code;
              },
              refusals});
}

}  // namespace
}  // namespace lanewise::test
