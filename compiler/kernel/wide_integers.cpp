// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/wide_integers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BypassSlowDivision.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Type;
using llvm::Value;

Statistic operations_expanded{"expand-wide-integers", "operations", "operations on integers of more than 64 bits"};

constexpr unsigned kMachineBits = 64;
constexpr unsigned kPairBits = 128;
constexpr unsigned kMantissaBits = 52;  // of a double, without the one that is not stored
constexpr unsigned kBias = 1023;        // of a double's exponent

bool is_wide(const Type& type) {
  return type.isIntOrIntVectorTy() && type.getScalarSizeInBits() > kMachineBits;
}

bool is_expanded(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return is_wide(*i.getType());
    case Instruction::UIToFP:
    case Instruction::SIToFP:
      return is_wide(*i.getOperand(0)->getType());
    default:
      return false;
  }
}

/// The operation on each component. Appends what is to be expanded.
void take_apart(Instruction& i, llvm::SmallVectorImpl<Instruction*>& parts) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
  if (type == nullptr) return parts.push_back(&i);
  llvm::IRBuilder<> b(&i);
  Value* whole = llvm::PoisonValue::get(i.getType());
  for (unsigned k = 0; k < type->getNumElements(); ++k) {
    Instruction* part = i.clone();
    part->mutateType(type->getElementType());
    for (llvm::Use& operand : part->operands()) operand.set(b.CreateExtractElement(operand.get(), k));
    b.Insert(part);
    whole = b.CreateInsertElement(whole, part, k);
    parts.push_back(part);
  }
  i.replaceAllUsesWith(whole);
  i.eraseFromParent();
}

/// `value` from a floating-point type that holds all of the operand's type; 2^`exponent` as well.
Value* scaled(llvm::IRBuilder<>& b, Value* value, Value* exponent) {
  Type* bits = b.getInt64Ty();
  Value* power = b.CreateShl(b.CreateAdd(exponent, llvm::ConstantInt::get(bits, kBias)), kMantissaBits);
  return b.CreateFMul(value, b.CreateFPTrunc(b.CreateBitCast(power, b.getDoubleTy()), value->getType()));
}

/// A number without a sign as floating point, rounded to the nearest.
Value* to_float(llvm::IRBuilder<>& b, Value* number, Type* type) {
  auto* wide = llvm::cast<llvm::IntegerType>(number->getType());
  const unsigned above = wide->getBitWidth() - kMachineBits;
  Value* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, number, b.getFalse());
  Value* first = b.CreateShl(number, zeros);  // the highest bit is set; poison of zero, which is not chosen
  Value* high = b.CreateTrunc(b.CreateLShr(first, above), b.getInt64Ty());
  Value* rest = b.CreateICmpNE(b.CreateTrunc(first, b.getIntNTy(above)), llvm::ConstantInt::get(b.getIntNTy(above), 0));
  Value* rounded = b.CreateUIToFP(b.CreateOr(high, b.CreateZExt(rest, b.getInt64Ty())), type);
  // A power of two that the type lacks is infinite, as the number is then.
  Value* exponent = b.CreateSub(b.getInt64(above), b.CreateZExtOrTrunc(zeros, b.getInt64Ty()));
  Value* fits = b.CreateICmpULE(
      number, llvm::ConstantInt::get(wide, llvm::APInt::getMaxValue(kMachineBits).zext(wide->getBitWidth())));
  Value* small = b.CreateUIToFP(b.CreateTrunc(number, b.getInt64Ty()), type);
  return b.CreateSelect(fits, small, scaled(b, rounded, exponent));
}

void convert_to_float(Instruction& i) {
  llvm::IRBuilder<> b(&i);
  Value* number = i.getOperand(0);
  const bool is_signed = i.getOpcode() == Instruction::SIToFP;
  Value* negative = nullptr;
  if (is_signed) {
    number = b.CreateFreeze(number);
    negative = b.CreateICmpSLT(number, llvm::Constant::getNullValue(number->getType()));
    number = b.CreateSelect(negative, b.CreateNeg(number), number);
  }
  Value* made = to_float(b, number, i.getType());
  if (is_signed) made = b.CreateSelect(negative, b.CreateFNeg(made), made);
  i.replaceAllUsesWith(made);
  i.eraseFromParent();
}

