// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One kernel from canonical IR to an object file.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/pipeline.h"
#include "src/base/isa.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

class BuiltinLibrary;

struct CodegenOptions {
  std::shared_ptr<const BuiltinLibrary> builtins;
  Isa isa;
  bool optimise = true;
  bool debug_barriers = false;
  bool zero_private = false;  ///< private variables begin as zeros (cl_khr_initialize_memory)
  unsigned vector_width = 0;  ///< work-items in a vector; 0: choose, 1: scalar code
  bool specialised = false;   ///< for plain launches with the local size of KernelInfo::reqd_work_group_size
  const PipelineObserver* observer = nullptr;
};

/// Compiles kernel `info.name` of `module`, which is used up: every other kernel in it is dropped. Fills the fields of
/// `info` that depend on the body and returns the object, whose only visible symbols are `info.symbol` and the
/// program-scope variables that kernels share. Thread-safe for distinct contexts.
/// `report`, if given, receives what became of each work-item loop.
/// Errors, for the build log: what the user's program cannot do (recursion and so on), or "internal compiler error".
llvm::Expected<llvm::SmallVector<char, 0>> compile_kernel(llvm::Module& module, abi::KernelInfo& info,
                                                          const CodegenOptions& options,
                                                          std::vector<abi::LoopReport>* report = nullptr);

/// True if the program has variables that kernels can change and share.
[[nodiscard]] bool has_shared_variables(const llvm::Module& module);

/// Prepares a program of several kernels for compilation in several modules: variables that kernels can change get one
/// definition that all can see. Returns, for each kernel, bitcode with the kernel and what it refers to.
std::vector<Bytes> split_by_kernel(llvm::Module& module, const std::vector<llvm::Function*>& kernels);

}  // namespace lanewise
