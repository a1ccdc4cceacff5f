// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The control flow of a work-item loop as levels of nodes in topological order. A level is a loop without its back
/// edge; a node is a block of the level itself, or a whole loop inside of it.
///
///     items:  br %c, %then, %join        level 0: items, then, [loop], after, join, items.end
///     then:   br %loop                   level 1: loop
///     loop:   br %d, %loop, %after
///     after:  br %join
///     join:   br %items.end
///
/// The body is built once and then only read: which of its branches diverge is the result of an analysis
/// (divergence.h).
///
/// Expects loops in simplified form with one exit block each (UnifyLoopExits), no switches, no irreducible cycles.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include <memory>
#include <vector>

#include "compiler/lanes/analysis/refusal.h"

namespace lanewise::spmd {

struct Level;

struct Node {
  llvm::BasicBlock* block = nullptr;  ///< the block itself, or the header of a loop
  const Level* loop = nullptr;        ///< null for a block
  unsigned index = 0;                 ///< place in its level's topological order
  unsigned number = 0;                ///< unique in the body
  bool exits = false;                 ///< a successor is outside of the level's loop
  llvm::SmallVector<const Node*, 2> successors;
  llvm::SmallVector<const Node*, 2> predecessors;
};

struct Level {
  llvm::Loop* loop = nullptr;
  const Level* parent = nullptr;     ///< null for the work-item loop
  llvm::BasicBlock* exit = nullptr;  ///< the only exit block of the loop
  unsigned number = 0;               ///< unique in the body
  std::vector<std::unique_ptr<Node>> nodes;
};

class Body {
 public:
  /// Refuses loops that are not of the expected form.
  [[nodiscard]] Refusal build(llvm::Loop& items, const llvm::LoopInfo& loops);

  [[nodiscard]] const Level& top() const { return *levels_.front(); }
  [[nodiscard]] const std::vector<std::unique_ptr<Level>>& levels() const { return levels_; }
  /// Number of nodes in all levels: each `Node::number` is less.
  [[nodiscard]] unsigned node_count() const { return node_count_; }
  [[nodiscard]] const Node* node(const llvm::BasicBlock* block) const { return node_of_.lookup(block); }
  /// The innermost level that a block is in.
  [[nodiscard]] const Level* level(const llvm::BasicBlock* block) const { return level_of_.lookup(block); }
  [[nodiscard]] bool contains(const llvm::BasicBlock* block) const { return node_of_.contains(block); }
  /// The loop inside of the body whose exit block this is; null if it is not an exit block.
  [[nodiscard]] const Level* left_through(const llvm::BasicBlock* block) const { return exit_of_.lookup(block); }

 private:
  Refusal build_level(llvm::Loop& loop, const Level* parent, const llvm::LoopInfo& loops);
  Refusal collect_nodes(Level& level, const llvm::LoopInfo& loops);

  std::vector<std::unique_ptr<Level>> levels_;
  unsigned node_count_ = 0;
  llvm::DenseMap<const llvm::BasicBlock*, const Node*> node_of_;  ///< nodes; a loop's header is in its own level
  llvm::DenseMap<const llvm::BasicBlock*, const Level*> level_of_;
  llvm::DenseMap<const llvm::BasicBlock*, const Level*> exit_of_;
};

}  // namespace lanewise::spmd
