// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/masks.h"

namespace lanewise::spmd {

using llvm::Value;

Value* Masks::entering(const Node& node) {
  if (const Node* same = s_.shapes.divergence().same_mask(node)) {
    const auto known = nodes_.find(same);
    if (known != nodes_.end()) return known->second;
  }
  Value* mask = nullptr;
  for (const Node* p : node.predecessors) {
    Value* m = p->loop != nullptr ? of(*p) : edge(p->block, node.block);
    if (m == nullptr) return nullptr;
    mask = mask == nullptr ? m : s_.b.CreateOr(mask, m);
  }
  return mask == nullptr ? level_ : mask;
}

void Masks::set_edges(const llvm::BasicBlock& block, Value* mask) {
  const auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    edges_[{&block, branch->getSuccessor(0)}] = mask;
    return;
  }
  Value* condition = s_.vector(branch->getCondition());
  Value* inverse = s_.b.CreateNot(condition);
  // A logical and: the condition may be poison in lanes that are not active.
  edges_[{&block, branch->getSuccessor(0)}] = mask == nullptr ? condition : s_.b.CreateLogicalAnd(mask, condition);
  edges_[{&block, branch->getSuccessor(1)}] = mask == nullptr ? inverse : s_.b.CreateLogicalAnd(mask, inverse);
}

}  // namespace lanewise::spmd
