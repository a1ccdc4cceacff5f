// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/resumed_values.h"

namespace lanewise {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

Value* ResumedValues::at(Instruction* value, unsigned i) {
  Value*& known = known_[{value, i}];
  if (known != nullptr) return known;
  const unsigned start = region_.starts[i];
  if (!s_.in.live.at[start].contains(value)) return known = llvm::PoisonValue::get(value->getType());
  const LiveValue& info = s_.in.live.values.find(value)->second;
  llvm::Type* type = stored_type(value->getType());
  Value* result = nullptr;
  if (info.keep == Keep::group) {
    IRBuilder<> b(begin_.getTerminator());
    result = as_computed(b, b.CreateLoad(type, s_.group_places.lookup(value)), value->getType());
  } else if (info.keep == Keep::item) {
    IRBuilder<> b(blocks_[i]->getTerminator());
    Value* stored = b.CreateAlignedLoad(type, s_.slot_address(b, info.slot, linear_), info.slot.align);
    result = as_computed(b, stored, value->getType());
  } else {
    result = recomputed(value, i);
  }
  if (!value->getName().empty() && !llvm::isa<llvm::Constant>(result)) result->setName(value->getName());
  return known_[{value, i}] = result;
}

Value* ResumedValues::ingredient(Instruction* value, unsigned i) {
  if (s_.in.live.at[region_.starts[i]].contains(value)) return at(value, i);
  Value* known = ingredients_.lookup({value, i});
  if (known == nullptr) known = ingredients_[{value, i}] = recomputed(value, i);
  return known;
}

Value* ResumedValues::recomputed(Instruction* value, unsigned i) {
  Instruction* copy = value->clone();
  for (llvm::Use& operand : copy->operands()) {
    auto* instruction = llvm::dyn_cast<Instruction>(operand.get());
    if (instruction != nullptr && !llvm::isa<llvm::AllocaInst>(instruction))
      operand.set(ingredient(instruction, i));
    else if (Value* mapped = map_.lookup(operand.get()))
      operand.set(mapped);
  }
  copy->dropUnknownNonDebugMetadata();
  copy->insertBefore(blocks_[i]->getTerminator()->getIterator());
  return copy;
}

}  // namespace lanewise
