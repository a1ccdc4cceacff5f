// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The body of a work-item loop as levels of nodes in topological order: what the divergence analysis marks and the
/// emission walks. A level is a loop without its back edge; a node is a block of the level itself or a loop inside it.
///
///     items:  br %c, %then, %join        level 0: items, then, [loop], after, join, items.end
///     then:   br %loop                   level 1: loop
///     loop:   br %d, %loop, %after
///     after:  br %join                   with %c varying: the region of `items` is {then, [loop], after}, its join is
///     join:   br %items.end              `join`; the members run one after the other under masks
///
/// Expects loops in simplified form with one exit block each (UnifyLoopExits), no switches, no irreducible cycles.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include <memory>
#include <string>
#include <vector>

namespace lanewise::spmd {

struct Level;

struct Node {
  llvm::BasicBlock* block = nullptr;  ///< for a loop: its header
  Level* loop = nullptr;              ///< null for a block
  unsigned index = 0;                 ///< place in its level's topological order
  llvm::SmallVector<Node*, 2> successors;
  llvm::SmallVector<Node*, 2> predecessors;
  bool exits = false;         ///< a successor is outside of the level's loop
  bool forced = false;        ///< its branch is treated as divergent although it is uniform
  bool linear = false;        ///< runs under a mask, in a row with its neighbours
  Node* join = nullptr;       ///< head of an outermost region: where the lanes meet again
  Node* same_mask = nullptr;  ///< linear: runs for exactly the lanes that this earlier node runs for
};

struct Level {
  llvm::Loop* loop = nullptr;
  Level* parent = nullptr;
  llvm::BasicBlock* exit = nullptr;  ///< the only one; for the work-item loop: behind it
  bool divergent = false;            ///< lanes leave in different iterations
  std::vector<std::unique_ptr<Node>> nodes;
};

class Body {
 public:
  /// Returns a reason if the loop has a shape that nothing can be done about.
  [[nodiscard]] std::string build(llvm::Loop& items, const llvm::LoopInfo& loops);

  [[nodiscard]] Level& top() const { return *levels_.front(); }
  [[nodiscard]] const std::vector<std::unique_ptr<Level>>& levels() const { return levels_; }
  [[nodiscard]] Node* node(const llvm::BasicBlock* block) const { return node_of_.lookup(block); }
  [[nodiscard]] Level* level(const llvm::BasicBlock* block) const { return level_of_.lookup(block); }
  /// The level of a loop by its header.
  [[nodiscard]] Level* loop_at(const llvm::BasicBlock* header) const;
  [[nodiscard]] bool contains(const llvm::BasicBlock* block) const { return node_of_.contains(block); }
  /// `block` is the exit block of a loop inside the body; null if it is not.
  [[nodiscard]] Level* left_through(const llvm::BasicBlock* block) const { return exit_of_.lookup(block); }

  /// Takes all marks away: nothing diverges until `mark` says so.
  void unmark();
  /// Marks what runs under masks, given which branches diverge. Returns true if anything changed.
  bool mark(llvm::function_ref<bool(const llvm::BasicBlock&)> branch_diverges);

  /// Phis of `node` merge lanes that came different ways.
  [[nodiscard]] bool merges_lanes(const Node& node) const;
  /// Heads of the outermost regions whose join `node` is.
  [[nodiscard]] llvm::SmallVector<Node*, 1> regions_joining(const Node& node) const {
    return heads_of_join_.lookup(&node);
  }
  /// Members of the region of `head`, in order.
  [[nodiscard]] llvm::SmallVector<Node*> members(const Node& head) const;

 private:
  std::string build_level(llvm::Loop& loop, Level* parent, const llvm::LoopInfo& loops);
  bool mark_level(Level& level, llvm::function_ref<bool(const llvm::BasicBlock&)> branch_diverges);
  void share_masks(Level& level);

  std::vector<std::unique_ptr<Level>> levels_;
  llvm::DenseMap<const llvm::BasicBlock*, Node*> node_of_;    ///< blocks; of a loop's header: the node in its own level
  llvm::DenseMap<const llvm::BasicBlock*, Level*> level_of_;  ///< innermost
  llvm::DenseMap<const llvm::BasicBlock*, Level*> exit_of_;
  llvm::DenseMap<const Node*, llvm::SmallVector<Node*, 1>> heads_of_join_;
};

}  // namespace lanewise::spmd
