// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow of the vector form: uniform branches stay branches, regions of divergent ones run in a row under masks
/// (Moll & Hack, "Partial Control-Flow Linearization", PLDI 2018), divergent loops run until no lane is live.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/emitter.h"

namespace lanewise::spmd {

using llvm::BranchInst;
using llvm::PHINode;

Emitter::BasicBlock* Emitter::new_block(const llvm::Twine& name) {
  return BasicBlock::Create(function_.getContext(), name, &function_, body_.top().loop->getHeader());
}

Emitter::Value* Emitter::any(Value* mask) {
  return b_.CreateOrReduce(mask);
}

void Emitter::emit(llvm::IRBuilder<>& builder, Value* id, Value* mask, Value* full) {
  top_mask_ = mask;
  full_ = full;
  b_.SetInsertPoint(builder.GetInsertBlock());
  lanes_[&local_id_].base = id;
  emit_level(body_.top(), mask);
  builder.SetInsertPoint(b_.GetInsertBlock());
}

/// Emits every node of a level whose blocks are reached by real branches. Begins in the current block (the header's)
/// and ends behind the latch.
void Emitter::emit_level(Level& level, Value* mask) {
  Value* outer = level_mask_;
  level_mask_ = mask;
  const BasicBlock* latch = level.loop->getLoopLatch();
  for (const auto& node : level.nodes) {
    if (node->linear) continue;  // emitted with its region
    if (node->index != 0) b_.SetInsertPoint(entry_of(level, node->block));
    if (node->loop != nullptr) {
      emit_loop(*node->loop, mask);
      b_.CreateBr(entry_of(level, node->loop->exit));
      continue;
    }
    if (node->index != 0) emit_real_phis(level, *node);
    masks_[node.get()] = mask;
    emit_instructions(*node->block, mask);
    if (node->join != nullptr)
      emit_region(level, *node);
    else
      ends_[node->block] = b_.GetInsertBlock();
    if (node->block != latch || node->exits) emit_real_terminator(level, *node);
  }
  b_.SetInsertPoint(ends_.lookup(latch));
  level_mask_ = outer;
}

Emitter::BasicBlock* Emitter::entry_of(Level& /*level*/, const BasicBlock* block) {
  BasicBlock*& entry = entries_[block];
  if (entry == nullptr) entry = new_block(block->getName() + ".vector");
  return entry;
}

/// The branch of a block that all active lanes leave together. Back edges and the exits of the level's loop have their
/// entries made before.
void Emitter::emit_real_terminator(Level& level, Node& node) {
  if (node.join != nullptr) {
    b_.CreateBr(entry_of(level, node.join->block));
    return;
  }
  if (level.parent == nullptr && node.block == level.loop->getLoopLatch()) return;  // the caller's
  const auto* branch = llvm::cast<BranchInst>(node.block->getTerminator());
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    b_.CreateBr(entry_of(level, branch->getSuccessor(0)));
    return;
  }
  const std::optional<unsigned> in = shapes_.passed(*node.block);
  Value* condition = in ? b_.getInt1(*in == 0) : base(branch->getCondition());
  b_.CreateCondBr(condition, entry_of(level, branch->getSuccessor(0)), entry_of(level, branch->getSuccessor(1)));
}

// --- regions ---------------------------------------------------------------------------------------------------------

void Emitter::emit_region(Level& level, Node& head) {
  set_edges(*head.block, masks_.lookup(&head));
  const llvm::SmallVector<Node*> members = body_.members(head);
  emit_chain(level, members);
  // The join's phis: what came from this region, in one value.
  ends_[head.block] = b_.GetInsertBlock();
}

void Emitter::emit_chain(Level& /*level*/, llvm::ArrayRef<Node*> nodes) {
  for (Node* node : nodes) {
    Value* mask = mask_of(*node);
    masks_[node] = mask;
    if (node->loop != nullptr)
      emit_linear_loop(*node, mask);
    else
      emit_linear_block(*node, mask);
  }
}

Emitter::Value* Emitter::edge(const BasicBlock* from, const BasicBlock* to) {
  return edges_.lookup({from, to});
}

/// Lanes that run `node`: those of its edges; shared with an earlier node where they are known to be the same.
Emitter::Value* Emitter::mask_of(Node& node) {
  if (node.same_mask != nullptr && masks_.contains(node.same_mask)) return masks_.lookup(node.same_mask);
  Value* mask = nullptr;
  for (Node* p : node.predecessors) {
    const BasicBlock* from = p->block;
    Value* m = p->loop != nullptr ? masks_.lookup(p) : edge(from, node.block);
    if (m == nullptr) return nullptr;
    mask = mask == nullptr ? m : b_.CreateOr(mask, m);
  }
  return mask == nullptr ? level_mask_ : mask;
}

