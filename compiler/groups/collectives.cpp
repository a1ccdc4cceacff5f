// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/collectives.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <string>

#include "compiler/base/lane_reductions.h"
#include "compiler/base/loop_properties.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/sub_group_operations.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

/// One cache line of 32-bit and 64-bit values.
constexpr unsigned kChunkBits = 512;
constexpr unsigned kMostLanes = 16;

/// The suffix of functions that leave out work-items which have returned.
constexpr llvm::StringLiteral kWithoutReturned = ".without_returned";
/// A part of the names of functions whose callers know the number of work-items.
constexpr llvm::StringLiteral kOfKnownSize = ".of_known_size";

/// Writes a function over the operands of a group: whole chunks of lanes in a loop, then the tail under a mask. It is a
/// function of its own because the vectoriser splits vectors in the kernel, and because kernels share it.
class GroupFunction {
 public:
  GroupFunction(llvm::Function& function, const SubGroupCall& operation, llvm::Type& type)
      : f_(function),
        operation_(operation),
        type_(&type),
        lanes_(std::min(kMostLanes, kChunkBits / type.getScalarSizeInBits())),
        vector_(llvm::FixedVectorType::get(type_, lanes_)),
        b_(block("entry")) {}

  /// T (ptr operands, ptr alive, i64 items)
  void reduce() {
    Value* sum = for_chunks(f_.getArg(2), neutral(), [&](Value* first, Value* mask, Value* before) {
      return combine(b_, operation_, before, operands(first, mask));
    });
    b_.CreateRet(reduced_lanes(b_, sum, [&](Value* l, Value* r) { return combine(b_, operation_, l, r); }));
  }

  /// void (ptr operands, ptr alive, i64 items, ptr results). Scans each chunk; its sum is carried to the next.
  void scan() {
    for_chunks(f_.getArg(2), identity(operation_, *type_), [&](Value* first, Value* mask, Value* before) {
      Value* v = scanned_lanes(b_, operands(first, mask), neutral(),
                               [&](Value* l, Value* r) { return combine(b_, operation_, l, r); });
      Value* sum = b_.CreateExtractElement(v, std::uint64_t{lanes_ - 1});
      if (operation_.what == SubGroupOperation::scan_exclusive) v = shifted_lanes(b_, v, 1, neutral());
      keep(f_.getArg(3), first, mask, combine(b_, operation_, b_.CreateVectorSplat(lanes_, before), v));
      return combine(b_, operation_, before, sum);
    });
    b_.CreateRetVoid();
  }

  /// void (ptr results, i64 items, T v)
  void fill() {
    Value* all = b_.CreateVectorSplat(lanes_, f_.getArg(2));
    for_chunks(f_.getArg(1), b_.getFalse(), [&](Value* first, Value* mask, Value* nothing) {
      keep(f_.getArg(0), first, mask, all);
      return nothing;
    });
    b_.CreateRetVoid();
  }

 private:
  /// Emits the work for the `lanes_` work-items from `first` on; the mask says which of them exist, null: all.
  using Chunk = llvm::function_ref<Value*(Value* first, Value* mask, Value* carried)>;

  BasicBlock* block(const char* name) { return BasicBlock::Create(f_.getContext(), name, &f_); }
  Value* neutral() { return b_.CreateVectorSplat(lanes_, identity(operation_, *type_)); }

  /// Returns what the last chunk carries.
  Value* for_chunks(Value* items, Value* initial, Chunk chunk) {
    BasicBlock* before = b_.GetInsertBlock();
    BasicBlock* loop = block("chunks");
    BasicBlock* behind = block("chunks.end");
    BasicBlock* tail = block("rest");
    BasicBlock* end = block("end");
    Value* whole = b_.CreateAnd(items, b_.getInt64(~std::uint64_t{lanes_ - 1}), "whole");
    b_.CreateCondBr(b_.CreateICmpNE(whole, b_.getInt64(0)), loop, behind);

    b_.SetInsertPoint(loop);
    auto* first = b_.CreatePHI(b_.getInt64Ty(), 2, "first");
    auto* carried = b_.CreatePHI(initial->getType(), 2, "carried");
    Value* next_carried = chunk(first, nullptr, carried);
    Value* next = b_.CreateNUWAdd(first, b_.getInt64(lanes_));
    first->addIncoming(b_.getInt64(0), before);
    first->addIncoming(next, loop);
    carried->addIncoming(initial, before);
    carried->addIncoming(next_carried, loop);
    // It has vectors already, and copies of its body would make short groups slower, unless their number is known:
    // then the loop goes, and operands need no memory (RegionInput::slots_in_frame).
    llvm::Instruction& latch = *b_.CreateCondBr(b_.CreateICmpULT(next, whole), loop, behind);
    if (f_.getName().contains(kOfKnownSize))
      set_loop_properties(latch, {kIsVectorised});
    else
      set_loop_properties(latch, {kNoUnrolling, kIsVectorised});

    b_.SetInsertPoint(behind);
    auto* of_chunks = b_.CreatePHI(initial->getType(), 2);
    of_chunks->addIncoming(initial, before);
    of_chunks->addIncoming(next_carried, loop);
    b_.CreateCondBr(b_.CreateICmpNE(whole, items), tail, end);

    b_.SetInsertPoint(tail);
    Value* rest = b_.CreateTrunc(b_.CreateNUWSub(items, whole), b_.getInt32Ty());
    Value* numbers = b_.CreateStepVector(llvm::FixedVectorType::get(b_.getInt32Ty(), lanes_));
    Value* of_rest = chunk(whole, b_.CreateICmpULT(numbers, b_.CreateVectorSplat(lanes_, rest)), of_chunks);
    b_.CreateBr(end);

    b_.SetInsertPoint(end);
    auto* result = b_.CreatePHI(initial->getType(), 2);
    result->addIncoming(of_chunks, behind);
    result->addIncoming(of_rest, tail);
    return result;
  }

