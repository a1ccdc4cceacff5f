// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch in words, for reports of crashes.
#pragma once

#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/kernel/kernel.h"
#include "runtime/kernel/launch_args.h"

namespace lanewise {

/// "kernel scale(x = 0x7f12..., buffer of 4096 bytes; by = 2.5), 1024 x 1 x 1 work-items in groups of 64 x 1 x 1".
/// Empty: out of memory.
std::string launch_text(const Kernel& kernel, const lanewise_launch& sizes, const LaunchArgs& args) noexcept;

}  // namespace lanewise
