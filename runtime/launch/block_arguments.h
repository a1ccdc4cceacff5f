// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arguments of a block that a kernel enqueues, and the memory that its launch takes from a queue on the device.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "include/lanewise/compiler_abi.h"
#include "runtime/exec/queue.h"
#include "runtime/kernel/launch_args.h"
#include "runtime/object/object.h"

namespace lanewise {

/// The values of a block that a kernel enqueues.
struct BlockArguments {
  std::span<const std::byte> literal;    ///< bytes of the block literal; the launch copies them
  std::size_t literal_align = 1;         ///< bytes: a power of two, at most LANEWISE_SCRATCH_ALIGN
  std::span<const std::uint64_t> local;  ///< bytes of local memory, one number for each argument
  Queue* queue = nullptr;                ///< the queue whose budget pays for the launch
};

/// Bytes that have been taken from the budget of a queue.
class Charge {
 public:
  Charge() = default;
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() {
    if (bytes_ != 0) [[unlikely]]
      payer_->budget()->give(bytes_);
  }
  /// Takes `bytes` from the budget of `payer`; called at most once. False: the budget has fewer left.
  [[nodiscard]] bool take(Queue& payer, std::uint64_t bytes) {
    if (!payer.budget()->take(bytes)) return false;
    payer_ = Ref<Queue>(payer);
    bytes_ = bytes;
    return true;
  }

 private:
  Ref<Queue> payer_;
  std::uint64_t bytes_ = 0;
};

/// Converts the values of a block to the arguments of a launch, and charges the queue for their bytes and
/// `launch_bytes`. `info` describes the block's kernel. Returns CL_SUCCESS, CL_INVALID_KERNEL_ARGS (another number of
/// arguments), CL_INVALID_ARG_SIZE, CL_OUT_OF_RESOURCES (local memory) or enqueue_error::device_queue_full. May throw
/// std::bad_alloc.
cl_int take_arguments(const abi::KernelInfo& info, const BlockArguments& arguments, std::uint64_t launch_bytes,
                      Charge& charge, LaunchArgs& args);

}  // namespace lanewise
