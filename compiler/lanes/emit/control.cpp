// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/control.h"
#include "compiler/base/marks.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/base/loop_properties.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/emit/skipping.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

void Control::emit_level(const Level& level, Value* mask) {
  const Masks::Scope scope = masks_.enter_level(mask);
  for (const auto& node : level.nodes)
    if (!s_.shapes.divergence().is_linear(*node)) emit_node(level, *node, mask);  // others follow with their region
  b_.SetInsertPoint(ends_.lookup(level.loop->getLoopLatch()));
}

void Control::emit_node(const Level& level, const Node& node, Value* mask) {
  if (node.index != 0) b_.SetInsertPoint(entry_of(node.block));
  if (node.loop != nullptr) {
    emit_loop(*node.loop, mask);
    b_.CreateBr(entry_of(node.loop->exit));
    return;
  }
  if (node.index != 0) phis_.at_join(node);
  masks_.set(node, mask);
  instructions_.emit(*node.block, mask);
  if (s_.shapes.divergence().join(node) != nullptr) emit_region(node);
  ends_[node.block] = b_.GetInsertBlock();
  if (node.block != level.loop->getLoopLatch() || node.exits) emit_terminator(level, node);
}

BasicBlock* Control::entry_of(const BasicBlock* block) {
  BasicBlock*& entry = entries_[block];
  if (entry == nullptr) entry = s_.new_block(block->getName() + ".vector");
  return entry;
}

/// The branch of a block that all active lanes leave together. The entries for back edges and exits of the level's loop
/// have been made before.
void Control::emit_terminator(const Level& level, const Node& node) {
  if (const Node* join = s_.shapes.divergence().join(node)) {
    b_.CreateBr(entry_of(join->block));
    return;
  }
  if (level.parent == nullptr && node.block == level.loop->getLoopLatch()) return;  // the caller's
  const auto* branch = llvm::cast<BranchInst>(node.block->getTerminator());
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    b_.CreateBr(entry_of(branch->getSuccessor(0)));
    return;
  }
  Value* condition = nullptr;
  if (const std::optional<unsigned> in = s_.shapes.passed(*node.block); !in)
    condition = s_.base(branch->getCondition());
  else
    condition = s_.shapes.assumptions().first_lane_decides ? s_.lane(branch->getCondition(), 0) : b_.getInt1(*in == 0);
  BasicBlock* yes = entry_of(branch->getSuccessor(0));
  b_.CreateCondBr(condition, yes, entry_of(branch->getSuccessor(1)));
}

// --- regions ---------------------------------------------------------------------------------------------------------

/// Emits the members one after the other, and ends where the lanes meet again.
void Control::emit_region(const Node& head) {
  masks_.set_edges(*head.block, masks_.of(head));
  for (const Node* node : region_members(head)) {
    if (s_.shapes.divergence().in_uniform_region(*node)) continue;  // follows with its head
    Value* mask = masks_.entering(*node);
    masks_.set(*node, mask);
    if (node->loop != nullptr)
      emit_linear_loop(*node, mask);
    else
      emit_linear_block(*node, mask);
  }
}

void Control::emit_linear_block(const Node& node, Value* mask) {
  const BasicBlock& block = *node.block;
  const bool after_loop = s_.body.left_through(&block) != nullptr;
  for (const PHINode& phi : block.phis())
    if (!after_loop) phis_.blend(phi);
  if (!masks_.never_empty(mask) && is_worth_skipping(s_, block))
    emit_guarded(block, mask);
  else
    instructions_.emit(block, mask);
  // Masks are computed here, before the guard, so that they dominate all later code.
  uniform_.emit_ways_out(node, mask);
}

void Control::emit_guarded(const BasicBlock& block, Value* mask) {
  tally(Transformation::skip_idle_code);
  BasicBlock* run = s_.new_block(block.getName() + ".any");
  BasicBlock* after = s_.new_block(block.getName() + ".skipped");
  BasicBlock* skipped = b_.GetInsertBlock();
  // Unlikely code is placed out of the way of the rest.
  llvm::MDNode* weights = is_unlikely(block) ? llvm::MDBuilder(b_.getContext()).createUnlikelyBranchWeights() : nullptr;
  llvm::Instruction* branch = b_.CreateCondBr(masks_.any(mask), run, after, weights);
  branch->setMetadata(marks::kSkips, llvm::MDNode::get(b_.getContext(), {}));
  b_.SetInsertPoint(run);
  {
    const Masks::Scope scope = masks_.enter_guarded(mask);
    instructions_.emit(block, mask);
  }
  BasicBlock* done = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  phis_.after_guard(block, skipped, done);
}

// --- loops -----------------------------------------------------------------------------------------------------------

/// A loop among linear blocks. It is never entered with an empty mask, because it might not end.
void Control::emit_linear_loop(const Node& node, Value* mask) {
  const Level& level = *node.loop;
  if (masks_.never_empty(mask)) {
    emit_loop(level, mask);
    return;
  }
  BasicBlock* run = s_.new_block("loop.any");
  BasicBlock* after = s_.new_block("loop.skipped");
  BasicBlock* skipped = b_.GetInsertBlock();
  b_.CreateCondBr(masks_.any(mask), run, after)->setMetadata(marks::kSkips, llvm::MDNode::get(b_.getContext(), {}));
  b_.SetInsertPoint(run);
  emit_loop(level, mask);
  BasicBlock* done = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  for (const PHINode& phi : level.exit->phis()) phis_.merge(*s_.find(phi), skipped, done);
}

