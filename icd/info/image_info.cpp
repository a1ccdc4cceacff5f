// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of images (API 5.3.9, table 35).
#include "icd/cast.h"
#include "icd/info.h"
#include "runtime/core/context.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

using I = const MemObject&;

const cl_image_desc& desc(I image) {
  return image.image()->desc;
}

constexpr Row<MemObject> kImageInfo[] = {
    {CL_IMAGE_FORMAT, type<cl_image_format>, [](I i) { return i.image()->format; }},
    {CL_IMAGE_ELEMENT_SIZE, type<std::size_t>, [](I i) { return i.image()->element; }},
    {CL_IMAGE_ROW_PITCH, type<std::size_t>, [](I i) { return desc(i).image_row_pitch; }},
    {CL_IMAGE_SLICE_PITCH, type<std::size_t>,
     [](I i) { return i.image()->has_slices() ? desc(i).image_slice_pitch : 0; }},
    {CL_IMAGE_WIDTH, type<std::size_t>, [](I i) { return desc(i).image_width; }},
    {CL_IMAGE_HEIGHT, type<std::size_t>, [](I i) { return desc(i).image_height; }},
    {CL_IMAGE_DEPTH, type<std::size_t>, [](I i) { return desc(i).image_depth; }},
    {CL_IMAGE_ARRAY_SIZE, type<std::size_t>, [](I i) { return desc(i).image_array_size; }},
    {CL_IMAGE_BUFFER, type<cl_mem>,
     [](I i) { return i.parent() != nullptr && i.parent()->image() == nullptr ? i.parent()->handle() : nullptr; }},
    {CL_IMAGE_NUM_MIP_LEVELS, type<cl_uint>, [](I i) { return desc(i).num_mip_levels; }},
    {CL_IMAGE_NUM_SAMPLES, type<cl_uint>, [](I i) { return desc(i).num_samples; }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                               void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<MemObject>(image);
    require(object.image() != nullptr, CL_INVALID_MEM_OBJECT, "not an image");
    answer(kImageInfo, param_name, object, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
