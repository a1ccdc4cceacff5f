// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/kernel/retarget.h"

namespace lanewise {
namespace {

/// Types and constants with every target type replaced. Pointers are opaque, so types have no cycles.
class TargetTypeMapping {
 public:
  llvm::Type* type(llvm::Type* old) {
    if (!old->isAggregateType() && !old->isFunctionTy() && !old->isTargetExtTy()) return old;
    if (const auto found = types_.find(old); found != types_.end()) return found->second;
    llvm::Type* mapped = map(old);
    types_[old] = mapped;
    return mapped;
  }

  /// The constant with the mapped type. Target types only have null-like values.
  llvm::Constant* constant(llvm::Constant* old) {
    llvm::Type* mapped = type(old->getType());
    if (mapped == old->getType()) return old;
    if (llvm::isa<llvm::PoisonValue>(old)) return llvm::PoisonValue::get(mapped);
    if (llvm::isa<llvm::UndefValue>(old)) return llvm::UndefValue::get(mapped);
    const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(old);
    if (aggregate == nullptr) return llvm::Constant::getNullValue(mapped);
    llvm::SmallVector<llvm::Constant*, 8> elements;
    for (const llvm::Use& element : aggregate->operands())
      elements.push_back(constant(llvm::cast<llvm::Constant>(element.get())));
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(mapped)) return llvm::ConstantArray::get(array, elements);
    return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(mapped), elements);
  }

 private:
  llvm::Type* map(llvm::Type* old) {
    if (old->isTargetExtTy()) return llvm::PointerType::getUnqual(old->getContext());
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(old))
      return llvm::ArrayType::get(type(array->getElementType()), array->getNumElements());
    llvm::SmallVector<llvm::Type*, 8> parts;
    for (llvm::Type* part : old->subtypes()) parts.push_back(type(part));
    if (llvm::equal(parts, old->subtypes())) return old;
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(old))  // its result is the first part
      return llvm::FunctionType::get(parts.front(), llvm::ArrayRef(parts).drop_front(), function->isVarArg());
    auto* structure = llvm::cast<llvm::StructType>(old);
    if (structure->isLiteral()) return llvm::StructType::get(old->getContext(), parts, structure->isPacked());
    return llvm::StructType::create(old->getContext(), parts, structure->getName(), structure->isPacked());
  }

  llvm::DenseMap<llvm::Type*, llvm::Type*> types_;
};

void rewrite_instruction(llvm::Instruction& instruction, TargetTypeMapping& mapping) {
  instruction.mutateType(mapping.type(instruction.getType()));
  if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    slot->setAllocatedType(mapping.type(slot->getAllocatedType()));
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    address->setSourceElementType(mapping.type(address->getSourceElementType()));
    address->setResultElementType(mapping.type(address->getResultElementType()));
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    call->mutateFunctionType(llvm::cast<llvm::FunctionType>(mapping.type(call->getFunctionType())));
  }
  for (llvm::Use& operand : instruction.operands())
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
        constant != nullptr && !llvm::isa<llvm::GlobalValue>(constant))
      operand.set(mapping.constant(constant));
}

/// Replaces `old` by a function of the mapped type with the same body, name and attributes.
void rewrite_function(llvm::Function& old, TargetTypeMapping& mapping) {
  auto* type = llvm::cast<llvm::FunctionType>(mapping.type(old.getFunctionType()));
  if (type == old.getFunctionType()) return;
  auto* fresh = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), fresh);
  fresh->copyAttributesFrom(&old);
  fresh->copyMetadata(&old, 0);
  fresh->takeName(&old);
  fresh->splice(fresh->begin(), &old);
  for (auto [from, to] : llvm::zip(old.args(), fresh->args())) {
    to.takeName(&from);
    from.mutateType(to.getType());
    from.replaceAllUsesWith(&to);
  }
  old.clearMetadata();
  old.replaceAllUsesWith(fresh);
  old.eraseFromParent();
}

void rewrite_variable(llvm::GlobalVariable& old, TargetTypeMapping& mapping) {
  llvm::Type* type = mapping.type(old.getValueType());
  if (type == old.getValueType()) return;
  llvm::Constant* value = old.hasInitializer() ? mapping.constant(old.getInitializer()) : nullptr;
  auto* fresh = new llvm::GlobalVariable(*old.getParent(), type, old.isConstant(), old.getLinkage(), value, "", &old,
                                         old.getThreadLocalMode(), old.getAddressSpace());
  fresh->copyAttributesFrom(&old);
  fresh->copyMetadata(&old, 0);
  fresh->takeName(&old);
  old.replaceAllUsesWith(fresh);
  old.eraseFromParent();
}

}  // namespace

void replace_target_types(llvm::Module& module) {
  TargetTypeMapping mapping;
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    rewrite_variable(variable, mapping);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) rewrite_function(function, mapping);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) rewrite_instruction(instruction, mapping);
}

}  // namespace lanewise
