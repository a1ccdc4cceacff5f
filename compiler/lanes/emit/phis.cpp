// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/phis.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lanes/analysis/components.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

unsigned Phis::part_count(const PHINode& phi) const {
  return s_.shape(&phi).has_base() ? 1 : components(*phi.getType());
}

Value* Phis::operand(const PHINode& phi, const Value* v, unsigned part) {
  return s_.shape(&phi).has_base() ? s_.base(v) : s_.vector(v, part);
}

void Phis::set(const PHINode& phi, llvm::ArrayRef<Value*> copies) {
  Lanes lanes;
  if (s_.shape(&phi).has_base())
    lanes.base = copies.front();
  else
    lanes.parts.assign(copies.begin(), copies.end());
  s_.set(phi, lanes);
}

Value* Phis::arriving(const PHINode& phi, unsigned edge, unsigned part) {
  const auto met = met_.find({&phi, phi.getIncomingBlock(edge)});
  if (met == met_.end()) return operand(phi, phi.getIncomingValue(edge), part);
  return met->second.base != nullptr ? met->second.base : met->second.parts[part];
}

bool Phis::is_repeated(const PHINode& phi, unsigned edge) const {
  const BasicBlock* from = phi.getIncomingBlock(edge);
  const auto known = first_from_.find({from, phi.getParent()});
  return known != first_from_.end() && known->second != from;
}

void Phis::blend(const PHINode& phi) {
  if (s_.shape(&phi).has_base()) {
    Value* value = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (!is_repeated(phi, i) && (value == nullptr || llvm::isa<llvm::UndefValue>(value))) value = arriving(phi, i, 0);
    set(phi, {value});
    return;
  }
  llvm::SmallVector<Value*, 4> parts;
  for (unsigned part = 0; part < part_count(phi); ++part) {
    Value* value = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (is_repeated(phi, i)) continue;
      Value* v = arriving(phi, i, part);
      Value* m = masks_.edge(phi.getIncomingBlock(i), phi.getParent());
      value = value == nullptr || m == nullptr ? v : b_.CreateSelect(m, v, value);
    }
    parts.push_back(value);
  }
  set(phi, parts);
}

void Phis::at_join(const Node& node) {
  if (s_.body.left_through(node.block) != nullptr) return;
  RegionOf region_of;
  for (const Node* head : s_.shapes.divergence().regions_joining(node)) {
    region_of[head->block] = head;
    for (const Node* m : region_members(*head)) {
      region_of[m->block] = head;
      if (m->loop != nullptr) region_of[m->loop->exit] = head;
    }
  }
  BasicBlock* here = b_.GetInsertBlock();
  for (const PHINode& phi : node.block->phis()) {
    llvm::SmallVector<Value*, 4> copies;
    for (unsigned part = 0; part < part_count(phi); ++part) {
      copies.push_back(join_part(phi, part, region_of));
      b_.SetInsertPoint(here);
    }
    set(phi, copies);
  }
  b_.SetInsertPoint(here);
}

PHINode* Phis::join_part(const PHINode& phi, unsigned part, const RegionOf& region_of) {
  BasicBlock* here = b_.GetInsertBlock();
  const bool scalar = s_.shape(&phi).has_base();
  llvm::SmallMapVector<BasicBlock*, Value*, 4> incoming;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (is_repeated(phi, i)) continue;
    const BasicBlock* from = phi.getIncomingBlock(i);
    const Node* head = region_of.lookup(from);
    BasicBlock* end = ends_.lookup(head == nullptr ? from : head->block);
    b_.SetInsertPoint(end->getTerminator());
    Value* v = arriving(phi, i, part);
    Value*& known = incoming[end];
    Value* m = head == nullptr ? nullptr : masks_.edge(from, phi.getParent());
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
  return copy;
}

void Phis::meet(const Node& join, llvm::ArrayRef<const BasicBlock*> from) {
  for (const BasicBlock* block : from) first_from_[{block, join.block}] = from.front();
  BasicBlock* here = b_.GetInsertBlock();
  for (const PHINode& phi : join.block->phis()) {
    llvm::SmallVector<Value*, 4> parts;
    for (unsigned part = 0; part < part_count(phi); ++part) {
      llvm::SmallMapVector<BasicBlock*, Value*, 4> incoming;
      for (const BasicBlock* block : from) {
        BasicBlock* end = ends_.lookup(block);
        b_.SetInsertPoint(end->getTerminator());
        incoming[end] = operand(phi, phi.getIncomingValueForBlock(block), part);
      }
      b_.SetInsertPoint(here);
      Value* first = incoming.front().second;
      if (llvm::all_of(incoming, [&](const auto& entry) { return entry.second == first; })) {
        parts.push_back(first);
        continue;
      }
      PHINode* copy = b_.CreatePHI(first->getType(), static_cast<unsigned>(incoming.size()), phi.getName());
      for (const auto& [end, value] : incoming) copy->addIncoming(value, end);
      parts.push_back(copy);
    }
    Lanes& lanes = met_[{&phi, from.front()}];
    if (s_.shape(&phi).has_base())
      lanes.base = parts.front();
    else
      lanes.parts.assign(parts.begin(), parts.end());
  }
}