void convert_to_integer(Instruction& i) {
  llvm::IRBuilder<> b(&i);
  Type* type = i.getType();
  Value* bits = b.CreateBitCast(b.CreateFPExt(b.CreateFreeze(i.getOperand(0)), b.getDoubleTy()), b.getInt64Ty());
  const std::uint64_t one = std::uint64_t{1} << kMantissaBits;
  Value* mantissa = b.CreateOr(b.CreateAnd(bits, one - 1), one);
  Value* exponent = b.CreateAnd(b.CreateLShr(bits, kMantissaBits), 2 * kBias + 1);
  Value* left = b.CreateSub(exponent, b.getInt64(kBias + kMantissaBits));
  const auto within = [&](Value* shift, unsigned count) {
    Value* most = b.getInt64(count - 1);
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, shift, most);
  };
  Value* up = b.CreateShl(b.CreateZExt(mantissa, type), b.CreateZExt(within(left, type->getIntegerBitWidth()), type));
  Value* down = b.CreateZExt(b.CreateLShr(mantissa, within(b.CreateNeg(left), kMachineBits)), type);
  Value* made = b.CreateSelect(b.CreateICmpSGE(left, b.getInt64(0)), up, down);
  if (i.getOpcode() == Instruction::FPToSI)
    made = b.CreateSelect(b.CreateICmpSLT(bits, b.getInt64(0)), b.CreateNeg(made), made);
  i.replaceAllUsesWith(made);
  i.eraseFromParent();
}

/// The division on 128 bits, if it is on fewer.
Instruction* widened(Instruction& division) {
  llvm::IRBuilder<> b(&division);
  if (division.getType()->getIntegerBitWidth() >= kPairBits) return &division;
  const bool is_signed = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  Instruction* wide = division.clone();
  wide->mutateType(b.getInt128Ty());
  for (llvm::Use& operand : wide->operands())
    operand.set(is_signed ? b.CreateSExt(operand.get(), b.getInt128Ty())
                          : b.CreateZExt(operand.get(), b.getInt128Ty()));
  b.Insert(wide);
  division.replaceAllUsesWith(b.CreateTrunc(wide, division.getType()));
  division.eraseFromParent();
  return wide;
}

void expand_divisions(llvm::Function& function) {
  for (llvm::BasicBlock* block : llvm::SmallVector<llvm::BasicBlock*>(llvm::make_pointer_range(function)))
    llvm::bypassSlowDivision(block, {{kPairBits, kMachineBits}});
  llvm::SmallVector<llvm::BinaryOperator*> divisions;
  for (Instruction& i : llvm::instructions(function))
    if (i.isIntDivRem() && is_wide(*i.getType())) divisions.push_back(llvm::cast<llvm::BinaryOperator>(&i));
  for (llvm::BinaryOperator* division : divisions) {
    const auto opcode = division->getOpcode();
    if (opcode == Instruction::UDiv || opcode == Instruction::SDiv)
      llvm::expandDivision(division);
    else
      llvm::expandRemainder(division);
  }
}

bool expand(llvm::Function& function) {
  llvm::SmallVector<Instruction*> whole;
  for (Instruction& i : llvm::instructions(function))
    if (is_expanded(i)) whole.push_back(&i);
  if (whole.empty()) return false;
  llvm::SmallVector<Instruction*> parts;
  for (Instruction* i : whole) take_apart(*i, parts);
  bool divides = false;
  for (Instruction* i : parts) {
    if (i->isIntDivRem()) {
      widened(*i);
      divides = true;
    } else if (llvm::isa<llvm::FPToUIInst, llvm::FPToSIInst>(i)) {
      convert_to_integer(*i);
    } else {
      convert_to_float(*i);
    }
  }
  if (divides) expand_divisions(function);
  operations_expanded += parts.size();
  return true;
}

}  // namespace

llvm::PreservedAnalyses ExpandWideIntegersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return unless_changed(change_functions(module, expand));
}

}  // namespace lanewise
