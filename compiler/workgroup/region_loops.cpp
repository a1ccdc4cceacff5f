// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/region_loops.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/marks.h"
#include "compiler/workgroup/divergence_report.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// What all regions share.
struct Shared {
  Shared(RangeFunction& r, const RegionInput& i) : range(r), in(i) {}

  RangeFunction& range;
  const RegionInput& in;
  llvm::AllocaInst* next = nullptr;       ///< i32: the continuation to go on with, 0 for none
  llvm::SmallVector<BasicBlock*> begins;  ///< by region
  llvm::DenseMap<Instruction*, llvm::AllocaInst*> group_places;
  llvm::DenseMap<const llvm::AllocaInst*, Value*> variables;  ///< private variables with one place for all work-items
  llvm::DenseMap<std::uint64_t, Value*> slot_bases;
  DivergenceReport* report = nullptr;

  llvm::LLVMContext& context() const { return range.function->getContext(); }
  BasicBlock* block(const llvm::Twine& name) const {
    return BasicBlock::Create(context(), name, range.function, range.group_end);
  }
  llvm::AllocaInst* allocate(llvm::Type* type, const llvm::Twine& name) const {
    return IRBuilder<>(range.entry, range.entry->begin()).CreateAlloca(type, nullptr, name);
  }
  /// Start of a slot's array in item scratch; computed once per range.
  Value* slot_base(std::uint64_t offset) {
    Value*& base = slot_bases[offset];
    if (base == nullptr) {
      IRBuilder<> b(range.range->getTerminator());
      Value* bytes = b.CreateNUWMul(range.full_group, b.getInt64(offset));
      base = b.CreateInBoundsGEP(b.getInt8Ty(), range.item_scratch, bytes, "slot." + llvm::Twine(offset));
    }
    return base;
  }
};

/// With more regions than this, time to compile counts more than unrolled work-item loops.
constexpr std::size_t kUnrolledRegions = 16;

/// How a loop nest counts work-items.
enum class Order : unsigned char {
  nested,     ///< z, y, x
  flattened,  ///< one loop over the linear local id, which x, y and z are computed from
};

class RegionEmitter {
 public:
  RegionEmitter(Shared& shared, unsigned number, BasicBlock* begin, Order order = Order::nested)
      : s_(shared),
        region_(shared.in.graph.regions[number]),
        name_("region." + std::to_string(number) + (order == Order::flattened ? ".flat" : "")),
        begin_(begin),
        order_(order) {}

  void emit() {
    if (order_ == Order::nested)
      open_loops();
    else
      open_flat_loop();
    number_in_sub_group();
    map_variables();
    copy_blocks();
    make_stops();
    remap();
    enter();
    repair_values();
    close_loops();
    leave();
  }

 private:
  const WorkItemFunction& item() const { return s_.in.item; }
  bool dispatches() const { return region_.starts.size() > 1; }
  /// More than one way to go on.
  bool decides() const { return region_.exits.size() + (region_.returns ? 1U : 0U) > 1; }

  // --- the loop nest -------------------------------------------------------------------------------------------------

  void open_region(IRBuilder<>& b) {
    if (dispatches()) start_ = b.CreateLoad(b.getInt32Ty(), s_.next, "start");
    b.CreateStore(b.getInt32(0), s_.next);
    if (s_.report != nullptr && decides()) s_.report->begin_region(b);
  }

  void open_loops() {
    IRBuilder<> b(begin_);
    open_region(b);
    static constexpr const char* kNames[] = {"", ".y", ".z"};
    static constexpr const char* kIds[] = {"local.id.x", "local.id.y", "local.id.z"};
    for (unsigned d = 3; d-- > 0;) {
      head_[d] = s_.block(name_ + ".items" + kNames[d]);
      b.CreateBr(head_[d]);
      BasicBlock* from = b.GetInsertBlock();
      b.SetInsertPoint(head_[d]);
      auto* id = b.CreatePHI(b.getInt64Ty(), 2, kIds[d]);
      id->addIncoming(b.getInt64(0), from);
      id_[d] = id;
      if (d != 1) continue;
      Value* rows = b.CreateNUWAdd(b.CreateNUWMul(id_[2], size(1)), id_[1]);
      row_ = b.CreateNUWMul(rows, size(0), "row");
    }
    linear_ = b.CreateNUWAdd(row_, id_[0], "local.linear");
    items_end_ = s_.block(name_ + ".items.end");
  }

