// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/class_tests.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>

namespace lanewise {
namespace {

using llvm::APFloat;
using llvm::APInt;

/// The classes of one sign in the order of their encodings; NaN is one class of both signs.
constexpr std::array kPositive = {llvm::fcPosZero, llvm::fcPosSubnormal, llvm::fcPosNormal, llvm::fcPosInf,
                                  llvm::fcNan};
constexpr std::array kNegative = {llvm::fcNegZero, llvm::fcNegSubnormal, llvm::fcNegNormal, llvm::fcNegInf,
                                  llvm::fcNan};

/// Encodings from `first` up to but without `end`.
struct Range {
  APInt first, end;
  bool any_sign;
};

std::optional<Range> range_of(unsigned mask, const llvm::fltSemantics& semantics) {
  const unsigned bits = APFloat::getSizeInBits(semantics);
  const APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
  const std::array<APInt, 6> begins = {
      APInt(bits, 0), APInt(bits, 1), APFloat::getSmallestNormalized(semantics).bitcastToAPInt(),
      infinity,       infinity + 1,   APInt::getSignMask(bits)};
  unsigned first = 0;
  while (first < kPositive.size() && (mask & kPositive[first]) == 0) ++first;
  unsigned end = first;
  unsigned positive = 0;
  unsigned negative = 0;
  for (; end < kPositive.size() && (mask & kPositive[end]) == static_cast<unsigned>(kPositive[end]); ++end) {
    positive |= kPositive[end];
    negative |= kNegative[end];
  }
  const bool any_sign = mask == (positive | negative);
  if (first == end || !(any_sign || (mask == positive && (mask & llvm::fcNan) == 0))) return std::nullopt;
  return Range{.first = begins[first], .end = begins[end], .any_sign = any_sign};
}

/// False where it stays as it is.
bool compare(llvm::IntrinsicInst& test) {
  llvm::Value* x = test.getArgOperand(0);
  llvm::Type* type = x->getType();
  const auto mask = llvm::cast<llvm::ConstantInt>(test.getArgOperand(1))->getZExtValue();
  if (!type->getScalarType()->isFloatTy() && !type->getScalarType()->isDoubleTy()) return false;
  const auto range = range_of(static_cast<unsigned>(mask), type->getScalarType()->getFltSemantics());
  if (!range) return false;
  llvm::IRBuilder<> b(&test);
  llvm::Type* integers = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
  const auto number = [&](const APInt& value) { return llvm::ConstantInt::get(integers, value); };
  llvm::Value* bits = b.CreateBitCast(x, integers);
  if (range->any_sign) bits = b.CreateAnd(bits, number(APInt::getSignedMaxValue(range->first.getBitWidth())));
  llvm::Value* above = b.CreateSub(bits, number(range->first));
  test.replaceAllUsesWith(b.CreateICmpULT(above, number(range->end - range->first)));
  test.eraseFromParent();
  return true;
}

bool compare_class_ranges(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::is_fpclass)
      changed |= compare(*call);
  return changed;
}

}  // namespace

llvm::PreservedAnalyses CompareClassRangesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, compare_class_ranges));
}

}  // namespace lanewise
