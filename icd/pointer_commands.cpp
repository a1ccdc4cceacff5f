// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/pointer_commands.h"

#include "icd/buffer_check.h"
#include "icd/commands.h"
#include "runtime/memory/transfer.h"

namespace lanewise {
namespace {

/// Checks the `size` bytes that begin `offset` bytes after `pointer`.
void check_host_range(const void* pointer, std::size_t offset, std::size_t size) {
  // x86-64 with five levels of page tables: half of 57 bits belongs to the kernel. AArch64 has fewer addresses.
  constexpr std::uintptr_t kEnd = std::uintptr_t{1} << 56;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  require(begin < kEnd && offset < kEnd - begin && size <= kEnd - begin - offset, CL_INVALID_VALUE,
          "the range exceeds the address space");
}

}  // namespace

void check_host_region(const void* pointer, std::size_t offset, const Region& region, const Pitch& pitch) {
  require(pointer != nullptr, CL_INVALID_VALUE, "ptr is NULL");
  std::size_t extent = 0;
  require(rect_extent(region, pitch, extent), CL_INVALID_VALUE, "host region overflows");
  check_host_range(pointer, offset, extent);
}

void check_pointer_range(const Queue& queue, const void* pointer, std::size_t size) {
  check_host_range(pointer, 0, size);
  const auto found = queue.context().allocations().find(pointer);
  require(!found || size <= found->left(pointer), CL_INVALID_VALUE, "range leaves its allocation");
}

WorkPtr work_of_pointer_copy(const Queue& queue, void* destination, const void* source, std::size_t size) {
  require(destination != nullptr && source != nullptr, CL_INVALID_VALUE, "a pointer is NULL");
  check_pointer_range(queue, destination, size);
  check_pointer_range(queue, source, size);
  const auto to = reinterpret_cast<std::uintptr_t>(destination);
  const auto from = reinterpret_cast<std::uintptr_t>(source);
  require(!ranges_overlap(to, size, from, size), CL_MEM_COPY_OVERLAP, "source and destination overlap");
  return make_copy(CopySide::host(destination), CopySide::host(source), size);
}

void enqueue_pointer_copy(Queue& queue, cl_command_type type, void* destination, const void* source, std::size_t size,
                          WaitList waits, cl_event* event, bool blocking) {
  enqueue(queue, type, work_of_pointer_copy(queue, destination, source, size), waits, event, blocking);
}

WorkPtr work_of_pointer_fill(const Queue& queue, void* destination, const void* pattern, std::size_t pattern_size,
                             std::size_t size) {
  require(destination != nullptr && pattern != nullptr, CL_INVALID_VALUE, "a pointer is NULL");
  check_pattern_size(pattern_size);
  require(reinterpret_cast<std::uintptr_t>(destination) % pattern_size == 0 && size % pattern_size == 0,
          CL_INVALID_VALUE, "address or size is not a multiple of pattern_size");
  check_pointer_range(queue, destination, size);
  return make_fill(CopySide::host(destination), size, {static_cast<const std::byte*>(pattern), pattern_size});
}

void enqueue_pointer_fill(Queue& queue, cl_command_type type, void* destination, const void* pattern,
                          std::size_t pattern_size, std::size_t size, WaitList waits, cl_event* event) {
  enqueue(queue, type, work_of_pointer_fill(queue, destination, pattern, pattern_size, size), waits, event);
}

}  // namespace lanewise