  void open_flat_loop() {
    IRBuilder<> b(begin_);
    open_region(b);
    head_[0] = s_.block(name_ + ".items");
    b.CreateBr(head_[0]);
    b.SetInsertPoint(head_[0]);
    auto* number = b.CreatePHI(b.getInt64Ty(), 2, "local.linear");
    number->addIncoming(b.getInt64(0), begin_);
    count_ = number;
    linear_ = number;
    Value* rows = quotient(b, number, size(0));
    Value* planes = quotient(b, rows, size(1));
    id_[0] = b.CreateSub(number, b.CreateMul(rows, size(0)), "local.id.x");
    id_[1] = b.CreateSub(rows, b.CreateMul(planes, size(1)), "local.id.y");
    id_[2] = planes;
    items_end_ = s_.block(name_ + ".items.end");
  }

  /// Of numbers below 2^31, which division as double gives exactly; processors have no vector form for integers.
  static Value* quotient(IRBuilder<>& b, Value* dividend, Value* divisor) {
    const auto number = [&](Value* v) { return b.CreateSIToFP(b.CreateTrunc(v, b.getInt32Ty()), b.getDoubleTy()); };
    Value* ratio = b.CreateFDiv(number(dividend), number(divisor));
    return b.CreateZExt(b.CreateFPToSI(ratio, b.getInt32Ty()), b.getInt64Ty());
  }

