// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reading, writing, copying and filling buffers (spec 5.2.2, 5.2.3).
#include "runtime/memory/transfer.h"
#include "icd/buffer_check.h"
#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/enqueue.h"
#include "icd/memory_flags.h"
#include "icd/pointer_commands.h"
#include "runtime/exec/queue.h"
#include "runtime/layout/rect.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

Region region_of(const std::size_t* region) {
  require(region != nullptr, CL_INVALID_VALUE, "region is NULL");
  require(region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE, "a region element is 0");
  return {region[0], region[1], region[2]};
}

/// One side of a rectangular command: its pitches and the offset of its first byte.
struct Side {
  Pitch pitch;
  std::size_t begin;
};

Side side_of(const std::size_t* origin, const Region& region, std::size_t row_pitch, std::size_t slice_pitch) {
  require(origin != nullptr, CL_INVALID_VALUE, "origin is NULL");
  Side side{};
  require(resolve_pitch(region, row_pitch, slice_pitch, side.pitch), CL_INVALID_VALUE, "pitch too small");
  require(rect_begin({origin[0], origin[1], origin[2]}, side.pitch, side.begin), CL_INVALID_VALUE, "origin overflows");
  return side;
}

void check_rect_bounds(const MemObject& buffer, const Region& region, const Side& side) {
  std::size_t extent = 0;
  require(rect_extent(region, side.pitch, extent), CL_INVALID_VALUE, "region overflows");
  check_bounds(buffer, side.begin, extent);
}

/// The checks that reads and writes share; `forbidden` are the memory flags that exclude this direction.
MemObject& linear_transfer(const Queue& queue, cl_mem handle, std::size_t offset, std::size_t size, const void* ptr,
                           cl_mem_flags forbidden) {
  auto& buffer = buffer_of(queue, handle);
  check_bounds(buffer, offset, size);
  require(ptr != nullptr, CL_INVALID_VALUE, "ptr is NULL");
  check_host_access(buffer.flags(), forbidden);
  return buffer;
}

struct RectTransfer {
  MemObject& buffer;
  Region region;
  Side device;
  Side host;
};

struct RectArguments {
  const std::size_t* buffer_origin;
  const std::size_t* host_origin;
  const std::size_t* region;
  std::size_t buffer_row_pitch;
  std::size_t buffer_slice_pitch;
  std::size_t host_row_pitch;
  std::size_t host_slice_pitch;
  const void* ptr;
};

RectTransfer rect_transfer(const Queue& queue, cl_mem handle, const RectArguments& a, cl_mem_flags forbidden) {
  auto& buffer = buffer_of(queue, handle);
  const Region region = region_of(a.region);
  const Side device = side_of(a.buffer_origin, region, a.buffer_row_pitch, a.buffer_slice_pitch);
  const Side host = side_of(a.host_origin, region, a.host_row_pitch, a.host_slice_pitch);
  check_rect_bounds(buffer, region, device);
  check_host_region(a.ptr, host.begin, region, host.pitch);
  check_host_access(buffer.flags(), forbidden);
  return {buffer, region, device, host};
}

/// API 5.2.2, appendix D: source and destination must not share a byte of one storage.
void check_copy_overlap(const MemObject& source, const Side& from, const MemObject& destination, const Side& to,
                        const Region& region) {
  if (&source.root() != &destination.root()) return;
  const bool same_pitch = from.pitch.row == to.pitch.row && from.pitch.slice == to.pitch.slice;
  require(&source != &destination || same_pitch, CL_INVALID_VALUE, "one buffer with two pitches");
  const std::size_t a = source.origin() + from.begin;
  const std::size_t b = destination.origin() + to.begin;
  bool overlap = false;
  if (same_pitch) {
    overlap = rects_overlap(a, b, region, from.pitch);
  } else {
    // Different sub-buffers with different pitches: the specification's algorithm is for one pitch only, so the
    // enclosing byte ranges are compared.
    std::size_t from_extent = 0;
    std::size_t to_extent = 0;
    rect_extent(region, from.pitch, from_extent);
    rect_extent(region, to.pitch, to_extent);
    overlap = ByteRange{a, a + from_extent}.overlaps({b, b + to_extent});
  }
  require(!overlap, CL_MEM_COPY_OVERLAP, "source and destination overlap");
}

}  // namespace

