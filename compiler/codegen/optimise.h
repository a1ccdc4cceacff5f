// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's pass pipelines around the work-group lowering, and its code generator.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <memory>

#include "compiler/codegen/pipelines.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// A code generator for x86-64-v<isa_level> and `isa_features` (bits of `abi::Request`): position-independent, small
/// code model, a section per function. Error: this LLVM has no X86 back end, the level is not 2, 3 or 4, or has no such
/// features.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_target_machine(unsigned isa_level, std::uint32_t isa_features,
                                                                         bool optimise);

/// The passes of one kernel. One object per module: analyses are kept between its steps.
class Optimiser {
 public:
  explicit Optimiser(llvm::TargetMachine& machine);
  ~Optimiser();
  Optimiser(const Optimiser&) = delete;
  Optimiser& operator=(const Optimiser&) = delete;

  /// Every function in SSA form and roughly simplified.
  void simplify_functions(llvm::Module& module);
  /// Inlines what is marked, drops what is unused and simplifies again. Barrier calls are convergent: none is
  /// duplicated, or moved into or out of a branch.
  void inline_marked(llvm::Module& module);
  /// Unrolls short loops over private arrays in functions with barriers, so that the elements become values: those are
  /// kept from barrier to barrier lane beside lane, and in registers in between.
  void promote_private_arrays(llvm::Module& module);
  /// Everything after the work-group lowering (pipelines.h).
  void optimise(llvm::Module& module, Effort effort, bool scalar_code);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Object file or assembly of `module`.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                llvm::CodeGenFileType type);

}  // namespace lanewise
