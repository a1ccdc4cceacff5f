// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/stores.h"

#include <llvm/IR/Instructions.h>

#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/emit/loads.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::StoreInst;
using llvm::Value;

namespace {

void emit_either_store(VectorState& s, Value* test, llvm::function_ref<void()> if_true,
                       llvm::function_ref<void()> if_false) {
  const auto without_results = [](llvm::function_ref<void()> form) {
    return [form] {
      form();
      return Parts();
    };
  };
  emit_fast_or_general(s, test, {"consecutive", "scattered", "stored"}, without_results(if_true),
                       without_results(if_false));
}

}  // namespace

void Stores::emit(const StoreInst& store, Value* mask) {
  if (store.isAtomic()) return lane_by_lane(store, mask);
  const AccessForm form = addresses_.recipe(store, mask).form();
  switch (form) {
    case AccessForm::uniform:
      return uniform(store, mask);
    case AccessForm::reversed:
      tally(Transformation::store_backwards);
      return full_or_masked(store, mask, LaneOrder::down);
    case AccessForm::tested_reversed:
      tally(Transformation::store_backwards_by_test);
      return by_test(store, s_.holds(store.getPointerOperand()), mask, LaneOrder::down);
    case AccessForm::wide:
      tally(Transformation::store_consecutive);
      return full_or_masked(store, mask);
    case AccessForm::tested:
      tally(Transformation::store_by_test);
      return by_test(store, s_.holds(store.getPointerOperand()), mask);
    case AccessForm::gathered:
    case AccessForm::lane_by_lane:
      break;
  }
  if (addresses_.guess(store) == BentLines::Guess::often) {
    tally(Transformation::store_bent_lines);
    return by_test(store, addresses_.lanes_are_consecutive(store, mask), mask);
  }
  if (form == AccessForm::gathered)
    rarely(store, mask);
  else
    lane_by_lane(store, mask);
}

void Stores::by_test(const StoreInst& store, Value* test, Value* mask, LaneOrder order) {
  emit_either_store(
      s_, test, [&] { consecutive(store, mask, order); },
      [&] { addresses_.may_have_two_runs(store) ? by_runs(store, mask) : rarely(store, mask); });
}

/// Two masked stores where a vector comes to the end of a row. If the rows meet, the last lane's value stays: all lanes
/// of the first run come before the others.
void Stores::by_runs(const StoreInst& store, Value* mask) {
  tally(Transformation::store_two_runs);
  const Addresses::TwoRuns runs = addresses_.two_runs(store, mask);
  Value* first = b_.CreateFreeze(b_.CreateBitCast(runs.first.lanes, b_.getIntNTy(s_.width)));
  Value* ordered =
      b_.CreateIsNull(b_.CreateAnd(first, b_.CreateAdd(first, llvm::ConstantInt::get(first->getType(), 1))));
  const unsigned count = components(*store.getValueOperand()->getType());
  Value* flat = join_parts(s_, store.getValueOperand(), count);
  const auto stored = [&](const Addresses::Run& run) {
    copy_metadata(store, b_.CreateMaskedStore(flat, run.address, addresses_.lane_alignment(store),
                                              repeat_each(s_, run.lanes, count)));
  };
  const auto rows = [&] {
    stored(runs.first);
    stored(runs.last);
    return Parts();
  };
  const auto apart = [&] {
    rarely(store, mask);
    return Parts();
  };
  emit_either(s_, b_.CreateAnd(runs.holds, ordered), {"rows", "apart", "row.stored"}, rows, apart);
}

/// Consecutive lanes under a mask that is nearly always full: a branch chooses the form without a mask. Masked accesses
/// are slower without mask registers (stores by tens of cycles on some processors), or even branches.
void Stores::full_or_masked(const StoreInst& store, Value* mask, LaneOrder order) {
  const bool native = addresses_.masks(store, addresses_.masked_type(store));
  if (order == LaneOrder::up && mask != nullptr && addresses_.all_lanes_exist(store, mask))
    return s_.economy.few_forms && native ? consecutive(store, mask) : blended(store, mask);
  Value* is_full = masks_.is_full_for_access(store, mask);
  if (is_full == nullptr) return consecutive(store, mask, order);
  tally(Transformation::store_unmasked_where_full);
  emit_either_store(
      s_, is_full, [&] { consecutive(store, nullptr, order); },
      [&] { native ? consecutive(store, mask, order) : lane_by_lane(store, mask); });
}

