// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program of several kernels as one module for each, so that they can be compiled side by side.
#pragma once

#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

/// True if the program has variables that kernels can change and share.
[[nodiscard]] bool has_shared_variables(const llvm::Module& module);

/// Prepares a program of several kernels for compilation in several modules: variables that kernels can change get one
/// definition that all can see. Returns, for each kernel, bitcode with the kernel and what it refers to.
std::vector<Bytes> split_by_kernel(llvm::Module& module, const std::vector<llvm::Function*>& kernels);

}  // namespace lanewise
