// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/body.h"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;

/// The edges between the nodes of a level. Its back edge is left out.
void connect_nodes(Level& level) {
  llvm::DenseMap<const BasicBlock*, Node*> here;
  for (const auto& node : level.nodes) here[node->block] = node.get();
  for (const auto& node : level.nodes) {
    llvm::SmallVector<BasicBlock*, 2> next;
    if (node->loop != nullptr)
      next.push_back(node->loop->exit);
    else
      next.append(llvm::succ_begin(node->block), llvm::succ_end(node->block));
    for (BasicBlock* s : next) {
      if (s == level.loop->getHeader()) continue;
      Node* to = here.lookup(s);
      if (to == nullptr) {
        node->exits = true;
      } else if (!llvm::is_contained(node->successors, to)) {
        node->successors.push_back(to);
        to->predecessors.push_back(node.get());
      }
    }
  }
}

/// A loop's blocks need not be consecutive in reverse post-order, so nodes are sorted by the edges between them.
Refusal sort_nodes(Level& level) {
  std::vector<std::unique_ptr<Node>> sorted;
  llvm::DenseMap<const Node*, std::size_t> missing;
  for (const auto& node : level.nodes) missing[node.get()] = node->predecessors.size();
  while (sorted.size() < level.nodes.size()) {
    bool progress = false;
    for (auto& node : level.nodes) {
      if (!node || missing[node.get()] != 0) continue;
      node->index = static_cast<unsigned>(sorted.size());
      for (const Node* s : node->successors) --missing[s];
      sorted.push_back(std::move(node));
      progress = true;
    }
    if (!progress) return {Reason::irreducible};
  }
  level.nodes = std::move(sorted);
  return {};
}

}  // namespace

Refusal Body::build(llvm::Loop& items, const llvm::LoopInfo& loops) {
  return build_level(items, nullptr, loops);
}

Refusal Body::build_level(llvm::Loop& loop, const Level* parent, const llvm::LoopInfo& loops) {
  levels_.push_back(std::make_unique<Level>());
  Level& level = *levels_.back();
  level.loop = &loop;
  level.parent = parent;
  level.exit = loop.getUniqueExitBlock();
  level.number = static_cast<unsigned>(levels_.size() - 1);
  if (level.exit == nullptr) return {Reason::several_exits};
  if (loop.getLoopPreheader() == nullptr || loop.getLoopLatch() == nullptr) return {Reason::not_simplified};
  if (parent != nullptr) exit_of_[level.exit] = &level;
  if (Refusal refusal = collect_nodes(level, loops); refusal.refused()) return refusal;
  connect_nodes(level);
  return sort_nodes(level);
}

Refusal Body::collect_nodes(Level& level, const llvm::LoopInfo& loops) {
  llvm::LoopBlocksRPO order(level.loop);
  order.perform(&loops);
  for (BasicBlock* block : order) {
    llvm::Loop* inner = loops.getLoopFor(block);
    while (inner != level.loop && inner->getParentLoop() != level.loop) inner = inner->getParentLoop();
    if (inner != level.loop && inner->getHeader() != block) continue;
    auto node = std::make_unique<Node>();
    node->block = block;
    node->number = node_count_++;
    if (inner == level.loop) {
      node_of_[block] = node.get();
      level_of_[block] = &level;
    } else {
      const std::size_t place = levels_.size();
      if (Refusal refusal = build_level(*inner, &level, loops); refusal.refused()) return refusal;
      node->loop = levels_[place].get();
    }
    level.nodes.push_back(std::move(node));
  }
  return {};
}

}  // namespace lanewise::spmd
