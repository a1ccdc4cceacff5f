// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a program of several kernels into one module for each, so that they can be compiled in parallel.
#pragma once

#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

/// Returns, for each kernel, bitcode with the kernel and what it refers to. Variables that kernels can change have been
/// placed (variable_storage.h), so that no part defines them.
std::vector<Bytes> split_by_kernel(const llvm::Module& module, const std::vector<llvm::Function*>& kernels);

}  // namespace lanewise
