// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/padding.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace lanewise {
namespace {

using llvm::SmallBitVector;
using llvm::Value;

/// Instructions of a value that are looked at: a vector of sixteen components, put together one by one, twice.
constexpr unsigned kMostSteps = 32;

unsigned components_of(const Value& vector) {
  return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

/// The components that have no value.
/// @param steps  instructions that may still be looked at
SmallBitVector undefined_components(const Value& vector, unsigned& steps) {
  SmallBitVector undefined(components_of(vector));
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&vector)) {
    for (unsigned c = 0; c < undefined.size(); ++c)
      if (llvm::isa_and_nonnull<llvm::UndefValue>(constant->getAggregateElement(c))) undefined.set(c);
    return undefined;
  }
  if (steps == 0) return undefined;
  --steps;
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&vector)) {
    const auto* place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (place == nullptr || place->getValue().uge(undefined.size())) return undefined;
    undefined = undefined_components(*insert->getOperand(0), steps);
    undefined[static_cast<unsigned>(place->getZExtValue())] = llvm::isa<llvm::UndefValue>(insert->getOperand(1));
  } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&vector)) {
    SmallBitVector from = undefined_components(*shuffle->getOperand(0), steps);
    const SmallBitVector second = undefined_components(*shuffle->getOperand(1), steps);
    const unsigned size = components_of(*shuffle->getOperand(0));
    from.resize(2 * size);
    for (const unsigned c : second.set_bits()) from.set(size + c);
    for (const auto [c, lane] : llvm::enumerate(shuffle->getShuffleMask()))
      undefined[static_cast<unsigned>(c)] = lane < 0 || from.test(static_cast<unsigned>(lane));
  }
  return undefined;
}

}  // namespace

void define_padding(llvm::StoreInst& store) {
  Value* value = store.getValueOperand();
  if (!llvm::isa<llvm::FixedVectorType>(value->getType())) return;
  unsigned steps = kMostSteps;
  const SmallBitVector undefined = undefined_components(*value, steps);
  llvm::IRBuilder<> b(&store);
  llvm::Constant* zero = llvm::Constant::getNullValue(value->getType()->getScalarType());
  for (const unsigned c : undefined.set_bits()) value = b.CreateInsertElement(value, zero, c);
  store.setOperand(0, value);
}

}  // namespace lanewise