namespace lanewise {

WorkPtr work_of_copy_buffer(const Queue& queue, cl_mem src_buffer, cl_mem dst_buffer, std::size_t src_offset,
                            std::size_t dst_offset, std::size_t size) {
  auto& source = buffer_of(queue, src_buffer);
  auto& destination = buffer_of(queue, dst_buffer);
  check_bounds(source, src_offset, size);
  check_bounds(destination, dst_offset, size);
  check_mutable(destination.flags());
  // API 5.2.2: the regions overlap if they share a byte of one storage, even through different sub-buffers.
  const bool overlap = &source.root() == &destination.root() &&
                       source.range(src_offset, size).overlaps(destination.range(dst_offset, size));
  require(!overlap, CL_MEM_COPY_OVERLAP, "source and destination overlap");
  return make_copy(CopySide::in(destination, dst_offset), CopySide::in(source, src_offset), size);
}

WorkPtr work_of_copy_buffer_rect(const Queue& queue, const RectCopy& copy) {
  auto& source = buffer_of(queue, copy.src_buffer);
  auto& destination = buffer_of(queue, copy.dst_buffer);
  const Region size = region_of(copy.region);
  const Side from = side_of(copy.src_origin, size, copy.src_row_pitch, copy.src_slice_pitch);
  const Side to = side_of(copy.dst_origin, size, copy.dst_row_pitch, copy.dst_slice_pitch);
  check_rect_bounds(source, size, from);
  check_rect_bounds(destination, size, to);
  check_mutable(destination.flags());
  check_copy_overlap(source, from, destination, to, size);
  return make_rect_copy(CopySide::in(destination, to.begin), to.pitch, CopySide::in(source, from.begin), from.pitch,
                        size);
}

WorkPtr work_of_fill_buffer(const Queue& queue, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                            std::size_t offset, std::size_t size) {
  auto& destination = buffer_of(queue, buffer);
  check_bounds(destination, offset, size);
  require(pattern != nullptr, CL_INVALID_VALUE, "pattern is NULL");
  check_pattern_size(pattern_size);
  require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE,
          "offset or size is not a multiple of pattern_size");
  check_mutable(destination.flags());
  return make_fill(CopySide::in(destination, offset), size, {static_cast<const std::byte*>(pattern), pattern_size});
}

}  // namespace lanewise

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                    cl_bool blocking_read, size_t offset, size_t size, void* ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                    cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    auto& source = linear_transfer(queue, buffer, offset, size, ptr, kHostMayNotRead);
    enqueue(queue, CL_COMMAND_READ_BUFFER, make_copy(CopySide::host(ptr), CopySide::in(source, offset), size),
            {num_events_in_wait_list, event_wait_list}, event, blocking_read != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                     cl_bool blocking_write, size_t offset, size_t size,
                                                     const void* ptr, cl_uint num_events_in_wait_list,
                                                     const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    auto& destination = linear_transfer(queue, buffer, offset, size, ptr, kHostMayNotWrite);
    enqueue(queue, CL_COMMAND_WRITE_BUFFER, make_copy(CopySide::in(destination, offset), CopySide::host(ptr), size),
            {num_events_in_wait_list, event_wait_list}, event, blocking_write != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                        cl_bool blocking_read, const size_t* buffer_origin,
                                                        const size_t* host_origin, const size_t* region,
                                                        size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                        size_t host_row_pitch, size_t host_slice_pitch, void* ptr,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const auto rect = rect_transfer(queue, buffer,
                                    {buffer_origin, host_origin, region, buffer_row_pitch, buffer_slice_pitch,
                                     host_row_pitch, host_slice_pitch, ptr},
                                    kHostMayNotRead);
    auto* host = static_cast<std::byte*>(ptr) + rect.host.begin;
    enqueue(queue, CL_COMMAND_READ_BUFFER_RECT,
            make_rect_copy(CopySide::host(host), rect.host.pitch, CopySide::in(rect.buffer, rect.device.begin),
                           rect.device.pitch, rect.region),
            {num_events_in_wait_list, event_wait_list}, event, blocking_read != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                         cl_bool blocking_write, const size_t* buffer_origin,
                                                         const size_t* host_origin, const size_t* region,
                                                         size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                         size_t host_row_pitch, size_t host_slice_pitch,
                                                         const void* ptr, cl_uint num_events_in_wait_list,
                                                         const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const auto rect = rect_transfer(queue, buffer,
                                    {buffer_origin, host_origin, region, buffer_row_pitch, buffer_slice_pitch,
                                     host_row_pitch, host_slice_pitch, ptr},
                                    kHostMayNotWrite);
    const auto* host = static_cast<const std::byte*>(ptr) + rect.host.begin;
    enqueue(queue, CL_COMMAND_WRITE_BUFFER_RECT,
            make_rect_copy(CopySide::in(rect.buffer, rect.device.begin), rect.device.pitch, CopySide::host(host),
                           rect.host.pitch, rect.region),
            {num_events_in_wait_list, event_wait_list}, event, blocking_write != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                                    cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                                    size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_COPY_BUFFER,
            work_of_copy_buffer(queue, src_buffer, dst_buffer, src_offset, dst_offset, size),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
    size_t dst_slice_pitch, cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_COPY_BUFFER_RECT,
            work_of_copy_buffer_rect(queue, {src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch,
                                             src_slice_pitch, dst_row_pitch, dst_slice_pitch}),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void* pattern,
                                                    size_t pattern_size, size_t offset, size_t size,
                                                    cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                    cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_FILL_BUFFER, work_of_fill_buffer(queue, buffer, pattern, pattern_size, offset, size),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}
