// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The runtime's services for kernels that enqueue (include/lanewise/enqueue_abi.h, OpenCL C 6.15.18).
///
/// A launch that a kernel enqueues is a child of the running command, whose event ends with the last of its children.
/// The caller goes on, and no worker waits. What a child waits for besides its events is edges of the command graph:
///
///     CLK_ENQUEUE_FLAGS_NO_WAIT           nothing
///     CLK_ENQUEUE_FLAGS_WAIT_KERNEL       the end of the parent's own run (Family::after_run)
///     CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP   the end of the chunk of work-groups that the calling thread runs: until then
///                                         the thread keeps the child back (Worker::enqueueing)
#pragma once

#include <cstdint>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

/// The errors that `enqueue_kernel` and `enqueue_marker` return, with the numbers of OpenCL C.
namespace enqueue_error {
inline constexpr std::int32_t failure = -101;  ///< replaces all others in programs built without -g
inline constexpr std::int32_t invalid_queue = -102;
inline constexpr std::int32_t invalid_ndrange = -160;
inline constexpr std::int32_t invalid_event_wait_list = -57;
inline constexpr std::int32_t device_queue_full = -161;
inline constexpr std::int32_t invalid_arg_size = -51;
inline constexpr std::int32_t event_allocation_failure = -100;
inline constexpr std::int32_t out_of_resources = -5;
}  // namespace enqueue_error

/// The services of all kernels (kernel_services) and the two for device queues (`enqueue`, `device_queue`).
const lanewise_services& device_services();

}  // namespace lanewise
