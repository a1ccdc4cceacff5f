// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/body.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;

/// What lies between a branch and the place where all its ways meet.
struct Span {
  llvm::SmallVector<Node*> members;
  Node* join = nullptr;  ///< null: some way leaves the level
};

Span span_of(Node& head) {
  Span span;
  std::map<unsigned, Node*> pending;
  bool leaves = head.exits;
  for (Node* s : head.successors) pending[s->index] = s;
  while (!pending.empty()) {
    Node* first = pending.begin()->second;
    if (pending.size() == 1 && !leaves) {
      span.join = first;
      return span;
    }
    pending.erase(pending.begin());
    span.members.push_back(first);
    leaves |= first->exits;
    for (Node* s : first->successors) pending[s->index] = s;
  }
  return span;
}

/// A member (or the join, if `with_join`) with a predecessor that is neither head nor member; null if there is none.
Node* entered_from_outside(Node& head, const Span& span, bool with_join) {
  llvm::SmallPtrSet<Node*, 16> inside(span.members.begin(), span.members.end());
  inside.insert(&head);
  for (Node* m : span.members)
    for (Node* p : m->predecessors)
      if (!inside.contains(p)) return p;
  if (with_join)
    for (Node* p : span.join->predecessors)
      if (!inside.contains(p)) return p;
  return nullptr;
}

}  // namespace

std::string Body::build(llvm::Loop& items, const llvm::LoopInfo& loops) {
  return build_level(items, nullptr, loops);
}

Level* Body::loop_at(const BasicBlock* header) const {
  for (const auto& level : levels_)
    if (level->loop->getHeader() == header) return level.get();
  return nullptr;
}

std::string Body::build_level(llvm::Loop& loop, Level* parent, const llvm::LoopInfo& loops) {
  levels_.push_back(std::make_unique<Level>());
  Level& level = *levels_.back();
  level.loop = &loop;
  level.parent = parent;
  level.exit = loop.getUniqueExitBlock();
  if (level.exit == nullptr) return "a loop without end, or with several exits";
  if (loop.getLoopPreheader() == nullptr || loop.getLoopLatch() == nullptr) return "a loop that cannot be simplified";
  if (parent != nullptr) exit_of_[level.exit] = &level;

  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  llvm::DenseMap<const BasicBlock*, Node*> here;
  for (BasicBlock* block : order) {
    llvm::Loop* inner = loops.getLoopFor(block);
    while (inner != &loop && inner->getParentLoop() != &loop) inner = inner->getParentLoop();
    if (inner != &loop && inner->getHeader() != block) continue;
    auto node = std::make_unique<Node>();
    node->block = block;
    if (inner == &loop) {
      node_of_[block] = node.get();
      level_of_[block] = &level;
    } else {
      if (std::string reason = build_level(*inner, &level, loops); !reason.empty()) return reason;
      node->loop = loop_at(block);
    }
    here[block] = node.get();
    level.nodes.push_back(std::move(node));
  }
  // A loop's blocks need not be consecutive in reverse post-order: sort by what the edges between nodes say.
  for (const auto& node : level.nodes) {
    llvm::SmallVector<BasicBlock*, 2> next;
    if (node->loop != nullptr)
      next.push_back(node->loop->exit);
    else
      next.append(llvm::succ_begin(node->block), llvm::succ_end(node->block));
    for (BasicBlock* s : next) {
      if (s == loop.getHeader()) continue;
      Node* to = here.lookup(s);
      if (to == nullptr) {
        node->exits = true;
      } else if (!llvm::is_contained(node->successors, to)) {
        node->successors.push_back(to);
        to->predecessors.push_back(node.get());
      }
    }
  }
  std::vector<std::unique_ptr<Node>> sorted;
  llvm::DenseMap<Node*, std::size_t> missing;
  for (const auto& node : level.nodes) missing[node.get()] = node->predecessors.size();
  while (sorted.size() < level.nodes.size()) {
    bool progress = false;
    for (auto& node : level.nodes) {
      if (!node || missing[node.get()] != 0) continue;
      node->index = static_cast<unsigned>(sorted.size());
      for (Node* s : node->successors) --missing[s];
      sorted.push_back(std::move(node));
      progress = true;
    }
    if (!progress) return "irreducible control flow";
  }
  level.nodes = std::move(sorted);
  return {};
}

void Body::unmark() {
  for (const auto& level : levels_) {
    level->divergent = false;
    for (const auto& node : level->nodes) {
      node->forced = node->linear = false;
      node->join = node->same_mask = nullptr;
    }
  }
  heads_of_join_.clear();
}

bool Body::mark(llvm::function_ref<bool(const BasicBlock&)> branch_diverges) {
  bool changed = false;
  for (const auto& level : levels_) changed |= mark_level(*level, branch_diverges);
  heads_of_join_.clear();
  for (const auto& level : levels_) {
    for (const auto& node : level->nodes)
      if (node->join != nullptr) heads_of_join_[node->join].push_back(node.get());
    share_masks(*level);
  }
  return changed;
}

bool Body::mark_level(Level& level, llvm::function_ref<bool(const BasicBlock&)> branch_diverges) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (const auto& node : level.nodes) node->join = nullptr;
    unsigned covered = 0;  // nodes before this index are in a region already
    for (std::size_t i = 0; i < level.nodes.size() && !again && !level.divergent; ++i) {
      Node& head = *level.nodes[i];
      if (head.loop != nullptr || i < covered) continue;
      // Nodes of a region need not be neighbours in the order: `linear` says who is inside.
      if (head.linear) continue;
      if (llvm::succ_size(head.block) < 2 || !(head.forced || branch_diverges(*head.block))) continue;
      const Span span = span_of(head);
      if (span.join == nullptr) {
        level.divergent = again = changed = true;
        break;
      }
      if (Node* outside = entered_from_outside(head, span, false)) {
        // Someone jumps into the middle: the branch that leads to both has to be linear as well.
        bool found = false;
        for (std::size_t j = i; j-- > 0 && !found;) {
          Node& above = *level.nodes[j];
          if (above.loop != nullptr || above.forced || llvm::succ_size(above.block) < 2) continue;
          const Span wide = span_of(above);
          found = wide.join == nullptr || (llvm::is_contained(wide.members, &head) &&
                                           (llvm::is_contained(wide.members, outside) || outside == &above));
          if (found) above.forced = again = changed = true;
        }
        if (!found) level.divergent = again = changed = true;
        for (const auto& node : level.nodes) node->linear = false;
        break;
      }
      head.join = span.join;
      for (Node* m : span.members) {
        if (!m->linear) changed = true;
        m->linear = true;
      }
    }
  }
  if (level.divergent)
    for (const auto& node : level.nodes) {
      node->join = nullptr;
      if (node->index == 0) continue;
      if (!node->linear) changed = true;
      node->linear = true;
    }
  return changed;
}

void Body::share_masks(Level& level) {
  for (const auto& node : level.nodes) node->same_mask = nullptr;
  for (const auto& node : level.nodes) {
    const Span span = span_of(*node);
    if (span.join == nullptr || !span.join->linear || span.join->same_mask != nullptr) continue;
    if (entered_from_outside(*node, span, true) == nullptr) span.join->same_mask = node.get();
  }
}

llvm::SmallVector<Node*> Body::members(const Node& head) const {
  return span_of(const_cast<Node&>(head)).members;
}

bool Body::merges_lanes(const Node& node) const {
  return node.linear || !regions_joining(node).empty();
}

}  // namespace lanewise::spmd
