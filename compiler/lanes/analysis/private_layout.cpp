// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/private_layout.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {
namespace {

using llvm::Value;

bool is_multiple(const llvm::GetElementPtrInst& address, std::uint64_t bytes) {
  const llvm::DataLayout& layout = address.getDataLayout();
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(constant->getZExtValue());
      if (layout.getStructLayout(structure)->getElementOffset(field).getFixedValue() % bytes != 0) return false;
      continue;
    }
    const std::uint64_t stride = step.getSequentialElementStride(layout).getFixedValue();
    if (stride % bytes == 0) continue;
    if (constant == nullptr ||
        constant->getSExtValue() * static_cast<std::int64_t>(stride) % static_cast<std::int64_t>(bytes) != 0)
      return false;
  }
  return !address.getType()->isVectorTy();
}

/// All accesses through `pointer` have one size, which is returned in `bytes`.
bool only_elements(const Value& pointer, std::uint64_t& bytes,
                   llvm::SmallVectorImpl<const llvm::GetElementPtrInst*>& addresses) {
  for (const llvm::Use& use : pointer.uses()) {
    const llvm::Type* type = nullptr;
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(use.getUser())) {
      if (use.getOperandNo() != 0 || !only_elements(*address, bytes, addresses)) return false;
      addresses.push_back(address);
      continue;
    }
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(use.getUser()); load != nullptr && load->isSimple()) {
      type = load->getType();
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
               store != nullptr && store->isSimple() && use.getOperandNo() == 1) {
      type = store->getValueOperand()->getType();
    } else {
      return false;
    }
    const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    const std::uint64_t size = user.getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue();
    if (size == 0 || (bytes != 0 && size != bytes)) return false;
    bytes = size;
  }
  return true;
}

}  // namespace

std::uint64_t interleaved_bytes(const llvm::AllocaInst& variable) {
  std::uint64_t bytes = 0;
  llvm::SmallVector<const llvm::GetElementPtrInst*> addresses;
  if (!only_elements(variable, bytes, addresses) || bytes == 0) return 0;
  const std::uint64_t size = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
  if (size % bytes != 0 || (bytes & (bytes - 1)) != 0) return 0;
  for (const llvm::GetElementPtrInst* address : addresses)
    if (!is_multiple(*address, bytes)) return 0;
  return bytes;
}

bool find_stores(const llvm::AllocaInst& variable, llvm::SmallVectorImpl<const llvm::StoreInst*>& stores) {
  llvm::SmallVector<const Value*> open{&variable};
  while (!open.empty())
    for (const llvm::Use& use : open.pop_back_val()->uses()) {
      const llvm::User* user = use.getUser();
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load != nullptr && load->isSimple()) continue;
      if (llvm::isa<llvm::GetElementPtrInst>(user) && use.getOperandNo() == 0 && !user->getType()->isVectorTy()) {
        open.push_back(user);
        continue;
      }
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store == nullptr || !store->isSimple() || use.getOperandNo() != 1) return false;
      stores.push_back(store);
    }
  return true;
}

}  // namespace lanewise::spmd
