// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/irreducible_loops.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

namespace lanewise {
namespace {

using llvm::BasicBlock;
using Blocks = llvm::SmallSetVector<BasicBlock*, 8>;

/// The entries of all loops that have several.
Blocks entries_of(const llvm::Cycle& cycle) {
  Blocks entries;
  if (!cycle.isReducible()) entries.insert(cycle.getEntries().begin(), cycle.getEntries().end());
  for (const llvm::Cycle* inner : cycle.children()) entries.insert_range(entries_of(*inner));
  return entries;
}

void split_edges_to(BasicBlock& entry) {
  const Blocks before(llvm::pred_begin(&entry), llvm::pred_end(&entry));
  for (BasicBlock* block : before) {
    llvm::Instruction* end = block->getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
      if (end->getSuccessor(i) == &entry) llvm::SplitCriticalEdge(end, i);
  }
}

}  // namespace

void add_loop_headers(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager lower;
  lower.addPass(llvm::LowerSwitchPass());
  lower.run(function, analyses);
  Blocks entries;
  for (const llvm::Cycle* cycle : analyses.getResult<llvm::CycleAnalysis>(function).toplevel_cycles())
    entries.insert_range(entries_of(*cycle));
  if (entries.empty()) return;
  for (BasicBlock* entry : entries) split_edges_to(*entry);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager fix;
  fix.addPass(llvm::FixIrreduciblePass());
  fix.run(function, analyses);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

}  // namespace lanewise