/// Emits a loop and the phis of its exit block; ends after it.
void Control::emit_loop(const Level& level, Value* mask) {
  if (s_.shapes.divergence().diverges(level))
    emit_divergent_loop(level, mask);
  else
    emit_uniform_loop(level, mask);
}

/// All active lanes run the same iterations, so the loop's branches stay.
void Control::emit_uniform_loop(const Level& level, Value* mask) {
  const BasicBlock* header = level.loop->getHeader();
  BasicBlock* from = b_.GetInsertBlock();
  BasicBlock* top = s_.new_block(header->getName() + ".uniform");
  BasicBlock* behind = s_.new_block("loop.end");
  b_.CreateBr(top);
  b_.SetInsertPoint(top);
  entries_[header] = top;
  entries_[level.exit] = behind;
  phis_.begin_header(level, from);
  emit_level(level, mask);
  BasicBlock* end = ends_.lookup(level.loop->getLoopLatch());
  if (end->getTerminator() == nullptr) {
    b_.SetInsertPoint(end);
    b_.CreateBr(top);
  }
  if (s_.economy.brief) set_loop_properties(*end->getTerminator(), {kNoUnrolling});
  b_.SetInsertPoint(end->getTerminator());
  phis_.end_header(level, end);
  entries_.erase(level.exit);
  phis_.behind_loop(level, behind);
}

/// Of what leaves a loop: the lanes that leave here go where others need it.
static bool is_unused(const Value& value) {
  return llvm::isa<llvm::UndefValue>(value);
}

/// Whether lanes leave in nearly the same iteration, because only numbers decide that are known distances apart.
bool Control::leaves_by_lines(const Level& level) const {
  return llvm::all_of(level.nodes, [&](const auto& node) {
    const auto* branch = llvm::dyn_cast<BranchInst>(node->block->getTerminator());
    if (!node->exits || (branch != nullptr && branch->isUnconditional())) return true;
    if (branch != nullptr && s_.shape(branch->getCondition()).is_uniform()) return true;
    const auto* test = branch == nullptr ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    return test != nullptr && s_.shape(test->getOperand(0)).has_base() && s_.shape(test->getOperand(1)).has_base();
  });
}

/// Runs until no lane is active. Values that leave the loop are kept per lane when the lane leaves.
void Control::emit_divergent_loop(const Level& level, Value* mask) {
  const BasicBlock* header = level.loop->getHeader();
  Value* outer = mask;
  if (mask == nullptr) mask = b_.all_true();
  BasicBlock* from = b_.GetInsertBlock();
  BasicBlock* top = s_.new_block(header->getName() + ".live");
  BasicBlock* behind = s_.new_block("loop.end");
  Together together{behind, nullptr, {}};
  b_.CreateBr(top);
  b_.SetInsertPoint(top);
  PHINode* live = b_.CreatePHI(mask->getType(), 2, "live");
  live->addIncoming(mask, from);
  masks_.set_in_loop(live, outer);
  llvm::SmallVector<Kept> kept = begin_kept(level, from);
  phis_.begin_header(level, from);
  {
    const Masks::Scope scope = masks_.enter_level(live);
    emit_divergent_nodes(level, live, kept, together);
  }
  Value* next = masks_.edge(level.loop->getLoopLatch(), header);
  BasicBlock* end = b_.GetInsertBlock();
  Value* go_on = masks_.any(next);
  live->addIncoming(next, end);
  phis_.end_header(level, end);
  Instruction* last = b_.CreateCondBr(go_on, top, behind);
  if (leaves_by_lines(level)) last->setMetadata(marks::kStays, llvm::MDNode::get(b_.getContext(), {}));
  for (Kept& k : kept) k.before->addIncoming(k.now, end);
  b_.SetInsertPoint(behind);
  if (together.from != nullptr)
    for (unsigned i = 0; i < kept.size(); ++i) {
      PHINode* left = b_.CreatePHI(kept[i].now->getType(), 2);
      left->addIncoming(kept[i].now, end);
      left->addIncoming(together.values[i], together.from);
      kept[i].now = left;
    }
  for (const PHINode& phi : level.exit->phis()) {
    if (s_.shape(&phi).has_base()) {
      s_.set_base(phi, s_.base(phi.getIncomingValue(0)));
      continue;
    }
    llvm::SmallVector<Value*, 4> parts;
    for (const Kept& k : kept)
      if (k.phi == &phi) parts.push_back(k.now);
    s_.set_parts(phi, parts);
  }
}

