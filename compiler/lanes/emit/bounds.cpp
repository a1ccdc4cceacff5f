// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/bounds.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <limits>

namespace lanewise::spmd {
namespace {

using llvm::CmpInst;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Above this, 64-bit numbers may wrap when a local id is added.
constexpr std::uint64_t kLargestStart = std::uint64_t{1} << 61U;
/// More than any sum of such a number and a local id.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 62U;

/// No range of local ids ends above this, so that none wraps as a 32-bit number, not even with a constant below kRoom.
constexpr std::uint64_t kLargestId = (std::uint64_t{1} << 31U) - static_cast<std::uint64_t>(kRoom);
/// A base below this needs no test: a row has less than 2^30 work-items (kernel_abi.h), so that sums stay in range.
constexpr std::uint64_t kSmallBase = std::uint64_t{1} << 20U;

/// The local ids in [low, high) pass, if `holds`; high >= low, both at most the size.
struct Bounds {
  Value* low = nullptr;    ///< null: 0
  Value* high = nullptr;   ///< null: the size
  Value* holds = nullptr;  ///< null: always
};

class BoundsEmitter {
 public:
  BoundsEmitter(IRBuilder<>& b, const Body& body, const llvm::PHINode& local_id, Value* size)
      : b_(b), body_(body), size_(size) {
    copies_[&local_id] = b.getInt64(0);
  }

  Bounds run(const Guards& guards) {
    for (const Condition& c : guards.conditions) {
      if (!c.is_bound) {
        Value* copy = b_.CreateFreeze(moved(c.value));
        if (c.negated) copy = b_.CreateNot(copy);
        enters_ = enters_ == nullptr ? copy : b_.CreateAnd(enters_, copy);
      } else {
        add_bound(llvm::cast<ICmpInst>(*c.value), c.negated, c.swapped);
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
  /// A copy before the loop, for local id 0. Without flags such as nsw, which need not hold there.
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

  /// Adds the bound `left + id <predicate> right`, all as signed 64-bit numbers that do not wrap.
  void add_bound(const ICmpInst& compare, bool negated, bool swapped) {
    CmpInst::Predicate predicate = compare.getPredicate();
    if (swapped) predicate = CmpInst::getSwappedPredicate(predicate);
    if (negated) predicate = CmpInst::getInversePredicate(predicate);
    const auto number = [&](const Value* v) {
      Value* copy = moved(v);
      if (!llvm::isa<llvm::ConstantInt>(copy)) copy = b_.CreateFreeze(copy);
      return b_.CreateSExt(copy, b_.getInt64Ty());
    };
    Value* first = number(compare.getOperand(swapped ? 1 : 0));
    Value* right = number(compare.getOperand(swapped ? 0 : 1));
    if (compare.getOperand(0)->getType()->isIntegerTy(32)) {
      demand(b_.CreateICmpSLE(b_.CreateAdd(first, size_), b_.getInt64(std::numeric_limits<std::int32_t>::max())));
    } else {
      demand(b_.CreateICmpULE(b_.CreateAdd(first, b_.getInt64(kLargestStart)), b_.getInt64(2 * kLargestStart)));
      right = limited(right);
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

  /// A number that differences do not make wrap.
  Value* limited(Value* number) {
    constexpr auto kMost = static_cast<std::int64_t>(kLargest);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(number))
      return b_.getInt64(static_cast<std::uint64_t>(std::clamp(constant->getSExtValue(), -kMost, kMost)));
    number = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, number, b_.getInt64(kLargest));
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, number, b_.getInt64(0 - kLargest));
  }

  /// The right side of a comparison of unsigned numbers as a signed one. Numbers that are negative when read as signed
  /// are the largest ones. So what is not less than a constant among those is negative too: LLVM writes an interval so,
  /// `id - 15 >= -14` for `1 <= id && id <= 14`.
  Value* unsigned_right(CmpInst::Predicate predicate, Value* first, Value* right) {
    Value* zero = b_.getInt64(0);
    Value* is_large = b_.CreateICmpSLT(right, zero);
    Value* counts_from_zero = b_.CreateICmpSGE(first, zero);
    const bool upper = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE;
    if (!upper && is_large == b_.getTrue()) {
      below(b_.CreateNeg(first));
      return right;
    }
    if (!upper) {
      // Larger than `right`: this is an interval of ids only if the left side is not negative.
      demand(counts_from_zero);
      return b_.CreateSelect(is_large, b_.getInt64(kLargest), right);
    }
    demand(b_.CreateOr(counts_from_zero, b_.CreateNot(is_large)));
    at_least(b_.CreateNeg(first));
    return b_.CreateSelect(is_large, b_.getInt64(kLargest), right);
  }

  IRBuilder<>& b_;
  const Body& body_;
  Value* size_;
  llvm::DenseMap<const Value*, Value*> copies_;
  Value* low_ = nullptr;
  Value* high_ = nullptr;
  Value* holds_ = nullptr;
  Value* enters_ = nullptr;
};

Value* both(IRBuilder<>& b, Value* known, Value* condition) {
  return known == nullptr ? condition : b.CreateAnd(known, condition);
}

/// The assumptions on which the shapes of ids depend, as an i1; null if there are none.
Value* small_ids(IRBuilder<>& b, const LoopPlan& plan, Value* size) {
  Value* assumed = nullptr;
  llvm::SmallSetVector<Value*, 4> bases;
  for (const Shapes* shapes : {&plan.inner, &plan.whole})
    bases.insert(shapes->bounded_bases().begin(), shapes->bounded_bases().end());
  for (Value* base : bases) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(base);
    if (known != nullptr && known->getValue().ult(kSmallBase)) continue;
    assumed = both(b, assumed, b.CreateICmpULE(b.CreateAdd(base, size), b.getInt64(kLargestId)));
    // Without this the sum could wrap around 2^64 and pass the first test.
    assumed = both(b, assumed, b.CreateICmpULE(base, b.getInt64(kLargestId)));
  }
  return assumed;
}

}  // namespace

ItemRange emit_range(IRBuilder<>& b, const LoopFacts& facts, const LoopPlan& plan) {
  Value* size = facts.items.size;
  ItemRange range;
  range.assumed = small_ids(b, plan, size);
  const Bounds bounds = BoundsEmitter(b, *facts.body, *facts.items.id, size).run(facts.guards);
  if (bounds.holds != nullptr) range.assumed = both(b, range.assumed, bounds.holds);
  range.low = bounds.low;
  range.high = bounds.high != nullptr ? bounds.high : size;
  range.begin = bounds.low != nullptr ? bounds.low : b.getInt64(0);
  range.end = range.high;
  range.may_be_empty = bounds.low != nullptr || bounds.high != nullptr;
  if (range.assumed == nullptr) return range;
  if (bounds.low != nullptr) range.begin = b.CreateSelect(range.assumed, bounds.low, b.getInt64(0));
  if (bounds.high != nullptr) range.end = b.CreateSelect(range.assumed, bounds.high, size, "items.high");
  return range;
}

}  // namespace lanewise::spmd
