// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Uniform branches among blocks that run under a mask (`Divergence::uniform_join`): they stay branches.
///
///     then:   br %format, %bytes, %words      then:           br (some lane of %mask), %then.some, %then.none
///     bytes:  %b = ...; br %texel             then.some:      br %format, %bytes.vector, %words.vector
///     words:  %w = ...; br %texel        =>   bytes.vector:   %b = ... for the lanes in %mask; br %then.together
///     texel:  phi %b, %w                      words.vector:   %w = ...                         br %then.together
///                                             then.together:  phi %b, %w; br %then.none
#pragma once

#include "compiler/lanes/emit/instructions.h"
#include "compiler/lanes/emit/phis.h"

namespace lanewise::spmd {

class UniformRegions {
 public:
  UniformRegions(VectorState& state, Masks& masks, Instructions& instructions, Phis& phis, BlockEnds& ends)
      : s_(state), b_(state.b), masks_(masks), instructions_(instructions), phis_(phis), ends_(ends) {}

  /// Emits what follows a block under a mask: the region that it is the head of, or the masks of its edges.
  void emit_ways_out(const Node& node, llvm::Value* mask);

 private:
  using Value = llvm::Value;
  using BasicBlock = llvm::BasicBlock;

  void emit_region(const Node& head, Value* mask);
  void emit_members(const Node& head, llvm::ArrayRef<const Node*> members, BasicBlock& behind, Value* mask);
  void emit_branch(const Node& node, const Node& join, BasicBlock& behind, bool some_lane);
  BasicBlock* entry_of(const BasicBlock* block);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Instructions& instructions_;
  Phis& phis_;
  BlockEnds& ends_;
  llvm::DenseMap<const BasicBlock*, BasicBlock*> entries_;  ///< vector forms of the members' blocks
};

}  // namespace lanewise::spmd
