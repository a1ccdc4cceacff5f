// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Phis of the original in the vector form. What a phi becomes depends on how the lanes reach its block:
///
///     over branches, all together            phis, one per component
///     over the edges of a region             selects by the masks of the edges
///     out of a uniform region                phis before the join; there the region's edges count as one
///     out of a loop that they leave together phis after the loop
///
/// Also the additional phis that the vector form needs after code that is skipped where no lane is active.
#pragma once

#include "compiler/lanes/emit/masks.h"

namespace lanewise::spmd {

/// Where the vector form of a block, or of the region that a block is the head of, ended.
using BlockEnds = llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*>;

class Phis {
 public:
  Phis(VectorState& state, Masks& masks, const BlockEnds& ends) : s_(state), b_(state.b), masks_(masks), ends_(ends) {}

  /// A phi of a linear block, in which lanes that came over different edges run together.
  void blend(const llvm::PHINode& phi);
  /// The phis of a node that is reached by branches: edges out of one region arrive as one.
  void at_join(const Node& node);

  /// Makes what lanes bring out of a uniform region over the edges from these blocks. `blend` and `at_join` take it for
  /// the phis of `join`.
  void meet(const Node& join, llvm::ArrayRef<const llvm::BasicBlock*> from);
  /// The same after a guard of the region. `first` is the first block of `from`.
  void after_meeting(const Node& join, const llvm::BasicBlock& first, llvm::BasicBlock* skipped,
                     llvm::BasicBlock* done);

  /// The phis of a loop's header; `from` is the block before the loop.
  void begin_header(const Level& level, llvm::BasicBlock* from);
  /// Their values for the next iteration; `from` is the end of the latch.
  void end_header(const Level& level, llvm::BasicBlock* from);
  /// The phis after a loop that all lanes leave together; `behind` is the block there.
  void behind_loop(const Level& level, llvm::BasicBlock* behind);

  /// After code between `skipped` and `done` that runs only if some lane is active: values of `block` that are used
  /// elsewhere, ...
  void after_guard(const llvm::BasicBlock& block, llvm::BasicBlock* skipped, llvm::BasicBlock* done);
  /// ... or one value. Lanes that have skipped the code get zeros.
  void merge(Lanes& lanes, llvm::BasicBlock* skipped, llvm::BasicBlock* done);

 private:
  [[nodiscard]] unsigned part_count(const llvm::PHINode& phi) const;
  /// What an operand of `phi` contributes to one part of it.
  llvm::Value* operand(const llvm::PHINode& phi, const llvm::Value* v, unsigned part);
  /// What arrives over an edge: `operand`, or what lanes bring out of a uniform region.
  llvm::Value* arriving(const llvm::PHINode& phi, unsigned edge, unsigned part);
  /// The edge is out of a uniform region, of which another edge to the phi stands for all.
  [[nodiscard]] bool is_repeated(const llvm::PHINode& phi, unsigned edge) const;
  /// `copies` are the parts of `phi`.
  void set(const llvm::PHINode& phi, llvm::ArrayRef<llvm::Value*> copies);
  using RegionOf = llvm::DenseMap<const llvm::BasicBlock*, const Node*>;
  llvm::PHINode* join_part(const llvm::PHINode& phi, unsigned part, const RegionOf& region_of);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  const BlockEnds& ends_;
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;
  llvm::DenseMap<Edge, const llvm::BasicBlock*> first_from_;  ///< block whose edge stands for all of a uniform region
  llvm::DenseMap<std::pair<const llvm::PHINode*, const llvm::BasicBlock*>, Lanes> met_;  ///< values that have met
};

}  // namespace lanewise::spmd
