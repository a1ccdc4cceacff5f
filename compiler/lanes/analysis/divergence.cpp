// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/divergence.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include <map>

namespace lanewise::spmd {
namespace {

/// The nodes between a branch and the node where all paths from it meet.
struct Span {
  llvm::SmallVector<const Node*> members;
  const Node* join = nullptr;  ///< null: some path leaves the level
};

Span span_of(const Node& head) {
  Span span;
  std::map<unsigned, const Node*> pending;
  bool leaves = head.exits;
  for (const Node* s : head.successors) pending[s->index] = s;
  while (!pending.empty()) {
    const Node* first = pending.begin()->second;
    if (pending.size() == 1 && !leaves) {
      span.join = first;
      return span;
    }
    pending.erase(pending.begin());
    span.members.push_back(first);
    leaves |= first->exits;
    for (const Node* s : first->successors) pending[s->index] = s;
  }
  return span;
}

/// A member (or the join, if `with_join`) with a predecessor that is neither head nor member; null if there is none.
const Node* entered_from_outside(const Node& head, const Span& span, bool with_join) {
  llvm::SmallPtrSet<const Node*, 16> inside(span.members.begin(), span.members.end());
  inside.insert(&head);
  for (const Node* m : span.members)
    for (const Node* p : m->predecessors)
      if (!inside.contains(p)) return p;
  if (with_join)
    for (const Node* p : span.join->predecessors)
      if (!inside.contains(p)) return p;
  return nullptr;
}

}  // namespace

llvm::SmallVector<const Node*> region_members(const Node& head) {
  return span_of(head).members;
}

Divergence::Divergence(const Body& body)
    : body_(&body), marks_(body.node_count()), divergent_(static_cast<unsigned>(body.levels().size())) {}

bool Divergence::update(AboutBranch branch_diverges, AboutBranch is_uniform) {
  bool changed = false;
  for (const auto& level : body_->levels()) changed |= update_level(*level, branch_diverges);
  changed |= note_mixed(is_uniform);
  heads_of_join_.clear();
  for (const auto& level : body_->levels()) {
    for (const auto& node : level->nodes)
      if (const Node* meet = join(*node)) heads_of_join_[meet].push_back(node.get());
    share_masks(*level);
    find_uniform_regions(*level);
  }
  return changed;
}

bool Divergence::update_level(const Level& level, AboutBranch branch_diverges) {
  bool changed = false;
  while (mark_regions(level, branch_diverges, changed)) {
  }
  if (diverges(level)) changed |= mark_divergent_loop(level);
  return changed;
}

/// Marks the regions of a level. Returns true if the level has to be marked again from its beginning.
bool Divergence::mark_regions(const Level& level, AboutBranch branch_diverges, bool& changed) {
  for (const auto& node : level.nodes) marks_[node->number].join = nullptr;
  for (const auto& node : level.nodes) {
    const Node& head = *node;
    // Nodes of a region need not be neighbours in the order: `linear` says which ones are inside.
    if (diverges(level) || head.loop != nullptr || is_linear(head)) continue;
    if (llvm::succ_size(head.block) < 2 || !(marks_[head.number].forced || branch_diverges(*head.block))) continue;
    const Span span = span_of(head);
    if (span.join == nullptr) {
      divergent_.set(level.number);
      return changed = true;
    }
    if (const Node* outside = entered_from_outside(head, span, false)) {
      widen_region(level, head, *outside);
      for (const auto& other : level.nodes) marks_[other->number].linear = false;
      return changed = true;
    }
    marks_[head.number].join = span.join;
    for (const Node* m : span.members) {
      changed |= !is_linear(*m);
      marks_[m->number].linear = true;
    }
  }
  return false;
}

/// An edge from `outside` goes into the middle of the region of `head`: an earlier branch that leads to both has to be
/// treated as divergent as well. Where there is none, the whole loop is.
void Divergence::widen_region(const Level& level, const Node& head, const Node& outside) {
  for (unsigned j = head.index; j-- > 0;) {
    const Node& above = *level.nodes[j];
    if (above.loop != nullptr || marks_[above.number].forced || llvm::succ_size(above.block) < 2) continue;
    const Span wide = span_of(above);
    if (wide.join == nullptr || (llvm::is_contained(wide.members, &head) &&
                                 (llvm::is_contained(wide.members, &outside) || &outside == &above))) {
      marks_[above.number].forced = true;
      return;
    }
  }
  divergent_.set(level.number);
}

bool Divergence::mark_divergent_loop(const Level& level) {
  bool changed = false;
  for (const auto& node : level.nodes) {
    Marks& marks = marks_[node->number];
    marks.join = nullptr;
    if (node->index == 0) continue;
    changed |= !marks.linear;
    marks.linear = true;
  }
  return changed;
}

void Divergence::share_masks(const Level& level) {
  for (const auto& node : level.nodes) marks_[node->number].same_mask = nullptr;
  for (const auto& node : level.nodes) {
    const Span span = span_of(*node);
    if (span.join == nullptr || !is_linear(*span.join) || same_mask(*span.join) != nullptr) continue;
    if (entered_from_outside(*node, span, true) == nullptr) marks_[span.join->number].same_mask = node.get();
  }
}

/// A branch that was not uniform once is not asked again, so that shapes and regions reach a fixed point. Returns true
/// if one of a uniform region is among the new ones.
bool Divergence::note_mixed(AboutBranch is_uniform) {
  bool changed = false;
  for (const auto& level : body_->levels())
    for (const auto& node : level->nodes) {
      Marks& marks = marks_[node->number];
      if (node->loop != nullptr || marks.mixed || llvm::succ_size(node->block) < 2 || is_uniform(*node->block))
        continue;
      marks.mixed = true;
      changed |= marks.in_uniform_region || marks.uniform_join != nullptr;
    }
  return changed;
}

void Divergence::find_uniform_regions(const Level& level) {
  for (const auto& node : level.nodes) {
    Marks& marks = marks_[node->number];
    marks.in_uniform_region = marks.met_together = false;
    marks.uniform_join = nullptr;
  }
  const auto splits = [&](const Node* n) {
    return n->loop != nullptr || (n->successors.size() > 1 && marks_[n->number].mixed);
  };
  for (const auto& node : level.nodes) {
    const bool masked = is_linear(*node) || (diverges(level) && node->index == 0);
    if (!masked || in_uniform_region(*node) || node->successors.size() < 2 || splits(node.get())) continue;
    const Span span = span_of(*node);
    if (span.join == nullptr || entered_from_outside(*node, span, false) != nullptr ||
        llvm::any_of(span.members, splits))
      continue;
    marks_[node->number].uniform_join = span.join;
    for (const Node* m : span.members) marks_[m->number].in_uniform_region = true;
    if (is_linear(*span.join) && entered_from_outside(*node, span, true) == nullptr)
      marks_[span.join->number].met_together = true;
  }
}

bool Divergence::merges_lanes(const Node& node) const {
  const Marks& marks = marks_[node.number];
  return (marks.linear && !marks.in_uniform_region && !marks.met_together) || !regions_joining(node).empty();
}

}  // namespace lanewise::spmd