/// The other lanes store what is there: a load that follows would wait until a masked store is done. Frozen, because
/// the code generator would make a masked store of it again.
void Stores::blended(const StoreInst& store, Value* mask) {
  tally(Transformation::blend_stores);
  const unsigned count = components(*store.getValueOperand()->getType());
  Value* flat = join_parts(s_, store.getValueOperand(), count);
  Value* address = addresses_.first_address(store);
  const llvm::Align align = addresses_.lane_alignment(store);
  Instruction* before = b_.CreateAlignedLoad(flat->getType(), address, align);
  copy_metadata(store, before);
  Value* all = b_.CreateSelect(repeat_each(s_, mask, count), flat, b_.CreateFreeze(before));
  copy_metadata(store, b_.CreateAlignedStore(all, address, align));
}

void Stores::consecutive(const StoreInst& store, Value* mask, LaneOrder order) {
  const unsigned count = components(*store.getValueOperand()->getType());
  Value* flat = join_parts(s_, store.getValueOperand(), count, order);
  Value* address = order == LaneOrder::up ? addresses_.first_address(store) : addresses_.last_address(store);
  const llvm::Align align = addresses_.lane_alignment(store);
  Instruction* made = nullptr;
  if (mask == nullptr) {
    made = b_.CreateAlignedStore(flat, address, align);
  } else {
    auto* masked = addresses_.masked_type(store);
    made = b_.CreateMaskedStore(b_.CreateBitCast(flat, masked), address, align,
                                repeat_each(s_, mask, masked->getNumElements() / s_.width, order));
  }
  copy_metadata(store, made);
}

void Stores::lane_by_lane(const StoreInst& store, Value* mask) {
  tally(Transformation::store_lane_by_lane);
  const Value* v = store.getValueOperand();
  const auto addresses = addresses_.lane_addresses(store.getPointerOperand(), mask, v->getType());
  for (unsigned l = 0; l < s_.width; ++l) {
    StoreInst* made = b_.CreateAlignedStore(s_.lane(v, l), addresses[l], addresses_.lane_alignment(store));
    made->setAtomic(store.getOrdering(), store.getSyncScopeID());
    copy_metadata(store, made);
  }
}

/// As for loads. Scatters are ordered, so where several lanes store to one address the last one wins.
void Stores::rarely(const StoreInst& store, Value* mask) {
  llvm::Type* type = store.getValueOperand()->getType();
  const llvm::Align align = addresses_.lane_alignment(store);
  if (type->isVectorTy() || !s_.target.isLegalMaskedScatter(b_.wide(type), align)) return lane_by_lane(store, mask);
  tally(Transformation::scatter);
  Value* value = s_.vector(store.getValueOperand());
  Value* addresses = s_.vector(store.getPointerOperand());
  copy_metadata(store, b_.CreateMaskedScatter(value, addresses, align, mask != nullptr ? mask : b_.all_true()));
}

/// The value of the last active lane. Lane 0 counts as active, so that the number is that of a lane even if none is
/// active. A select would not do: the optimiser moves it after the extraction, which then reads outside of the vector.
Value* Stores::last_active(const Value* v, Value* mask) {
  Value* bits = b_.CreateBitCast(mask, b_.getIntNTy(s_.width));
  bits = b_.CreateOr(bits, llvm::ConstantInt::get(bits->getType(), 1));
  Value* zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, b_.getTrue());
  Value* last = b_.CreateSub(llvm::ConstantInt::get(bits->getType(), s_.width - 1), zeros);
  last = b_.CreateZExt(last, b_.getInt64Ty());
  llvm::Type* type = v->getType();
  if (!type->isVectorTy()) return b_.CreateExtractElement(s_.vector(v), last);
  Value* value = llvm::PoisonValue::get(type);
  for (unsigned p = 0; p < components(*type); ++p)
    value = b_.CreateInsertElement(value, b_.CreateExtractElement(s_.vector(v, p), last), p);
  return value;
}

/// If several work-items store to one place, the last one wins, as if they ran one after the other.
void Stores::uniform(const StoreInst& store, Value* mask) {
  const Value* v = store.getValueOperand();
  if (!s_.shape(v).is_uniform()) tally(Transformation::store_last_lane);
  Value* value = s_.shape(v).is_uniform() ? s_.base(v)
                 : mask == nullptr        ? s_.lane(v, s_.width - 1)
                                          : last_active(v, mask);
  Value* address = addresses_.uniform_address(s_.base(store.getPointerOperand()), mask, v->getType());
  copy_metadata(store, b_.CreateAlignedStore(value, address, addresses_.lane_alignment(store)));
}

}  // namespace lanewise::spmd
