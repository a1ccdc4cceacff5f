// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reports sizes that no machine has as errors of the program, before sums of them overflow or the compiler runs out of
/// memory.
#pragma once

#include <string>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Module;
}

namespace lanewise {

/// Bytes of all __constant variables of a program together: they are part of its image.
inline constexpr std::uint64_t kLargestConstants = std::uint64_t{1} << 30;

/// Checks the program as Clang made it, which need not be valid: each argument of a kernel by value may take at most
/// `abi::kLargestArguments` bytes. Returns lines for the build log, one per fault; empty if there is none.
std::string check_argument_sizes(const llvm::Module& module);

/// Checks before code is made: each private and local variable, and the variables in global memory together, may take
/// at most `abi::kLargestKernelMemory` bytes, the constants together at most `kLargestConstants`; arguments as above.
std::string check_variable_sizes(const llvm::Module& module);

/// Checks after code is made: all variables of the kernel together may take at most `abi::kLargestKernelMemory`, and
/// its arguments `abi::kLargestArguments`. Returns lines as above.
std::string check_memory_sizes(const abi::KernelInfo& kernel);

}  // namespace lanewise
