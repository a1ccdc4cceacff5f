// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pipes (API 5.4): a ring of packets in memory that kernels alone read and write. What they do with it is in
/// kernels-builtin/pipe/pipe.cl; this is where it begins.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

#include "runtime/memory/mem_object.h"
#include "src/base/result.h"

namespace lanewise {

/// What stands at the begin of a pipe's memory, as `pipe_state` in pipe.cl. Then come the words of the slots and the
/// packets. The numbers of the next packets have cache lines of their own.
struct PipeState {
  std::uint32_t max_packets;
  std::uint32_t packet_size;
  std::uint64_t slots;    ///< from here, in bytes, to the words of the slots
  std::uint64_t packets;  ///< and to the packets
  std::uint64_t unused[13];
  std::uint64_t write_at;
  std::uint64_t unused_too[15];
  std::uint64_t read_at;
};
static_assert(offsetof(PipeState, write_at) == 128 && offsetof(PipeState, read_at) == 256);

/// Of a packet; what kernels copy with is not made for more.
inline constexpr cl_uint kMaxPacketSize = 64 * 1024;

/// An empty pipe. `shape` and `flags` have been validated. Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE.
Result<Ref<MemObject>> create_pipe(Context& context, cl_mem_flags flags, PipeShape shape);

}  // namespace lanewise
