// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/vector_minima.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Statistic kept_minima{"keep-vector-minima", "minima", "minima and maxima of vectors with one instruction"};

constexpr unsigned kShortBits = 128;  ///< vectors that the code generator does not take apart

bool is_for_longer_vectors(const llvm::Function& function) {
  const llvm::Attribute range = function.getFnAttribute(llvm::Attribute::VScaleRange);
  return range.isValid() && range.getVScaleRangeMin() > 1;
}

bool is_taken_apart(const llvm::IntrinsicInst& call) {
  if (call.getIntrinsicID() != Intrinsic::minimumnum && call.getIntrinsicID() != Intrinsic::maximumnum) return false;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  return type != nullptr && type->getPrimitiveSizeInBits() > kShortBits;
}

/// Whether no lane is a signalling NaN, because an operation has rounded it.
bool is_quiet(const Value* value) {
  if (llvm::isa<llvm::BinaryOperator, llvm::FPTruncInst, llvm::FPExtInst, llvm::SIToFPInst, llvm::UIToFPInst>(value))
    return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  if (call == nullptr) return false;
  switch (call->getIntrinsicID()) {
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
      return true;
    default:
      return false;
  }
}

/// A constant as the program wrote it has no signalling NaN but where its bits say so.
bool is_constant_number(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const llvm::Constant* lane = constant == nullptr ? nullptr : constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(lane);
  return number != nullptr && !number->isNaN();
}

Value* quieted(llvm::IRBuilder<>& b, Value* value) {
  if (is_quiet(value) || is_constant_number(value)) return value;
  auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
  const llvm::fltSemantics& semantics = type->getElementType()->getFltSemantics();
  const unsigned bits = type->getScalarSizeInBits();
  const llvm::APInt quiet = llvm::APInt::getOneBitSet(bits, llvm::APFloat::semanticsPrecision(semantics) - 2);
  auto* words = llvm::FixedVectorType::get(b.getIntNTy(bits), type->getNumElements());
  Value* frozen = b.CreateFreeze(value);
  Value* with_bit = b.CreateOr(b.CreateBitCast(frozen, words), llvm::ConstantInt::get(words, quiet));
  return b.CreateSelect(b.CreateFCmpUNO(frozen, frozen), b.CreateBitCast(with_bit, type), frozen);
}

void keep(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> b(&call);
  const bool smallest = call.getIntrinsicID() == Intrinsic::minimumnum;
  Value* x = call.getArgOperand(0);
  Value* y = call.getArgOperand(1);
  if (!call.hasNoNaNs()) {
    x = quieted(b, x);
    y = quieted(b, y);
  }
  auto* kept = llvm::cast<llvm::Instruction>(
      b.CreateBinaryIntrinsic(smallest ? Intrinsic::minnum : Intrinsic::maxnum, x, y, &call));
  call.replaceAllUsesWith(kept);
  call.eraseFromParent();
  ++kept_minima;
}

bool keep_vector_minima(llvm::Function& function) {
  if (!is_for_longer_vectors(function)) return false;
  llvm::SmallVector<llvm::IntrinsicInst*, 8> calls;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i); call != nullptr && is_taken_apart(*call))
      calls.push_back(call);
  for (llvm::IntrinsicInst* call : calls) keep(*call);
  return !calls.empty();
}

}  // namespace

llvm::PreservedAnalyses KeepVectorMinimaPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, keep_vector_minima));
}

}  // namespace lanewise
