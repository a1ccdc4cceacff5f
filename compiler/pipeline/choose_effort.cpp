// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/choose_effort.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/context.h"
#include "compiler/base/effort.h"
#include "compiler/pipeline/count_instructions.h"

namespace lanewise {
namespace {

/// A header's value that begins as a constant, or that plus a constant.
bool counts_from_constant(const llvm::Value* v, const llvm::Loop& loop) {
  if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(v))
    v = sum->getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::ConstantInt>(sum->getOperand(1))
            ? sum->getOperand(0)
            : nullptr;
  const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(v);
  if (phi == nullptr || phi->getParent() != loop.getHeader()) return false;
  return llvm::any_of(phi->incoming_values(), [](const llvm::Use& use) { return llvm::isa<llvm::ConstantInt>(use); });
}

/// True if some loop runs from one constant to another: LLVM may unroll it completely, and what it stores in private
/// arrays may then be kept in registers.
bool has_counted_loops(const llvm::LoopInfo& loops) {
  return llvm::any_of(loops.getLoopsInPreorder(), [](const llvm::Loop* loop) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const auto* test = branch != nullptr ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
      return test != nullptr && llvm::isa<llvm::ConstantInt>(test->getOperand(1)) &&
             counts_from_constant(test->getOperand(0), *loop);
    });
  });
}

bool has_counted_loops(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  return llvm::any_of(module, [&](llvm::Function& function) {
    return !function.isDeclaration() && has_counted_loops(functions.getResult<llvm::LoopAnalysis>(function));
  });
}

/// Decides by what is left after inlining: kernels that are one function have pipelines of their own. Kernels that
/// proved hot get every pass, up to a time limit (compiler/pipeline/time_budget.h).
Effort effort_of(llvm::Module& module, const CodegenOptions& options, llvm::ModuleAnalysisManager& analyses) {
  const bool large_program = options.large_program && !has_counted_loops(module, analyses);
  const Effort effort = effort_for(module.getInstructionCount(), large_program);
  if (!options.optimise) return effort == Effort::least ? effort : Effort::none;
  if (options.launches != nullptr) return Effort::full;
  const auto functions = llvm::count_if(module, [](const llvm::Function& f) { return !f.isDeclaration(); });
  const bool moderate = effort == Effort::normal || effort == Effort::brief;
  return moderate && functions > 1 ? Effort::full : effort;
}

}  // namespace

llvm::PreservedAnalyses ChooseEffortPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  context.effort = context.workgroup.every_value ? Effort::debug : effort_of(module, context.options, analyses);
  count_instructions(module, context, &abi::KernelInfo::name, &abi::InstructionCounts::item);
  context.vectors = vectorises(context.options) && context.effort != Effort::least;
  context.workgroup.merge_groups = context.vectors;
  if (context.effort == Effort::least || context.effort == Effort::debug)
    context.machine.setOptLevel(llvm::CodeGenOptLevel::None);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise
