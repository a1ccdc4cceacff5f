// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the parts of a body that run under masks, given which branches diverge (Moll & Hack, "Partial Control-Flow
/// Linearization", PLDI 2018).
///
///     items:  br %c, %then, %join        with %c varying: the region of `items` is {then, [loop], after}, its join is
///     then:   br %loop                   `join`; the members of the region are linear: they run one after the other,
///     loop:   br %d, %loop, %after       each under a mask of the lanes that would have branched there
///     after:  br %join
///     join:   br %items.end              with %d varying: the loop diverges, and all of its nodes but the first are
///                                        linear
///
/// Lanes that run linear nodes together stay together at a uniform branch. The nodes from such a branch to where its
/// ways meet are a uniform region, if nothing else leads into them and all branches among them are uniform. They stay
/// behind branches.
///
///     then:   br %format, %bytes, %words  with %format uniform: the uniform region of `then` is {bytes, words}
///     bytes:  br %texel
///     words:  br %texel
///     texel:  ...                         values that meet here are phis, not blends
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

#include "compiler/lanes/analysis/body.h"

namespace lanewise::spmd {

/// Answers a question about the lanes that leave a block.
using AboutBranch = llvm::function_ref<bool(const llvm::BasicBlock&)>;

class Divergence {
 public:
  /// Nothing diverges until `update` says so. `body` must outlive this object.
  explicit Divergence(const Body& body);

  /// Adds what follows from these divergent branches; what was divergent before stays divergent. Returns true if
  /// anything that shapes follow from has changed.
  /// @param branch_diverges  whether lanes may leave through different successors
  /// @param is_uniform       whether all active lanes have the same condition
  bool update(AboutBranch branch_diverges, AboutBranch is_uniform);

  /// Lanes leave the loop in different iterations.
  [[nodiscard]] bool diverges(const Level& level) const { return divergent_.test(level.number); }
  /// Some loop of the body diverges.
  [[nodiscard]] bool any_loop() const { return divergent_.any(); }
  /// The node runs under a mask, and its neighbours run after it instead of in its place.
  [[nodiscard]] bool is_linear(const Node& node) const { return marks_[node.number].linear; }
  /// Where the lanes that diverge at `head` meet again, if `head` is the head of an outermost region; else null.
  [[nodiscard]] const Node* join(const Node& head) const { return marks_[head.number].join; }
  /// An earlier node that runs for exactly the lanes that this linear node runs for; null if none is known.
  [[nodiscard]] const Node* same_mask(const Node& node) const { return marks_[node.number].same_mask; }
  /// Where the lanes meet again, if this node, which runs under a mask, is the head of a uniform region; else null.
  [[nodiscard]] const Node* uniform_join(const Node& head) const { return marks_[head.number].uniform_join; }
  /// The node is linear, and a member of a uniform region.
  [[nodiscard]] bool in_uniform_region(const Node& node) const { return marks_[node.number].in_uniform_region; }
  /// Phis of `node` merge values of lanes that came over different edges.
  [[nodiscard]] bool merges_lanes(const Node& node) const;
  /// Heads of the outermost regions whose join `node` is.
  [[nodiscard]] llvm::SmallVector<const Node*, 1> regions_joining(const Node& node) const {
    return heads_of_join_.lookup(&node);
  }

 private:
  struct Marks {
    bool forced = false;  ///< the branch is treated as divergent although it is uniform
    bool linear = false;
    const Node* join = nullptr;
    const Node* same_mask = nullptr;
    bool mixed = false;  ///< the branch has been found not to be uniform
    bool in_uniform_region = false;
    bool met_together = false;  ///< all edges to the node come out of one uniform region
    const Node* uniform_join = nullptr;
  };

  bool update_level(const Level& level, AboutBranch branch_diverges);
  bool mark_regions(const Level& level, AboutBranch branch_diverges, bool& changed);
  void widen_region(const Level& level, const Node& head, const Node& outside);
  bool mark_divergent_loop(const Level& level);
  void share_masks(const Level& level);
  bool note_mixed(AboutBranch is_uniform);
  void find_uniform_regions(const Level& level);

  const Body* body_;
  std::vector<Marks> marks_;   ///< marks of each node, by its number
  llvm::BitVector divergent_;  ///< levels that diverge, by their numbers
  llvm::DenseMap<const Node*, llvm::SmallVector<const Node*, 1>> heads_of_join_;
};

/// Members of the region of `head`, in order: the nodes between it and the node where all paths from it meet.
[[nodiscard]] llvm::SmallVector<const Node*> region_members(const Node& head);

}  // namespace lanewise::spmd
