// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which lanes are active. A mask is a vector of i1 with one element per lane; null means all lanes.
///
/// Each node that is emitted under a mask has one, and so has each edge out of it: the lanes that leave through it.
/// Some facts about a mask hold only in a part of the code, so they are entered as a scope that ends with a C++ block:
///
///     const Masks::Scope level = masks.enter_level(live);   // until the end of this block `live` is never empty
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

class Masks {
 public:
  /// @param top   the lanes that exist; null: all of them
  /// @param full  i1: `top` is true for all lanes, which is nearly always the case; null: unknown
  Masks(VectorState& state, llvm::Value* top, llvm::Value* full) : s_(state), top_(top), full_(full) {}

  /// Restores the old value when it ends.
  class Scope {
   public:
    Scope(llvm::Value*& place, llvm::Value* mask) : place_(place), outer_(place) { place = mask; }
    ~Scope() { place_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    llvm::Value*& place_;
    llvm::Value* outer_;
  };
  /// The code that follows runs only if `mask` has an active lane: a level of the body, ...
  [[nodiscard]] Scope enter_level(llvm::Value* mask) { return {level_, mask}; }
  /// ... or a block after a branch that has tested the mask. Null: there is no such branch.
  [[nodiscard]] Scope enter_guarded(llvm::Value* mask) { return {guarded_, mask}; }
  /// Some lane is active at the current place of the emission.
  [[nodiscard]] bool never_empty(const llvm::Value* mask) const {
    return mask == nullptr || mask == level_ || mask == guarded_;
  }
  /// An i1 that is true if all lanes are active, for masks that nearly always are full; null for other masks.
  [[nodiscard]] llvm::Value* is_full(const llvm::Value* mask) const {
    if (mask == nullptr) return nullptr;
    return mask == top_ ? full_ : parts_.lookup(mask).full;
  }
  /// As `is_full`, for an access that may be made in two forms. A mask of a part of the body allows that for a few
  /// accesses only, because every form has to be compiled.
  [[nodiscard]] llvm::Value* is_full_for_access(const llvm::Instruction& access, llvm::Value* mask);

  /// `inner` are the lanes of `outer` that are still in a loop which they leave one by one. While none has left it is
  /// as full as `outer`, which mostly is the case until the loop's last iterations.
  void set_in_loop(llvm::Value* inner, llvm::Value* outer) {
    if (outer == nullptr || is_full(outer) != nullptr || parts_.lookup(outer).in_loop) parts_[inner].in_loop = true;
  }

  /// As `is_full`, for an access of unknown places, if such accesses are to have two forms only: consecutive lanes of a
  /// full mask, and all others.
  [[nodiscard]] llvm::Value* is_full_for_two_forms(const llvm::Value* mask) const {
    return s_.economy.few_forms ? is_full(mask) : nullptr;
  }

  [[nodiscard]] llvm::Value* of(const Node& node) const { return nodes_.lookup(&node); }
  void set(const Node& node, llvm::Value* mask) { nodes_[&node] = mask; }
  /// The lanes that run `node`: those that come over its edges, or the mask of an earlier node if it is the same.
  llvm::Value* entering(const Node& node);

  [[nodiscard]] llvm::Value* edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
    return edges_.lookup({from, to});
  }
  void set_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to, llvm::Value* mask) {
    edges_[{from, to}] = mask;
  }
  /// Computes the masks of the edges out of a block that runs for the lanes in `mask`.
  void set_edges(const llvm::BasicBlock& block, llvm::Value* mask);

  /// An i1: some lane is active. The mask must not be null.
  llvm::Value* any(llvm::Value* mask) { return s_.b.CreateOrReduce(mask); }
  /// The number of active lanes, as an integer of that type.
  llvm::Value* count(llvm::Value* mask, llvm::Type* type);
  /// For each lane the number of active lanes before it.
  llvm::Value* lanes_before(llvm::Value* mask, llvm::Type* type);

 private:
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;

  VectorState& s_;
  llvm::Value* top_;
  llvm::Value* full_;
  llvm::Value* level_ = nullptr;
  llvm::Value* guarded_ = nullptr;
  llvm::DenseMap<const Node*, llvm::Value*> nodes_;
  llvm::DenseMap<Edge, llvm::Value*> edges_;
  /// What is known of the mask of a part of the body.
  struct PartialMask {
    llvm::Value* full = nullptr;  ///< i1 from the test of a range, see is_full
    bool in_loop = false;         ///< see set_in_loop
    unsigned accesses = 0;        ///< accesses that have two forms
  };
  llvm::DenseMap<const llvm::Value*, PartialMask> parts_;
};

}  // namespace lanewise::spmd
