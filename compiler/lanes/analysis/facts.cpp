// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/facts.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "compiler/lanes/analysis/legality.h"

namespace lanewise::spmd {

using llvm::Instruction;

namespace {

/// Every use of a work-item's own variable is in some work-item loop, where it can be given lanes. Elsewhere an address
/// would be that of the variable itself, in all lanes.
bool private_variables_are_local(const llvm::Function& function, const llvm::LoopInfo& loops) {
  for (const Instruction& i : function.getEntryBlock()) {
    if (Shapes::private_variable(i) == nullptr) continue;
    for (const llvm::User* user : i.users()) {
      const llvm::Loop* loop = loops.getLoopFor(llvm::cast<Instruction>(user)->getParent());
      while (loop != nullptr && items_metadata(*loop) == nullptr) loop = loop->getParentLoop();
      if (loop == nullptr) return false;
    }
  }
  return true;
}

}  // namespace

std::variant<LoopFacts, Refusal> analyse(llvm::Loop& loop, const llvm::LoopInfo& loops, SourceVectors source_vectors) {
  const llvm::MDNode* metadata = items_metadata(loop);
  if (metadata->getNumOperands() > 1)
    return Refusal{Reason::marked, llvm::cast<llvm::MDString>(metadata->getOperand(1))->getString().str()};
  const SubGroupLoop sub_group = sub_group_loop(loop);
  const bool grouped = sub_group.width != 0;
  if (!private_variables_are_local(*loop.getHeader()->getParent(), loops)) return Refusal{Reason::shared_private};
  ItemLoop items{.loop = &loop};
  if (Refusal refusal = check_loop(loop, grouped); refusal.refused()) return refusal;
  if (Refusal refusal = find_count(items); refusal.refused()) return refusal;
  auto body = std::make_unique<Body>();
  if (Refusal refusal = body->build(loop, loops); refusal.refused()) return refusal;
  Shapes shapes = find_shapes(*body, *items.id, {.known_bases_only = grouped});
  if (grouped && shapes.divergence().diverges(body->top())) return Refusal{Reason::items_diverge};
  if (!grouped)
    if (Refusal refusal = check_divergence(*body, shapes.divergence()); refusal.refused()) return refusal;
  Guards guards = grouped ? Guards() : find_guards(*body, shapes, *items.id);
  return LoopFacts{.items = items,
                   .sub_group = sub_group,
                   .body = std::move(body),
                   .shapes = std::move(shapes),
                   .guards = std::move(guards),
                   .source_vectors = source_vectors};
}

namespace {

/// How often the code of a block runs for a work-item, roughly; 0 outside of work-item loops.
std::size_t weight_of(const llvm::BasicBlock& block, const llvm::LoopInfo& loops) {
  constexpr std::size_t kIterations = 8;
  constexpr std::size_t kLargest = kIterations * kIterations * kIterations;
  std::size_t weight = 1;
  for (const llvm::Loop* l = loops.getLoopFor(&block); l != nullptr; l = l->getParentLoop()) {
    if (items_metadata(*l) != nullptr) return weight;
    weight = std::min(weight * kIterations, kLargest);
  }
  return 0;
}

/// Elements that a function works on.
struct ElementCounts {
  std::size_t all = 0;
  std::size_t filling = 0;  ///< operations on vectors that fill a register
  // Weighted, of vectors that fill half of one.
  std::size_t loaded = 0;
  std::size_t wide = 0;   ///< operations on them
  std::size_t other = 0;  ///< everything but these

  void add(const Instruction& i, std::size_t weight, unsigned register_bytes) {
    constexpr unsigned kSplitWide = 8;  // fewer components are split to scalars at little cost
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
    const unsigned count = type == nullptr ? 1 : type->getNumElements();
    const unsigned bits = count >= kSplitWide ? count * type->getScalarSizeInBits() : 0;
    const bool operates = llvm::isa<llvm::BinaryOperator, llvm::IntrinsicInst>(i);
    all += count;
    if (operates && bits >= 8 * register_bytes) filling += count;
    const bool half = bits >= 4 * register_bytes;
    if (half && llvm::isa<llvm::LoadInst>(i))
      loaded += weight * count;
    else if (half && operates)
      wide += weight * count;
    else if (!half || !llvm::isa<llvm::PHINode>(i))
      other += weight * count;
  }

  [[nodiscard]] bool most_fill() const { return 2 * filling > all; }
  /// Not arithmetic, which lanes would do for several work-items at once where one waits for its own results.
  [[nodiscard]] bool mostly_load() const { return 2 * loaded >= wide && 2 * wide > other; }
};

}  // namespace

SourceVectors find_source_vectors(const llvm::Function& function, const llvm::LoopInfo& loops,
                                  unsigned register_bytes) {
  constexpr unsigned kWide = 4;
  // Bodies of more than 800 instructions are not run side by side either (plan/blocking.h), as others with such vectors
  // are.
  constexpr std::size_t kManyElements = 13'000;
  SourceVectors found;
  ElementCounts elements;
  for (const llvm::BasicBlock& block : function) {
    const std::size_t weight = weight_of(block, loops);
    for (const Instruction& i : block) {
      if (i.isTerminator() || i.getType()->isVoidTy()) continue;
      const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
      found.carried |= llvm::isa<llvm::PHINode>(i) && type != nullptr && type->getNumElements() >= kWide;
      elements.add(i, weight, register_bytes);
    }
  }
  found.filling = elements.most_fill() || elements.mostly_load();
  found.many = found.filling && elements.all > kManyElements;
  return found;
}

}  // namespace lanewise::spmd
