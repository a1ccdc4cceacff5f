// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands on plain pointers, which shared virtual memory and unified shared memory have in common.
#pragma once

#include "icd/enqueue.h"

namespace lanewise {

/// Copies `size` bytes. Throws CL_INVALID_VALUE (a null pointer), CL_MEM_COPY_OVERLAP, and what `enqueue` throws.
void enqueue_pointer_copy(Queue& queue, cl_command_type type, void* destination, const void* source, std::size_t size,
                          WaitList waits, cl_event* event, bool blocking);

/// Repeats a pattern over `size` bytes. Throws CL_INVALID_VALUE (a null pointer, a pattern that is not 1 to 128 bytes
/// and a power of two, an address or size that is not a multiple of it), and what `enqueue` throws.
void enqueue_pointer_fill(Queue& queue, cl_command_type type, void* destination, const void* pattern,
                          std::size_t pattern_size, std::size_t size, WaitList waits, cl_event* event);

}  // namespace lanewise
