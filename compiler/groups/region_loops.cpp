// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/region_loops.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/collectives.h"
#include "compiler/groups/item_nest.h"
#include "compiler/groups/resumed_values.h"
#include "compiler/groups/unchanged_values.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

class RegionEmitter {
 public:
  RegionEmitter(RegionShared& shared, unsigned number, BasicBlock* begin, Order order = Order::nested)
      : s_(shared),
        number_(number),
        region_(shared.in.graph.regions[number]),
        name_("region." + std::to_string(number) + (order == Order::flattened ? ".flat" : "")),
        begin_(begin),
        nest_(shared, name_, order, shared.in.orders.innermost[number]) {}

  void emit() {
    IRBuilder<> b(begin_);
    if (dispatches() && !is_behind_turns()) start_ = b.CreateLoad(b.getInt32Ty(), s_.next, "start");
    // Behind turns, work-items that are at none any more have said where the group goes on.
    if (!is_behind_turns()) b.CreateStore(b.getInt32(0), s_.next);
    if (s_.report != nullptr && decides() && !is_behind_turns()) s_.report->begin_region(b);
    if (has_turns() && (!is_behind_turns() || number_ == s_.in.graph.turns)) b.CreateStore(b.getInt8(0), s_.at_turns);
    nest_.open(begin_);
    map_variables();
    copy_blocks();
    make_stops();
    remap();
    enter();
    repair_values();
    leave_unchanged_values(*nest_.item(), *nest_.item_end(), copies_);
    nest_.close();
    leave();
  }

 private:
  [[nodiscard]] const WorkItemFunction& item() const { return s_.in.item; }
  /// Work-items begin at different places.
  [[nodiscard]] bool dispatches() const { return region_.starts.size() > 1 || is_behind_turns(); }
  /// Work-items come here from turns, and may still be at one when the loops end.
  [[nodiscard]] bool is_behind_turns() const { return s_.in.graph.is_behind_turns(number_); }
  [[nodiscard]] bool has_turns() const { return is_behind_turns() || s_.in.graph.has_turns(region_); }
  /// The region has more than one exit.
  [[nodiscard]] bool decides() const { return region_.exits.size() + (region_.returns ? 1U : 0U) > 1; }

  void leave() {
    IRBuilder<> b(nest_.end());
    const auto target = [&](unsigned exit) { return s_.behind[exit]; };
    if (is_behind_turns() && number_ + 1 < s_.begins.size()) {
      b.CreateBr(s_.begins[number_ + 1]);
    } else if (has_turns()) {
      leave_with_turns(b);
    } else if (region_.exits.empty()) {
      b.CreateBr(s_.range.group_end);
    } else if (!decides()) {
      b.CreateBr(target(region_.exits.front()));
    } else {
      auto* branch = b.CreateSwitch(b.CreateLoad(b.getInt32Ty(), s_.next, "next"), s_.range.group_end);
      for (unsigned exit : region_.exits) branch->addCase(b.getInt32(exit), target(exit));
    }
  }

  /// As long as a work-item is at a turn, those at turns go on. Then all are at one barrier, or have returned.
  void leave_with_turns(IRBuilder<>& b) {
    BasicBlock* none = s_.block(name_ + ".no.turns");
    none->moveAfter(nest_.end());
    Value* waiting = b.CreateIsNotNull(b.CreateLoad(b.getInt8Ty(), s_.at_turns));
    b.CreateCondBr(waiting, s_.begins[s_.in.graph.turns], none);
    b.SetInsertPoint(none);
    llvm::SmallSetVector<unsigned, 4> exits(region_.exits.begin(), region_.exits.end());
    for (const Region& later : llvm::drop_begin(s_.in.graph.regions, s_.in.graph.turns))
      exits.insert(later.exits.begin(), later.exits.end());
    auto* branch = b.CreateSwitch(b.CreateLoad(b.getInt32Ty(), s_.next, "next"), s_.range.group_end);
    for (unsigned exit : exits)
      if (!s_.in.graph.is_turn(exit)) branch->addCase(b.getInt32(exit), s_.behind[exit]);
  }

  // --- the copy ------------------------------------------------------------------------------------------------------

  void map_variables() {
    for (unsigned i = 0; i < s_.range.parameters.size(); ++i)
      if (Value* value = s_.range.parameters[i]) map_[item().function->getArg(i)] = value;
    for (unsigned d = 0; d < 3; ++d) map_[item().context(ContextParameter::local_id, d)] = nest_.local_ids()[d];
    map_[item().context(ContextParameter::local_linear)] = nest_.linear();
    map_[item().context(ContextParameter::sub_group_id)] = nest_.sub_group()[0];
    map_[item().context(ContextParameter::sub_group_local_id)] = nest_.sub_group()[1];
    map_[item().context(ContextParameter::sub_group_size)] = nest_.sub_group()[2];
    for (const auto& [variable, place] : s_.variables) map_[variable] = place;
  }