  /// With sub-groups of several work-items a vector is a sub-group: loops begin at multiples of its size.
  void number_in_sub_group() {
    const unsigned width = item().sub_group_size;
    IRBuilder<> b(head_[0]);
    if (width == 1) {
      sub_group_[0] = linear_;
      sub_group_[1] = b.getInt64(0);
      sub_group_[2] = b.getInt64(1);
      return;
    }
    const auto mark = [&](Value* v, const char* what) {
      if (auto* i = llvm::dyn_cast<Instruction>(v)) i->setMetadata(what, llvm::MDNode::get(s_.context(), {}));
      return v;
    };
    sub_group_[0] = mark(b.CreateLShr(linear_, llvm::Log2_32(width), "sub.group.id"), marks::kUniform);
    sub_group_[1] = mark(b.CreateAnd(linear_, b.getInt64(width - 1), "sub.group.local.id"), marks::kLane);
    Value* items = b.CreateNUWMul(b.CreateNUWMul(size(0), size(1)), size(2));
    Value* rest = b.CreateNUWSub(items, b.CreateNUWMul(sub_group_[0], b.getInt64(width)));
    sub_group_[2] = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, b.getInt64(width));
  }

  Value* size(unsigned d) const { return s_.range.parameter(item(), Context::local_size, d); }

  void close_flat_loop() {
    IRBuilder<> b(items_end_);
    Value* next = b.CreateNUWAdd(count_, b.getInt64(1));
    count_->addIncoming(next, items_end_);
    end_ = s_.block(name_ + ".end");
    IRBuilder<> begin(begin_->getTerminator());
    Value* items = begin.CreateNUWMul(begin.CreateNUWMul(size(0), size(1)), size(2), "group.items");
    describe_loop(*b.CreateCondBr(b.CreateICmpULT(next, items), head_[0], end_), true, false);
  }

  void close_loops() {
    if (order_ == Order::flattened) return close_flat_loop();
    BasicBlock* latch = items_end_;
    for (unsigned d = 0; d < 3; ++d) {
      IRBuilder<> b(latch);
      Value* next = b.CreateNUWAdd(id_[d], b.getInt64(1));
      llvm::cast<llvm::PHINode>(id_[d])->addIncoming(next, latch);
      BasicBlock* after = s_.block(d == 2 ? name_ + ".end" : name_ + ".items.end" + (d == 0 ? ".y" : ".z"));
      auto* branch = b.CreateCondBr(b.CreateICmpULT(next, size(d)), head_[d], after);
      describe_loop(*branch, d == 0, d != 0 || s_.in.graph.regions.size() > kUnrolledRegions);
      latch = after;
    }
    end_ = latch;
  }

  /// The innermost loop is marked for the vectoriser (compiler/spmd), with a reason where it must leave it alone.
  /// Unrolling the outer loops gains nothing, and LLVM's time for it grows with the square of the number of loops.
  void describe_loop(llvm::BranchInst& branch, bool innermost, bool do_not_unroll) const {
    llvm::LLVMContext& c = branch.getContext();
    llvm::SmallVector<llvm::Metadata*, 3> operands{nullptr};
    if (innermost) {
      llvm::SmallVector<llvm::Metadata*, 2> mark{llvm::MDString::get(c, marks::kItems)};
      if (const char* reason = not_vectorisable()) mark.push_back(llvm::MDString::get(c, reason));
      operands.push_back(llvm::MDNode::get(c, mark));
      if (item().sub_group_size > 1) operands.push_back(sub_group_mark(c));
    }
    if (do_not_unroll) operands.push_back(llvm::MDNode::get(c, {llvm::MDString::get(c, "llvm.loop.unroll.disable")}));
    auto* loop = llvm::MDNode::getDistinct(c, operands);
    loop->replaceOperandWith(0, loop);
    branch.setMetadata(llvm::LLVMContext::MD_loop, loop);
  }

  llvm::MDNode* sub_group_mark(llvm::LLVMContext& c) const {
    auto* width = llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), item().sub_group_size);
    llvm::SmallVector<llvm::Metadata*, 3> mark{llvm::MDString::get(c, marks::kSubGroup),
                                               llvm::ConstantAsMetadata::get(width)};
    if (order_ == Order::flattened) mark.push_back(llvm::MDString::get(c, "flattened"));
    return llvm::MDNode::get(c, mark);
  }

  /// What work-items do one after the other through memory that they share.
  const char* not_vectorisable() const {
    if (s_.report != nullptr) return "barriers are being debugged";
    for (const PrivateVariable& v : s_.in.memory.variables)
      if (v.place == PrivatePlace::group_scratch) return "large private arrays";
    return nullptr;
  }

  void leave() {
    IRBuilder<> b(end_);
    const auto target = [&](unsigned exit) { return s_.begins[s_.in.graph.region_of[exit]]; };
    if (region_.exits.empty()) {
      b.CreateBr(s_.range.group_end);
    } else if (!decides()) {
      b.CreateBr(target(region_.exits.front()));
    } else {
      auto* branch = b.CreateSwitch(b.CreateLoad(b.getInt32Ty(), s_.next, "next"), s_.range.group_end);
      for (unsigned exit : region_.exits) branch->addCase(b.getInt32(exit), target(exit));
    }
  }

  // --- the copy ------------------------------------------------------------------------------------------------------

  void map_variables() {
    for (unsigned i = 0; i < s_.range.parameters.size(); ++i)
      if (Value* value = s_.range.parameters[i]) map_[item().function->getArg(i)] = value;
    for (unsigned d = 0; d < 3; ++d) map_[item().context(Context::local_id, d)] = id_[d];
    map_[item().context(Context::local_linear)] = linear_;
    map_[item().context(Context::sub_group_id)] = sub_group_[0];
    map_[item().context(Context::sub_group_local_id)] = sub_group_[1];
    map_[item().context(Context::sub_group_size)] = sub_group_[2];
    for (const auto& [variable, place] : s_.variables) map_[variable] = place;
  }

  void copy_blocks() {
    for (BasicBlock* block : region_.blocks) {
      BasicBlock* copy = llvm::CloneBasicBlock(block, map_, "", s_.range.function);
      copy->setName(name_ + "." + block->getName());
      copy->moveBefore(items_end_);
      map_[block] = copy;
      copies_.push_back(copy);
      s_.in.debug.drop_declares(*copy);
    }
    // Predecessors outside of the region do not lead here any more.
    for (BasicBlock* copy : copies_)
      for (llvm::PHINode& phi : copy->phis())
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
          if (!region_.blocks.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
  }

  /// Where the copies go instead of to a barrier or out of the kernel.
  void make_stops() {
    for (unsigned exit : region_.exits) {
      const Barrier& barrier = s_.in.graph.barriers[exit - 1];
      BasicBlock* stop = s_.block(name_ + ".stop." + std::to_string(exit));
      stop->moveBefore(items_end_);
      IRBuilder<> b(stop);
      if (barrier.beyond_work_group) b.CreateFence(llvm::AtomicOrdering::AcquireRelease);
      store_live_values(b, exit);
      if (s_.in.graph.needs_alive && llvm::is_contained(region_.starts, 0U)) store_alive(b, true);
      arrive(b, exit);
      map_[barrier.block] = stop;
    }
    if (!region_.returns) return;
    BasicBlock* stop = s_.block(name_ + ".return");
    stop->moveBefore(items_end_);
    IRBuilder<> b(stop);
    if (s_.in.graph.needs_alive && !region_.exits.empty()) store_alive(b, false);
    arrive(b, 0);
    for (BasicBlock* copy : copies_)
      if (llvm::isa<llvm::ReturnInst>(copy->getTerminator()))
        llvm::ReplaceInstWithInst(copy->getTerminator(), llvm::BranchInst::Create(stop));
  }

  void arrive(IRBuilder<>& b, unsigned exit) {
    if (exit != 0 && (decides() || s_.in.graph.regions[s_.in.graph.region_of[exit]].starts.size() > 1))
      b.CreateStore(b.getInt32(exit), s_.next);
    if (s_.report != nullptr && decides())
      s_.report->arrive(b, exit, s_.range.parameter(item(), Context::group_linear));
    b.CreateBr(items_end_);
  }

  /// A value that this region does not define still is in its place.
  void store_live_values(IRBuilder<>& b, unsigned exit) {
    for (Instruction* value : s_.in.live.at[exit]) {
      const LiveValue& info = s_.in.live.values.find(value)->second;
      if (info.keep == Keep::recompute || !region_.blocks.contains(value->getParent())) continue;
      Value* copy = map_.lookup(value);
      if (info.keep == Keep::group)
        b.CreateStore(copy, s_.group_places.lookup(value));
      else
        b.CreateAlignedStore(as_stored(b, copy), slot_address(b, info.slot), info.slot.align);
    }
  }

  /// What a value of `type` is in memory. An integer takes all of its bytes (a truth value one, parts of structs of 48
  /// bits eight): vectors of others have no elements to address.
  static llvm::Type* stored_type(llvm::Type* type) {
    const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
    if (bits >= 64) return type;
    return llvm::IntegerType::get(type->getContext(), std::max(8U, static_cast<unsigned>(llvm::PowerOf2Ceil(bits))));
  }
  static Value* as_stored(IRBuilder<>& b, Value* v) {
    llvm::Type* type = stored_type(v->getType());
    return type == v->getType() ? v : b.CreateZExt(v, type);
  }

  Value* slot_address(IRBuilder<>& b, const ItemSlot& slot) {
    auto* element = llvm::ArrayType::get(b.getInt8Ty(), slot.bytes);
    return b.CreateInBoundsGEP(element, s_.slot_base(slot.offset), linear_);
  }

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
        // Scopes of inlined restrict pointers may begin in one region and be used in another, where they would no
        // longer be renewed by each work-item.
        i.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
        i.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
      }
  }

  // --- values from before the barrier --------------------------------------------------------------------------------

  /// From the innermost loop head into the copies: skips the dead, chooses the continuation.
  void enter() {
    IRBuilder<> b(head_[0]);
    s_.in.debug.describe_item(b, id_);
    for (const PrivateVariable& v : s_.in.memory.variables)
      if (v.place == PrivatePlace::item_scratch) place_of(b, v);
    if (region_.may_have_dead) {
      Value* alive = b.CreateIsNotNull(b.CreateLoad(b.getInt8Ty(), slot_address(b, s_.in.live.alive)), "alive");
      if (llvm::is_contained(region_.starts, 0U)) alive = b.CreateOr(alive, b.CreateIsNull(start_));
      BasicBlock* go = s_.block(name_ + ".alive");
      go->moveAfter(head_[0]);
      b.CreateCondBr(alive, go, items_end_);
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
    auto* branch = b.CreateSwitch(start_, resume_.front());
    for (unsigned i = 1; i < resume_.size(); ++i) branch->addCase(b.getInt32(region_.starts[i]), resume_[i]);
  }

  /// The address of this work-item's own private variable, for the copies that use it.
  void place_of(IRBuilder<>& b, const PrivateVariable& v) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : v.variable->uses())
      if (llvm::cast<Instruction>(use.getUser())->getFunction() == s_.range.function) uses.push_back(&use);
    bool recomputed = false;
    for (unsigned start : region_.starts) recomputed |= !s_.in.live.at[start].empty();
    if (uses.empty() && !recomputed && !s_.in.debug.declares()) return;
    Value* address = slot_address(b, s_.in.live.variables.lookup(v.variable));
    map_[v.variable] = address;
    s_.in.debug.declare_at(b, *v.variable, address);
    for (llvm::Use* use : uses) use->set(address);
  }

  /// Value of `value` at the begin of start number `i`.
  Value* resumed(Instruction* value, unsigned i) {
    Value*& known = resumed_[{value, i}];
    if (known != nullptr) return known;
    const unsigned start = region_.starts[i];
    if (!s_.in.live.at[start].contains(value)) return known = llvm::PoisonValue::get(value->getType());
    const LiveValue& info = s_.in.live.values.find(value)->second;
    Value* result = nullptr;
    if (info.keep == Keep::group) {
      result = IRBuilder<>(begin_->getTerminator()).CreateLoad(value->getType(), s_.group_places.lookup(value));
    } else if (info.keep == Keep::item) {
      IRBuilder<> b(resume_[i]->getTerminator());
      llvm::Type* type = stored_type(value->getType());
      result = b.CreateAlignedLoad(type, slot_address(b, info.slot), info.slot.align);
      if (value->getType()->isIntegerTy(1))
        result = b.CreateIsNotNull(result);
      else if (type != value->getType())
        result = b.CreateTrunc(result, value->getType());
    } else {
      result = recomputed(value, i);
    }
    if (!value->getName().empty() && !llvm::isa<llvm::Constant>(result)) result->setName(value->getName());
    return resumed_[{value, i}] = result;
  }

  /// A value that recomputing another one takes: kept, or recomputed as well.
  Value* ingredient(Instruction* value, unsigned i) {
    if (s_.in.live.at[region_.starts[i]].contains(value)) return resumed(value, i);
    Value* known = ingredients_.lookup({value, i});
    if (known == nullptr) known = ingredients_[{value, i}] = recomputed(value, i);
    return known;
  }

  Value* recomputed(Instruction* value, unsigned i) {
    Instruction* copy = value->clone();
    for (llvm::Use& operand : copy->operands()) {
      auto* instruction = llvm::dyn_cast<Instruction>(operand.get());
      if (instruction != nullptr && !llvm::isa<llvm::AllocaInst>(instruction))
        operand.set(ingredient(instruction, i));
      else if (Value* mapped = map_.lookup(operand.get()))
        operand.set(mapped);
    }
    copy->dropUnknownNonDebugMetadata();
    copy->insertBefore(resume_[i]->getTerminator()->getIterator());
    return copy;
  }

  void repair_values() {
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
        for (llvm::Use* use : uses) use->set(resumed(value, 0));
        continue;
      }
      llvm::SSAUpdater updater;
      updater.Initialize(value->getType(), value->getName());
      for (unsigned i = 0; i < resume_.size(); ++i) updater.AddAvailableValue(resume_[i], resumed(value, i));
      if (copy != nullptr) updater.AddAvailableValue(copy->getParent(), copy);
      for (llvm::Use* use : uses) updater.RewriteUse(*use);
    }
  }

  Shared& s_;
  const Region& region_;
  std::string name_;
  BasicBlock* begin_;
  Value* start_ = nullptr;
  BasicBlock* head_[3] = {};
  Order order_;
  Value* id_[3] = {};
  llvm::PHINode* count_ = nullptr;  ///< of the flattened loop
  Value* sub_group_[3] = {};        ///< number, number in it, size
  Value* row_ = nullptr;
  Value* linear_ = nullptr;
  BasicBlock* items_end_ = nullptr;
  BasicBlock* end_ = nullptr;
  llvm::ValueToValueMapTy map_;
  llvm::SmallVector<BasicBlock*> copies_;
  llvm::SmallVector<BasicBlock*, 1> resume_;  ///< by start: the block in front of its copy
  llvm::DenseMap<std::pair<Instruction*, unsigned>, Value*> resumed_;
  llvm::DenseMap<std::pair<Instruction*, unsigned>, Value*> ingredients_;
};

/// Places that all work-items use one after the other, or together.
void place_shared(Shared& s) {
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
      // One work-item after the other uses it: lanes need copies.
      copy->setMetadata(marks::kPrivate, llvm::MDNode::get(s.context(), {}));
      s.variables[v.variable] = copy;
      s.in.debug.declare(*v.variable, copy);
    }
  }
  for (const auto& [value, info] : s.in.live.values)
    if (info.keep == Keep::group) s.group_places[value] = s.allocate(value->getType(), value->getName() + ".kept");
}

/// No sub-group has work-items of two rows, and no id in a group is 2^31 or more.
Value* sub_groups_in_rows(IRBuilder<>& b, const RangeFunction& range, const WorkItemFunction& item) {
  const auto size = [&](unsigned d) { return range.parameter(item, Context::local_size, d); };
  Value* one_row = b.CreateICmpEQ(b.CreateMul(size(1), size(2)), b.getInt64(1));
  Value* rest = b.CreateAnd(size(0), b.getInt64(item.sub_group_size - 1));
  Value* whole = b.CreateICmpEQ(rest, b.getInt64(0));
  Value* first = range.parameter(item, Context::group_base);
  Value* limit = b.getInt64(std::int64_t{1} << 31);
  Value* small = b.CreateAnd(b.CreateICmpULE(first, limit), b.CreateICmpULE(b.CreateAdd(first, size(0)), limit));
  return b.CreateAnd(b.CreateOr(one_row, whole), small, "sub.groups.in.rows");
}

