// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/lines.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepestLine = 6;

bool Lines::is_line(const Value& v) const {
  const Shape shape = s_.shape(&v);
  return shape.kind == Kind::strided && !shape.checked && shape.stride == 1;
}

bool Lines::is_visible(const Value& v, const BasicBlock* block) const {
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || !s_.body.contains(i->getParent()) || i->getParent() == block) return true;
  return !s_.shapes.divergence().is_linear(*s_.body.node(i->getParent()));
}

Value* Lines::below(Value* first, Value* limit, bool or_equal, bool signs) {
  const std::uint64_t last = s_.width - (or_equal ? 2 : 1);
  Value* bound = b_.CreateBinaryIntrinsic(signs ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::usub_sat, limit,
                                          llvm::ConstantInt::get(limit->getType(), last));
  return signs ? b_.CreateICmpSLT(first, bound) : b_.CreateICmpULT(first, bound);
}

Value* Lines::above(Value* first, Value* limit, bool or_equal, bool signs) {
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const llvm::APInt most = signs ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  const auto predicate = signs ? (or_equal ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_SGT)
                               : (or_equal ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_UGT);
  Value* no_wrap = below(first, llvm::ConstantInt::get(first->getType(), most), true, signs);
  return b_.CreateAnd(b_.CreateICmp(predicate, first, limit), no_wrap);
}

Lines::Straight Lines::follow(const Value& v, const BasicBlock* block, unsigned depth) {
  if (!is_visible(v, block)) return {};
  if (is_line(v)) return {s_.base(&v), b_.getTrue()};
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || depth == 0 || !s_.body.contains(i->getParent())) return {};
  if (llvm::isa<llvm::FreezeInst>(i)) return follow(*i->getOperand(0), block, depth - 1);
  const auto* clamp = llvm::dyn_cast<llvm::MinMaxIntrinsic>(i);
  const bool sum = i->getOpcode() == Instruction::Add;
  if (clamp == nullptr && !sum) return {};
  const Value* line = i->getOperand(0);
  const Value* other = i->getOperand(1);
  if (s_.shape(line).is_uniform()) std::swap(line, other);
  if (!s_.shape(other).is_uniform() || !is_visible(*other, block)) return {};
  const Straight inner = follow(*line, block, depth - 1);
  if (inner.first == nullptr) return {};
  Value* limit = s_.base(other);
  if (sum) return {b_.CreateAdd(inner.first, limit), inner.holds};
  const bool signs = clamp->isSigned();
  const bool lowers = ICmpInst::isLT(clamp->getPredicate());
  Value* unchanged = lowers ? below(inner.first, limit, true, signs) : above(inner.first, limit, true, signs);
  return {inner.first, b_.CreateAnd(inner.holds, unchanged)};
}

Lines::Straight Lines::unclamped(const Value& number, const Instruction& user, bool signs) {
  if (!number.getType()->isIntegerTy(32) || is_line(number)) return {};
  Straight straight = follow(number, user.getParent(), kDeepestLine);
  if (straight.first == nullptr) return {};
  const std::uint32_t most = signs ? 0x7fffffffU : 0xffffffffU;
  straight.holds = b_.CreateFreeze(b_.CreateAnd(straight.holds, below(straight.first, b_.getInt32(most), true, signs)));
  return straight;
}

Value* Lines::compared(const ICmpInst& comparison) {
  const BasicBlock* block = comparison.getParent();
  const Value* line = comparison.getOperand(0);
  const Value* limit = comparison.getOperand(1);
  auto predicate = comparison.getPredicate();
  if (s_.shape(line).is_uniform()) {
    std::swap(line, limit);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (!ICmpInst::isRelational(predicate) || !line->getType()->isIntegerTy() || !is_line(*line) ||
      !s_.shape(limit).is_uniform() || !is_visible(*line, block) || !is_visible(*limit, block))
    return nullptr;
  const bool or_equal = ICmpInst::isNonStrictPredicate(predicate);
  const bool signs = ICmpInst::isSigned(predicate);
  return ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate) ? below(s_.base(line), s_.base(limit), or_equal, signs)
                                                                : above(s_.base(line), s_.base(limit), or_equal, signs);
}

Value* Lines::always(const Value& condition) {
  const auto* i = llvm::dyn_cast<Instruction>(&condition);
  if (i == nullptr || !s_.body.contains(i->getParent())) return s_.base(&condition);
  // After the block's end only what is made in every case is seen.
  if (s_.shapes.divergence().is_linear(*s_.body.node(i->getParent()))) return nullptr;
  if (s_.shape(i).is_uniform()) return s_.base(i);
  if (const auto* comparison = llvm::dyn_cast<ICmpInst>(i)) return compared(*comparison);
  const Value* a = nullptr;
  const Value* b = nullptr;
  using namespace llvm::PatternMatch;
  if (!match(i, m_LogicalAnd(m_Value(a), m_Value(b)))) return nullptr;
  Value* first = always(*a);
  Value* second = first == nullptr ? nullptr : always(*b);
  return second == nullptr ? nullptr : b_.CreateLogicalAnd(first, second);
}

}  // namespace lanewise::spmd
