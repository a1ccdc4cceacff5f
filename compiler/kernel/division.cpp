// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/division.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic divisions_totalled{"make-divisions-total", "divisions", "divisions with a result for every pair of operands"};

bool harmless(const llvm::Value* divisor) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(divisor);
  if (constant == nullptr) return false;
  const auto fine = [](const llvm::Constant* value) {
    const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
    return integer != nullptr && !integer->isZero() && !integer->isMinusOne();
  };
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
  if (vector == nullptr) return fine(constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (!fine(constant->getAggregateElement(i))) return false;
  return true;
}

void make_total(llvm::BinaryOperator& division) {
  llvm::IRBuilder<> builder(&division);
  auto* type = division.getType();
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  // Frozen: an uninitialised divisor must be the same in the comparison and in the division.
  auto* divisor = builder.CreateFreeze(division.getOperand(1));
  auto* by_zero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  auto* bad = by_zero;
  if (is_signed) {
    auto* dividend = builder.CreateFreeze(division.getOperand(0));
    division.setOperand(0, dividend);
    auto* lowest = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    auto* overflow = builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
                                       builder.CreateICmpEQ(dividend, lowest));
    bad = builder.CreateOr(bad, overflow);
  }
  division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
  if (opcode != llvm::Instruction::UDiv && opcode != llvm::Instruction::SDiv) return;
  builder.SetInsertPoint(division.getNextNode());
  auto* all_ones = builder.CreateSExt(by_zero, type);
  auto* quotient = builder.Insert(llvm::BinaryOperator::CreateOr(llvm::PoisonValue::get(type), all_ones));
  division.replaceAllUsesWith(quotient);
  quotient->setOperand(0, &division);
}

}  // namespace

bool make_divisions_total(llvm::Module& module) {
  llvm::SmallVector<llvm::BinaryOperator*, 16> divisions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.isIntDivRem() && !harmless(instruction.getOperand(1)))
        divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator* division : divisions) make_total(*division);
  divisions_totalled += divisions.size();
  return !divisions.empty();
}

llvm::PreservedAnalyses MakeDivisionsTotalPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(make_divisions_total(module));
}

}  // namespace lanewise
