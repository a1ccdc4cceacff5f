// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/narrow_factors.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kWide = 64;
constexpr unsigned kHalf = 32;

/// Whether the code generator does not see where a factor comes from: a number in all lanes, or one of another block.
bool is_hidden(const Value& factor, const llvm::BinaryOperator& product) {
  if (llvm::isa<llvm::Constant>(factor)) return false;
  const auto* made = llvm::dyn_cast<llvm::Instruction>(&factor);
  return made == nullptr || made->getParent() != product.getParent() || llvm::getSplatValue(&factor) != nullptr;
}

class Factors {
 public:
  Factors(const llvm::DataLayout& layout, llvm::function_ref<llvm::ScalarEvolution&()> evolution)
      : layout_(layout), evolution_(evolution) {}

  [[nodiscard]] bool fits(const Value& factor, bool is_signed) const {
    const Value* number = llvm::getSplatValue(&factor);
    if (number == nullptr) number = &factor;
    if (is_signed ? llvm::ComputeNumSignBits(number, layout_) > kWide - kHalf
                  : llvm::computeKnownBits(number, layout_).countMinLeadingZeros() >= kWide - kHalf)
      return true;
    if (!number->getType()->isIntegerTy()) return false;
    llvm::ScalarEvolution& evolution = evolution_();
    const llvm::SCEV* range = evolution.getSCEV(const_cast<Value*>(number));
    return is_signed ? evolution.getSignedRange(range).getMinSignedBits() <= kHalf
                     : evolution.getUnsignedRange(range).getActiveBits() <= kHalf;
  }

 private:
  const llvm::DataLayout& layout_;
  llvm::function_ref<llvm::ScalarEvolution&()> evolution_;
};

bool show(llvm::BinaryOperator& product, const Factors& factors) {
  Value* x = product.getOperand(0);
  Value* y = product.getOperand(1);
  if (!is_hidden(*x, product) && !is_hidden(*y, product)) return false;
  for (const bool is_signed : {true, false}) {
    if (!factors.fits(*x, is_signed) || !factors.fits(*y, is_signed)) continue;
    IRBuilder<> b(&product);
    Value* bits = llvm::ConstantInt::get(x->getType(), kHalf);
    for (llvm::Use& factor : product.operands()) {
      Value* v = factor.get();
      if (!is_hidden(*v, product)) continue;
      factor.set(is_signed ? b.CreateAShr(b.CreateShl(v, bits), bits)
                           : b.CreateAnd(v, llvm::ConstantInt::get(v->getType(), 0xffffffffU)));
    }
    return true;
  }
  return false;
}

/// @param evolution  asked for only if there is a factor that may fit
bool show_narrow_factors(llvm::Function& function, llvm::function_ref<llvm::ScalarEvolution&()> evolution) {
  llvm::SmallVector<llvm::BinaryOperator*, 8> products;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (i.getOpcode() == llvm::Instruction::Mul && i.getType()->isVectorTy() &&
        i.getType()->getScalarSizeInBits() == kWide)
      products.push_back(llvm::cast<llvm::BinaryOperator>(&i));
  const Factors factors(function.getDataLayout(), evolution);
  bool changed = false;
  for (llvm::BinaryOperator* product : products) changed |= show(*product, factors);
  return changed;
}

}  // namespace

llvm::PreservedAnalyses ShowNarrowFactorsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  return keeping_blocks(change_functions(module, [&](llvm::Function& f) {
    return show_narrow_factors(
        f, [&]() -> llvm::ScalarEvolution& { return functions.getResult<llvm::ScalarEvolutionAnalysis>(f); });
  }));
}

}  // namespace lanewise
