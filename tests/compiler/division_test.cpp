// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Division that cannot trap and has a result: every pair of edge values, by folding the guarded expression at compile time.
#include "compiler/kernel/division.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <map>

namespace lanewise {
namespace {

using Opcode = llvm::Instruction::BinaryOps;

llvm::Function* binary(llvm::Module& module, llvm::Type* type, Opcode opcode, llvm::Constant* divisor = nullptr) {
  auto* f = llvm::Function::Create(llvm::FunctionType::get(type, {type, type}, false), llvm::Function::ExternalLinkage,
                                   "f", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", f));
  llvm::Value* by = divisor ? static_cast<llvm::Value*>(divisor) : f->getArg(1);
  builder.CreateRet(builder.Insert(llvm::BinaryOperator::Create(opcode, f->getArg(0), by)));
  return f;
}

/// The value of a function of one block for constant arguments, or null where it is not a defined number.
llvm::ConstantInt* evaluate(const llvm::Function& f, std::int64_t x, std::int64_t y) {
  std::map<const llvm::Value*, llvm::Constant*> known;
  known[f.getArg(0)] = llvm::ConstantInt::getSigned(f.getReturnType(), x);
  known[f.getArg(1)] = llvm::ConstantInt::getSigned(f.getReturnType(), y);
  const auto value = [&](const llvm::Value* v) {
    return llvm::isa<llvm::Constant>(v) ? const_cast<llvm::Constant*>(llvm::cast<llvm::Constant>(v)) : known[v];
  };
  for (const auto& i : llvm::instructions(f)) {
    if (const auto* done = llvm::dyn_cast<llvm::ReturnInst>(&i))
      return llvm::dyn_cast_or_null<llvm::ConstantInt>(value(done->getReturnValue()));
    if (llvm::isa<llvm::FreezeInst>(i)) {
      known[&i] = value(i.getOperand(0));
      continue;
    }
    llvm::SmallVector<llvm::Constant*, 3> operands;
    for (const auto& operand : i.operands()) operands.push_back(value(operand));
    known[&i] = llvm::ConstantFoldInstOperands(const_cast<llvm::Instruction*>(&i), operands, f.getDataLayout());
  }
  return nullptr;
}

TEST(Division, IsDefinedForEveryPairOfEdgeValues) {
  llvm::LLVMContext context;
  for (const unsigned width : {8U, 16U, 32U, 64U}) {
    auto* type = llvm::Type::getIntNTy(context, width);
    const std::int64_t lowest = std::int64_t(std::uint64_t{1} << 63) >> (64 - width);
    for (const Opcode opcode : {Opcode::SDiv, Opcode::UDiv, Opcode::SRem, Opcode::URem}) {
      llvm::Module module("m", context);
      auto* f = binary(module, type, opcode);
      make_divisions_total(module);
      EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
      for (const std::int64_t x : {lowest, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{100}})
        for (const std::int64_t y : {lowest, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{7}}) {
          const auto* result = evaluate(*f, x, y);
          ASSERT_TRUE(result) << width << " bits: " << x << " by " << y;
          const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
          const bool is_quotient = opcode == Opcode::SDiv || opcode == Opcode::UDiv;
          if (y == 0) EXPECT_EQ(result->getSExtValue(), is_quotient ? -1 : 0) << width << " bits: " << x << " by zero";
          if (is_signed && x == lowest && y == -1) EXPECT_EQ(result->getSExtValue(), is_quotient ? lowest : 0) << width;
          if (y == 0 || !is_signed || (x == lowest && y == -1)) continue;
          EXPECT_EQ(result->getSExtValue(), opcode == Opcode::SDiv ? x / y : x % y) << x << " by " << y;
        }
    }
  }
}

TEST(Division, ByAHarmlessConstantIsLeftAlone) {
  llvm::LLVMContext context;
  auto* type = llvm::Type::getInt32Ty(context);
  auto* vector = llvm::FixedVectorType::get(type, 4);
  llvm::Module module("m", context);
  auto* scalar = binary(module, type, Opcode::SDiv, llvm::ConstantInt::get(type, 7));
  auto* wide = binary(module, vector, Opcode::URem, llvm::ConstantInt::get(vector, 3));
  make_divisions_total(module);
  EXPECT_EQ(scalar->getInstructionCount(), 2U);
  EXPECT_EQ(wide->getInstructionCount(), 2U);
}

}  // namespace
}  // namespace lanewise
