// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/arithmetic.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>

#include "compiler/base/context.h"
#include "compiler/base/marks.h"
#include "compiler/check/calls.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// What may be wrong with an operation.
struct Suspicion {
  Value* condition = nullptr;  ///< i1, or a vector of them; null: nothing
  const char* text = "";
};

bool is_division(unsigned opcode) {
  return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SRem ||
         opcode == llvm::Instruction::URem;
}

Suspicion of_division(IRBuilder<>& b, const llvm::BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(divisor);
  if (constant != nullptr && !constant->isZeroValue() && !constant->containsUndefOrPoisonElement() &&
      !llvm::isa<llvm::ConstantVector>(constant) && !llvm::isa<llvm::ConstantDataVector>(constant))
    return {};
  return {b.CreateICmpEQ(divisor, llvm::Constant::getNullValue(divisor->getType())), "division by zero"};
}

Suspicion of_overflowing_division(IRBuilder<>& b, const llvm::BinaryOperator& division) {
  const unsigned opcode = division.getOpcode();
  Value* divisor = division.getOperand(1);
  if ((opcode != llvm::Instruction::SDiv && opcode != llvm::Instruction::SRem) || llvm::isa<llvm::Constant>(divisor))
    return {};
  llvm::Type* type = divisor->getType();
  const auto lowest = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
  Value* minus_one = b.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
  Value* of_lowest = b.CreateICmpEQ(division.getOperand(0), llvm::ConstantInt::get(type, lowest));
  return {b.CreateAnd(minus_one, of_lowest), "division of the smallest number by -1"};
}

/// Clang takes the amount modulo the width.
Suspicion of_shift(IRBuilder<>& b, const llvm::BinaryOperator& shift) {
  using namespace llvm::PatternMatch;
  const unsigned width = shift.getType()->getScalarSizeInBits();
  Value* amount = nullptr;
  if (!match(shift.getOperand(1), m_And(m_Value(amount), m_SpecificInt(width - 1)))) return {};
  Value* most = llvm::ConstantInt::get(amount->getType(), width - 1);
  return {b.CreateICmpUGT(amount, most), "shift by the width of the type or more"};
}

/// Bits of a sum or difference whose sign is set where it is not that of the exact one.
Value* overflow_of_sum(IRBuilder<>& b, bool subtracts, Value* left, Value* right) {
  Value* sum = subtracts ? b.CreateSub(left, right) : b.CreateAdd(left, right);
  return b.CreateAnd(b.CreateXor(left, sum), b.CreateXor(subtracts ? left : right, subtracts ? right : sum));
}

/// Signed operations, as Clang marks them. It marks none of vectors.
Suspicion of_overflow(IRBuilder<>& b, llvm::BinaryOperator& operation) {
  constexpr const char* kText = "overflow of a signed number";
  const unsigned opcode = operation.getOpcode();
  const bool sums = opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub;
  if (!(sums || opcode == llvm::Instruction::Mul) || !operation.hasNoSignedWrap()) return {};
  operation.setHasNoSignedWrap(false);
  Value* left = operation.getOperand(0);
  Value* right = operation.getOperand(1);
  llvm::Type* type = operation.getType();
  Value* zero = llvm::Constant::getNullValue(type);
  if (sums) return {b.CreateICmpSLT(overflow_of_sum(b, opcode == llvm::Instruction::Sub, left, right), zero), kText};
  if (type->getScalarSizeInBits() > 32)
    return {b.CreateExtractValue(b.CreateBinaryIntrinsic(llvm::Intrinsic::smul_with_overflow, left, right), 1), kText};
  llvm::Type* wide = type->getExtendedType();
  Value* product = b.CreateMul(b.CreateSExt(left, wide), b.CreateSExt(right, wide));
  return {b.CreateICmpNE(b.CreateSExt(b.CreateTrunc(product, type), wide), product), kText};
}

constexpr const char* kNoNaNs = "no-nans-fp-math";

/// Whether code is allowed to take the result for a number, as -cl-fast-relaxed-math and -cl-finite-math-only say.
bool claims_number(const llvm::Instruction& i) {
  const bool makes_number = llvm::isa<llvm::CallInst>(i) || llvm::isa<llvm::BinaryOperator>(i);
  if (!makes_number || !llvm::isa<llvm::FPMathOperator>(i) || !i.getType()->isFPOrFPVectorTy()) return false;
  return i.hasNoNaNs() || i.getFunction()->getFnAttribute(kNoNaNs).getValueAsBool();
}

/// Operands and results may be NaN again; otherwise NaN is any value.
template <class Callable>
void allow_nans(Callable& callable) {
  callable.removeFnAttr(kNoNaNs);
  callable.removeRetAttr(llvm::Attribute::NoFPClass);
  for (unsigned i = 0; i < callable.arg_size(); ++i) callable.removeParamAttr(i, llvm::Attribute::NoFPClass);
}

/// Finds the operations that code may take for numbers, and lets LLVM take them for any value.
llvm::SmallVector<llvm::Instruction*> take_claimed_numbers(llvm::Module& module) {
  llvm::SmallVector<llvm::Instruction*> found;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& i : llvm::instructions(function)) {
      if (claims_number(i)) found.push_back(&i);
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) allow_nans(*call);
      if (llvm::isa<llvm::FPMathOperator>(i)) i.setHasNoNaNs(false);
    }
    allow_nans(function);
  }
  return found;
}