  void copy_blocks() {
    for (BasicBlock* block : region_.blocks) {
      BasicBlock* copy = llvm::CloneBasicBlock(block, map_, "", s_.range.function);
      copy->setName(name_ + "." + block->getName());
      copy->moveBefore(nest_.item_end());
      map_[block] = copy;
      copies_.push_back(copy);
      s_.in.debug.drop_declares(*copy);
    }
    // Predecessors outside of the region no longer branch here.
    for (BasicBlock* copy : copies_)
      for (llvm::PHINode& phi : copy->phis())
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
          if (!region_.blocks.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
  }

  /// Writes the blocks to which the copies branch instead of to a barrier or out of the kernel.
  void make_stops() {
    for (unsigned exit : region_.exits) {
      const Barrier& barrier = s_.in.graph.barriers[exit - 1];
      BasicBlock* stop = s_.block(name_ + ".stop." + std::to_string(exit));
      stop->moveBefore(nest_.item_end());
      IRBuilder<> b(stop);
      if (barrier.beyond_work_group) b.CreateFence(llvm::AtomicOrdering::AcquireRelease);
      store_live_values(b, exit);
      store_operands(b, s_, exit, map_, nest_.place());
      if (s_.in.graph.needs_alive && llvm::is_contained(region_.starts, 0U)) store_alive(b, true);
      arrive(b, exit);
      map_[barrier.block] = stop;
    }
    if (!region_.returns) return;
    BasicBlock* stop = s_.block(name_ + ".return");
    stop->moveBefore(nest_.item_end());
    IRBuilder<> b(stop);
    if (s_.in.graph.needs_alive && !region_.exits.empty()) store_alive(b, false);
    arrive(b, 0);
    for (BasicBlock* copy : copies_)
      if (llvm::isa<llvm::ReturnInst>(copy->getTerminator()))
        llvm::ReplaceInstWithInst(copy->getTerminator(), llvm::BranchInst::Create(stop));
  }

  void arrive(IRBuilder<>& b, unsigned exit) {
    const bool at_turn = s_.in.graph.is_turn(exit);
    if (has_turns())
      b.CreateAlignedStore(b.getInt32(at_turn ? exit : 0), slot_address(b, s_.in.live.turn), s_.in.live.turn.align);
    if (at_turn) {
      b.CreateStore(b.getInt8(1), s_.at_turns);
      b.CreateBr(nest_.item_end());
      return;
    }
    const bool chosen = has_turns() || decides() || s_.in.graph.regions[s_.in.graph.region_of[exit]].starts.size() > 1;
    if (exit != 0 && chosen) b.CreateStore(b.getInt32(exit), s_.next);
    if (s_.report != nullptr && decides())
      s_.report->arrive(b, exit, s_.range.parameter(item(), ContextParameter::group_linear));
    b.CreateBr(nest_.item_end());
  }

  /// A value that this region does not define is still in its place.
  void store_live_values(IRBuilder<>& b, unsigned exit) {
    for (Instruction* value : s_.in.live.at[exit]) {
      const LiveValue& info = s_.in.live.values.find(value)->second;
      if (info.keep == Keep::recompute || !region_.blocks.contains(value->getParent())) continue;
      Value* copy = map_.lookup(value);
      if (info.keep == Keep::group)
        b.CreateStore(as_stored(b, copy), s_.group_places.lookup(value));
      else
        b.CreateAlignedStore(as_stored(b, copy), slot_address(b, info.slot), info.slot.align);
    }
  }

  Value* slot_address(IRBuilder<>& b, const ItemSlot& slot) { return s_.slot_address(b, slot, nest_.place()); }

  void store_alive(IRBuilder<>& b, bool alive) {
    b.CreateStore(b.getInt8(alive ? 1 : 0), slot_address(b, s_.in.live.alive));
  }

  void remap() {
    for (BasicBlock* copy : copies_)
      for (Instruction& i : *copy) {
        const auto flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
        llvm::RemapInstruction(&i, map_, flags);
        llvm::RemapDbgRecordRange(i.getModule(), i.getDbgRecordRange(), map_, flags);
        if (s_.in.graph.barriers.empty()) continue;
        // Scopes of inlined restrict pointers may begin in one region and be used in another, where each work-item
        // would no longer begin a new scope.
        i.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
        i.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
      }
  }

  // --- values from before the barrier --------------------------------------------------------------------------------

  /// Branches from the innermost loop head into the copies: skips work-items that have returned, or whole rows of them,
  /// and chooses the continuation.
  void enter() {
    IRBuilder<> b(nest_.item());
    s_.in.debug.describe_item(b, nest_.local_ids());
    for (const PrivateVariable& v : s_.in.memory.variables)
      if (v.place == PrivatePlace::item_scratch) place_of(b, v);
    const auto is_alive = [this](IRBuilder<>& at, Value* linear) {
      Value* byte = at.CreateLoad(at.getInt8Ty(), s_.slot_address(at, s_.in.live.alive, linear));
      Value* alive = at.CreateIsNotNull(byte, "alive");
      return llvm::is_contained(region_.starts, 0U) ? at.CreateOr(alive, at.CreateIsNull(start_)) : alive;
    };
    if (region_.may_have_dead && s_.in.graph.rows_return_whole) {
      tally(Transformation::skip_returned_rows);
      RowEntry& row = nest_.row_entry();
      IRBuilder<> in_front(row.begin->getTerminator());
      row.wanted = is_alive(in_front, row.linear);
    } else if (region_.may_have_dead) {
      Value* alive = is_alive(b, nest_.place());
      BasicBlock* go = s_.block(name_ + ".alive");
      go->moveAfter(nest_.item());
      b.CreateCondBr(alive, go, nest_.item_end());
      b.SetInsertPoint(go);
    }
    const auto copy_of = [&](unsigned start) {
      return llvm::cast<BasicBlock>(map_.lookup(s_.in.graph.start_block(start, item())));
    };
    if (!dispatches()) {
      b.CreateBr(copy_of(region_.starts.front()));
      resume_.push_back(b.GetInsertBlock());
      return;
    }
    for (unsigned start : region_.starts) {
      resume_.push_back(s_.block(name_ + ".resume." + std::to_string(start)));
      resume_.back()->moveBefore(copies_.front());
      llvm::BranchInst::Create(copy_of(start), resume_.back());
    }
    if (is_behind_turns())
      start_ = b.CreateAlignedLoad(b.getInt32Ty(), slot_address(b, s_.in.live.turn), s_.in.live.turn.align, "at.turn");
    if (is_behind_turns() && item().sub_group_size > 1) {
      // The work-items of a sub-group are at one turn. A branch that they take together keeps those of others from its
      // loops, in which they would wait without a work-item.
      Value* here = b.CreateICmpEQ(start_, b.getInt32(region_.starts.front()));
      b.CreateCondBr(any_of_sub_group(b, here), resume_.front(), nest_.item_end());
      return;
    }
    auto* branch = b.CreateSwitch(start_, is_behind_turns() ? nest_.item_end() : resume_.front());
    for (unsigned i = is_behind_turns() ? 0 : 1; i < resume_.size(); ++i)
      branch->addCase(b.getInt32(region_.starts[i]), resume_[i]);
  }

  /// The address of this work-item's own private variable, for the copies that use it.
  void place_of(IRBuilder<>& b, const PrivateVariable& v) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : v.variable->uses())
      if (llvm::cast<Instruction>(use.getUser())->getFunction() == s_.range.function) uses.push_back(&use);
    bool recomputed = false;
    for (unsigned start : region_.starts) recomputed |= !s_.in.live.at[start].empty();
    if (uses.empty() && !recomputed && !s_.in.debug.declares()) return;
    Value* address = s_.variable_address(b, v, nest_.place());
    map_[v.variable] = address;
    s_.in.debug.declare_at(b, *v.variable, address);
    for (llvm::Use* use : uses) use->set(address);
  }

  void repair_values() {
    ResumedValues resumed(s_, region_, *begin_, resume_, map_, nest_.place());
    ValueSet values;
    for (unsigned start : region_.starts) values.insert(s_.in.live.at[start].begin(), s_.in.live.at[start].end());
    for (Instruction* value : values) {
      auto* copy = llvm::cast_or_null<Instruction>(map_.lookup(value));
      llvm::SmallVector<llvm::Use*> uses;
      for (llvm::Use& use : (copy != nullptr ? copy : value)->uses()) {
        auto* user = llvm::cast<Instruction>(use.getUser());
        if (user->getFunction() != s_.range.function) continue;
        const bool behind =
            copy != nullptr && user->getParent() == copy->getParent() && !llvm::isa<llvm::PHINode>(user);
        if (!behind) uses.push_back(&use);
      }
      if (uses.empty()) continue;
      if (copy == nullptr && !dispatches()) {
        for (llvm::Use* use : uses) use->set(resumed.at(value, 0));
        continue;
      }
      llvm::SSAUpdater updater;
      updater.Initialize(value->getType(), value->getName());
      for (unsigned i = 0; i < resume_.size(); ++i) updater.AddAvailableValue(resume_[i], resumed.at(value, i));
      if (copy != nullptr) updater.AddAvailableValue(copy->getParent(), copy);
      for (llvm::Use* use : uses) updater.RewriteUse(*use);
    }
  }

  RegionShared& s_;
  unsigned number_;
  const Region& region_;
  std::string name_;
  BasicBlock* begin_;
  Value* start_ = nullptr;
  ItemNest nest_;
  llvm::ValueToValueMapTy map_;
  llvm::SmallVector<BasicBlock*> copies_;
  llvm::SmallVector<BasicBlock*, 1> resume_;  ///< by start: the block before its copy
};

