// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/analysis/facts.h"

#include <llvm/IR/Instructions.h>

#include "compiler/spmd/analysis/legality.h"

namespace lanewise::spmd {

std::variant<LoopFacts, Refusal> analyse(llvm::Loop& loop, const llvm::LoopInfo& loops, bool source_vectors) {
  const llvm::MDNode* metadata = items_metadata(loop);
  if (metadata->getNumOperands() > 1)
    return Refusal{Reason::marked, llvm::cast<llvm::MDString>(metadata->getOperand(1))->getString().str()};
  const SubGroupLoop sub_group = sub_group_loop(loop);
  const bool grouped = sub_group.width != 0;
  ItemLoop items{.loop = &loop};
  if (Refusal refusal = check_loop(loop, grouped)) return refusal;
  if (Refusal refusal = find_count(items)) return refusal;
  auto body = std::make_unique<Body>();
  if (Refusal refusal = body->build(loop, loops)) return refusal;
  Shapes shapes = find_shapes(*body, *items.id, {.known_bases_only = grouped});
  if (grouped && shapes.divergence().diverges(body->top())) return Refusal{Reason::items_diverge};
  if (!grouped)
    if (Refusal refusal = check_divergence(*body, shapes.divergence())) return refusal;
  Guards guards = grouped ? Guards() : find_guards(*body, shapes, *items.id);
  return LoopFacts{.items = items,
                   .sub_group = sub_group,
                   .body = std::move(body),
                   .shapes = std::move(shapes),
                   .guards = std::move(guards),
                   .source_vectors = source_vectors};
}

bool carries_vectors(const llvm::Function& function) {
  constexpr unsigned kWide = 4;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::PHINode& phi : block.phis())
      if (const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType()); type != nullptr)
        if (type->getNumElements() >= kWide) return true;
  return false;
}

bool private_variables_are_local(const llvm::Function& function, const llvm::LoopInfo& loops) {
  for (const llvm::Instruction& i : function.getEntryBlock()) {
    if (Shapes::private_variable(i) == nullptr) continue;
    for (const llvm::User* user : i.users()) {
      const llvm::Loop* loop = loops.getLoopFor(llvm::cast<llvm::Instruction>(user)->getParent());
      while (loop != nullptr && items_metadata(*loop) == nullptr) loop = loop->getParentLoop();
      if (loop == nullptr) return false;
    }
  }
  return true;
}

}  // namespace lanewise::spmd