/// A NaN of operands that are numbers.
Suspicion of_nan(IRBuilder<>& b, llvm::Instruction& i) {
  Value* bad = b.CreateFCmpUNO(&i, &i);
  for (Value* operand : i.operand_values()) {
    if (!operand->getType()->isFPOrFPVectorTy() || llvm::isa<llvm::Constant>(operand)) continue;
    Value* fine = b.CreateFCmpORD(operand, operand);
    if (fine->getType()->isVectorTy()) fine = b.CreateAndReduce(fine);
    if (bad->getType()->isVectorTy()) bad = b.CreateOrReduce(bad);
    bad = b.CreateAnd(bad, fine);
  }
  return {bad, "a result that is NaN, which the build options exclude"};
}

/// Whether `value` is not between the limits of an integer type; NaN is not.
Value* is_out_of_range(IRBuilder<>& b, Value* value, unsigned bits, bool is_signed) {
  llvm::Type* type = value->getType();
  const unsigned precision = type->getScalarType()->getFPMantissaWidth();
  const double above = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  const double least = is_signed ? -above : 0.0;
  // Values between the least and the next lower integer are cut to the least.
  const bool has_next = bits <= precision;
  Value* low = has_next || !is_signed ? b.CreateFCmpOGT(value, llvm::ConstantFP::get(type, least - 1))
                                      : b.CreateFCmpOGE(value, llvm::ConstantFP::get(type, least));
  // half has no number as large as most of these, and infinity stands for it.
  Value* high = b.CreateFCmpOLT(value, llvm::ConstantFP::get(type, above));
  return b.CreateNot(b.CreateAnd(low, high));
}

constexpr const char* kConversion = "conversion to an integer type that does not have the value";

Suspicion of_cast(IRBuilder<>& b, const llvm::CastInst& cast) {
  const bool is_signed = cast.getOpcode() == llvm::Instruction::FPToSI;
  if (!is_signed && cast.getOpcode() != llvm::Instruction::FPToUI) return {};
  if (llvm::isa<llvm::Constant>(cast.getOperand(0))) return {};
  return {is_out_of_range(b, cast.getOperand(0), cast.getType()->getScalarSizeInBits(), is_signed), kConversion};
}

/// convert_T of a floating-point value, with any rounding.
Suspicion of_conversion(IRBuilder<>& b, const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || call.arg_size() != 1) return {};
  Value* value = call.getArgOperand(0);
  llvm::StringRef name = callee->getName();
  if (!value->getType()->isFPOrFPVectorTy() || !call.getType()->isIntOrIntVectorTy()) return {};
  if (!name.consume_front("_Z")) return {};
  name = name.drop_while([](char c) { return c >= '0' && c <= '9'; });
  if (!name.consume_front("convert_") || name.contains("_sat")) return {};
  return {is_out_of_range(b, value, call.getType()->getScalarSizeInBits(), !name.starts_with("u")), kConversion};
}

/// Tests before `at`, for the operation at `where`.
void test(llvm::Instruction& at, const llvm::DebugLoc& where, const Suspicion& suspicion, CheckCalls& calls) {
  if (suspicion.condition == nullptr) return;
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(where);
  Value* bad = suspicion.condition;
  if (bad->getType()->isVectorTy()) bad = b.CreateOrReduce(bad);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bad); constant != nullptr && constant->isZero()) return;
  b.SetInsertPoint(&rare_block_if(b.CreateFreeze(bad), at));
  b.SetCurrentDebugLocation(where);
  calls.check(b, {.event = check::CheckEvent::arithmetic}, where, {"operation", suspicion.text}, b.getInt64(0),
              b.getInt64(0));
}

void test(llvm::Instruction& i, const Suspicion& suspicion, CheckCalls& calls) {
  test(i, i.getDebugLoc(), suspicion, calls);
}

void test_overflow(llvm::BinaryOperator& operation, CheckCalls& calls) {
  IRBuilder<> b(&operation);
  b.SetCurrentDebugLocation(operation.getDebugLoc());
  test(operation, of_overflow(b, operation), calls);
}

void test_number(llvm::Instruction& i, CheckCalls& calls) {
  llvm::Instruction& next = *i.getNextNode();
  IRBuilder<> b(&next);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  test(next, i.getDebugLoc(), of_nan(b, i), calls);
}

void test(llvm::Instruction& i, CheckCalls& calls) {
  IRBuilder<> b(&i);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    if (is_division(operation->getOpcode())) {
      test(i, of_division(b, *operation), calls);
      b.SetInsertPoint(&i);
      test(i, of_overflowing_division(b, *operation), calls);
    }
    if (operation->isShift()) test(i, of_shift(b, *operation), calls);
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) {
    test(i, of_cast(b, *cast), calls);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) {
    test(i, of_conversion(b, *call), calls);
  }
}

}  // namespace

llvm::PreservedAnalyses CheckArithmeticPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const std::uint32_t checks = context_of(module, analyses).options.checks;
  CheckCalls calls(module);
  llvm::SmallVector<llvm::Instruction*> operations;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function))
      if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CallInst>(i)) operations.push_back(&i);
  for (llvm::Instruction* i : operations) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(i);
    if (operation != nullptr && (checks & check::overflow) != 0) test_overflow(*operation, calls);
    if ((checks & check::arith) != 0) test(*i, calls);
  }
  if ((checks & check::arith) == 0) return llvm::PreservedAnalyses::none();
  for (llvm::Instruction* i : take_claimed_numbers(module)) test_number(*i, calls);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses MarkProgramVariablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  for (llvm::GlobalVariable& variable : module.globals())
    variable.setMetadata(marks::kOfProgram, llvm::MDNode::get(module.getContext(), {}));
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise
