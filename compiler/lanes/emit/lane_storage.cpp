// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/lane_storage.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/base/marks.h"
#include "compiler/lanes/analysis/vector_loop.h"

namespace lanewise::spmd {

llvm::Value* LaneStorage::copies_of(const llvm::AllocaInst& variable, std::uint64_t bytes, llvm::Align align) {
  llvm::Value*& copies = private_copies_[&variable];
  if (copies == nullptr) {
    llvm::BasicBlock& entry = const_cast<llvm::Function*>(variable.getFunction())->getEntryBlock();
    llvm::IRBuilder<> b(&entry, entry.begin());
    auto* made = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes), nullptr, variable.getName() + ".lanes");
    made->setMetadata(marks::kLanes, llvm::MDNode::get(b.getContext(), {}));
    made->setAlignment(align);
    copies = made;
  }
  return copies;
}

/// Vectors that run in one iteration need a copy each all the same, as of variables of lanes.
llvm::Value* LaneStorage::shared(const llvm::AllocaInst& variable) {
  auto& own = const_cast<llvm::AllocaInst&>(variable);
  own.setMetadata(marks::kLanes, llvm::MDNode::get(own.getContext(), {}));
  return &own;
}

llvm::Value* LaneStorage::dummy(llvm::Function& function, llvm::Type& type, unsigned address_space) {
  llvm::Value*& place = dummies_[{&type, address_space}];
  if (place == nullptr) {
    llvm::BasicBlock& entry = function.getEntryBlock();
    llvm::IRBuilder<> top(&entry, entry.begin());
    auto* variable = top.CreateAlloca(&type, nullptr, "dummy");
    variable->setAlignment(kDummyAlign);
    llvm::IRBuilder<> end(entry.getTerminator());
    end.CreateStore(llvm::Constant::getNullValue(&type), variable);
    place = address_space == 0 ? variable : end.CreateAddrSpaceCast(variable, end.getPtrTy(address_space));
  }
  return place;
}

llvm::Value* LaneStorage::slot(llvm::Function& function, llvm::Type& type, unsigned number) {
  llvm::Value*& place = slots_[{&type, number}];
  if (place == nullptr) {
    llvm::BasicBlock& entry = function.getEntryBlock();
    llvm::IRBuilder<> b(&entry, entry.begin());
    place = b.CreateAlloca(&type, nullptr, "slot");
  }
  return place;
}

}  // namespace lanewise::spmd
