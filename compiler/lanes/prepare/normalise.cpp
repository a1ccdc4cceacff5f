// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/normalise.h"

#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

#include "compiler/base/irreducible_loops.h"
#include "compiler/kernel/distribute_extensions.h"
#include "compiler/lanes/analysis/item_loop.h"
#include "compiler/lanes/analysis/shapes.h"
#include "compiler/lanes/prepare/counters.h"
#include "compiler/lanes/prepare/invariant_loads.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Replaces `unreachable` inside of a work-item loop by a branch to the loop's end, as it is never executed.
void join_dead_ends(llvm::Function& function, const llvm::LoopInfo& loops) {
  llvm::SmallVector<std::pair<Instruction*, llvm::BasicBlock*>> ends;
  llvm::BasicBlock* items_end = nullptr;
  for (llvm::BasicBlock& block : function) {
    for (const llvm::Loop* l = loops.getLoopFor(&block); l != nullptr; l = l->getParentLoop())
      if (items_metadata(*l) != nullptr) items_end = l->getLoopLatch();
    if (llvm::isa<llvm::UnreachableInst>(block.getTerminator()) && items_end != nullptr && items_end->phis().empty())
      ends.push_back({block.getTerminator(), items_end});
  }
  for (const auto& [end, latch] : ends) {
    llvm::BranchInst::Create(latch, end->getIterator());
    end->eraseFromParent();
  }
}

Value* shifted_up(llvm::IRBuilder<>& b, Value* v, std::uint64_t bits) {
  return bits == 0 ? v : b.CreateShl(v, bits);
}

/// The number above the `low` lower bits of a 64-bit one, in 64 - `low` bits; null if the lower ones may not be zero.
Value* number_above(llvm::IRBuilder<>& b, Value* v, unsigned low, unsigned depth = 0) {
  llvm::Type* narrow = b.getIntNTy(64 - low);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v))
    return constant->getValue().countr_zero() < low
               ? nullptr
               : llvm::ConstantInt::get(narrow, constant->getValue().lshr(low).trunc(64 - low));
  constexpr unsigned kDeepest = 4;
  const auto* i = llvm::dyn_cast<llvm::BinaryOperator>(v);
  if (i == nullptr || depth == kDeepest) return nullptr;
  Value* first = i->getOperand(0);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1));
  switch (i->getOpcode()) {
    case Instruction::Shl:
      if (constant == nullptr || constant->getValue().ult(low)) return nullptr;
      return shifted_up(b, b.CreateTrunc(first, narrow), constant->getZExtValue() - low);
    case Instruction::Mul:
      if (constant == nullptr || constant->getValue().countr_zero() < low) return nullptr;
      return b.CreateMul(b.CreateTrunc(first, narrow),
                         llvm::ConstantInt::get(narrow, constant->getValue().lshr(low).trunc(64 - low)));
    case Instruction::Add:
    case Instruction::Sub: {
      Value* one = number_above(b, first, low, depth + 1);
      Value* other = one == nullptr ? nullptr : number_above(b, i->getOperand(1), low, depth + 1);
      return other == nullptr ? nullptr : b.CreateBinOp(i->getOpcode(), one, other);
    }
    default:
      return nullptr;
  }
}

/// Turns the forms that InstCombine gives an extension of a truncated 64-bit number back into such an extension:
///
///     and %x, 0xFFFFFFFF                              zext (trunc %x)
///     ashr (shl %x, 32), 30                           shl (sext (trunc %x)), 2
///     ashr (add (mul %x, 3 << 32), 5 << 32), 32       sext (add (mul (trunc %x), 3), 5)
Value* as_extension(llvm::IRBuilder<>& b, llvm::BinaryOperator& i) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  if (constant == nullptr || !i.getType()->isIntegerTy(64)) return nullptr;
  b.SetInsertPoint(&i);
  if (i.getOpcode() == Instruction::And) {
    for (const unsigned bits : {8U, 16U, 32U})
      if (constant->getValue().isMask(bits))
        return b.CreateZExt(b.CreateTrunc(i.getOperand(0), b.getIntNTy(bits)), i.getType());
    return nullptr;
  }
  if (i.getOpcode() != Instruction::AShr) return nullptr;
  for (const unsigned low : {56U, 48U, 32U}) {
    if (constant->getValue().ugt(low)) continue;
    if (Value* number = number_above(b, i.getOperand(0), low))
      return shifted_up(b, b.CreateSExt(number, i.getType()), low - constant->getZExtValue());
  }
  return nullptr;
}

void restore_extensions(llvm::Function& function) {
  llvm::SmallVector<llvm::BinaryOperator*> candidates;
  for (Instruction& i : llvm::instructions(function))
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) candidates.push_back(binary);
  llvm::IRBuilder<> b(function.getContext());
  for (llvm::BinaryOperator* i : candidates)
    if (Value* extension = as_extension(b, *i)) {
      i->replaceAllUsesWith(extension);
      i->eraseFromParent();
    }
}