  Value* load(llvm::FixedVectorType* type, Value* base, Value* first, Value* mask, Value* otherwise) {
    const llvm::Align align = f_.getDataLayout().getABITypeAlign(type->getElementType());
    Value* address = b_.CreateInBoundsGEP(type->getElementType(), base, first);
    if (mask == nullptr) return b_.CreateAlignedLoad(type, address, align);
    return b_.CreateMaskedLoad(type, address, align, mask, otherwise);
  }

  /// Operands of a chunk; the identity for work-items that do not exist, or that have returned (which is an error).
  Value* operands(Value* first, Value* mask) {
    Value* v = load(vector_, f_.getArg(0), first, mask, neutral());
    if (f_.getName().ends_with(kWithoutReturned)) {
      auto* bytes = llvm::FixedVectorType::get(b_.getInt8Ty(), lanes_);
      Value* alive = load(bytes, f_.getArg(1), first, mask, llvm::Constant::getNullValue(bytes));
      v = b_.CreateSelect(b_.CreateIsNotNull(alive), v, neutral());
    }
    return v;
  }

  void keep(Value* results, Value* first, Value* mask, Value* v) {
    const llvm::Align align = f_.getDataLayout().getABITypeAlign(type_);
    Value* address = b_.CreateInBoundsGEP(type_, results, first);
    if (mask == nullptr)
      b_.CreateAlignedStore(v, address, align);
    else
      b_.CreateMaskedStore(v, address, align, mask);
  }

  llvm::Function& f_;
  SubGroupCall operation_;
  llvm::Type* type_;
  unsigned lanes_;
  llvm::FixedVectorType* vector_;
  IRBuilder<> b_;
};

/// Emits the operation of the group at one barrier.
class CollectiveEmitter {
 public:
  CollectiveEmitter(RegionShared& shared, unsigned number, const SubGroupCall& operation, const LiveValue& result)
      : s_(shared),
        number_(number),
        operation_(operation),
        result_(result),
        call_(*shared.in.graph.barriers[number - 1].call),
        type_(call_.getType()),
        b_(s_.block("collective." + llvm::Twine(number))) {}

  BasicBlock* emit() {
    BasicBlock* begin = b_.GetInsertBlock();
    const auto size = [&](unsigned d) { return s_.range.parameter(s_.in.item, ContextParameter::local_size, d); };
    items_ = b_.CreateNUWMul(b_.CreateNUWMul(size(0), size(1)), size(2), "group.items");
    if (operation_.what == SubGroupOperation::broadcast)
      keep_for_all(broadcast());
    else if (operation_.what == SubGroupOperation::reduce)
      keep_for_all(combined({}));
    else
      combined({start_of(result_.slot)});
    b_.CreateBr(s_.begins[s_.in.graph.region_of[number_]]);
    return begin;
  }

 private:
  [[nodiscard]] const OperandPlaces& places() const { return s_.in.live.operands[number_]; }
  Value* start_of(const ItemSlot& slot) { return s_.slot_address(b_, slot, b_.getInt64(0)); }

