// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow of the vector form: uniform branches stay branches, blocks after divergent ones run one after another
/// under masks (Moll & Hack, "Partial Control-Flow Linearization", PLDI 2018), divergent loops run until no lane is
/// active. Among blocks under one mask uniform branches stay branches, too (`Divergence::uniform_join`).
///
///     items:  br %c, %then, %join            items.vector:   ...
///     then:   store ...; br %join       =>                   br (some lane of %c), %then.any, %then.skipped
///     join:   ...                            then.any:       store for the lanes in %c; br %then.skipped
///                                            then.skipped:   br %join.vector
///                                            join.vector:    ...
#pragma once

#include "compiler/lanes/emit/instructions.h"
#include "compiler/lanes/emit/phis.h"
#include "compiler/lanes/emit/uniform_regions.h"

namespace lanewise::spmd {

class Control {
 public:
  Control(VectorState& state, Masks& masks)
      : s_(state),
        b_(state.b),
        masks_(masks),
        instructions_(state, masks),
        phis_(state, masks, ends_),
        uniform_(state, masks, instructions_, phis_, ends_) {}

  /// Emits every node of a level whose blocks are reached by branches, for the lanes in `mask`. Begins in the current
  /// block, which is the header's, and ends after the latch.
  void emit_level(const Level& level, llvm::Value* mask);

 private:
  using Value = llvm::Value;
  using BasicBlock = llvm::BasicBlock;
  /// A value that leaves a divergent loop: kept per lane when the lane leaves.
  struct Kept {
    const llvm::PHINode* phi;
    unsigned part;
    llvm::PHINode* before;  ///< the value at the beginning of the iteration
    Value* now;
  };
  /// The way out of a divergent loop that all of its lanes take at once.
  struct Together {
    BasicBlock* behind = nullptr;      ///< the block after the loop
    BasicBlock* from = nullptr;        ///< null: there is no such way
    llvm::SmallVector<Value*> values;  ///< values that are kept
  };

  void emit_node(const Level& level, const Node& node, Value* mask);
  void emit_terminator(const Level& level, const Node& node);
  BasicBlock* entry_of(const BasicBlock* block);
  void emit_region(const Node& head);
  void emit_linear_block(const Node& node, Value* mask);
  void emit_guarded(const BasicBlock& block, Value* mask);
  void emit_linear_loop(const Node& node, Value* mask);
  void emit_loop(const Level& level, Value* mask);
  void emit_uniform_loop(const Level& level, Value* mask);
  void emit_divergent_loop(const Level& level, Value* mask);
  [[nodiscard]] bool leaves_by_lines(const Level& level) const;
  void emit_divergent_nodes(const Level& level, Value* live, llvm::MutableArrayRef<Kept> kept, Together& together);
  void keep(const Level& level, const Node& node, llvm::MutableArrayRef<Kept> kept, const Together& together);
  [[nodiscard]] bool leave_together(const Level& level, const Node& header) const;
  void emit_leaving(const Level& level, const Node& header, Value* live, llvm::ArrayRef<Kept> kept, Together& together);
  llvm::SmallVector<Kept> begin_kept(const Level& level, BasicBlock* from);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Instructions instructions_;
  llvm::DenseMap<const BasicBlock*, BasicBlock*> entries_;  ///< vector forms of blocks that are reached by branches
  BlockEnds ends_;
  Phis phis_;
  UniformRegions uniform_;
};

}  // namespace lanewise::spmd