/// What was said of an operation's operands and result does not hold with other upper bits. As long as they may be
/// others in its result as well, neither does what was said of the operations that use it.
void drop_assumptions(Instruction& first, llvm::DemandedBits& demanded) {
  llvm::SmallPtrSet<Instruction*, 16> seen{&first};
  llvm::SmallVector<Instruction*> open{&first};
  while (!open.empty()) {
    Instruction* i = open.pop_back_val();
    i->dropPoisonGeneratingAnnotations();
    if (!i->getType()->isIntegerTy() || demanded.getDemandedBits(i).isAllOnes()) continue;
    for (llvm::User* user : i->users())
      if (auto* next = llvm::cast<Instruction>(user); seen.insert(next).second) open.push_back(next);
  }
}

/// Where only the lower bits of an extension of a truncated number are seen, the number itself has them as well. So an
/// `int` to which a loop adds a `size_t` is a line in 64 bits that is truncated where it is used.
void drop_unseen_extensions(llvm::Function& function, llvm::DemandedBits& demanded) {
  llvm::SmallVector<std::pair<llvm::Use*, Value*>> unseen;
  for (Instruction& i : llvm::instructions(function)) {
    if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(i)) continue;
    const auto* narrow = llvm::dyn_cast<llvm::TruncInst>(i.getOperand(0));
    if (narrow == nullptr || narrow->getSrcTy() != i.getType() || !i.getType()->isIntegerTy()) continue;
    for (llvm::Use& use : i.uses())  // of others than integers, the analysis knows nothing, not even their size
      if (use.getUser()->getType()->isIntegerTy() &&
          demanded.getDemandedBits(&use).getActiveBits() <= narrow->getType()->getIntegerBitWidth())
        unseen.push_back({&use, narrow->getOperand(0)});
  }
  for (const auto& [use, wide] : unseen) drop_assumptions(*llvm::cast<Instruction>(use->getUser()), demanded);
  for (const auto& [use, wide] : unseen) use->set(wide);
}

/// Moves the address of a field to where that of the whole is known. Each lane has a private variable of its own, so an
/// address in one stays in the work-item, at its begin.
void hoist_field(llvm::GetElementPtrInst& field, const llvm::LoopInfo& loops) {
  auto* whole = llvm::dyn_cast<Instruction>(field.getPointerOperand());
  if (whole == nullptr) {
    field.moveBefore(field.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  } else if (Shapes::private_variable(*whole) == nullptr) {
    if (const auto place = whole->getInsertionPointAfterDef()) field.moveBefore(*place);
  } else if (const llvm::Loop* items = items_around(*loops.getLoopFor(field.getParent()))) {
    field.moveBefore(items->getHeader()->getFirstInsertionPt());
  }
}

/// Computes the address of a field, as of an image's texel, where the address of the whole is known, if it is used both
/// in a loop and after it. Work-items leave in different iterations, and a value of the loop would be kept for each,
/// but this is known from the beginning, and mostly one of all of them, as functions for a register's lanes expect.
void hoist_fields(llvm::Function& function, const llvm::LoopInfo& loops) {
  llvm::SmallVector<llvm::GetElementPtrInst*> fields;
  for (Instruction& i : llvm::instructions(function)) {
    auto* field = llvm::dyn_cast<llvm::GetElementPtrInst>(&i);
    const llvm::Loop* loop = field == nullptr ? nullptr : loops.getLoopFor(field->getParent());
    if (loop == nullptr || items_metadata(*loop) != nullptr || !field->hasAllConstantIndices() ||
        !loop->isLoopInvariant(field->getPointerOperand()))
      continue;
    const auto is_behind = [&](const llvm::User* user) { return !loop->contains(llvm::cast<Instruction>(user)); };
    if (llvm::any_of(field->users(), is_behind)) fields.push_back(field);
  }
  for (llvm::GetElementPtrInst* field : fields) hoist_field(*field, loops);
}

}  // namespace

void normalise(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  join_dead_ends(function, analyses.getResult<llvm::LoopAnalysis>(function));
  restore_extensions(function);
  narrow_counters(function, analyses.getResult<llvm::LoopAnalysis>(function),
                  analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  drop_unseen_extensions(function, analyses.getResult<llvm::DemandedBitsAnalysis>(function));
  hoist_fields(function, analyses.getResult<llvm::LoopAnalysis>(function));
  distribute_extensions(function);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager scalars;
  scalars.addPass(llvm::ScalarizerPass());
  scalars.addPass(llvm::DCEPass());
  scalars.run(function, analyses);
  add_loop_headers(function, analyses);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());  // so that a value is kept of the lanes that leave where it is used
  passes.addPass(llvm::UnifyLoopExitsPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.run(function, analyses);
  hoist_invariant_loads(analyses.getResult<llvm::LoopAnalysis>(function));
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

llvm::PreservedAnalyses NormaliseItemLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  normalise(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise::spmd