void Emitter::set_edges(const BasicBlock& block, Value* mask) {
  const auto* branch = llvm::cast<BranchInst>(block.getTerminator());
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    edges_[{&block, branch->getSuccessor(0)}] = mask;
    return;
  }
  Value* condition = vector(branch->getCondition());
  Value* inverse = b_.CreateNot(condition);
  // A logical and: the condition may be poison in lanes that are not active.
  edges_[{&block, branch->getSuccessor(0)}] = mask == nullptr ? condition : b_.CreateLogicalAnd(mask, condition);
  edges_[{&block, branch->getSuccessor(1)}] = mask == nullptr ? inverse : b_.CreateLogicalAnd(mask, inverse);
}

/// A phi of the original, where the lanes that came over different edges are all here.
void Emitter::blend(PHINode& phi) {
  Lanes result;
  if (shapes_.of(phi).has_base()) {
    const Value* value = nullptr;
    for (const Value* v : phi.incoming_values())
      if (value == nullptr || llvm::isa<llvm::UndefValue>(value)) value = v;
    result.base = base(value);
    lanes_[&phi] = result;
    return;
  }
  const unsigned count = components(*phi.getType());
  for (unsigned part = 0; part < count; ++part) {
    Value* value = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* v = vector(phi.getIncomingValue(i), part);
      Value* m = edge(phi.getIncomingBlock(i), phi.getParent());
      value = value == nullptr || m == nullptr ? v : b_.CreateSelect(m, v, value);
    }
    result.parts.push_back(value);
  }
  lanes_[&phi] = result;
}

bool Emitter::wants_guard(const BasicBlock& block) const {
  unsigned cost = 0;
  for (const Instruction& i : block) {
    if (llvm::isa<PHINode>(i) || i.isTerminator()) continue;
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&i)) {
      // A masked access without a lane may be to nowhere, where the processor takes hundreds of cycles to do nothing.
      if (!shapes_.of(*pointer).is_uniform()) return true;
      cost += 3;
    } else if (llvm::isa<llvm::CallBase>(i)) {
      cost += 4;
    } else if (i.getOpcode() == Instruction::UDiv || i.getOpcode() == Instruction::SDiv ||
               i.getOpcode() == Instruction::URem || i.getOpcode() == Instruction::SRem) {
      cost += 32;
    } else {
      cost += shapes_.of(i).has_base() ? 0 : 1;
    }
  }
  return cost > 12;
}

void Emitter::emit_linear_block(Node& node, Value* mask) {
  const BasicBlock& block = *node.block;
  const bool after_loop = body_.left_through(&block) != nullptr;
  for (const PHINode& phi : block.phis())
    if (!after_loop) blend(const_cast<PHINode&>(phi));
  const bool guarded = mask != nullptr && mask != level_mask_ && wants_guard(block);
  BasicBlock* skipped = nullptr;
  BasicBlock* after = nullptr;
  if (guarded) {
    BasicBlock* run = new_block(block.getName() + ".any");
    after = new_block(block.getName() + ".skipped");
    skipped = b_.GetInsertBlock();
    b_.CreateCondBr(any(mask), run, after);
    b_.SetInsertPoint(run);
  }
  guard_mask_ = guarded ? mask : nullptr;
  emit_instructions(block, mask);
  guard_mask_ = nullptr;
  if (guarded) {
    BasicBlock* done = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    merge_after_guard(block, skipped, done);
  }
  // Masks are made here, where all that comes later can see them.
  set_edges(block, mask);
}

void Emitter::merge_lanes(Lanes& lanes, BasicBlock* skipped, BasicBlock* done) {
  const auto merge = [&](Value*& value) {
    auto* instruction = llvm::dyn_cast_or_null<Instruction>(value);
    if (instruction == nullptr) return;
    PHINode* phi = b_.CreatePHI(value->getType(), 2);
    phi->addIncoming(llvm::Constant::getNullValue(value->getType()), skipped);
    phi->addIncoming(value, done);
    value = phi;
  };
  merge(lanes.base);
  for (Value*& part : lanes.parts) merge(part);
  merge(lanes.holds);
}

void Emitter::merge_after_guard(const BasicBlock& block, BasicBlock* skipped, BasicBlock* done) {
  for (const Instruction& i : block) {
    if (i.getType()->isVoidTy() || llvm::isa<PHINode>(i)) continue;
    const bool outside = llvm::any_of(i.users(), [&](const llvm::User* u) {
      const auto* user = llvm::cast<Instruction>(u);
      return user->getParent() != &block || user->isTerminator();
    });
    auto known = lanes_.find(&i);
    if (outside && known != lanes_.end()) merge_lanes(known->second, skipped, done);
  }
}

// --- loops -----------------------------------------------------------------------------------------------------------

