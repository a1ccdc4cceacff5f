// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/analysis/guards.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <limits>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kDeepest = 12;
constexpr unsigned kMostConditions = 16;
/// Beyond this, 64-bit numbers may wrap when a work-item's number is added.
constexpr std::uint64_t kLargestStart = std::uint64_t{1} << 61U;
/// More than any number that counts up from there.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 62U;

bool has_effects(const BasicBlock& block) {
  return llvm::any_of(block, [](const Instruction& i) {
    return !i.isTerminator() && (i.mayHaveSideEffects() || i.isVolatile()) && !llvm::isa<llvm::AssumeInst>(i);
  });
}

/// From `block` on a work-item does nothing any more.
bool is_empty_path(const Body& body, const BasicBlock* block) {
  const BasicBlock* latch = body.top().loop->getLoopLatch();
  for (unsigned steps = 0; steps < kDeepest; ++steps) {
    if (body.level(block) != &body.top() || has_effects(*block) || !block->phis().empty()) return false;
    if (block == latch) return true;
    block = block->getSingleSuccessor();
    if (block == nullptr) return false;
  }
  return false;
}

/// An expression that can be computed in front of the loop: with local id 0 in place of the loop's.
bool is_movable(const Body& body, const Value* v, const Value* local_id, unsigned depth = 0) {
  const auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || !body.contains(i->getParent())) return true;
  if (v == local_id) return true;
  if (depth > kDeepest || llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(i) || !i->getType()->isIntegerTy())
    return false;
  return llvm::all_of(i->operands(), [&](const Value* o) { return is_movable(body, o, local_id, depth + 1); });
}

bool is_invariant(const Body& body, const Value* v, const Value* local_id, unsigned depth = 0) {
  if (v == local_id) return false;
  const auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || !body.contains(i->getParent())) return true;
  if (depth > kDeepest) return false;
  return llvm::all_of(i->operands(), [&](const Value* o) { return is_invariant(body, o, local_id, depth + 1); });
}

class Finder {
 public:
  Finder(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id)
      : body_(body), shapes_(shapes), local_id_(local_id) {}

  Guards run() {
    const BasicBlock* block = body_.top().loop->getHeader();
    for (unsigned steps = 0; steps < kDeepest; ++steps) {
      if (body_.level(block) != &body_.top() || has_effects(*block)) break;
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr || block == body_.top().loop->getLoopLatch()) break;
      if (branch->isConditional()) {
        const bool out0 = is_empty_path(body_, branch->getSuccessor(0));
        const bool out1 = is_empty_path(body_, branch->getSuccessor(1));
        if (out0 == out1) break;
        const unsigned in = out0 ? 1 : 0;
        const bool all = take(branch->getCondition(), out0);
        if (!all) break;
        guards_.passed.push_back({block, in});
        block = branch->getSuccessor(in);
      } else {
        block = branch->getSuccessor(0);
      }
    }
    return std::move(guards_);
  }

 private:
  /// Takes apart what has to hold: `condition`, or its opposite. True if all of it is in the conditions then.
  bool take(const Value* condition, bool negated) {
    using namespace llvm::PatternMatch;
    const Value* a = nullptr;
    const Value* b = nullptr;
    if (match(condition, m_Not(m_Value(a)))) return take(a, !negated);
    const bool both = negated ? match(condition, m_LogicalOr(m_Value(a), m_Value(b)))
                              : match(condition, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (both) {
      const bool first = take(a, negated);
      return take(b, negated) && first;
    }
    if (guards_.conditions.size() == kMostConditions || !is_movable(body_, condition, &local_id_)) return false;
    if (!is_invariant(body_, condition, &local_id_) && !is_bound(*condition)) return false;
    guards_.conditions.push_back({condition, negated});
    return true;
  }

  /// An order between what counts up with the local id and what the loop does not change.
  bool is_bound(const Value& condition) const {
    const auto* compare = llvm::dyn_cast<ICmpInst>(&condition);
    if (compare == nullptr || compare->isEquality()) return false;
    const Value* left = compare->getOperand(0);
    const Value* right = compare->getOperand(1);
    if (!left->getType()->isIntegerTy(32) && !left->getType()->isIntegerTy(64)) return false;
    const bool counts = is_invariant(body_, left, &local_id_) != is_invariant(body_, right, &local_id_);
    const Shape shape = shapes_.of(is_invariant(body_, left, &local_id_) ? *right : *left);
    return counts && shape.kind == Kind::strided && shape.stride == 1 && !shape.checked;
  }

  const Body& body_;
  const Shapes& shapes_;
  const llvm::PHINode& local_id_;
  Guards guards_;
};

class BoundsEmitter {
 public:
  BoundsEmitter(IRBuilder<>& b, const Body& body, const llvm::PHINode& local_id, Value* size)
      : b_(b), body_(body), local_id_(local_id), size_(size) {
    copies_[&local_id] = b.getInt64(0);
  }

