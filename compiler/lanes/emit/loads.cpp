// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/loads.h"

#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/components.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::LoadInst;
using llvm::Value;

namespace {

constexpr FormNames kForms{"consecutive", "scattered", "loaded"};
constexpr FormNames kRowForms{"rows", "apart", "row.loaded"};

}  // namespace

void copy_metadata(const Instruction& from, Instruction* to) {
  llvm::propagateMetadata(to, {const_cast<Instruction*>(&from)});
}

/// Of a table of the library that code seldom comes to, and then in every lane.
static bool reads_gathered_table(const LoadInst& load) {
  const Value* table = llvm::getUnderlyingObject(load.getPointerOperand());
  return llvm::isa<llvm::GlobalVariable>(table) && table->getName().starts_with(marks::kGatheredTable);
}

/// Whether the processor gathers as many units as there are lanes: it may not for two.
static bool gathers(const VectorState& state, llvm::Type& unit) {
  auto* all = llvm::FixedVectorType::get(&unit, state.width);
  const llvm::Align any;
  return state.target.isLegalMaskedGather(all, any) && !state.target.forceScalarizeMaskedGather(all, any);
}

void Loads::emit(const LoadInst& load, Value* mask) {
  const AccessForm form = addresses_.recipe(load, mask).form();
  if (form == AccessForm::uniform) return uniform(load, mask);
  s_.set_parts(load, parts_of(load, form, mask));
}

Parts Loads::parts_of(const LoadInst& load, AccessForm form, Value* mask) {
  switch (form) {
    case AccessForm::reversed:
      tally(Transformation::load_backwards);
      return full_or_masked(load, mask, LaneOrder::down);
    case AccessForm::tested_reversed:
      tally(Transformation::load_backwards_by_test);
      return by_test(load, s_.holds(load.getPointerOperand()), mask, true, LaneOrder::down);
    case AccessForm::wide:
      tally(Transformation::load_consecutive);
      return full_or_masked(load, mask);
    case AccessForm::tested:
      tally(Transformation::load_by_test);
      return by_test(load, s_.holds(load.getPointerOperand()), mask, true);
    default:
      const BentLines::Guess guess = addresses_.guess(load);
      if (guess != BentLines::Guess::scattered) {
        const bool often = guess == BentLines::Guess::often;
        tally(often ? Transformation::load_bent_lines : Transformation::load_scaled_lines);
        return by_test(load, consecutive_lanes(load, mask), mask, often);
      }
      return reads_gathered_table(load) ? rarely(load, mask) : apart(load, mask);
  }
}

void Loads::uniform(const LoadInst& load, Value* mask) {
  tally(Transformation::load_uniform);
  llvm::Type* type = load.getType();
  Value* address = s_.base(load.getPointerOperand());
  if (!llvm::isDereferenceableAndAlignedPointer(address, type, load.getAlign(), s_.layout))
    address = addresses_.uniform_address(address, mask, type);
  auto* copy = b_.CreateAlignedLoad(type, address, addresses_.lane_alignment(load), load.getName());
  copy_metadata(load, copy);
  if (address != s_.base(load.getPointerOperand())) copy->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
  s_.set_base(load, copy);
}

/// Lanes that are not active need no comparison where the mask is full.
Value* Loads::consecutive_lanes(const LoadInst& load, Value* mask) {
  return addresses_.lanes_are_consecutive(load, masks_.is_full_for_two_forms(mask) != nullptr ? nullptr : mask);
}

/// Loads for lanes that are usually consecutive, and for the others, rare or not. Most of the former need no mask; with
/// one some processors do not prefetch, so that loads from outside of the caches take ten times as long.
Parts Loads::by_test(const LoadInst& load, Value* test, Value* mask, bool usually, LaneOrder order) {
  Value* full = masks_.is_full_for_two_forms(mask);
  const auto emit_forms = usually ? emit_fast_or_general : emit_guess;
  return emit_forms(
      s_, full != nullptr ? b_.CreateAnd(test, full) : test, kForms,
      [&] { return full != nullptr ? consecutive(load, nullptr, order) : full_or_masked(load, mask, order); },
      [&] {
        if (usually && addresses_.may_have_two_runs(load)) return by_runs(load, mask);
        return usually ? rarely(load, mask) : apart(load, mask);
      });
}

/// Where a vector comes to the end of a row: two masked loads, of which the second keeps what the first has loaded.
Parts Loads::by_runs(const LoadInst& load, Value* mask) {
  tally(Transformation::load_two_runs);
  const Addresses::TwoRuns runs = addresses_.two_runs(load, mask);
  const unsigned count = components(*load.getType());
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), count * s_.width);
  const auto loaded = [&](const Addresses::Run& run, Value* others) {
    auto* made = b_.CreateMaskedLoad(type, run.address, addresses_.lane_alignment(load),
                                     repeat_each(s_, run.lanes, count), others, load.getName());
    copy_metadata(load, made);
    return made;
  };
  return emit_either(
      s_, runs.holds, kRowForms,
      [&] {
        Value* first = loaded(runs.first, llvm::Constant::getNullValue(type));
        return split_lanes(s_, loaded(runs.last, first), count);
      },
      [&] { return rarely(load, mask); });
}

