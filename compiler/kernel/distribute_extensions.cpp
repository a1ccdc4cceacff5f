// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/distribute_extensions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepestSum = 6;

/// The extension of `v`, computed from extensions of its operands where that gives the same; null if it cannot be.
Value* distributed(llvm::IRBuilder<>& b, Value* v, llvm::Type* type, bool is_signed, unsigned depth) {
  if (auto* narrow = llvm::dyn_cast<llvm::TruncInst>(v); narrow != nullptr && narrow->getSrcTy() == type)
    return (is_signed ? narrow->hasNoSignedWrap() : narrow->hasNoUnsignedWrap()) ? narrow->getOperand(0) : nullptr;
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(v);
  if (sum == nullptr || depth > kDeepestSum) return nullptr;
  const unsigned op = sum->getOpcode();
  const bool shift = op == Instruction::Shl && llvm::isa<llvm::ConstantInt>(sum->getOperand(1));
  if (op != Instruction::Add && op != Instruction::Sub && op != Instruction::Mul && !shift) return nullptr;
  if (is_signed ? !sum->hasNoSignedWrap() : !sum->hasNoUnsignedWrap()) return nullptr;
  Value* operands[2];
  for (unsigned k = 0; k < 2; ++k) {
    Value* part = sum->getOperand(k);
    b.SetInsertPoint(sum);
    operands[k] = distributed(b, part, type, is_signed, depth + 1);
    b.SetInsertPoint(sum);
    if (operands[k] == nullptr)
      operands[k] = is_signed && !(shift && k == 1) ? b.CreateSExt(part, type) : b.CreateZExt(part, type);
  }
  b.SetInsertPoint(sum);
  auto* wide = llvm::BinaryOperator::Create(sum->getOpcode(), operands[0], operands[1]);
  b.Insert(wide);
  if (is_signed)
    wide->setHasNoSignedWrap();
  else
    wide->setHasNoUnsignedWrap();
  return wide;
}

}  // namespace

void distribute_extensions(llvm::Function& function) {
  llvm::SmallVector<llvm::CastInst*> extensions;
  for (Instruction& i : llvm::instructions(function))
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(i) && i.getType()->isIntegerTy(64))
      extensions.push_back(llvm::cast<llvm::CastInst>(&i));
  llvm::IRBuilder<> b(function.getContext());
  for (llvm::CastInst* extension : extensions) {
    bool is_signed = llvm::isa<llvm::SExtInst>(extension);
    Value* wide = distributed(b, extension->getOperand(0), extension->getType(), is_signed, 0);
    // Both extensions of a number that is not negative are the same.
    if (wide == nullptr && !is_signed && extension->hasNonNeg())
      wide = distributed(b, extension->getOperand(0), extension->getType(), is_signed = true, 0);
    if (wide == nullptr) continue;
    extension->replaceAllUsesWith(wide);
    extension->eraseFromParent();
  }
}

llvm::PreservedAnalyses DistributeExtensionsPass::run(llvm::Function& function,
                                                      llvm::FunctionAnalysisManager& /*analyses*/) {
  distribute_extensions(function);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace lanewise
