// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reading, writing, filling, copying and mapping images (API 5.3.4 to 5.3.7).
#include <array>

#include "icd/buffer_check.h"
#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/enqueue.h"
#include "icd/image_check.h"
#include "icd/memory_flags.h"
#include "icd/pointer_commands.h"
#include "runtime/layout/format.h"
#include "runtime/memory/transfer.h"

using namespace lanewise;

namespace {

/// Pitches of 0 mean tightly packed. Throws CL_INVALID_VALUE.
Pitch resolve_host_pitch(const MemObject& image, const Region& region, std::size_t row, std::size_t slice) {
  const auto type = image.type();
  require(image.image()->has_slices() || slice == 0, CL_INVALID_VALUE, "a slice pitch for an image without slices");
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    // Each image is one row, so the slice pitch is the distance between two rows.
    require(row == 0 || row >= region[0], CL_INVALID_VALUE, "pitch too small");
    const std::size_t packed = row == 0 ? region[0] : row;
    require(slice == 0 || slice >= packed, CL_INVALID_VALUE, "pitch too small");
    return {slice == 0 ? packed : slice, 0};
  }
  Pitch pitch{};
  require(row == 0 || row >= region[0], CL_INVALID_VALUE, "pitch too small");
  pitch.row = row == 0 ? region[0] : row;
  std::size_t packed = 0;
  require(!__builtin_mul_overflow(pitch.row, region[1], &packed), CL_INVALID_VALUE, "pitch overflows");
  require(slice == 0 || slice >= packed, CL_INVALID_VALUE, "pitch too small");
  pitch.slice = slice == 0 ? packed : slice;
  return pitch;
}

/// The application's side of a read or write. Throws CL_INVALID_VALUE.
Pitch host_side(const MemObject& image, const Region& region, std::size_t row, std::size_t slice, const void* pointer) {
  const Pitch pitch = resolve_host_pitch(image, region, row, slice);
  check_host_region(pointer, 0, region, pitch);
  return pitch;
}

CopySide place_in(MemObject& image, const ImageBytes& bytes) {
  return CopySide::in(image, bytes.begin);
}

/// The buffer of a copy between a buffer and `image`. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
MemObject& buffer_beside(const Queue& queue, cl_mem handle, const MemObject& image) {
  auto& buffer = buffer_of(queue, handle);
  require(image.type() != CL_MEM_OBJECT_IMAGE1D_BUFFER || image.parent() != &buffer, CL_INVALID_MEM_OBJECT,
          "the image is made from this buffer");
  return buffer;
}

void check_buffer_range(const MemObject& buffer, std::size_t offset, const Region& region) {
  check_bounds(buffer, offset, region[0] * region[1] * region[2]);
}

Pitch packed_pitch(const Region& region) {
  return {region[0], region[0] * region[1]};
}

}  // namespace