/// A loop in a row of blocks: nobody enters it with an empty mask, for it might not end.
void Emitter::emit_linear_loop(Node& node, Value* mask) {
  Level& level = *node.loop;
  if (mask == nullptr || mask == level_mask_) {
    emit_loop(level, mask);
    return;
  }
  BasicBlock* run = new_block("loop.any");
  BasicBlock* after = new_block("loop.skipped");
  BasicBlock* skipped = b_.GetInsertBlock();
  b_.CreateCondBr(any(mask), run, after);
  b_.SetInsertPoint(run);
  emit_loop(level, mask);
  BasicBlock* done = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  for (const PHINode& phi : level.exit->phis()) merge_lanes(lanes_[&phi], skipped, done);
}

/// Emits a loop and the phis of its exit block; ends behind it.
void Emitter::emit_loop(Level& level, Value* mask) {
  if (level.divergent)
    emit_divergent_loop(level, mask);
  else
    emit_uniform_loop(level, mask);
}

void Emitter::begin_header_phis(Level& level, BasicBlock* from) {
  const BasicBlock* before = level.loop->getLoopPreheader();
  for (const PHINode& phi : level.loop->getHeader()->phis()) {
    const Value* start = phi.getIncomingValueForBlock(before);
    // Splats go in front of the loop.
    BasicBlock* here = b_.GetInsertBlock();
    b_.SetInsertPoint(from->getTerminator());
    Lanes lanes;
    llvm::SmallVector<Value*, 4> starts;
    const bool scalar = shapes_.of(phi).has_base();
    if (scalar) {
      starts.push_back(base(start));
    } else {
      for (unsigned part = 0; part < components(*phi.getType()); ++part) starts.push_back(vector(start, part));
    }
    b_.SetInsertPoint(here);
    for (Value* s : starts) {
      PHINode* copy = b_.CreatePHI(s->getType(), 2, phi.getName());
      copy->addIncoming(s, from);
      if (scalar)
        lanes.base = copy;
      else
        lanes.parts.push_back(copy);
    }
    lanes_[&phi] = lanes;
  }
}

void Emitter::end_header_phis(Level& level, BasicBlock* from) {
  const BasicBlock* latch = level.loop->getLoopLatch();
  for (const PHINode& phi : level.loop->getHeader()->phis()) {
    const Value* next = phi.getIncomingValueForBlock(latch);
    const Lanes lanes = lanes_.lookup(&phi);
    if (lanes.base != nullptr) llvm::cast<PHINode>(lanes.base)->addIncoming(base(next), from);
    for (unsigned part = 0; part < lanes.parts.size(); ++part)
      llvm::cast<PHINode>(lanes.parts[part])->addIncoming(vector(next, part), from);
  }
}

/// All active lanes do the same iterations: the loop's branches stay.
void Emitter::emit_uniform_loop(Level& level, Value* mask) {
  const BasicBlock* header = level.loop->getHeader();
  const BasicBlock* latch = level.loop->getLoopLatch();
  BasicBlock* from = b_.GetInsertBlock();
  BasicBlock* top = new_block(header->getName() + ".uniform");
  BasicBlock* behind = new_block("loop.end");
  b_.CreateBr(top);
  b_.SetInsertPoint(top);
  entries_[header] = top;
  entries_[level.exit] = behind;
  begin_header_phis(level, from);
  emit_level(level, mask);
  BasicBlock* end = ends_.lookup(latch);
  if (end->getTerminator() == nullptr) {
    b_.SetInsertPoint(end);
    b_.CreateBr(top);
  }
  b_.SetInsertPoint(end->getTerminator());
  end_header_phis(level, end);
  entries_.erase(level.exit);

  for (const PHINode& phi : level.exit->phis()) {
    Lanes lanes;
    const bool scalar = shapes_.of(phi).has_base();
    const unsigned count = scalar ? 1 : components(*phi.getType());
    for (unsigned part = 0; part < count; ++part) {
      PHINode* copy = nullptr;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        BasicBlock* leaving = ends_.lookup(phi.getIncomingBlock(i));
        b_.SetInsertPoint(leaving->getTerminator());
        Value* v = scalar ? base(phi.getIncomingValue(i)) : vector(phi.getIncomingValue(i), part);
        b_.SetInsertPoint(behind);
        if (copy == nullptr) copy = b_.CreatePHI(v->getType(), phi.getNumIncomingValues(), phi.getName());
        copy->addIncoming(v, leaving);
      }
      if (scalar)
        lanes.base = copy;
      else
        lanes.parts.push_back(copy);
    }
    lanes_[&phi] = lanes;
  }
  b_.SetInsertPoint(behind);
}

