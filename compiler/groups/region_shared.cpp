// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/region_shared.h"

#include <algorithm>
#include <string>

namespace lanewise {

using llvm::IRBuilder;
using llvm::Value;

namespace {
/// A cache line, and the largest vector.
constexpr std::uint64_t kSlotAlign = 64;
}  // namespace

llvm::BasicBlock* RegionShared::block(const llvm::Twine& name) const {
  return llvm::BasicBlock::Create(context(), name, range.function, range.group_end);
}

llvm::AllocaInst* RegionShared::allocate(llvm::Type* type, const llvm::Twine& name) const {
  return IRBuilder<>(range.entry, range.entry->begin()).CreateAlloca(type, nullptr, name);
}

Value* RegionShared::slot_base(const ItemSlot& slot) {
  Value*& base = slot_bases[slot.offset];
  if (base != nullptr) return base;
  const std::string name = "slot." + std::to_string(slot.offset);
  if (in.slots_in_frame) {
    const std::uint64_t items = llvm::cast<llvm::ConstantInt>(range.full_group)->getZExtValue();
    auto* place = allocate(llvm::ArrayType::get(llvm::Type::getInt8Ty(context()), slot.bytes * items), name);
    place->setAlignment(std::max(llvm::Align(kSlotAlign), slot.align));
    frame_slots.push_back(place);
    return base = place;
  }
  IRBuilder<> b(range.range->getTerminator());
  Value* bytes = b.CreateNUWMul(range.full_group, b.getInt64(slot.offset));
  return base = b.CreateInBoundsGEP(b.getInt8Ty(), range.item_scratch, bytes, name);
}

void RegionShared::limit_lifetimes() const {
  for (llvm::AllocaInst* place : frame_slots) {
    IRBuilder<>(range.group->getTerminator()).CreateLifetimeStart(place);
    IRBuilder<>(&*range.group_end->getFirstInsertionPt()).CreateLifetimeEnd(place);
  }
}

Value* RegionShared::slot_address(IRBuilder<>& b, const ItemSlot& slot, Value* linear) {
  auto* element = llvm::ArrayType::get(b.getInt8Ty(), slot.bytes);
  return b.CreateInBoundsGEP(element, slot_base(slot), linear);
}

Value* RegionShared::variable_address(IRBuilder<>& b, const PrivateVariable& variable, Value* linear) {
  const ItemSlot& slot = in.live.variables.find(variable.variable)->second;
  if (variable.element == 0) return slot_address(b, slot, linear);
  return b.CreateInBoundsGEP(llvm::ArrayType::get(b.getInt8Ty(), variable.element), slot_base(slot), linear);
}

Value* as_stored(IRBuilder<>& b, Value* v) {
  llvm::Type* type = stored_type(v->getType());
  return type == v->getType() ? v : b.CreateZExt(v, type);
}

Value* as_computed(IRBuilder<>& b, Value* stored, llvm::Type* type) {
  if (type->isIntOrIntVectorTy(1)) return b.CreateIsNotNull(stored);
  return type == stored->getType() ? stored : b.CreateTrunc(stored, type);
}

}  // namespace lanewise