  Bounds run(const Guards& guards) {
    for (const Condition& c : guards.conditions) {
      if (is_invariant(body_, c.value, &local_id_)) {
        Value* copy = b_.CreateFreeze(moved(c.value));
        if (c.negated) copy = b_.CreateNot(copy);
        enters_ = enters_ == nullptr ? copy : b_.CreateAnd(enters_, copy);
      } else {
        add_bound(llvm::cast<ICmpInst>(*c.value), c.negated);
      }
    }
    Bounds bounds;
    bounds.holds = holds_;
    const auto clamped = [&](Value* v) {
      v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, v, b_.getInt64(0));
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, size_);
    };
    if (low_ != nullptr) bounds.low = clamped(low_);
    if (high_ != nullptr) bounds.high = clamped(high_);
    Value* least = bounds.low == nullptr ? b_.getInt64(0) : bounds.low;
    if (bounds.high != nullptr && bounds.low != nullptr)
      bounds.high = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, bounds.high, least);
    if (enters_ != nullptr)
      bounds.high = b_.CreateSelect(enters_, bounds.high == nullptr ? size_ : bounds.high, least, "last.inside");
    return bounds;
  }

 private:
  /// A copy in front of the loop, for local id 0; what a flag promises is not true of it everywhere.
  Value* moved(const Value* v) {
    const auto* i = llvm::dyn_cast<Instruction>(v);
    if (const auto known = copies_.find(v); known != copies_.end()) return known->second;
    if (i == nullptr || !body_.contains(i->getParent())) return const_cast<Value*>(v);
    Instruction* copy = i->clone();
    for (llvm::Use& operand : copy->operands())
      if (!llvm::isa<llvm::Function>(operand.get())) operand.set(moved(operand.get()));
    copy->dropPoisonGeneratingAnnotations();
    copy->dropUnknownNonDebugMetadata();
    b_.Insert(copy, i->getName());
    return copies_[v] = copy;
  }

  void demand(Value* condition) { holds_ = holds_ == nullptr ? condition : b_.CreateAnd(holds_, condition); }
  void at_least(Value* v) { low_ = low_ == nullptr ? v : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, low_, v); }
  void below(Value* v) { high_ = high_ == nullptr ? v : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, high_, v); }

  /// `left + id <predicate> right`, all as signed 64-bit numbers that do not wrap.
  void add_bound(const ICmpInst& compare, bool negated) {
    const bool swapped = is_invariant(body_, compare.getOperand(0), &local_id_);
    CmpInst::Predicate predicate = compare.getPredicate();
    if (swapped) predicate = CmpInst::getSwappedPredicate(predicate);
    if (negated) predicate = CmpInst::getInversePredicate(predicate);
    const auto number = [&](const Value* v) { return b_.CreateSExt(b_.CreateFreeze(moved(v)), b_.getInt64Ty()); };
    Value* first = number(compare.getOperand(swapped ? 1 : 0));
    Value* right = number(compare.getOperand(swapped ? 0 : 1));
    if (compare.getOperand(0)->getType()->isIntegerTy(32)) {
      demand(b_.CreateICmpSLE(b_.CreateAdd(first, size_), b_.getInt64(std::numeric_limits<std::int32_t>::max())));
    } else {
      demand(b_.CreateICmpULE(b_.CreateAdd(first, b_.getInt64(kLargestStart)), b_.getInt64(2 * kLargestStart)));
      right = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, right, b_.getInt64(kLargest));
      right = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, right, b_.getInt64(0 - kLargest));
    }
    if (CmpInst::isUnsigned(predicate)) {
      right = unsigned_right(predicate, first, right);
      predicate = ICmpInst::getFlippedSignednessPredicate(predicate);
    }
    Value* distance = b_.CreateSub(right, first);
    const auto behind = [&] { return b_.CreateAdd(distance, b_.getInt64(1)); };
    switch (predicate) {
      case CmpInst::ICMP_SLT:
        return below(distance);
      case CmpInst::ICMP_SLE:
        return below(behind());
      case CmpInst::ICMP_SGT:
        return at_least(behind());
      default:
        return at_least(distance);
    }
  }

  /// The right side of a comparison of unsigned numbers as a signed one. Numbers that are negative when read as signed
  /// are the largest ones.
  Value* unsigned_right(CmpInst::Predicate predicate, Value* first, Value* right) {
    Value* zero = b_.getInt64(0);
    Value* is_large = b_.CreateICmpSLT(right, zero);
    Value* counts_from_zero = b_.CreateICmpSGE(first, zero);
    const bool upper = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE;
    if (!upper) {
      // More than `right`: an interval only if the left side is not negative.
      demand(counts_from_zero);
      return b_.CreateSelect(is_large, b_.getInt64(kLargest), right);
    }
    demand(b_.CreateOr(counts_from_zero, b_.CreateNot(is_large)));
    at_least(b_.CreateNeg(first));
    return b_.CreateSelect(is_large, b_.getInt64(kLargest), right);
  }

  IRBuilder<>& b_;
  const Body& body_;
  const llvm::PHINode& local_id_;
  Value* size_;
  llvm::DenseMap<const Value*, Value*> copies_;
  Value* low_ = nullptr;
  Value* high_ = nullptr;
  Value* holds_ = nullptr;
  Value* enters_ = nullptr;
};

}  // namespace

Guards find_guards(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id) {
  return Finder(body, shapes, local_id).run();
}

Bounds emit_bounds(IRBuilder<>& builder, const Guards& guards, const Body& body, const llvm::PHINode& local_id,
                   Value* size) {
  return BoundsEmitter(builder, body, local_id, size).run(guards);
}

}  // namespace lanewise::spmd
