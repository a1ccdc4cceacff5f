// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/pipe.h"

#include <cstring>
#include <memory>
#include <utility>

#include "src/base/rounding.h"

namespace lanewise {

namespace {
constexpr std::uint64_t kPacketAlign = 128;  ///< alignment of the first packet, that of the widest type
/// The sum of two slots' numbers has 32 bits in kernels.
constexpr cl_uint kMostPackets = cl_uint{1} << 31U;
}  // namespace

Result<Ref<MemObject>> create_pipe(Context& context, cl_mem_flags flags, PipeShape shape) {
  if (shape.max_packets > kMostPackets) return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "too many packets for a pipe"};
  PipeState state{};
  state.max_packets = shape.max_packets;
  state.packet_size = shape.packet_size;
  state.slots = round_up(sizeof(PipeState), kPacketAlign);
  const std::uint64_t words = sizeof(std::uint32_t) * std::uint64_t{shape.max_packets};
  state.packets = round_up(state.slots + words, kPacketAlign);
  // Cannot overflow, because both factors have at most 32 bits.
  const std::uint64_t bytes = std::uint64_t{shape.max_packets} * shape.packet_size;
  if (bytes > SIZE_MAX / 2) return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for the pipe"};
  auto made = MemObject::create(context, flags, state.packets + bytes, nullptr, {});
  if (!made.ok()) return made;
  MemObject& pipe = *made.value();
  std::memcpy(pipe.data(), &state, sizeof state);
  std::memset(pipe.data() + state.slots, 0, words);
  pipe.pipe_ = std::make_unique<const PipeShape>(shape);
  return made;
}

}  // namespace lanewise