/// Runs until no lane is live. What leaves the loop is kept per lane when the lane leaves.
void Emitter::emit_divergent_loop(Level& level, Value* mask) {
  const BasicBlock* header = level.loop->getHeader();
  const BasicBlock* latch = level.loop->getLoopLatch();
  if (mask == nullptr) mask = all_true();
  Value* outer = level_mask_;
  BasicBlock* from = b_.GetInsertBlock();
  BasicBlock* top = new_block(header->getName() + ".live");
  BasicBlock* behind = new_block("loop.end");
  b_.CreateBr(top);
  b_.SetInsertPoint(top);
  PHINode* live = b_.CreatePHI(mask->getType(), 2, "live");
  live->addIncoming(mask, from);
  struct Kept {
    const PHINode* phi;
    unsigned part;
    PHINode* before;
    Value* now;
  };
  llvm::SmallVector<Kept> kept;
  for (const PHINode& phi : level.exit->phis()) {
    if (shapes_.of(phi).has_base()) continue;
    for (unsigned part = 0; part < components(*phi.getType()); ++part) {
      PHINode* before = b_.CreatePHI(wide(component_type(*phi.getType(), part)), 2, phi.getName() + ".left");
      before->addIncoming(llvm::Constant::getNullValue(before->getType()), from);
      kept.push_back({&phi, part, before, before});
    }
  }
  begin_header_phis(level, from);
  level_mask_ = live;
  for (const auto& node : level.nodes) {
    Value* m = node->index == 0 ? live : mask_of(*node);
    masks_[node.get()] = m;
    if (node->loop != nullptr) {
      emit_linear_loop(*node, m);
      continue;
    }
    if (node->index == 0) {
      emit_instructions(*node->block, m);
      set_edges(*node->block, m);
    } else {
      emit_linear_block(*node, m);
    }
    if (!node->exits || !llvm::is_contained(llvm::successors(node->block), level.exit)) continue;
    for (Kept& k : kept)
      k.now = b_.CreateSelect(edge(node->block, level.exit),
                              vector(k.phi->getIncomingValueForBlock(node->block), k.part), k.now);
  }
  Value* next = edge(latch, header);
  BasicBlock* end = b_.GetInsertBlock();
  Value* go_on = any(next);
  live->addIncoming(next, end);
  end_header_phis(level, end);
  b_.CreateCondBr(go_on, top, behind);
  for (Kept& k : kept) k.before->addIncoming(k.now, end);
  b_.SetInsertPoint(behind);
  for (Kept& k : kept) lanes_[k.phi].parts.push_back(k.now);
  for (const PHINode& phi : level.exit->phis())
    if (shapes_.of(phi).has_base()) lanes_[&phi].base = base(phi.getIncomingValue(0));
  level_mask_ = outer;
}

// --- phis at real joins ----------------------------------------------------------------------------------------------

/// Edges out of one region arrive as one; other edges are branches.
void Emitter::emit_real_phis(Level& level, Node& node) {
  if (body_.left_through(node.block) != nullptr) return;
  const auto heads = body_.regions_joining(node);
  llvm::DenseMap<const BasicBlock*, Node*> region_of;
  for (Node* head : heads) {
    region_of[head->block] = head;
    for (Node* m : body_.members(*head)) {
      region_of[m->block] = head;
      if (m->loop != nullptr) region_of[m->loop->exit] = head;
    }
  }
  (void)level;
  BasicBlock* here = b_.GetInsertBlock();
  for (const PHINode& phi : node.block->phis()) {
    const bool scalar = shapes_.of(phi).has_base();
    const unsigned count = scalar ? 1 : components(*phi.getType());
    Lanes lanes;
    for (unsigned part = 0; part < count; ++part) {
      llvm::SmallMapVector<BasicBlock*, Value*, 4> incoming;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        const BasicBlock* from = phi.getIncomingBlock(i);
        Node* head = region_of.lookup(from);
        BasicBlock* end = ends_.lookup(head == nullptr ? from : head->block);
        b_.SetInsertPoint(end->getTerminator());
        Value* v = scalar ? base(phi.getIncomingValue(i)) : vector(phi.getIncomingValue(i), part);
        Value*& known = incoming[end];
        Value* m = head == nullptr ? nullptr : edge(from, node.block);
        const bool replaces = known == nullptr || m == nullptr || (scalar && llvm::isa<llvm::UndefValue>(known));
        if (replaces)
          known = v;
        else if (!scalar)
          known = b_.CreateSelect(m, v, known);
      }
      b_.SetInsertPoint(here);
      PHINode* copy =
          b_.CreatePHI(incoming.front().second->getType(), static_cast<unsigned>(incoming.size()), phi.getName());
      for (const auto& [end, value] : incoming) copy->addIncoming(value, end);
      if (scalar)
        lanes.base = copy;
      else
        lanes.parts.push_back(copy);
    }
    lanes_[&phi] = lanes;
  }
  b_.SetInsertPoint(here);
}

}  // namespace lanewise::spmd
