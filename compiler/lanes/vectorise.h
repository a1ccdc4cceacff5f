// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The SPMD vectoriser, in which each work-item is a lane. It works on each innermost work-item loop of a range
/// function (compiler/groups) by itself; such a loop has `!{!"lanewise.items"}` in its loop metadata.
///
///     for (x = 0; x < local_size_x; ++x) item(x)
///  =>
///     for (x = 0; x + W <= local_size_x; x += W) items<W>(x)      ; if the assumptions about ids hold
///     the tail: items<W>(x) under a mask, or item(x) one by one   ; item_loop.h
///
/// Steps: analysis/ finds the facts about a loop or refuses it (facts.h), plan/ measures it and decides or refuses
/// (planner.h), emit/ writes the vector form (item_loop.h, emitter.h) and never fails. Each includes only those before
/// it. A loop that is refused stays as it was.
#pragma once

#include <llvm/Support/raw_ostream.h>

#include <string>
#include <vector>

#include "compiler/base/pass.h"
#include "compiler/lanes/decision.h"
#include "compiler/lanes/plan/plan.h"

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace lanewise::spmd {

/// Vectorises every loop that can be vectorised. The function stays valid in every case.
std::vector<Decision> vectorise(llvm::Function& function, llvm::TargetMachine& machine, const Options& options);

/// What `vectorise` would do, as text: a line per loop. Does not change the function.
std::string describe_plans(llvm::Function& function, llvm::TargetMachine& machine, const Options& options);

/// Vectorises the lowered kernels, and tells later passes what is left.
struct VectorisePass : RequiredPass<VectorisePass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Prints what VectorisePass would do. Changes no IR.
class PrintVectorPlansPass : public RequiredPass<PrintVectorPlansPass> {
 public:
  explicit PrintVectorPlansPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

}  // namespace lanewise::spmd
