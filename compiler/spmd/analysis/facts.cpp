// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/analysis/facts.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/spmd/analysis/legality.h"

namespace lanewise::spmd {

std::variant<LoopFacts, Refusal> analyse(llvm::Loop& loop, const llvm::LoopInfo& loops, SourceVectors source_vectors) {
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

SourceVectors find_source_vectors(const llvm::Function& function, unsigned register_bytes) {
  constexpr unsigned kWide = 4;
  constexpr unsigned kSplitWide = 8;  // fewer components are split to scalars at little cost
  SourceVectors found;
  std::size_t filling = 0;
  std::size_t all = 0;
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    if (i.isTerminator() || i.getType()->isVoidTy()) continue;
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
    const unsigned count = type == nullptr ? 1 : type->getNumElements();
    found.carried |= llvm::isa<llvm::PHINode>(i) && count >= kWide;
    const bool operates = llvm::isa<llvm::BinaryOperator, llvm::IntrinsicInst>(i);
    if (operates && count >= kSplitWide && count * type->getScalarSizeInBits() >= 8 * register_bytes) filling += count;
    all += count;
  }
  found.filling = 2 * filling > all;
  return found;
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
