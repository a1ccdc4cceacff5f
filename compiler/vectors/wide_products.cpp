// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/wide_products.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kHalf = 64;

/// A vector of 64-bit numbers whose extension is `wide`; null if there is none.
Value* narrowed(IRBuilder<>& b, Value* wide, bool is_signed) {
  llvm::Type* type = wide->getType()->getWithNewBitWidth(kHalf);
  Value* from = nullptr;
  if (is_signed ? match(wide, m_SExt(m_Value(from))) : match(wide, m_ZExt(m_Value(from)))) {
    if (from->getType()->getScalarSizeInBits() > kHalf) return nullptr;
    return b.CreateFreeze(is_signed ? b.CreateSExt(from, type) : b.CreateZExt(from, type));  // it is used many times
  }
  const llvm::APInt* number = nullptr;
  if (!match(wide, m_APInt(number))) return nullptr;
  const bool fits = is_signed ? number->isSignedIntN(kHalf) : number->isIntN(kHalf);
  return fits ? llvm::ConstantInt::get(type, number->trunc(kHalf)) : nullptr;
}

struct Halves {
  Value *lower, *upper;
};

/// Products of halves: no sum below exceeds 64 bits, as (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1.
Halves multiply(IRBuilder<>& b, Value* x, Value* y) {
  const auto low = [&](Value* v) { return b.CreateAnd(v, llvm::ConstantInt::get(v->getType(), 0xFFFFFFFF)); };
  const auto high = [&](Value* v) { return b.CreateLShr(v, 32); };
  Value* lows = b.CreateMul(low(x), low(y));
  Value* first = b.CreateAdd(b.CreateMul(high(x), low(y)), high(lows));
  Value* second = b.CreateAdd(b.CreateMul(low(x), high(y)), low(first));
  return {b.CreateOr(b.CreateShl(second, 32), low(lows), "", /*IsDisjoint=*/true),
          b.CreateAdd(b.CreateMul(high(x), high(y)), b.CreateAdd(high(first), high(second)))};
}

/// Of two's complements: a negative factor counts 2^64 too many of the other.
Value* without_excess(IRBuilder<>& b, Value* upper, Value* x, Value* y) {
  const auto excess = [&](Value* sign, Value* other) { return b.CreateAnd(b.CreateAShr(sign, kHalf - 1), other); };
  return b.CreateSub(b.CreateSub(upper, excess(x, y)), excess(y, x));
}

/// What is used of a product: truncations to its lower half, and to its upper half.
struct ProductUses {
  llvm::SmallVector<llvm::Instruction*, 2> lower, upper;
};

/// False: the product is used in other ways too.
bool find_uses(llvm::BinaryOperator& product, ProductUses& uses) {
  const auto is_half = [](const llvm::Value* v) {
    return llvm::isa<llvm::TruncInst>(v) && v->getType()->getScalarSizeInBits() == kHalf;
  };
  for (llvm::User* user : product.users()) {
    auto* i = llvm::cast<llvm::Instruction>(user);
    if (is_half(i)) {
      uses.lower.push_back(i);
    } else if (match(i, m_Shr(m_Specific(&product), m_SpecificInt(kHalf))) && llvm::all_of(i->users(), is_half)) {
      for (llvm::User* half : i->users()) uses.upper.push_back(llvm::cast<llvm::Instruction>(half));
    } else {
      return false;
    }
  }
  return !uses.upper.empty();
}

/// The lower half alone, as a product of its own in the same block: adds it to `uses`, and returns the first of the
/// two.
llvm::Instruction* find_lower_product(llvm::BinaryOperator& product, ProductUses& uses) {
  const auto narrow = [](Value* wide) {
    Value* from = wide;
    match(wide, m_ZExtOrSExt(m_Value(from)));
    return from;
  };
  Value* x = narrow(product.getOperand(0));
  const llvm::APInt* number = nullptr;
  const bool constant = match(product.getOperand(1), m_APInt(number));
  llvm::Instruction* first = &product;
  if (llvm::isa<llvm::Constant>(x) || x->getType()->getScalarSizeInBits() != kHalf) return first;
  for (llvm::User* user : x->users()) {
    auto* other = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (other == nullptr || other->getParent() != product.getParent()) continue;
    const bool same = constant ? match(other, m_c_Mul(m_Specific(x), m_SpecificInt(number->trunc(kHalf))))
                               : match(other, m_c_Mul(m_Specific(x), m_Specific(narrow(product.getOperand(1)))));
    if (!same) continue;
    uses.lower.push_back(other);
    if (other->comesBefore(first)) first = other;
  }
  return first;
}

void split(llvm::BinaryOperator& product) {
  ProductUses uses;
  if (!find_uses(product, uses)) return;
  llvm::Instruction* first = find_lower_product(product, uses);
  for (const bool is_signed : {false, true}) {
    IRBuilder<> b(first);
    Value* x = narrowed(b, product.getOperand(0), is_signed);
    Value* y = x == nullptr ? nullptr : narrowed(b, product.getOperand(1), is_signed);
    if (y == nullptr) continue;
    const Halves halves = multiply(b, x, y);
    Value* upper = is_signed ? without_excess(b, halves.upper, x, y) : halves.upper;
    for (llvm::Instruction* half : uses.upper) half->replaceAllUsesWith(upper);
    for (llvm::Instruction* half : uses.lower) half->replaceAllUsesWith(halves.lower);
    for (auto* halves : {&uses.lower, &uses.upper})
      for (llvm::Instruction* half : *halves) llvm::RecursivelyDeleteTriviallyDeadInstructions(half);
    return;
  }
}

bool split_wide_products(llvm::Module& module) {
  llvm::SmallVector<llvm::BinaryOperator*, 8> products;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function))
      if (i.getOpcode() == llvm::Instruction::Mul && i.getType()->isVectorTy() &&
          i.getType()->getScalarSizeInBits() == 2 * kHalf)
        products.push_back(llvm::cast<llvm::BinaryOperator>(&i));
  for (llvm::BinaryOperator* product : products) split(*product);
  return !products.empty();
}

}  // namespace

llvm::PreservedAnalyses SplitWideProductsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(split_wide_products(module));
}

}  // namespace lanewise
