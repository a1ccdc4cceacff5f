// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine operations of the built-in library (compiler/builtins/machine_operations.h) as instructions of the
/// processor:
///
///     %y = call <16 x float> @__lw_op_rcp14_f.16(<16 x float> %x)     ->     its estimates of 16 reciprocals
#pragma once

#include "compiler/base/pass.h"
#include "src/base/isa.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// Replaces every call, scalar or widened, by instructions of `machine`, which is of `architecture` and of the same
/// level as the library that the calls come from. Its features decide how dot products are made.
/// @returns whether there were any
bool lower_machine_operations(llvm::Module& module, Architecture architecture, const llvm::TargetMachine& machine);

struct LowerMachineOperationsPass : RequiredPass<LowerMachineOperationsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
