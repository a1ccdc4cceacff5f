// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/places.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"

namespace lanewise {
namespace {

using llvm::Value;

Value* size_of(const llvm::Instruction& i, llvm::Type* type) {
  const std::uint64_t bytes = i.getDataLayout().getTypeStoreSize(type).getFixedValue();
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(i.getContext()), bytes);
}

bool acquires(llvm::AtomicOrdering order) {
  return llvm::isAcquireOrStronger(order);
}

/// Buffers begin at multiples of this (Allocations::kAlignment, CL_DEVICE_MEM_BASE_ADDR_ALIGN).
constexpr std::uint64_t kArgumentAlign = 128;

AccessedObject of_argument(const llvm::Argument& argument, const abi::KernelInfo* kernel) {
  auto* base = const_cast<llvm::Argument*>(&argument);
  if (llvm::Type* type = argument.getParamByValType())
    return {ObjectKind::trusted, base, argument.getParent()->getDataLayout().getTypeAllocSize(type).getFixedValue(),
            private_space};
  const unsigned space = argument.getType()->getPointerAddressSpace();
  if (kernel == nullptr || argument.getArgNo() >= kernel->args.size()) return {};
  switch (kernel->args[argument.getArgNo()].kind) {
    case abi::ArgKind::global_pointer:
    case abi::ArgKind::constant_pointer:
    case abi::ArgKind::local_pointer:
      return {ObjectKind::argument, base, 0, space};
    default:
      return {ObjectKind::trusted, base, 0, space};
  }
}

AccessedObject of_variable(const llvm::GlobalVariable& variable) {
  auto* base = const_cast<llvm::GlobalVariable*>(&variable);
  const std::uint64_t bytes = variable.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
  const auto kind = variable.hasMetadata(marks::kOfProgram) ? ObjectKind::variable : ObjectKind::trusted;
  return {kind, base, bytes, variable.getAddressSpace()};
}

}  // namespace

std::uint64_t CheckedAccess::constant_bytes() const {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  return constant == nullptr ? 0 : constant->getZExtValue();
}

llvm::SmallVector<CheckedAccess, 2> accesses_of(llvm::Instruction& i) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return {{.pointer = load->getPointerOperand(),
             .bytes = size_of(i, load->getType()),
             .align = load->getAlign(),
             .reads = true,
             .updates = load->hasOneUse() && llvm::isa<llvm::InsertElementInst>(*load->user_begin()),
             .atomic = load->isAtomic(),
             .acquires = acquires(load->getOrdering())}};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return {{.pointer = store->getPointerOperand(),
             .bytes = size_of(i, store->getValueOperand()->getType()),
             .align = store->getAlign(),
             .writes = true,
             .atomic = store->isAtomic(),
             .stored = store->getValueOperand()}};
  if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return {{.pointer = change->getPointerOperand(),
             .bytes = size_of(i, change->getType()),
             .align = change->getAlign(),
             .reads = !change->use_empty(),
             .writes = true,
             .atomic = true,
             .acquires = acquires(change->getOrdering())}};
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return {{.pointer = exchange->getPointerOperand(),
             .bytes = size_of(i, exchange->getNewValOperand()->getType()),
             .align = exchange->getAlign(),
             .reads = !exchange->use_empty(),
             .writes = true,
             .atomic = true,
             .acquires = acquires(exchange->getSuccessOrdering())}};
  auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i);
  if (memory == nullptr) return {};
  llvm::IRBuilder<> b(&i);
  Value* bytes = b.CreateZExtOrTrunc(memory->getLength(), b.getInt64Ty());
  llvm::SmallVector<CheckedAccess, 2> both{{.pointer = memory->getRawDest(), .bytes = bytes, .writes = true}};
  if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(memory))
    both.push_back({.pointer = copy->getRawSource(), .bytes = bytes, .reads = true});
  return both;
}

bool AccessedObject::is_shared() const {
  if (kind == ObjectKind::trusted || kind == ObjectKind::alloca) return false;
  if (kind == ObjectKind::unknown) return space == global_space || space == local_space || space == generic_space;
  return space == global_space || space == local_space;
}