/// A masked load whose mask is nearly always full (see `Stores::full_or_masked`).
Parts Loads::full_or_masked(const LoadInst& load, Value* mask, LaneOrder order) {
  if (addresses_.all_lanes_exist(load, mask)) return consecutive(load, nullptr, order);
  Value* is_full = masks_.is_full_for_access(load, mask);
  if (is_full == nullptr) return consecutive(load, mask, order);
  tally(Transformation::load_unmasked_where_full);
  const bool native = addresses_.masks(load, addresses_.masked_type(load));
  return emit_fast_or_general(
      s_, is_full, kForms, [&] { return consecutive(load, nullptr, order); },
      [&] { return native ? consecutive(load, mask, order) : lane_by_lane(load, mask); });
}

Parts Loads::consecutive(const LoadInst& load, Value* mask, LaneOrder order) {
  const unsigned count = components(*load.getType());
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), count * s_.width);
  const llvm::Align align = addresses_.lane_alignment(load);
  Value* address = order == LaneOrder::up ? addresses_.first_address(load) : addresses_.last_address(load);
  Instruction* made = nullptr;
  if (mask == nullptr) {
    made = b_.CreateAlignedLoad(type, address, align, load.getName());
  } else {
    auto* masked = addresses_.masked_type(load);
    made =
        b_.CreateMaskedLoad(masked, address, align, repeat_each(s_, mask, masked->getNumElements() / s_.width, order),
                            llvm::Constant::getNullValue(masked), load.getName());
  }
  copy_metadata(load, made);
  return split_lanes(s_, b_.CreateBitCast(made, type), count, order);
}

/// For lanes that are not consecutive.
Parts Loads::apart(const LoadInst& load, Value* mask) {
  llvm::Type* unit = addresses_.recipe(load, mask).gather_unit();
  return unit != nullptr && gathers(s_, *unit) ? gathered(load, *unit, mask) : lane_by_lane(load, mask);
}

Parts Loads::lane_by_lane(const LoadInst& load, Value* mask) {
  tally(Transformation::load_lane_by_lane);
  llvm::SmallVector<Value*> values;
  for (Value* address : addresses_.lane_addresses(load.getPointerOperand(), mask, load.getType())) {
    Instruction* value = b_.CreateAlignedLoad(load.getType(), address, addresses_.lane_alignment(load));
    copy_metadata(load, value);
    if (mask != nullptr) value->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
    values.push_back(value);
  }
  if (!load.getType()->isVectorTy()) return {b_.from_lanes(values)};
  return split_vectors(s_, values, components(*load.getType()));
}

/// For lanes that are rarely not consecutive. A hardware gather is slower than loads one by one on some processors, but
/// it is one instruction to compile where the others are a hundred. Small vectors are not gathered: that takes a gather
/// for each component, which loads each component by itself.
Parts Loads::rarely(const LoadInst& load, Value* mask) {
  llvm::Type* type = load.getType();
  if (type->isVectorTy() || !s_.target.isLegalMaskedGather(b_.wide(type), load.getAlign())) return apart(load, mask);
  return gathered(load, *type, mask);
}

/// Gathers the value in units, each of all lanes, and takes these apart where they have several components.
Parts Loads::gathered(const LoadInst& load, llvm::Type& unit, Value* mask) {
  const unsigned count = components(*load.getType());
  tally(count > 1 ? Transformation::gather_components : Transformation::gather);
  const unsigned of_unit = count > 1 ? unit.getIntegerBitWidth() / load.getType()->getScalarSizeInBits() : 1;
  Value* active = mask != nullptr ? mask : b_.all_true();
  Value* addresses = s_.vector(load.getPointerOperand());
  const llvm::Align align = std::min(addresses_.lane_alignment(load), s_.layout.getABITypeAlign(&unit));
  Parts parts;
  for (unsigned at = 0; at < count; at += of_unit) {
    Value* from = at == 0 ? addresses : b_.CreateGEP(load.getType()->getScalarType(), addresses, b_.getInt64(at));
    llvm::VectorType* type = b_.wide(&unit);
    Instruction* made =
        b_.CreateMaskedGather(type, from, align, active, llvm::Constant::getNullValue(type), load.getName());
    copy_metadata(load, made);
    auto* elements = llvm::FixedVectorType::get(load.getType()->getScalarType(), of_unit * s_.width);
    parts.append(split_lanes(s_, b_.CreateBitCast(made, elements), of_unit));
  }
  return parts;
}

}  // namespace lanewise::spmd
