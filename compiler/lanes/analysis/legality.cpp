// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/legality.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "compiler/base/marks.h"
#include "compiler/builtins/packets.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Type;

constexpr unsigned kMostBlocks = 1500;
constexpr unsigned kMostInstructions = 20000;

bool is_element(const Type& type, const llvm::DataLayout& layout) {
  if (type.isPointerTy() || type.isFloatTy() || type.isDoubleTy() || type.isHalfTy()) return true;
  if (!type.isIntegerTy()) return false;
  auto* t = const_cast<Type*>(&type);
  return layout.getTypeSizeInBits(t) == layout.getTypeAllocSizeInBits(t) && type.getIntegerBitWidth() <= 64;
}

/// Values in registers may have any integer type; in memory only integers of whole bytes.
bool fits(const Type& type, const llvm::DataLayout& layout, bool memory) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return fits(*vector->getElementType(), layout, memory);
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type))
    return !memory && llvm::all_of(structure->elements(),
                                   [&](const Type* e) { return !e->isVectorTy() && fits(*e, layout, false); });
  return memory ? is_element(type, layout) : is_element(type, layout) || type.isIntegerTy();
}

Refusal check_instruction(const Instruction& i, const llvm::DataLayout& layout) {
  if (i.isTerminator()) return {llvm::isa<llvm::BranchInst>(i) ? Reason::none : Reason::terminator};
  if (llvm::isa<llvm::AllocaInst>(i)) return {Reason::private_in_body};
  if (i.getType()->isTokenTy() || llvm::isa<llvm::VAArgInst>(i)) return {Reason::unusual_instruction};
  if (!i.getType()->isVoidTy() && !fits(*i.getType(), layout, false)) return {Reason::aggregate_value};
  const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i);
  if (extract != nullptr && extract->getNumIndices() != 1) return {Reason::nested_aggregate};
  const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&i);
  if (insert != nullptr) return {Reason::built_aggregate};
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load != nullptr && !fits(*load->getType(), layout, true))
    return {Reason::odd_load};
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
  if (store != nullptr && !fits(*store->getValueOperand()->getType(), layout, true)) return {Reason::odd_store};
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call != nullptr && (call->isInlineAsm() || call->hasOperandBundles()) && !llvm::isa<llvm::AssumeInst>(i))
    return {Reason::inline_assembly};
  return {};
}

/// Lanes that get no packet leave the loop, so none of them stays until another one has made room. The branch on what
/// the call took has to be in its block.
bool leaves_without_packet(const llvm::CallInst& take, const llvm::Loop& loop) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(take.getParent()->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return false;
  const auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  const auto* with = test == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1));
  if (with == nullptr) return false;
  const auto nothing = [&]() -> std::optional<llvm::ConstantRange> {
    const llvm::APInt zero(64, 0);
    const llvm::APInt one_packet(64, packets::kNumberMask + 1);
    if (test->getOperand(0) == &take) return llvm::ConstantRange(zero, one_packet);
    using namespace llvm::PatternMatch;
    const bool of_count = match(test->getOperand(0), m_LShr(m_Specific(&take), m_SpecificInt(packets::kNumberBits)));
    return of_count ? std::optional(llvm::ConstantRange(zero)) : std::nullopt;
  }();
  if (!nothing) return false;
  const auto passing = llvm::ConstantRange::makeExactICmpRegion(test->getPredicate(), with->getValue());
  if (passing.contains(*nothing)) return !loop.contains(branch->getSuccessor(0));
  return passing.intersectWith(*nothing).isEmptySet() && !loop.contains(branch->getSuccessor(1));
}

/// Lanes that wait for each other, as with a lock, would wait forever unless they take turns. An operation without a
/// result, or whose result is not used, cannot be part of such a wait.
bool may_wait(const Instruction& i, const llvm::Loop& loop) {
  if (const llvm::CallInst* take = packets::take(i)) return !leaves_without_packet(*take, loop);
  if (i.getFunction()->hasFnAttribute(marks::kTakesTurns)) return false;
  return i.isAtomic() && !i.getType()->isVoidTy() && !(llvm::isa<llvm::AtomicRMWInst>(i) && i.use_empty());
}

}  // namespace

Refusal check_loop(const llvm::Loop& items, bool any_size) {
  const llvm::DataLayout& layout = items.getHeader()->getDataLayout();
  const llvm::BasicBlock* latch = items.getLoopLatch();
  if (latch == nullptr || items.getExitingBlock() != latch) return {Reason::unusual_loop};
  if (!any_size && items.getNumBlocks() > kMostBlocks) return {Reason::too_large};
  unsigned count = 0;
  for (const llvm::BasicBlock* block : items.blocks())
    for (const Instruction& i : *block) {
      if (Refusal refusal = check_instruction(i, layout); refusal.refused()) return refusal;
      if (++count > kMostInstructions && !any_size) return {Reason::too_large};
    }
  const llvm::BasicBlock* exit = items.getUniqueExitBlock();
  if (exit == nullptr || !exit->phis().empty()) return {Reason::value_leaves};
  return {};
}

Refusal check_divergence(const Body& body, const Divergence& divergence) {
  for (const auto& level : body.levels()) {
    if (!divergence.diverges(*level)) continue;
    if (level->parent == nullptr) return {Reason::items_diverge};
    if (level->loop->getHeader()->getParent()->hasFnAttribute(marks::kSharedBodies)) return {Reason::shared_bodies};
    for (const llvm::BasicBlock* block : level->loop->blocks())
      for (const Instruction& i : *block)
        if (may_wait(i, *level->loop)) return {Reason::divergent_atomics};
  }
  return {};
}

}  // namespace lanewise::spmd
