// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether the buffers of a launch overlap: code for launches whose buffers do not may keep what it has read or will
/// write in registers (abi::Specialisation::distinct_buffers).
#pragma once

#include "include/lanewise/compiler_abi.h"
#include "runtime/kernel/launch_args.h"

namespace lanewise {

/// Whether no byte of memory belongs to two of the global and constant pointers. False also if that is not known: for
/// SVM pointers, which have no size, and for memory that others may see at another address.
[[nodiscard]] bool has_distinct_buffers(const abi::KernelInfo& info, const LaunchArgs& args);

}  // namespace lanewise
