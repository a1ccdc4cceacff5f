// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands on plain pointers: shared virtual memory and unified shared memory.
#pragma once

#include "icd/enqueue.h"
#include "runtime/layout/rect.h"

namespace lanewise {

/// Copies `size` bytes. Throws CL_INVALID_VALUE (a null pointer), CL_MEM_COPY_OVERLAP, and the errors of `enqueue`.
void enqueue_pointer_copy(Queue& queue, cl_command_type type, void* destination, const void* source, std::size_t size,
                          WaitList waits, cl_event* event, bool blocking);

/// Repeats a pattern over `size` bytes. Throws CL_INVALID_VALUE (a null pointer, a pattern whose size is not 1 to 128
/// bytes and a power of two, an address or size that is not a multiple of that size), and the errors of `enqueue`.
void enqueue_pointer_fill(Queue& queue, cl_command_type type, void* destination, const void* pattern,
                          std::size_t pattern_size, std::size_t size, WaitList waits, cl_event* event);

/// Checks the host memory of a rectangular transfer, which begins `offset` bytes after `pointer`, without accessing it.
/// Throws CL_INVALID_VALUE if the pointer is null, or if the region wraps around or reaches beyond all addresses that a
/// process can have.
void check_host_region(const void* pointer, std::size_t offset, const Region& region, const Pitch& pitch);

/// Checks a range of `size` bytes. Throws CL_INVALID_VALUE if the range wraps around or reaches beyond all addresses,
/// or if it begins in an SVM or USM allocation of the queue's context and ends outside that.
void check_pointer_range(const Queue& queue, const void* pointer, std::size_t size);

}  // namespace lanewise