/// Two loop nests: where x counts along a sub-group most addresses are consecutive.
void emit_with_sub_groups(Shared& s, unsigned number, Value* in_rows) {
  BasicBlock* rows = s.block(s.begins[number]->getName() + ".rows");
  BasicBlock* flat = s.block(s.begins[number]->getName() + ".flat");
  llvm::BranchInst::Create(rows, flat, in_rows, s.begins[number]);
  RegionEmitter(s, number, rows).emit();
  RegionEmitter(s, number, flat, Order::flattened).emit();
}

}  // namespace

void emit_regions(RangeFunction& range, const RegionInput& input) {
  Shared s(range, input);
  s.next = s.allocate(llvm::Type::getInt32Ty(s.context()), "next");
  DivergenceReport report(range, input.graph);
  if (input.debug_barriers && !input.graph.barriers.empty()) s.report = &report;
  place_shared(s);
  for (unsigned i = 0; i < input.graph.regions.size(); ++i) s.begins.push_back(s.block("region." + llvm::Twine(i)));
  IRBuilder<> b(range.group);
  input.debug.describe_group(b);
  b.CreateStore(b.getInt32(0), s.next);
  Value* in_rows = input.item.sub_group_size == 1 ? nullptr : sub_groups_in_rows(b, range, input.item);
  b.CreateBr(s.begins.front());
  for (unsigned i = 0; i < input.graph.regions.size(); ++i) {
    if (input.item.sub_group_size == 1)
      RegionEmitter(s, i, s.begins[i]).emit();
    else
      emit_with_sub_groups(s, i, in_rows);
  }
  range.group_end->moveAfter(&range.function->back());
}

}  // namespace lanewise