namespace lanewise {

WorkPtr work_of_fill_image(const Queue& queue, cl_mem image, const void* fill_color, const std::size_t* origin,
                           const std::size_t* region) {
  auto& destination = image_of(queue, image);
  require(fill_color != nullptr, CL_INVALID_VALUE, "fill_color is NULL");
  const ImageBytes bytes = bytes_of(destination, box_of(destination, origin, region));
  check_mutable(destination.flags());
  std::array<std::byte, kLargestElement> element{};
  const std::span<std::byte> used(element.data(), destination.image()->element);
  pack_colour(destination.image()->format, fill_color, used);
  return make_rect_fill(place_in(destination, bytes), bytes.pitch, bytes.region, used);
}

WorkPtr work_of_copy_image(const Queue& queue, cl_mem src_image, cl_mem dst_image, const std::size_t* src_origin,
                           const std::size_t* dst_origin, const std::size_t* region) {
  auto& source = image_of(queue, src_image);
  auto& destination = image_of(queue, dst_image);
  const auto& from_format = source.image()->format;
  const auto& to_format = destination.image()->format;
  require(from_format.image_channel_order == to_format.image_channel_order &&
              from_format.image_channel_data_type == to_format.image_channel_data_type,
          CL_IMAGE_FORMAT_MISMATCH, "the formats differ");
  const ImageBox from = box_of(source, src_origin, region);
  const ImageBox to = box_of(destination, dst_origin, region);
  require(&source != &destination || !from.overlaps(to), CL_MEM_COPY_OVERLAP, "source and destination overlap");
  check_mutable(destination.flags());
  const ImageBytes read = bytes_of(source, from);
  const ImageBytes written = bytes_of(destination, to);
  return make_rect_copy(place_in(destination, written), written.pitch, place_in(source, read), read.pitch, read.region);
}

WorkPtr work_of_copy_image_to_buffer(const Queue& queue, cl_mem src_image, cl_mem dst_buffer,
                                     const std::size_t* src_origin, const std::size_t* region, std::size_t dst_offset) {
  auto& source = image_of(queue, src_image);
  auto& destination = buffer_beside(queue, dst_buffer, source);
  const ImageBytes bytes = bytes_of(source, box_of(source, src_origin, region));
  check_buffer_range(destination, dst_offset, bytes.region);
  check_mutable(destination.flags());
  return make_rect_copy(CopySide::in(destination, dst_offset), packed_pitch(bytes.region), place_in(source, bytes),
                        bytes.pitch, bytes.region);
}

WorkPtr work_of_copy_buffer_to_image(const Queue& queue, cl_mem src_buffer, cl_mem dst_image, std::size_t src_offset,
                                     const std::size_t* dst_origin, const std::size_t* region) {
  auto& destination = image_of(queue, dst_image);
  auto& source = buffer_beside(queue, src_buffer, destination);
  const ImageBytes bytes = bytes_of(destination, box_of(destination, dst_origin, region));
  check_buffer_range(source, src_offset, bytes.region);
  check_mutable(destination.flags());
  return make_rect_copy(place_in(destination, bytes), bytes.pitch, CopySide::in(source, src_offset),
                        packed_pitch(bytes.region), bytes.region);
}

}  // namespace lanewise

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                                                   const size_t* origin, const size_t* region, size_t row_pitch,
                                                   size_t slice_pitch, void* ptr, cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    auto& source = image_of(queue, image);
    const ImageBytes bytes = bytes_of(source, box_of(source, origin, region));
    const Pitch host = host_side(source, bytes.region, row_pitch, slice_pitch, ptr);
    check_host_access(source.flags(), kHostMayNotRead);
    enqueue(queue, CL_COMMAND_READ_IMAGE,
            make_rect_copy(CopySide::host(ptr), host, place_in(source, bytes), bytes.pitch, bytes.region),
            {num_events_in_wait_list, event_wait_list}, event, blocking_read != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                                    cl_bool blocking_write, const size_t* origin, const size_t* region,
                                                    size_t input_row_pitch, size_t input_slice_pitch, const void* ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                    cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    auto& destination = image_of(queue, image);
    const ImageBytes bytes = bytes_of(destination, box_of(destination, origin, region));
    const Pitch host = host_side(destination, bytes.region, input_row_pitch, input_slice_pitch, ptr);
    check_host_access(destination.flags(), kHostMayNotWrite);
    enqueue(queue, CL_COMMAND_WRITE_IMAGE,
            make_rect_copy(place_in(destination, bytes), bytes.pitch, CopySide::host(ptr), host, bytes.region),
            {num_events_in_wait_list, event_wait_list}, event, blocking_write != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void* fill_color,
                                                   const size_t* origin, const size_t* region,
                                                   cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                   cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_FILL_IMAGE, work_of_fill_image(queue, image, fill_color, origin, region),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                                                   const size_t* src_origin, const size_t* dst_origin,
                                                   const size_t* region, cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_COPY_IMAGE,
            work_of_copy_image(queue, src_image, dst_image, src_origin, dst_origin, region),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                                           cl_mem dst_buffer, const size_t* src_origin,
                                                           const size_t* region, size_t dst_offset,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
            work_of_copy_image_to_buffer(queue, src_image, dst_buffer, src_origin, region, dst_offset),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                                           cl_mem dst_image, size_t src_offset,
                                                           const size_t* dst_origin, const size_t* region,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE,
            work_of_copy_buffer_to_image(queue, src_buffer, dst_image, src_offset, dst_origin, region),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
                                                 cl_map_flags map_flags, const size_t* origin, const size_t* region,
                                                 size_t* image_row_pitch, size_t* image_slice_pitch,
                                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                 cl_event* event, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> void* {
    auto& queue = as<Queue>(command_queue);
    const std::uint64_t begun = queue.time_of_call();
    auto& object = image_of(queue, image);
    const ImageBox box = box_of(object, origin, region);
    const bool sliced = object.image()->has_slices();
    check_map_flags(map_flags);
    check_map_access(object.flags(), map_flags);  // before the pitches: the CTS expects this order
    require(image_row_pitch != nullptr && (image_slice_pitch != nullptr || !sliced), CL_INVALID_VALUE,
            "a pitch would have to be written, and its pointer is NULL");
    std::byte* address = object.maps().add(object, box, map_flags);
    require(address != nullptr, CL_INVALID_OPERATION, "overlaps a region that is mapped for writing");
    try {
      enqueue(queue, CL_COMMAND_MAP_IMAGE, make_keep({Ref<MemObject>(object)}),
              {num_events_in_wait_list, event_wait_list}, event, blocking_map != CL_FALSE, SubmitKind::normal, begun);
    } catch (...) {
      object.maps().remove(object, address);
      throw;
    }
    const ImageLevel& level = object.image()->levels[box.level];
    *image_row_pitch =
        object.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY ? level.extent[0] * object.image()->element : level.stride.row;
    if (image_slice_pitch != nullptr) *image_slice_pitch = sliced ? level.stride.slice : 0;
    return address;
  });
}
