// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/masks.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/lane_reductions.h"
#include "compiler/lanes/emit/lines.h"

namespace lanewise::spmd {

using llvm::Value;

/// Accesses under the mask of a part of the body that have two forms.
static constexpr unsigned kMostForms = 6;

static bool is_invariant(const Value* value, const llvm::Loop& loop) {
  if (loop.isLoopInvariant(value)) return true;
  if (!llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(value)) return false;
  return llvm::all_of(llvm::cast<llvm::Instruction>(value)->operands(),
                      [&](const llvm::Use& operand) { return is_invariant(operand.get(), loop); });
}

/// Whether all iterations read the same place. After the first one it is in the cache, where masks cost a load nothing;
/// a branch would cost more in loops of few iterations.
static bool reads_in_place(const llvm::Instruction& access, const llvm::Loop& loop) {
  return llvm::isa<llvm::LoadInst>(access) && is_invariant(llvm::getLoadStorePointerOperand(&access), loop);
}

Value* Masks::entering(const Node& node) {
  if (const Node* same = s_.shapes.divergence().same_mask(node)) {
    const auto known = nodes_.find(same);
    if (known != nodes_.end()) return known->second;
  }
  Value* mask = nullptr;
  llvm::SmallPtrSet<Value*, 4> seen;  // edges out of a uniform region have the same
  for (const Node* p : node.predecessors) {
    Value* m = p->loop != nullptr ? of(*p) : edge(p->block, node.block);
    if (m == nullptr) return nullptr;
    if (!seen.insert(m).second) continue;
    mask = mask == nullptr ? m : s_.b.CreateOr(mask, m);
  }
  return mask == nullptr ? level_ : mask;
}

void Masks::set_edges(const llvm::BasicBlock& block, Value* mask) {
  const auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    edges_[{&block, branch->getSuccessor(0)}] = mask;
    return;
  }
  Value* condition = s_.vector(branch->getCondition());
  Value* inverse = s_.b.CreateNot(condition);
  // A logical and: the condition may be poison in lanes that are not active.
  Value* passing = mask == nullptr ? condition : s_.b.CreateLogicalAnd(mask, condition);
  edges_[{&block, branch->getSuccessor(0)}] = passing;
  edges_[{&block, branch->getSuccessor(1)}] = mask == nullptr ? inverse : s_.b.CreateLogicalAnd(mask, inverse);
  // Neighbours mostly are all in an image, a buffer or a row, or all outside.
  if (!llvm::isa<llvm::Instruction>(passing) || passing == mask || (mask != nullptr && is_full(mask) == nullptr))
    return;
  if (Value* always = Lines(s_).always(*branch->getCondition()))
    parts_[passing].full = mask == nullptr ? always : s_.b.CreateLogicalAnd(is_full(mask), always);
}

/// The mask of a loop is tested anew at each access: the test is two instructions, which LLVM shares among accesses.
Value* Masks::is_full_for_access(const llvm::Instruction& access, Value* mask) {
  const auto part = parts_.find(mask);
  if (part == parts_.end()) return is_full(mask);
  if (part->second.in_loop && reads_in_place(access, *s_.body.level(access.getParent())->loop)) return nullptr;
  if (part->second.accesses++ >= kMostForms) return nullptr;
  return part->second.in_loop ? s_.b.CreateAndReduce(mask) : part->second.full;
}

Value* Masks::count(Value* mask, llvm::Type* type) {
  if (mask == nullptr) return llvm::ConstantInt::get(type, s_.width);
  Value* bits = s_.b.CreateBitCast(mask, s_.b.getIntNTy(s_.width));
  return s_.b.CreateZExtOrTrunc(s_.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), type);
}

/// Bytes are large enough for the number, and cheap to shift.
Value* Masks::lanes_before(Value* mask, llvm::Type* type) {
  LaneBuilder& b = s_.b;
  if (mask == nullptr) return b.CreateStepVector(b.wide(type));
  Value* zero = b.splat(b.getInt8(0));
  Value* ones = b.CreateZExt(mask, b.wide(b.getInt8Ty()));
  Value* up_to = scanned_lanes(b, ones, zero, [&](Value* left, Value* right) { return b.CreateAdd(left, right); });
  return b.CreateZExt(shifted_lanes(b, up_to, 1, zero), b.wide(type));
}

}  // namespace lanewise::spmd
