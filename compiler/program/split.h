// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a program of several kernels into one module for each, so that they can be compiled in parallel.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
class GlobalValue;
class Module;
}  // namespace llvm

namespace lanewise {

/// The kernels of a module, each with what it refers to. The module must stay as it is meanwhile. Variables that
/// kernels can change have been placed (variable_storage.h), so that no part defines them.
class KernelParts {
 public:
  KernelParts(const llvm::Module& module, const std::vector<llvm::Function*>& kernels);

  /// The instructions of all kernels. A function that several kernels use counts for each of them.
  [[nodiscard]] std::uint64_t instructions() const;
  /// An upper bound for the variables in local memory that the kernel of that number refers to.
  [[nodiscard]] std::uint64_t local_bytes(std::size_t number) const;
  /// Bitcode with the kernel of that number and what it refers to. One thread at a time, because the module's context
  /// changes meanwhile.
  [[nodiscard]] Bytes part(std::size_t number) const;

 private:
  using Values = llvm::SmallPtrSet<const llvm::GlobalValue*, 32>;

  const llvm::Module& module_;
  std::vector<Values> needed_;  ///< what each kernel refers to
};

}  // namespace lanewise
