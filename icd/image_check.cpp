// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/image_check.h"

#include <algorithm>
#include <bit>

#include "icd/cast.h"
#include "icd/memory_flags.h"
#include "runtime/layout/format.h"

namespace lanewise {

namespace {

bool has_slices(cl_mem_object_type type) {
  return has_extent(type, &cl_image_desc::image_depth) || has_extent(type, &cl_image_desc::image_array_size);
}

/// API 5.3.1.2: extents are at least 1 (CL_INVALID_IMAGE_DESCRIPTOR) and at most the device's (CL_INVALID_IMAGE_SIZE).
void check_extents(const DeviceFacts& facts, const cl_image_desc& desc) {
  for (const Extent extent : kExtents) {
    if (!has_extent(desc.image_type, extent)) continue;
    require(desc.*extent != 0, CL_INVALID_IMAGE_DESCRIPTOR, "an extent is 0");
    require(desc.*extent <= largest_extent(facts, desc.image_type, extent), CL_INVALID_IMAGE_SIZE,
            "an extent is beyond the device's limit");
  }
}

/// API 5.3.1.2, image_row_pitch and image_slice_pitch of an image without a source object.
void check_pitches(const cl_image_desc& desc, std::size_t element, bool allowed) {
  require(allowed || (desc.image_row_pitch == 0 && desc.image_slice_pitch == 0), CL_INVALID_IMAGE_DESCRIPTOR,
          "pitches without host_ptr");
  const std::size_t packed = desc.image_width * element;
  const std::size_t row = desc.image_row_pitch != 0 ? desc.image_row_pitch : packed;
  require(row >= packed && row % element == 0, CL_INVALID_IMAGE_DESCRIPTOR,
          "row pitch too small or no multiple of the element");
  if (desc.image_slice_pitch == 0) return;
  const std::size_t rows = has_extent(desc.image_type, &cl_image_desc::image_height) ? desc.image_height : 1;
  std::size_t slice = 0;
  require(!__builtin_mul_overflow(row, rows, &slice) && desc.image_slice_pitch >= slice &&
              desc.image_slice_pitch % row == 0,
          CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch too small or no multiple of the row pitch");
}

/// API 5.3.1, "Mipmap Images", and cl_khr_mipmap_image. 0 and 1 both mean a single level, as the specification
/// says since its text was clarified in 2024; its example of an image from external memory has 1.
void check_levels(const cl_image_desc& desc, const cl_image_format& format, cl_mem_flags flags, bool has_source) {
  if (desc.num_mip_levels <= 1) return;
  require(desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && format.image_channel_order != CL_DEPTH && !has_source,
          CL_INVALID_IMAGE_DESCRIPTOR, "no mip levels for this kind of image");
  require((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0, CL_INVALID_VALUE,
          "mip levels and a host pointer");
  require(levels_fit(desc), CL_INVALID_IMAGE_DESCRIPTOR, "more mip levels than the image has");
}

/// API 5.3.1.2 and cl_ext_image_from_buffer: an image of any type with the data of a buffer.
void check_buffer_source(const DeviceFacts& facts, const MemObject& buffer, cl_image_desc& desc, std::size_t element) {
  require(complete_pitches(facts, element, desc) &&
              reinterpret_cast<std::uintptr_t>(buffer.data()) % alignment_in_buffer(facts, element).base == 0,
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "pitches or address of an image from a buffer");
  const auto bytes = bytes_in_buffer(desc);
  require(bytes && *bytes <= buffer.size(), CL_INVALID_IMAGE_SIZE, "larger than its buffer");
}

/// API 5.3.1.2: a view of a 2D image with another channel order.
void check_image_source(const MemObject& source, cl_image_desc& desc, const cl_image_format& format) {
  const ImageLayout& of = *source.image();
  require(desc.image_type == CL_MEM_OBJECT_IMAGE2D && source.type() == CL_MEM_OBJECT_IMAGE2D,
          CL_INVALID_IMAGE_DESCRIPTOR, "only 2D images are made from 2D images");
  const auto same = [](std::size_t given, std::size_t has) { return given == has; };
  require(same(desc.image_width, of.desc.image_width) && same(desc.image_height, of.desc.image_height) &&
              (desc.image_row_pitch == 0 || same(desc.image_row_pitch, of.desc.image_row_pitch)) &&
              std::max(desc.num_mip_levels, 1U) == std::max(of.desc.num_mip_levels, 1U),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the description differs from that of the source");
  require(format.image_channel_data_type == of.format.image_channel_data_type &&
              compatible_orders(format.image_channel_order, of.format.image_channel_order),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the channel orders are not compatible");
  desc.image_row_pitch = of.desc.image_row_pitch;
}

MemObject* source_of(const Context& context, const cl_image_desc& desc) {
  const bool needs = desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (desc.mem_object == nullptr) {
    require(!needs, CL_INVALID_IMAGE_DESCRIPTOR, "a 1D image buffer without a buffer");
    return nullptr;
  }
  auto& source = as<MemObject>(desc.mem_object, CL_INVALID_IMAGE_DESCRIPTOR);
  require(&source.context() == &context, CL_INVALID_IMAGE_DESCRIPTOR, "mem_object of another context");
  require(source.pipe() == nullptr, CL_INVALID_IMAGE_DESCRIPTOR, "an image from a pipe");
  require(!needs || source.image() == nullptr, CL_INVALID_IMAGE_DESCRIPTOR, "a 1D image buffer from an image");
  return &source;
}

}  // namespace

bool is_image_type(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

bool has_extent(cl_mem_object_type type, Extent extent) {
  const bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
  if (extent == &cl_image_desc::image_height)
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || is_3d;
  if (extent == &cl_image_desc::image_depth) return is_3d;
  if (extent == &cl_image_desc::image_array_size)
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return true;
}

std::size_t largest_extent(const DeviceFacts& facts, cl_mem_object_type type, Extent extent) {
  if (extent == &cl_image_desc::image_array_size) return facts.image_array;
  if (type == CL_MEM_OBJECT_IMAGE3D) return facts.image_3d;
  if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return facts.image_buffer;
  return extent == &cl_image_desc::image_height ? facts.image_height : facts.image_width;
}

cl_image_desc relevant(const cl_image_desc& given) {
  cl_image_desc desc = given;
  for (const Extent extent : kExtents)
    if (!has_extent(desc.image_type, extent)) desc.*extent = 0;
  if (!has_slices(desc.image_type)) desc.image_slice_pitch = 0;
  return desc;
}

bool levels_fit(const cl_image_desc& desc) {
  const std::size_t largest = std::max({desc.image_width, desc.image_height, desc.image_depth});
  return std::cmp_less_equal(desc.num_mip_levels, std::bit_width(largest));
}

BufferAlignment alignment_in_buffer(const DeviceFacts& facts, std::size_t element) {
  const std::size_t pitch = facts.image_pitch_align * element;
  return {facts.image_base_align * element, pitch, pitch};
}

bool complete_pitches(const DeviceFacts& facts, std::size_t element, cl_image_desc& desc) {
  const BufferAlignment alignment = alignment_in_buffer(facts, element);
  const std::size_t packed = desc.image_width * element;
  if (desc.image_row_pitch == 0) desc.image_row_pitch = packed;
  if (desc.image_row_pitch < packed || desc.image_row_pitch % alignment.row != 0) return false;
  if (desc.image_type == CL_MEM_OBJECT_IMAGE1D || desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    desc.image_row_pitch = packed;  // a single row: no second row begins a pitch later
  if (!has_slices(desc.image_type)) return true;
  std::size_t slice = 0;
  if (__builtin_mul_overflow(desc.image_row_pitch, std::max<std::size_t>(desc.image_height, 1), &slice)) return false;
  if (desc.image_slice_pitch == 0) desc.image_slice_pitch = slice;
  return desc.image_slice_pitch >= slice && desc.image_slice_pitch % desc.image_row_pitch == 0 &&
         desc.image_slice_pitch % alignment.slice == 0;
}

std::optional<std::size_t> bytes_in_buffer(const cl_image_desc& desc) {
  std::size_t bytes = 0;
  const bool overflows =
      has_slices(desc.image_type)
          ? __builtin_mul_overflow(desc.image_slice_pitch, std::max(desc.image_depth, desc.image_array_size), &bytes)
          : __builtin_mul_overflow(desc.image_row_pitch, std::max<std::size_t>(desc.image_height, 1), &bytes);
  return overflows ? std::nullopt : std::optional(bytes);
}

const DeviceFacts& image_facts(const Context& context) {
  return context.devices().front()->facts();
}

std::size_t checked_element(const cl_image_format* format) {
  require(format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
  require(is_legal(*format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the format is no legal combination of order and type");
  const auto element = element_bytes(*format);
  // Only OpenGL makes images with stencils.
  require(element.has_value() && format->image_channel_order != CL_DEPTH_STENCIL, CL_IMAGE_FORMAT_NOT_SUPPORTED,
          "format not supported");
  return *element;
}

ImagePlan plan_image(const Context& context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* given, const void* host_ptr, ImageMemory memory) {
  check_memory_flags(flags);
  const DeviceFacts& facts = image_facts(context);
  const std::size_t element = checked_element(format);
  require(given != nullptr && is_image_type(given->image_type), CL_INVALID_IMAGE_DESCRIPTOR, "not an image type");
  cl_image_desc desc = relevant(*given);
  require(desc.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is not 0");
  MemObject* source = source_of(context, desc);
  check_extents(facts, desc);
  const bool external = memory == ImageMemory::external;
  require(!external || source == nullptr, CL_INVALID_IMAGE_DESCRIPTOR, "memory of others and another memory object");
  check_levels(desc, *format, flags, external || source != nullptr);
  if (source == nullptr) {
    if (!external) check_host_pointer(flags, host_ptr);
    check_pitches(desc, element, external || host_ptr != nullptr);
    flags = with_default_access(flags);
  } else {
    require(host_ptr == nullptr, CL_INVALID_HOST_PTR, "host_ptr and mem_object exclude each other");
    require((source->flags() & CL_MEM_IMMUTABLE_EXT) == 0 || (flags & CL_MEM_IMMUTABLE_EXT) != 0, CL_INVALID_VALUE,
            "an image made from an immutable object has to be immutable");
    flags = inherited_flags(source->flags(), flags);
    if (source->image() == nullptr) {
      check_buffer_source(facts, *source, desc, element);
    } else {
      check_image_source(*source, desc, *format);
    }
  }
  ImagePlan plan{flags, {}, source};
  require(lay_out(*format, element, desc, plan.layout) && plan.layout.bytes <= facts.max_alloc_size,
          CL_INVALID_IMAGE_SIZE, "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  if (source != nullptr && source->image() == nullptr) plan.layout.bytes = *bytes_in_buffer(desc);
  return plan;
}

MemObject& image_of(const Queue& queue, cl_mem handle) {
  auto& image = as<MemObject>(handle);
  require(image.image() != nullptr, CL_INVALID_MEM_OBJECT, "not an image");
  require(&image.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and image are of different contexts");
  // API 5.3.14.1, 5.3.14.2: kernels alone read these.
  require(image.image()->desc.num_samples == 0 && image.image()->format.image_channel_order != CL_DEPTH_STENCIL,
          CL_INVALID_OPERATION, "an image with several samples or a stencil");
  require_acquired(image);
  return image;
}

ImageBox box_of(const MemObject& image, const std::size_t* origin, const std::size_t* region) {
  require(origin != nullptr && region != nullptr, CL_INVALID_VALUE, "origin or region is NULL");
  const ImageLayout& layout = *image.image();
  const unsigned used = layout.coordinates();
  ImageBox box;
  if (layout.levels.size() > 1) {
    require(origin[used] < layout.levels.size(), CL_INVALID_MIP_LEVEL, "the image has fewer mip levels");
    box.level = static_cast<unsigned>(origin[used]);
  }
  const auto& extent = layout.levels[box.level].extent;
  for (unsigned i = 0; i < 3; ++i) {
    const bool is_level = i == used && layout.levels.size() > 1;
    box.origin[i] = is_level ? 0 : origin[i];
    box.region[i] = region[i];
    require(region[i] != 0, CL_INVALID_VALUE, "a region element is 0");
    require(box.origin[i] < extent[i] && region[i] <= extent[i] - box.origin[i], CL_INVALID_VALUE,
            "region is out of bounds");
  }
  return box;
}

ImageBytes bytes_of(const MemObject& image, const ImageBox& box) {
  const ImageLayout& layout = *image.image();
  const ImageLevel& level = layout.levels[box.level];
  ImageBytes out{0, level.stride, {box.region[0] * layout.element, box.region[1], box.region[2]}};
  rect_begin({box.origin[0] * layout.element, box.origin[1], box.origin[2]}, level.stride, out.begin);
  out.begin += level.offset;
  return out;
}

}  // namespace lanewise
