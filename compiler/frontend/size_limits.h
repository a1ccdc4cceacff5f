// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes that no machine has: told as the program's fault, before sums of them overflow or fill the memory of the
/// compiler.
#pragma once

#include <string>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Module;
}

namespace lanewise {

/// Bytes of all __constant variables of a program together: they are part of its image.
inline constexpr std::uint64_t kLargestConstants = std::uint64_t{1} << 30;

/// Before code is made: each private and local variable, and the variables in global memory together, take at most
/// `abi::kLargestKernelMemory` bytes, the constants together at most `kLargestConstants`. Lines for the build log, one per fault; empty if good.
std::string check_variable_sizes(const llvm::Module& module);

/// After code is made: what all variables of the kernel take is at most `abi::kLargestKernelMemory`. As above.
std::string check_memory_sizes(const abi::KernelInfo& kernel);

}  // namespace lanewise