AccessedObject pointee_of(const Value& pointer, const abi::KernelInfo* kernel) {
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  const AccessedObject unknown{.space = pointer.getType()->getPointerAddressSpace()};
  if (objects.size() != 1) return unknown;
  AccessedObject found = unknown;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(objects[0])) {
    found = of_argument(*argument, kernel);
  } else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(objects[0])) {
    found = of_variable(*variable);
  } else if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(objects[0])) {
    const auto bytes = local->getAllocationSize(local->getDataLayout());
    if (bytes)
      found = {ObjectKind::alloca, const_cast<llvm::AllocaInst*>(local), bytes->getFixedValue(), private_space};
  }
  // What the description of an image or a pipe points to is as little the program's as the description.
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(objects[0]))
    if (AccessedObject from = pointee_of(*load->getPointerOperand(), kernel);
        from.kind == ObjectKind::trusted && from.bytes == 0)
      return from;
  return found.base == nullptr ? unknown : found;
}

AccessedObject array_in_structure(const CheckedAccess& access, const AccessedObject& pointee) {
  if (pointee.kind != ObjectKind::alloca && pointee.kind != ObjectKind::variable) return pointee;
  const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(access.pointer);
  if (element == nullptr || element->getNumIndices() != 2 || element->hasAllConstantIndices()) return pointee;
  const auto* array = llvm::dyn_cast<llvm::ArrayType>(element->getSourceElementType());
  if (array == nullptr) return pointee;
  // The first array of a structure is where the structure is.
  const llvm::Type* of = nullptr;
  if (const auto* field = llvm::dyn_cast<llvm::GEPOperator>(element->getPointerOperand()))
    of = field->getSourceElementType();
  else if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(element->getPointerOperand()))
    of = variable->getAllocatedType();
  else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(element->getPointerOperand()))
    of = global->getValueType();
  if (of == nullptr || !of->isStructTy()) return pointee;
  AccessedObject inner = pointee;
  inner.base = const_cast<llvm::Value*>(element->getPointerOperand());
  inner.bytes = element->getDataLayout().getTypeAllocSize(element->getSourceElementType()).getFixedValue();
  return inner;
}

bool is_aligned(const CheckedAccess& access, const AccessedObject& pointee) {
  const std::uint64_t align = access.align.value();
  if (align == 1) return true;
  const llvm::DataLayout* layout = nullptr;
  std::uint64_t base_align = 1;
  if (pointee.kind == ObjectKind::argument) base_align = kArgumentAlign;
  if (const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(pointee.base)) {
    layout = &variable->getDataLayout();
    base_align = layout->getPreferredAlign(variable).value();
  } else if (const auto* local = llvm::dyn_cast_or_null<llvm::AllocaInst>(pointee.base)) {
    layout = &local->getDataLayout();
    base_align = local->getAlign().value();
  } else if (const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(pointee.base)) {
    layout = &argument->getParent()->getDataLayout();
  }
  if (layout == nullptr || base_align < align) return false;
  // Every step from the object to the address is a multiple.
  const Value* at = access.pointer->stripPointerCasts();
  while (at != pointee.base) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at);
    if (step == nullptr) return false;
    const llvm::Align kept = step->getMaxPreservedAlignment(*layout);
    if (kept.value() < align) return false;
    at = step->getPointerOperand()->stripPointerCasts();
  }
  return true;
}

bool is_inside(const CheckedAccess& access, const AccessedObject& pointee) {
  if (pointee.kind == ObjectKind::trusted) return true;
  const std::uint64_t bytes = access.constant_bytes();
  if (pointee.bytes == 0 || bytes == 0) return false;
  const llvm::DataLayout* layout = nullptr;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointee.base)) layout = &variable->getDataLayout();
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(pointee.base)) layout = &local->getDataLayout();
  if (layout == nullptr) return false;
  llvm::APInt offset(layout->getIndexTypeSizeInBits(access.pointer->getType()), 0);
  const Value* base = access.pointer->stripAndAccumulateConstantOffsets(*layout, offset, /*AllowNonInbounds=*/true);
  if (base != pointee.base || offset.isNegative()) return false;
  return bytes <= pointee.bytes && offset.ule(pointee.bytes - bytes) && is_aligned(access, pointee);
}

}  // namespace lanewise
