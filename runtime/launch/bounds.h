// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=memory: the memory that the arguments of a launch point to.
#pragma once

#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "runtime/kernel/kernel.h"
#include "runtime/kernel/launch_args.h"

namespace lanewise {

/// One for each argument, as lanewise_worker::bounds has them. May throw std::bad_alloc.
std::vector<lanewise_bounds> bounds_of(const Kernel& kernel, const LaunchArgs& args);

}  // namespace lanewise
