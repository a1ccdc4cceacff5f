// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/constant_fields.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::LoadInst;

struct FieldLoad {
  LoadInst* load;
  std::uint64_t offset;
};

/// The loads of `copy` at constant places.
llvm::SmallVector<FieldLoad> fields_of(llvm::AllocaInst& copy) {
  const llvm::DataLayout& layout = copy.getDataLayout();
  const std::uint64_t size = copy.getAllocationSize(layout)->getFixedValue();
  llvm::SmallVector<FieldLoad> fields;
  llvm::SmallVector<std::pair<Instruction*, std::uint64_t>> addresses{{&copy, 0}};
  while (!addresses.empty()) {
    const auto [address, offset] = addresses.pop_back_val();
    for (llvm::User* user : address->users()) {
      if (auto* load = llvm::dyn_cast<LoadInst>(user)) {
        const std::uint64_t bytes = layout.getTypeStoreSize(load->getType()).getFixedValue();
        if (load->isSimple() && offset <= size && bytes <= size - offset) fields.push_back({load, offset});
      } else if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt distance(64, offset);
        if (step->accumulateConstantOffset(layout, distance)) addresses.push_back({step, distance.getZExtValue()});
      }
    }
  }
  return fields;
}

void hoist_fields(llvm::AllocaInst& copy, Instruction* before) {
  llvm::IRBuilder<> b(before);
  llvm::DenseMap<std::pair<std::uint64_t, llvm::Type*>, LoadInst*> values;
  for (const auto& [load, offset] : fields_of(copy)) {
    LoadInst*& value = values[{offset, load->getType()}];
    if (value == nullptr) {
      llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), &copy, offset);
      value = b.CreateAlignedLoad(load->getType(), address, llvm::commonAlignment(copy.getAlign(), offset),
                                  copy.getName() + ".field");
    }
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}

}  // namespace

void hoist_constant_fields(const RangeFunction& range) {
  for (llvm::AllocaInst* copy : range.copies) hoist_fields(*copy, range.range->getTerminator());
}

}  // namespace lanewise