void Phis::after_meeting(const Node& join, const BasicBlock& first, BasicBlock* skipped, BasicBlock* done) {
  for (const PHINode& phi : join.block->phis()) merge(met_[{&phi, &first}], skipped, done);
}

void Phis::begin_header(const Level& level, BasicBlock* from) {
  const BasicBlock* before = level.loop->getLoopPreheader();
  for (const PHINode& phi : level.loop->getHeader()->phis()) {
    const Value* start = phi.getIncomingValueForBlock(before);
    // Splats go before the loop.
    BasicBlock* here = b_.GetInsertBlock();
    b_.SetInsertPoint(from->getTerminator());
    llvm::SmallVector<Value*, 4> starts;
    for (unsigned part = 0; part < part_count(phi); ++part) starts.push_back(operand(phi, start, part));
    b_.SetInsertPoint(here);
    llvm::SmallVector<Value*, 4> copies;
    for (Value* s : starts) {
      PHINode* copy = b_.CreatePHI(s->getType(), 2, phi.getName());
      copy->addIncoming(s, from);
      copies.push_back(copy);
    }
    set(phi, copies);
  }
}

void Phis::end_header(const Level& level, BasicBlock* from) {
  const BasicBlock* latch = level.loop->getLoopLatch();
  for (const PHINode& phi : level.loop->getHeader()->phis()) {
    const Value* next = phi.getIncomingValueForBlock(latch);
    const Lanes lanes = *s_.find(phi);
    if (lanes.base != nullptr) llvm::cast<PHINode>(lanes.base)->addIncoming(s_.base(next), from);
    for (unsigned part = 0; part < lanes.parts.size(); ++part)
      llvm::cast<PHINode>(lanes.parts[part])->addIncoming(s_.vector(next, part), from);
  }
}

void Phis::behind_loop(const Level& level, BasicBlock* behind) {
  for (const PHINode& phi : level.exit->phis()) {
    llvm::SmallVector<Value*, 4> copies;
    for (unsigned part = 0; part < part_count(phi); ++part) {
      PHINode* copy = nullptr;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        BasicBlock* leaving = ends_.lookup(phi.getIncomingBlock(i));
        b_.SetInsertPoint(leaving->getTerminator());
        Value* v = operand(phi, phi.getIncomingValue(i), part);
        b_.SetInsertPoint(behind);
        if (copy == nullptr) copy = b_.CreatePHI(v->getType(), phi.getNumIncomingValues(), phi.getName());
        copy->addIncoming(v, leaving);
      }
      copies.push_back(copy);
    }
    set(phi, copies);
  }
  b_.SetInsertPoint(behind);
}

void Phis::merge(Lanes& lanes, BasicBlock* skipped, BasicBlock* done) {
  const auto merged = [&](Value*& value) {
    auto* instruction = llvm::dyn_cast_or_null<Instruction>(value);
    if (instruction == nullptr) return;
    PHINode* phi = b_.CreatePHI(value->getType(), 2);
    phi->addIncoming(llvm::Constant::getNullValue(value->getType()), skipped);
    phi->addIncoming(value, done);
    value = phi;
  };
  merged(lanes.base);
  for (Value*& part : lanes.parts) merged(part);
  merged(lanes.holds);
}

void Phis::after_guard(const BasicBlock& block, BasicBlock* skipped, BasicBlock* done) {
  for (const Instruction& i : block) {
    if (i.getType()->isVoidTy() || llvm::isa<PHINode>(i)) continue;
    const bool outside = llvm::any_of(i.users(), [&](const llvm::User* u) {
      const auto* user = llvm::cast<Instruction>(u);
      return user->getParent() != &block || user->isTerminator();
    });
    if (Lanes* known = s_.find(i); outside && known != nullptr) merge(*known, skipped, done);
  }
}

}  // namespace lanewise::spmd
