// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/loads.h"

#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/analysis/components.h"
#include "compiler/spmd/emit/components.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::Value;

void copy_metadata(const Instruction& from, Instruction* to) {
  llvm::propagateMetadata(to, {const_cast<Instruction*>(&from)});
}

void Loads::emit(const LoadInst& load, Value* mask) {
  const Pattern pattern = addresses_.pattern(load);
  if (pattern == Pattern::uniform) return uniform(load, mask);
  s_.set_parts(load, parts_of(load, pattern, mask));
}

Loads::Parts Loads::parts_of(const LoadInst& load, Pattern pattern, Value* mask) {
  switch (pattern) {
    case Pattern::backwards:
      return backwards(load, mask);
    case Pattern::consecutive:
      return full_or_masked(load, mask);
    case Pattern::checked:
      return by_test(load, s_.holds(load.getPointerOperand()), mask);
    default:
      Value* test = addresses_.lanes_are_consecutive(load, mask);
      return test == nullptr ? lane_by_lane(load, mask) : by_test(load, test, mask);
  }
}

void Loads::uniform(const LoadInst& load, Value* mask) {
  llvm::Type* type = load.getType();
  Value* address = s_.base(load.getPointerOperand());
  if (!llvm::isDereferenceableAndAlignedPointer(address, type, load.getAlign(), s_.layout))
    address = addresses_.uniform_address(address, mask, type);
  auto* copy = b_.CreateAlignedLoad(type, address, addresses_.lane_alignment(load), load.getName());
  copy_metadata(load, copy);
  if (address != s_.base(load.getPointerOperand())) copy->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
  s_.set_base(load, copy);
}

/// Loads for lanes that are usually consecutive, and for the rare others. Nearly all of the former need no mask, with
/// which some processors do not fetch memory ahead: from outside the caches that costs ten times as long.
Loads::Parts Loads::by_test(const LoadInst& load, Value* test, Value* mask) {
  return either(test, [&] { return full_or_masked(load, mask); }, [&] { return rarely(load, mask); });
}

/// A masked load that nearly always is a full one (see `Stores::full_or_masked`).
Loads::Parts Loads::full_or_masked(const LoadInst& load, Value* mask) {
  Value* is_full = masks_.is_full(mask);
  if (is_full == nullptr) return consecutive(load, mask);
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), components(*load.getType()) * s_.width);
  const bool native = s_.target.isLegalMaskedLoad(type, addresses_.lane_alignment(load), load.getPointerAddressSpace());
  return either(
      is_full, [&] { return consecutive(load, nullptr); },
      [&] { return native ? consecutive(load, mask) : lane_by_lane(load, mask); });
}

Loads::Parts Loads::either(Value* test, Form fast_form, Form slow_form) {
  BasicBlock* fast = s_.new_block("consecutive");
  BasicBlock* slow = s_.new_block("scattered");
  BasicBlock* after = s_.new_block("loaded");
  b_.CreateCondBr(test, fast, slow);
  b_.SetInsertPoint(fast);
  Parts result = fast_form();
  BasicBlock* fast_end = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(slow);
  const Parts other = slow_form();
  BasicBlock* slow_end = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  for (unsigned p = 0; p < result.size(); ++p) {
    llvm::PHINode* phi = b_.CreatePHI(result[p]->getType(), 2);
    phi->addIncoming(result[p], fast_end);
    phi->addIncoming(other[p], slow_end);
    result[p] = phi;
  }
  return result;
}

Loads::Parts Loads::consecutive(const LoadInst& load, Value* mask) {
  const unsigned count = components(*load.getType());
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), count * s_.width);
  const llvm::Align align = addresses_.lane_alignment(load);
  Value* address = addresses_.first_address(load);
  Instruction* flat = nullptr;
  if (mask == nullptr)
    flat = b_.CreateAlignedLoad(type, address, align, load.getName());
  else
    flat = b_.CreateMaskedLoad(type, address, align, repeat_each(s_, mask, count), llvm::Constant::getNullValue(type),
                               load.getName());
  copy_metadata(load, flat);
  return split_lanes(s_, flat, count);
}

/// The last lane has the lowest address.
Loads::Parts Loads::backwards(const LoadInst& load, Value* mask) {
  llvm::VectorType* type = b_.wide(load.getType());
  Value* address = s_.lane(load.getPointerOperand(), s_.width - 1);
  const llvm::Align align = addresses_.lane_alignment(load);
  Instruction* flat = nullptr;
  if (mask == nullptr)
    flat = b_.CreateAlignedLoad(type, address, align);
  else
    flat = b_.CreateMaskedLoad(type, address, align, b_.CreateVectorReverse(mask), llvm::Constant::getNullValue(type));
  copy_metadata(load, flat);
  return {b_.CreateVectorReverse(flat, load.getName())};
}

Loads::Parts Loads::lane_by_lane(const LoadInst& load, Value* mask) {
  llvm::SmallVector<Value*> values;
  for (Value* address : addresses_.lane_addresses(load.getPointerOperand(), mask, load.getType())) {
    Instruction* value = b_.CreateAlignedLoad(load.getType(), address, addresses_.lane_alignment(load));
    copy_metadata(load, value);
    if (mask != nullptr) value->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
    values.push_back(value);
  }
  if (!load.getType()->isVectorTy()) return {b_.from_lanes(values)};
  return split_lanes(s_, llvm::concatenateVectors(b_, values), components(*load.getType()));
}

/// For lanes that seldom are apart. The processor's own gather is slower than loads one by one on some processors, but
/// it is one instruction to compile where those are a hundred.
Loads::Parts Loads::rarely(const LoadInst& load, Value* mask) {
  llvm::Type* type = load.getType();
  const llvm::Align align = addresses_.lane_alignment(load);
  if (type->isVectorTy() || !s_.target.isLegalMaskedGather(b_.wide(type), align)) return lane_by_lane(load, mask);
  Value* addresses = s_.vector(load.getPointerOperand());
  Instruction* gathered = b_.CreateMaskedGather(b_.wide(type), addresses, align, mask != nullptr ? mask : b_.all_true(),
                                                llvm::Constant::getNullValue(b_.wide(type)), load.getName());
  copy_metadata(load, gathered);
  return {gathered};
}

}  // namespace lanewise::spmd
