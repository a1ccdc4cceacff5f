// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an image would require, and how large it could be, before it is created: cl_ext_image_requirements_info, with
/// the query that cl_ext_image_from_buffer adds.
#include <algorithm>
#include <limits>

#include "icd/cast.h"
#include "icd/image_check.h"
#include "icd/info.h"
#include "icd/memory_flags.h"
#include "icd/property_list.h"
#include "runtime/layout/format.h"

using namespace lanewise;

namespace {

struct FormatRequest {
  const DeviceFacts& facts;
  const cl_image_format* format;  ///< null: any format
  const cl_image_desc* desc;      ///< null: any image
  std::size_t element;            ///< bytes; those of the largest element if there is no format
};
using R = const FormatRequest&;

constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                         CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

/// The description, which must be complete except for its pitches. Throws CL_INVALID_IMAGE_DESCRIPTOR.
cl_image_desc complete(R request) {
  const cl_image_desc desc = relevant(*request.desc);
  require(is_image_type(desc.image_type), CL_INVALID_IMAGE_DESCRIPTOR, "not an image type");
  for (const Extent extent : kExtents) {
    if (!has_extent(desc.image_type, extent)) continue;
    require(desc.*extent != 0 && desc.*extent <= largest_extent(request.facts, desc.image_type, extent),
            CL_INVALID_IMAGE_DESCRIPTOR, "an extent is 0 or beyond the device's limit");
  }
  require(desc.num_mip_levels <= 1 || (desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && levels_fit(desc)),
          CL_INVALID_IMAGE_DESCRIPTOR, "the image has fewer mip levels");
  return desc;
}

BufferAlignment alignment(R request) {
  if (request.desc != nullptr) static_cast<void>(complete(request));
  return alignment_in_buffer(request.facts, request.element);
}

/// Bytes of the smallest buffer that an image of this description can be made from. Nothing if there is no such image.
std::optional<std::size_t> size_in_buffer(R request, cl_image_desc desc) {
  if (!complete_pitches(request.facts, request.element, desc)) return std::nullopt;
  const auto bytes = bytes_in_buffer(desc);
  return bytes && *bytes <= request.facts.max_alloc_size ? bytes : std::nullopt;
}

std::size_t size(R request) {
  require(request.format != nullptr && request.desc != nullptr, CL_INVALID_VALUE,
          "the size depends on image_format and image_desc, and one is NULL");
  const cl_image_desc desc = complete(request);
  require(desc.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR, "no mip levels in a buffer");
  const auto bytes = size_in_buffer(request, desc);
  require(bytes.has_value(), CL_INVALID_IMAGE_DESCRIPTOR, "the pitches are wrong, or the image is too large");
  return *bytes;
}

bool can_be_made(R request, const cl_image_desc& desc) {
  if (desc.num_mip_levels <= 1) return size_in_buffer(request, desc).has_value();
  ImageLayout layout;
  cl_image_desc pitched = desc;
  return levels_fit(desc) && complete_pitches(request.facts, request.element, pitched) &&
         lay_out({}, request.element, pitched, layout) && layout.bytes <= request.facts.max_alloc_size;
}

/// The largest value of one extent of images of one type. The other extents and the pitches limit it where they are
/// given, because one allocation must hold the image. 0 if there is no such image.
std::size_t largest_of_type(R request, cl_mem_object_type type, Extent extent) {
  const DeviceFacts& facts = request.facts;
  cl_image_desc desc = request.desc != nullptr ? *request.desc : cl_image_desc{};
  desc.image_type = type;
  desc = relevant(desc);
  if (desc.image_row_pitch % alignment_in_buffer(facts, request.element).row != 0) return 0;
  if (desc.num_mip_levels > 1 && type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return 0;
  for (const Extent other : kExtents) {
    if (!has_extent(type, other) || other == extent) continue;
    if (desc.*other > largest_extent(facts, type, other)) return 0;
    desc.*other = std::max<std::size_t>(desc.*other, 1);
  }
  std::size_t value =
      std::min<std::size_t>(largest_extent(facts, type, extent), facts.max_alloc_size / request.element);
  if (extent == &cl_image_desc::image_width && desc.image_row_pitch != 0)
    value = std::min(value, desc.image_row_pitch / request.element);
  // Not a binary search: a slice pitch must be a multiple of the row pitch, so a wider image may be legal where a
  // narrower one is not. A 1D image buffer is legal at the first step; the others take at most 32768 steps.
  for (; value != 0; --value) {
    desc.*extent = value;
    if (can_be_made(request, desc)) break;
  }
  return value;
}

/// The largest value of one extent. If no type is given, every type that has this extent must allow the value.
cl_uint largest(R request, Extent extent) {
  const cl_mem_object_type type = request.desc != nullptr ? request.desc->image_type : 0;
  require(type == 0 || (is_image_type(type) && has_extent(type, extent)), CL_INVALID_IMAGE_DESCRIPTOR,
          "the type of image does not have this extent");
  std::size_t value = std::numeric_limits<std::size_t>::max();
  for (const cl_mem_object_type each : kTypes) {
    const bool no_levels = type == 0 && each == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (no_levels && request.desc != nullptr && request.desc->num_mip_levels > 1) continue;
    if ((type == 0 && has_extent(each, extent)) || type == each)
      value = std::min(value, largest_of_type(request, each, extent));
  }
  require(value != 0, CL_INVALID_IMAGE_DESCRIPTOR, "no image has this description");
  return static_cast<cl_uint>(value);
}

constexpr Row<FormatRequest> kImageRequirements[] = {
    {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, type<std::size_t>, [](R r) { return alignment(r).base; }},
    {CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, type<std::size_t>, [](R r) { return alignment(r).row; }},
    {CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, type<std::size_t>, [](R r) { return alignment(r).slice; }},
    {CL_IMAGE_REQUIREMENTS_SIZE_EXT, type<std::size_t>, [](R r) { return size(r); }},
    {CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, type<cl_uint>, [](R r) { return largest(r, &cl_image_desc::image_width); }},
    {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, type<cl_uint>, [](R r) { return largest(r, &cl_image_desc::image_height); }},
    {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, type<cl_uint>, [](R r) { return largest(r, &cl_image_desc::image_depth); }},
    {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, type<cl_uint>,
     [](R r) { return largest(r, &cl_image_desc::image_array_size); }},
};

/// Bytes of an element, as every query needs them. An unsupported format has no error code of its own here.
std::size_t element_of(const cl_image_format* format) {
  if (format == nullptr) return kLargestElement;
  const auto element = is_legal(*format) ? element_bytes(*format) : std::nullopt;
  // Only OpenGL makes images with stencils.
  require(element.has_value() && format->image_channel_order != CL_DEPTH_STENCIL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "no such format");
  return *element;
}

void check_description(const Context& context, const cl_image_format* format, const cl_image_desc& desc) {
  require(desc.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is not 0");
  require(desc.num_mip_levels <= 1 || format == nullptr || format->image_channel_order != CL_DEPTH,
          CL_INVALID_IMAGE_DESCRIPTOR, "depth images have no mip levels");
  if (desc.mem_object == nullptr) return;
  const auto& source = as<MemObject>(desc.mem_object, CL_INVALID_IMAGE_DESCRIPTOR);
  require(&source.context() == &context, CL_INVALID_IMAGE_DESCRIPTOR, "mem_object of another context");
  require(desc.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR,
          "an image made from another memory object has no mip levels");
  require(
      source.image() == nullptr || (source.type() == CL_MEM_OBJECT_IMAGE2D && desc.image_type == CL_MEM_OBJECT_IMAGE2D),
      CL_INVALID_IMAGE_DESCRIPTOR, "only 2D images are made from 2D images");
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context context, const cl_mem_properties* properties,
                                                              cl_mem_flags flags, const cl_image_format* image_format,
                                                              const cl_image_desc* image_desc,
                                                              cl_image_requirements_info_ext param_name,
                                                              size_t param_value_size, void* param_value,
                                                              size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& owner = as<Context>(context);
    const DeviceFacts& facts = image_facts(owner);
    read_no_properties(properties, CL_INVALID_PROPERTY);
    check_memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
    const FormatRequest request{facts, image_format, image_desc, element_of(image_format)};
    if (image_desc != nullptr) check_description(owner, image_format, *image_desc);
    answer(kImageRequirements, param_name, request, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
