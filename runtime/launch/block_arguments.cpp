// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/block_arguments.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/exec/scratch_layout.h"
#include "runtime/launch/device_services.h"
#include "src/base/rounding.h"

namespace lanewise {

cl_int take_arguments(const abi::KernelInfo& info, const BlockArguments& arguments, std::uint64_t launch_bytes,
                      Charge& charge, LaunchArgs& args) {
  if (info.args.size() != arguments.local.size() + 1) return CL_INVALID_KERNEL_ARGS;
  const std::uint64_t align = std::max<std::uint64_t>(arguments.literal_align, 8);
  const std::uint64_t literal_at = round_up(std::uint64_t{info.args_bytes}, align);
  const std::uint64_t bytes = literal_at + arguments.literal.size();
  if (!charge.take(*arguments.queue, launch_bytes + bytes)) return enqueue_error::device_queue_full;
  std::byte* block = args.block.reset(bytes, align);
  std::memcpy(block + literal_at, arguments.literal.data(), arguments.literal.size());
  args.block.set_address(info.args.front().offset, block + literal_at);
  std::uint64_t end = info.local_bytes;
  for (std::size_t i = 0; i < arguments.local.size(); ++i) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (arguments.local[i] == 0) return CL_INVALID_ARG_SIZE;
    if (arguments.local[i] > kMost) return CL_OUT_OF_RESOURCES;
    const std::uint64_t offset = align_scratch(end);
    std::memcpy(block + info.args[i + 1].offset, &offset, sizeof offset);
    end = offset + arguments.local[i];
  }
  args.local_bytes = end;
  return CL_SUCCESS;
}

}  // namespace lanewise
