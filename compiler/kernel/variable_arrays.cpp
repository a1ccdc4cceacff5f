// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/variable_arrays.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic arrays_placed{"place-variable-arrays", "arrays", "arrays whose length the build knows"};

constexpr std::uint64_t kMostBits = 48;  // no machine has room for more elements

/// The number that instructions without side effects compute of constants. Null: it is none.
llvm::ConstantInt* folded(llvm::Value* length, const llvm::DataLayout& layout, unsigned depth = 0) {
  constexpr unsigned kMostSteps = 16;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(length))
    return llvm::dyn_cast_or_null<llvm::ConstantInt>(llvm::ConstantFoldConstant(constant, layout));
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(length);
  if (instruction == nullptr || depth == kMostSteps ||
      !llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst>(instruction))
    return nullptr;
  llvm::SmallVector<llvm::Constant*, 3> operands;
  for (llvm::Value* operand : instruction->operands()) {
    operands.push_back(folded(operand, layout, depth + 1));
    if (operands.back() == nullptr) return nullptr;
  }
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(llvm::ConstantFoldInstOperands(instruction, operands, layout));
}

/// Frees all that has been allocated since a place before `variable`.
bool frees(const llvm::Instruction& i, const llvm::AllocaInst& variable, const llvm::DominatorTree& tree) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::stackrestore) return false;
  const auto* save = llvm::dyn_cast<llvm::Instruction>(call->getArgOperand(0));
  return save != nullptr && tree.dominates(save, &variable);
}

/// Whether a way leads from `variable` to itself on which nothing frees it.
bool is_made_again(const llvm::AllocaInst& variable, const llvm::DominatorTree& tree) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<llvm::BasicBlock::const_iterator> work{std::next(variable.getIterator())};
  while (!work.empty()) {
    const auto begin = work.pop_back_val();
    const llvm::BasicBlock& block = *begin->getParent();
    bool passes = true;
    for (auto at = begin; at != block.end() && passes; ++at) {
      if (&*at == &variable) return true;
      passes = !frees(*at, variable, tree);
    }
    if (!passes) continue;
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      if (seen.insert(next).second) work.push_back(next->begin());
  }
  return false;
}

/// Whether a pointer to the variable may be there when the variable is made again.
bool outlives(const llvm::AllocaInst& variable) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*> work{&variable};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (llvm::isa<llvm::PHINode>(user)) return true;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::SelectInst>(user) && seen.insert(user).second)
        work.push_back(user);
    }
  }
  return llvm::PointerMayBeCaptured(&variable, /*ReturnCaptures=*/true);
}

void place(llvm::AllocaInst& variable, const llvm::ConstantInt& length) {
  llvm::BasicBlock& entry = variable.getFunction()->getEntryBlock();
  auto* type = llvm::ArrayType::get(variable.getAllocatedType(), length.getZExtValue());
  auto* placed =
      new llvm::AllocaInst(type, variable.getAddressSpace(), nullptr, variable.getAlign(), "", entry.begin());
  placed->takeName(&variable);
  placed->setDebugLoc(variable.getDebugLoc());
  variable.replaceAllUsesWith(placed);
  variable.eraseFromParent();
}

/// Without arrays of variable size there is nothing that the stack keeps.
void drop_stack_marks(llvm::Function& function) {
  for (const auto id : {llvm::Intrinsic::stackrestore, llvm::Intrinsic::stacksave})
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call != nullptr && call->getIntrinsicID() == id && call->use_empty())
        call->eraseFromParent();
}

/// Errors: an array that is another one in each iteration of a loop.
llvm::Expected<bool> place_arrays(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*> arrays;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
        variable != nullptr && (!variable->isStaticAlloca() || variable->isArrayAllocation()))
      arrays.push_back(variable);
  if (arrays.empty()) return false;
  const llvm::DominatorTree tree(function);
  bool all = true;
  for (llvm::AllocaInst* variable : arrays) {
    const llvm::ConstantInt* length = folded(variable->getArraySize(), function.getDataLayout());
    const bool known = length != nullptr && length->getValue().getActiveBits() <= kMostBits;
    all &= known;
    if (!known) continue;
    if (is_made_again(*variable, tree) && outlives(*variable))
      return failure("function '" + function.getName() +
                     "': a loop allocates private memory in each iteration and keeps a pointer to it");
    place(*variable, *length);
    ++arrays_placed;
  }
  if (all) drop_stack_marks(function);
  return true;
}

}  // namespace

llvm::PreservedAnalyses PlaceVariableArraysPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return keeping_blocks(change_functions(module, [&](llvm::Function& function) {
    llvm::Expected<bool> placed = place_arrays(function);
    if (!placed) context_of(module, analyses).fail(placed.takeError());
    return placed && *placed;
  }));
}

}  // namespace lanewise
