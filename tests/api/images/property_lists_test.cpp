// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Property lists of images, of queries about images, and of samplers, by table (tests/api/property_lists.h).
#include "tests/api/property_lists.h"

#include <CL/cl_ext.h>

#include <bit>

#include "include/lanewise/cl_compat.h"
#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

class ImagePropertyLists : public WithImages {
 protected:
  static constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc_ = described(CL_MEM_OBJECT_IMAGE2D);
  const std::vector<std::uint64_t> foreign_{CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_QUEUE_PROPERTIES};
};

TEST_F(ImagePropertyLists, Images) {
  check_lists({"clCreateImageWithProperties", CL_INVALID_PROPERTY, {}, foreign_, [this](const std::uint64_t* list) {
                 cl_int code = 1;
                 const Mem made(clCreateImageWithProperties(context, list, 0, &kFormat, &desc_, nullptr, &code));
                 return code;
               }});
}

TEST_F(ImagePropertyLists, Requirements) {
  const auto function = reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetImageRequirementsInfoEXT"));
  ASSERT_NE(function, nullptr);
  check_lists({"clGetImageRequirementsInfoEXT", CL_INVALID_PROPERTY, {}, foreign_, [&](const std::uint64_t* list) {
                 std::size_t size = 0;
                 return function(context, list, 0, &kFormat, &desc_, CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof size, &size,
                                 nullptr);
               }});
}

TEST_F(ImagePropertyLists, Samplers) {
  check_lists({"clCreateSamplerWithProperties",
               CL_INVALID_VALUE,
               {{CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, true},
                {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, true},
                {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, true},
                {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, true},
                {CL_SAMPLER_LOD_MIN_KHR, std::bit_cast<std::uint32_t>(1.0f), false},
                {CL_SAMPLER_LOD_MAX_KHR, std::bit_cast<std::uint32_t>(3.0f), false}},
               {CL_QUEUE_PROPERTIES, CL_CONTEXT_PLATFORM, CL_SAMPLER_CONTEXT},
               [this](const std::uint64_t* list) {
                 cl_int code = 1;
                 const auto made = clCreateSamplerWithProperties(context, list, &code);
                 if (made != nullptr) {
                   EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
                 }
                 return code;
               }});
}

}  // namespace
}  // namespace lanewise::test