/// Makes the places that all work-items use one after the other, or share.
void place_shared(RegionShared& s) {
  for (const PrivateVariable& v : s.in.memory.variables) {
    if (v.place == PrivatePlace::group_scratch) {
      IRBuilder<> b(s.range.range->getTerminator());
      Value* place =
          b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), s.range.group_scratch, v.offset, v.variable->getName());
      s.variables[v.variable] = place;
      s.in.debug.declare_at(b, *v.variable, place);
    } else if (v.place == PrivatePlace::stack) {
      auto* copy = llvm::cast<llvm::AllocaInst>(v.variable->clone());
      copy->insertInto(s.range.entry, s.range.entry->begin());
      copy->setName(v.variable->getName());
      // The work-items use it one after the other, so lanes need copies.
      copy->setMetadata(marks::kPrivate, llvm::MDNode::get(s.context(), {}));
      s.variables[v.variable] = copy;
      s.in.debug.declare(*v.variable, copy);
    }
  }
  for (const auto& [value, info] : s.in.live.values)
    if (info.keep == Keep::group)
      s.group_places[value] = s.allocate(stored_type(value->getType()), value->getName() + ".kept");
}

/// An i1: no sub-group has work-items of two rows, and no id in a group is 2^31 or more.
Value* sub_groups_in_rows(IRBuilder<>& b, const RangeFunction& range, const WorkItemFunction& item) {
  const auto size = [&](unsigned d) { return range.parameter(item, ContextParameter::local_size, d); };
  Value* one_row = b.CreateICmpEQ(b.CreateMul(size(1), size(2)), b.getInt64(1));
  Value* rest = b.CreateAnd(size(0), b.getInt64(item.sub_group_size - 1));
  Value* whole = b.CreateICmpEQ(rest, b.getInt64(0));
  Value* first = range.parameter(item, ContextParameter::group_base);
  Value* limit = b.getInt64(std::int64_t{1} << 31);
  Value* small = b.CreateAnd(b.CreateICmpULE(first, limit), b.CreateICmpULE(b.CreateAdd(first, size(0)), limit));
  return b.CreateAnd(b.CreateOr(one_row, whole), small, "sub.groups.in.rows");
}