  /// Calls the function `name`, which `write` writes if it does not exist yet.
  Value* call(llvm::StringRef name, llvm::StringRef form, llvm::Type* result, llvm::ArrayRef<Value*> arguments,
              llvm::function_ref<void(GroupFunction&)> write) {
    llvm::Module& module = *s_.range.function->getParent();
    const llvm::StringRef size = llvm::isa<llvm::ConstantInt>(items_) ? kOfKnownSize : "";
    const std::string symbol = ("lanewise." + name + size + form).str();
    llvm::Function* f = module.getFunction(symbol);
    if (f == nullptr) {
      llvm::SmallVector<llvm::Type*, 4> types;
      for (const Value* a : arguments) types.push_back(a->getType());
      f = llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::Function::InternalLinkage, symbol,
                                 module);
      f->addFnAttrs(llvm::AttrBuilder(s_.context(), s_.range.function->getAttributes().getFnAttrs()));
      f->removeFnAttr(marks::kSharedBodies);
      GroupFunction function(*f, operation_, *type_);
      write(function);
    }
    return b_.CreateCall(f, arguments);
  }

  Value* combined(llvm::ArrayRef<Value*> results) {
    const bool returned = s_.in.graph.regions[s_.in.graph.region_of[number_]].may_have_dead;
    Value* operands = start_of(places().value);
    Value* alive = returned ? start_of(s_.in.live.alive) : llvm::ConstantPointerNull::get(b_.getPtrTy());
    llvm::SmallVector<Value*, 4> arguments{operands, alive, items_};
    arguments.append(results.begin(), results.end());
    llvm::StringRef name = call_.getCalledFunction()->getName();
    name.consume_front("__lw_");
    return call(name, returned ? kWithoutReturned : "", results.empty() ? type_ : b_.getVoidTy(), arguments,
                [&](GroupFunction& f) { results.empty() ? f.reduce() : f.scan(); });
  }

  /// An index that no work-item has gives any value.
  Value* broadcast() {
    Value* index = call_.getArgOperand(1);
    if (places().keep_index == Keep::group)
      index = b_.CreateLoad(index->getType(), s_.indices.lookup(number_));
    else if (places().keep_index == Keep::item)
      index = b_.CreateAlignedLoad(index->getType(), start_of(places().index), places().index.align);
    Value* last = b_.CreateNUWSub(items_, b_.getInt64(1));
    index = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, last);
    return b_.CreateAlignedLoad(type_, s_.slot_address(b_, places().value, index), places().value.align);
  }

  /// Stores `v` in the place of the group or, where the analysis could not see that it is uniform, in each work-item's.
  void keep_for_all(Value* v) {
    if (result_.keep == Keep::group) {
      b_.CreateStore(v, s_.group_places.lookup(&call_));
      return;
    }
    const llvm::StringRef type = call_.getCalledFunction()->getName().rsplit('_').second;
    call(("work_group_fill_" + type).str(), "", b_.getVoidTy(), {start_of(result_.slot), items_, v},
         [](GroupFunction& f) { f.fill(); });
  }

  RegionShared& s_;
  unsigned number_;
  SubGroupCall operation_;
  const LiveValue& result_;
  llvm::CallBase& call_;
  llvm::Type* type_;
  IRBuilder<> b_;
  Value* items_ = nullptr;
};

/// The operation at barrier `number`, if there is one and its result is used.
std::optional<SubGroupCall> used_operation(const RegionInput& in, unsigned number) {
  if (number == 0) return std::nullopt;
  llvm::CallBase* call = in.graph.barriers[number - 1].call;
  return in.live.values.contains(call) ? work_group_call(*call) : std::nullopt;
}

}  // namespace

void store_operands(IRBuilder<>& b, RegionShared& s, unsigned number, llvm::ValueToValueMapTy& map, Value* linear) {
  if (!used_operation(s.in, number)) return;
  const llvm::CallBase& call = *s.in.graph.barriers[number - 1].call;
  const OperandPlaces& places = s.in.live.operands[number];
  // Values of earlier regions are not in the map yet; they are replaced later with all other uses.
  const auto operand = [&](unsigned i) {
    Value* copy = map.lookup(call.getArgOperand(i));
    return copy != nullptr ? copy : call.getArgOperand(i);
  };
  if (!places.is_kept) b.CreateAlignedStore(operand(0), s.slot_address(b, places.value, linear), places.value.align);
  if (places.keep_index == Keep::group)
    b.CreateStore(operand(1), s.indices.lookup(number));
  else if (places.keep_index == Keep::item)
    b.CreateAlignedStore(operand(1), s.slot_address(b, places.index, linear), places.index.align);
}

BasicBlock* emit_collective(RegionShared& s, unsigned number) {
  const auto operation = used_operation(s.in, number);
  if (!operation) return s.begins[s.in.graph.region_of[number]];
  llvm::CallBase* call = s.in.graph.barriers[number - 1].call;
  if (s.in.live.operands[number].keep_index == Keep::group)
    s.indices[number] = s.allocate(call->getArgOperand(1)->getType(), "index.kept");
  return CollectiveEmitter(s, number, *operation, s.in.live.values.find(call)->second).emit();
}

}  // namespace lanewise
