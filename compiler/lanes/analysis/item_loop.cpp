// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/item_loop.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/marks.h"

namespace lanewise::spmd {

const llvm::MDNode* items_metadata(const llvm::Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  if (id == nullptr) return nullptr;
  for (const llvm::MDOperand& operand : llvm::drop_begin(id->operands())) {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(operand.get());
    if (node == nullptr || node->getNumOperands() == 0) continue;
    const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
    if (name != nullptr && name->getString() == marks::kItems) return node;
  }
  return nullptr;
}

const llvm::Loop* items_around(const llvm::Loop& loop) {
  for (const llvm::Loop* l = loop.getParentLoop(); l != nullptr; l = l->getParentLoop())
    if (items_metadata(*l) != nullptr) return l;
  return nullptr;
}

SubGroupLoop sub_group_loop(const llvm::Loop& loop) {
  SubGroupLoop form;
  const llvm::MDNode* id = loop.getLoopID();
  if (id == nullptr) return form;
  for (const llvm::MDOperand& operand : llvm::drop_begin(id->operands())) {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(operand.get());
    if (node == nullptr || node->getNumOperands() < 2) continue;
    const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
    if (name == nullptr || name->getString() != marks::kSubGroup) continue;
    const auto* width = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(1));
    if (width != nullptr) form.width = static_cast<unsigned>(width->getZExtValue());
    form.flattened = node->getNumOperands() > 2;
  }
  return form;
}

Refusal find_count(ItemLoop& items) {
  llvm::BasicBlock* header = items.loop->getHeader();
  llvm::BasicBlock* latch = items.loop->getLoopLatch();
  items.id = llvm::dyn_cast<llvm::PHINode>(&header->front());
  if (items.id == nullptr || !llvm::hasSingleElement(header->phis())) return {Reason::unusual_loop};
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto* compare =
      branch == nullptr || !branch->isConditional() ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::ICMP_ULT || branch->getSuccessor(0) != header ||
      compare->getOperand(0) != items.id->getIncomingValueForBlock(latch) ||
      !items.loop->isLoopInvariant(compare->getOperand(1)))
    return {Reason::unusual_loop};
  items.size = compare->getOperand(1);
  return {};
}

}  // namespace lanewise::spmd
