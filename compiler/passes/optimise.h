// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What LLVM needs to work on a kernel: a target machine, analyses, and the code generator. LLVM's pass pipelines
/// around the work-group lowering are passes of ours (compiler/passes/passes.h).
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/Error.h>

#include <memory>

#include "compiler/analyses.h"
#include "compiler/passes/context.h"
#include "src/base/isa.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// A code generator for `isa`: position-independent, small code model, a section per function. Error: this LLVM has no
/// back end for it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Isa isa, bool optimise);

/// The analyses that the passes of one kernel use, including its context. Sets `context.builder`; both arguments must
/// outlive it. Barrier calls are convergent: no pass of LLVM's duplicates one, or moves it into or out of a branch.
struct KernelAnalyses : Analyses {
  explicit KernelAnalyses(KernelContext& context, llvm::PassInstrumentationCallbacks* instrumentation = nullptr);
};

/// Object file or assembly of `module`, which the pipeline of this context has made.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, const KernelContext& context,
                                                llvm::CodeGenFileType type);

}  // namespace lanewise