llvm::SmallVector<Control::Kept> Control::begin_kept(const Level& level, BasicBlock* from) {
  llvm::SmallVector<Kept> kept;
  for (const PHINode& phi : level.exit->phis()) {
    if (s_.shape(&phi).has_base()) continue;
    for (unsigned part = 0; part < components(*phi.getType()); ++part) {
      PHINode* before = b_.CreatePHI(b_.wide(component_type(*phi.getType(), part)), 2, phi.getName() + ".left");
      before->addIncoming(llvm::Constant::getNullValue(before->getType()), from);
      kept.push_back({&phi, part, before, before});
    }
  }
  return kept;
}

/// Whether the lanes that are in the loop at its header leave there all at once, or not at all, as those of a loop over
/// a counter do that some leave early. What is the same in all lanes after the loop must be known before it.
bool Control::leave_together(const Level& level, const Node& header) const {
  const auto* branch = llvm::cast<BranchInst>(header.block->getTerminator());
  if (!header.exits || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  if (!llvm::is_contained(branch->successors(), level.exit) || !s_.shape(branch->getCondition()).is_uniform())
    return false;
  return llvm::all_of(level.exit->phis(), [&](const PHINode& phi) {
    const auto* value = llvm::dyn_cast<Instruction>(phi.getIncomingValue(0));
    return !s_.shape(&phi).has_base() || value == nullptr || !level.loop->contains(value);
  });
}

/// A branch instead of masks: what lanes keep is computed once.
void Control::emit_leaving(const Level& level, const Node& header, Value* live, llvm::ArrayRef<Kept> kept,
                           Together& together) {
  const auto* branch = llvm::cast<BranchInst>(header.block->getTerminator());
  const bool leaves_if = branch->getSuccessor(0) == level.exit;
  BasicBlock* leave = s_.new_block("loop.leave");
  BasicBlock* stay = s_.new_block("loop.stay");
  b_.CreateCondBr(s_.base(branch->getCondition()), leaves_if ? leave : stay, leaves_if ? stay : leave);
  b_.SetInsertPoint(leave);
  for (const Kept& k : kept) {
    const Value* value = k.phi->getIncomingValueForBlock(header.block);
    together.values.push_back(is_unused(*value) ? k.before : b_.CreateSelect(live, s_.vector(value, k.part), k.before));
  }
  b_.CreateBr(together.behind);
  together.from = leave;
  b_.SetInsertPoint(stay);
  masks_.set_edge(header.block, branch->getSuccessor(leaves_if ? 1 : 0), live);
  masks_.set_edge(header.block, level.exit, llvm::Constant::getNullValue(live->getType()));
}

/// After the header's branch for all lanes its condition is a constant; else null.
static llvm::Constant* known_behind_header(const Level& level, const Value* value) {
  const auto* branch = llvm::cast<BranchInst>(level.loop->getHeader()->getTerminator());
  if (value != branch->getCondition()) return nullptr;
  return llvm::ConstantInt::getBool(value->getContext(), branch->getSuccessor(0) != level.exit);
}

/// Keeps values of the lanes that leave in `node`. Where no other way out has masks, lanes that stay keep theirs, too,
/// which those of the next iteration replace: so nobody has to know which lanes leave.
void Control::keep(const Level& level, const Node& node, llvm::MutableArrayRef<Kept> kept, const Together& together) {
  const auto ways =
      llvm::count_if(level.nodes, [](const auto& n) { return n->exits; }) - (together.from != nullptr ? 1 : 0);
  Value* mask = ways == 1 ? masks_.of(node) : nullptr;
  if (mask == nullptr) mask = masks_.edge(node.block, level.exit);
  for (Kept& k : kept) {
    const Value* leaving = k.phi->getIncomingValueForBlock(node.block);
    if (is_unused(*leaving)) continue;
    llvm::Constant* known = together.from != nullptr ? known_behind_header(level, leaving) : nullptr;
    Value* value = known != nullptr ? b_.splat(known) : s_.vector(leaving, k.part);
    // A lane that is in the loop has kept nothing yet, or zeros.
    if (!llvm::isa<llvm::Constant>(value) || !llvm::cast<llvm::Constant>(value)->isNullValue())
      k.now = b_.CreateSelect(mask, value, k.now);
  }
}

void Control::emit_divergent_nodes(const Level& level, Value* live, llvm::MutableArrayRef<Kept> kept,
                                   Together& together) {
  for (const auto& node : level.nodes) {
    if (s_.shapes.divergence().in_uniform_region(*node)) continue;  // follows with its head
    Value* mask = node->index == 0 ? live : masks_.entering(*node);
    masks_.set(*node, mask);
    if (node->loop != nullptr) {
      emit_linear_loop(*node, mask);
      continue;
    }
    if (node->index == 0) {
      instructions_.emit(*node->block, mask);
      if (leave_together(level, *node)) {
        emit_leaving(level, *node, live, kept, together);
        continue;
      }
      uniform_.emit_ways_out(*node, mask);
    } else {
      emit_linear_block(*node, mask);
    }
    if (!node->exits || !llvm::is_contained(llvm::successors(node->block), level.exit)) continue;
    for (const BasicBlock* next : llvm::successors(node->block))
      if (next != level.exit && mask != nullptr) masks_.set_in_loop(masks_.edge(node->block, next), mask);
    keep(level, *node, kept, together);
  }
}

}  // namespace lanewise::spmd
