// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pipes (API 5.4): a ring of packets in memory. Only kernels read and write it, by the functions of
/// kernels-builtin/pipe/pipe.cl. This file creates the empty ring.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

#include "runtime/memory/mem_object.h"
#include "src/base/result.h"

namespace lanewise {

/// The head of a pipe's memory, with the layout of `pipe_state` in pipe.cl. A word of 32 bits for each slot, zero at
/// first, and the packets follow.
struct PipeState {
  std::uint32_t max_packets;
  std::uint32_t packet_size;  ///< bytes
  std::uint64_t slots;        ///< offset of the words of the slots, in bytes
  std::uint64_t packets;      ///< offset of the packets, in bytes
  std::uint64_t unused[13];
  std::uint64_t write_at;  ///< number of the next packet to write; in a cache line of its own
  std::uint64_t unused_too[15];
  std::uint64_t read_at;  ///< number of the next packet to read; in a cache line of its own
};
static_assert(offsetof(PipeState, write_at) == 128 && offsetof(PipeState, read_at) == 256);

/// The largest packet in bytes. The copy code of kernels does not support larger ones.
inline constexpr cl_uint kMaxPacketSize = 64 * 1024;

/// Creates an empty pipe. `shape` and `flags` have been validated. Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE.
Result<Ref<MemObject>> create_pipe(Context& context, cl_mem_flags flags, PipeShape shape);

}  // namespace lanewise