/// Writes two loop nests: where sub-groups do not cross rows, x grows along a sub-group and most addresses are
/// consecutive.
void emit_with_sub_groups(RegionShared& s, unsigned number, Value* in_rows) {
  BasicBlock* rows = s.block(s.begins[number]->getName() + ".rows");
  BasicBlock* flat = s.block(s.begins[number]->getName() + ".flat");
  llvm::BranchInst::Create(rows, flat, in_rows, s.begins[number]);
  RegionEmitter(s, number, rows).emit();
  RegionEmitter(s, number, flat, Order::flattened).emit();
}

}  // namespace

void emit_regions(RangeFunction& range, const RegionInput& input) {
  RegionShared s(range, input);
  s.next = s.allocate(llvm::Type::getInt32Ty(s.context()), "next");
  if (input.graph.turns != 0) s.at_turns = s.allocate(llvm::Type::getInt8Ty(s.context()), "at.turns");
  DivergenceReport report(range, input.graph);
  if (input.debug_barriers && !input.graph.barriers.empty()) s.report = &report;
  place_shared(s);
  for (unsigned i = 0; i < input.graph.regions.size(); ++i) s.begins.push_back(s.block("region." + llvm::Twine(i)));
  IRBuilder<> b(range.group);
  input.debug.describe_group(b);
  b.CreateStore(b.getInt32(0), s.next);
  for (unsigned c = 0; c <= input.graph.barriers.size(); ++c) s.behind.push_back(emit_collective(s, c));
  Value* in_rows = input.item.sub_group_size == 1 ? nullptr : sub_groups_in_rows(b, range, input.item);
  b.CreateBr(s.begins.front());
  for (unsigned i = 0; i < input.graph.regions.size(); ++i) {
    if (input.item.sub_group_size == 1)
      RegionEmitter(s, i, s.begins[i]).emit();
    else
      emit_with_sub_groups(s, i, in_rows);
  }
  s.limit_lifetimes();
  range.group_end->moveAfter(&range.function->back());
}

}  // namespace lanewise
