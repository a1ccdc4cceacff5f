// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/mask_registers.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <numeric>

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

bool is_mask(const Value& v) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(v.getType());
  return type != nullptr && type->getElementType()->isIntegerTy(1) && type->getNumElements() >= 4;
}

/// The size in bits of the elements that the mask is computed from, or is used on.
unsigned natural_bits(const Value& v, unsigned depth) {
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&v)) {
    const llvm::Type* type = compare->getOperand(0)->getType()->getScalarType();
    return type->isPointerTy() ? 64 : type->getScalarSizeInBits();
  }
  const auto* instruction = llvm::dyn_cast<Instruction>(&v);
  if (instruction == nullptr || depth == 0) return 0;
  for (const Value* operand : instruction->operands())
    if (is_mask(*operand))
      if (const unsigned bits = natural_bits(*operand, depth - 1); bits != 0) return bits;
  return 0;
}

llvm::Type* wide_type(const Value& v) {
  const unsigned found = natural_bits(v, 6);
  const unsigned bits = found == 0 ? 32 : std::clamp(found, 8U, 64U);
  auto* type = llvm::cast<llvm::FixedVectorType>(v.getType());
  return llvm::FixedVectorType::get(llvm::IntegerType::get(v.getContext(), bits), type->getNumElements());
}

/// The mask as integers; and, or and not work on the integers, or they would be narrowed to be joined.
Value* widened(llvm::IRBuilder<>& b, Value* mask, llvm::Type* type, unsigned depth = 6) {
  auto* logic = llvm::dyn_cast<llvm::BinaryOperator>(mask);
  if (logic == nullptr || depth == 0) return b.CreateSExt(mask, type, mask->getName() + ".wide");
  Value* left = widened(b, logic->getOperand(0), type, depth - 1);
  Value* right = widened(b, logic->getOperand(1), type, depth - 1);
  return b.CreateBinOp(logic->getOpcode(), left, right, mask->getName() + ".wide");
}

void widen_phi(llvm::PHINode& phi) {
  llvm::Type* type = wide_type(phi);
  llvm::IRBuilder<> b(&phi);
  llvm::PHINode* wide = b.CreatePHI(type, phi.getNumIncomingValues(), phi.getName() + ".wide");
  llvm::DenseMap<llvm::BasicBlock*, Value*> known;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value*& value = known[phi.getIncomingBlock(i)];
    if (value == nullptr) {
      b.SetInsertPoint(phi.getIncomingBlock(i)->getTerminator());
      value = b.CreateSExt(phi.getIncomingValue(i), type);
    }
    wide->addIncoming(value, phi.getIncomingBlock(i));
  }
  b.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value* mask = b.CreateICmpSLT(wide, llvm::Constant::getNullValue(type));
  phi.replaceAllUsesWith(mask);
  phi.eraseFromParent();
}

/// Other blocks get the mask from the wide form by a comparison of their own.
void widen_uses(Instruction& mask) {
  // In the order of the uses, not of addresses: the same source gives the same code each time.
  llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<llvm::Use*>> elsewhere;
  for (llvm::Use& use : mask.uses()) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    if (user->getParent() != mask.getParent() && !llvm::isa<llvm::PHINode>(user))
      elsewhere[user->getParent()].push_back(&use);
  }
  if (elsewhere.empty()) return;
  llvm::Type* type = wide_type(mask);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&mask);
  Value* wide = nullptr;
  if (compare != nullptr && compare->getPredicate() == llvm::CmpInst::ICMP_SLT &&
      llvm::isa<llvm::ConstantAggregateZero>(compare->getOperand(1))) {
    wide = compare->getOperand(0);
  } else {
    llvm::IRBuilder<> b(mask.getContext());
    b.SetInsertPoint(*mask.getInsertionPointAfterDef());
    wide = widened(b, &mask, type);
  }
  for (auto& [block, uses] : elsewhere) {
    llvm::IRBuilder<> b(block, block->getFirstInsertionPt());
    Value* again = b.CreateICmpSLT(wide, llvm::Constant::getNullValue(wide->getType()));
    for (llvm::Use* use : uses) use->set(again);
  }
}

/// A select between masks by a scalar condition would become a branch, with masks that live across blocks.
void choose_without_branch(llvm::SelectInst& select) {
  llvm::IRBuilder<> b(&select);
  llvm::Type* type = wide_type(select);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  Value* all = b.CreateVectorSplat(count, b.CreateSExt(select.getCondition(), type->getScalarType()));
  Value* chosen = b.CreateICmpSLT(all, llvm::Constant::getNullValue(type));
  Value* yes = b.CreateAnd(chosen, b.CreateFreeze(select.getTrueValue()));
  Value* no = b.CreateAnd(b.CreateNot(chosen), b.CreateFreeze(select.getFalseValue()));
  select.replaceAllUsesWith(b.CreateOr(yes, no));
  select.eraseFromParent();
}

/// Whether a mask of several registers has any lane, or all: its parts are joined, and the signs of the elements tested.
/// As bits of one integer they would all be packed first.
void test_by_registers(llvm::ICmpInst& test) {
  constexpr unsigned kRegister = 256;
  Value* mask = nullptr;
  const bool all = match(test.getOperand(1), m_AllOnes());
  if (!test.isEquality() || !match(test.getOperand(0), m_BitCast(m_Value(mask))) || !is_mask(*mask) ||
      !(all || match(test.getOperand(1), m_Zero())))
    return;
  auto* type = llvm::cast<llvm::FixedVectorType>(wide_type(*mask));
  const unsigned lanes = kRegister / type->getScalarSizeInBits();
  if (type->getScalarSizeInBits() < 32 || type->getNumElements() <= lanes || type->getNumElements() % lanes != 0)
    return;
  llvm::IRBuilder<> b(&test);
  Value* wide = widened(b, mask, type);
  Value* joined = nullptr;
  for (unsigned first = 0; first < type->getNumElements(); first += lanes) {
    llvm::SmallVector<int, 8> part(lanes);
    std::iota(part.begin(), part.end(), static_cast<int>(first));
    Value* piece = b.CreateShuffleVector(wide, part);
    joined = joined == nullptr ? piece : b.CreateBinOp(all ? Instruction::And : Instruction::Or, joined, piece);
  }
  Value* signs = b.CreateICmpSLT(joined, llvm::Constant::getNullValue(joined->getType()));
  Value* bits = b.CreateBitCast(signs, b.getIntNTy(lanes));
  test.setOperand(
      1, all ? llvm::Constant::getAllOnesValue(bits->getType()) : llvm::Constant::getNullValue(bits->getType()));
  test.setOperand(0, bits);
}

}  // namespace

void keep_masks_in_registers(llvm::Function& function) {
  llvm::SmallVector<llvm::SelectInst*> choices;
  for (Instruction& i : llvm::instructions(function))
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
        select != nullptr && is_mask(i) && !select->getCondition()->getType()->isVectorTy())
      choices.push_back(select);
  for (llvm::SelectInst* select : choices) choose_without_branch(*select);
  llvm::SmallVector<llvm::PHINode*> phis;
  for (Instruction& i : llvm::instructions(function))
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i); phi != nullptr && is_mask(i)) phis.push_back(phi);
  for (llvm::PHINode* phi : phis) widen_phi(*phi);
  for (Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(&i)) test_by_registers(*test);
  llvm::SmallVector<Instruction*> masks;
  for (Instruction& i : llvm::instructions(function))
    if (is_mask(i)) masks.push_back(&i);
  for (Instruction* mask : masks) widen_uses(*mask);
}

}  // namespace lanewise::spmd
