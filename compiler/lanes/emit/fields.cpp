// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/fields.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/emit/components.h"
#include "compiler/lanes/emit/loads.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

llvm::Type* element_type(const FieldGroup& group) {
  return llvm::getLoadStoreType(group.fields.front().access)->getScalarType();
}

constexpr FormNames kFieldForms{"together", "apart", "accessed"};
constexpr FormNames kFullForms{"full", "some", "structures"};
constexpr FormNames kRowsOfFields{"rows", "apart", "row.accessed"};

std::uint64_t bytes_from_lane_to_lane(const FieldGroup& group) {
  return group.stride * group.element_bytes;
}

/// Of the access at whose place the group is emitted.
std::int64_t offset_of_place(const FieldGroup& group) {
  for (const Field& field : group.fields)
    if (field.access == group.place) return field.offset;
  return 0;
}

unsigned first_element(const FieldGroup& group, const Field& field) {
  return static_cast<unsigned>(field.offset) / group.element_bytes;
}

/// The metadata that is true for all of them.
Instruction* describe(Instruction* made, const FieldGroup& group) {
  llvm::SmallVector<Value*, 8> all;
  for (const Field& field : group.fields) all.push_back(const_cast<Instruction*>(field.access));
  return llvm::propagateMetadata(made, all);
}

}  // namespace

void Fields::begin(const llvm::BasicBlock& block, Value* mask) {
  mask_ = mask;
  groups_.emplace(block, s_.body, s_.shapes, s_.width, mask != nullptr);
}

bool Fields::emit(const Instruction& access) {
  const FieldGroup* group = groups_ ? groups_->of(access) : nullptr;
  if (group == nullptr) return false;
  if (group->place != &access) return true;
  if (llvm::isa<llvm::LoadInst>(access))
    load(*group);
  else
    store(*group);
  return true;
}

llvm::Align Fields::alignment(const FieldGroup& group) const {
  llvm::Align align(group.element_bytes);
  for (const Field& field : group.fields) align = std::min(align, addresses_.lane_alignment(*field.access));
  return align;
}

/// Of an element, counted from lane 0's first field. What is visible at the place is the pointer of the access there.
Value* Fields::address(const FieldGroup& group, std::uint64_t element) {
  const std::int64_t offset = static_cast<std::int64_t>(element * group.element_bytes) - offset_of_place(group);
  Value* first =
      group.guessed ? addresses_.place_of(*group.place, 0) : s_.base(llvm::getLoadStorePointerOperand(group.place));
  return b_.CreateConstGEP1_64(b_.getInt8Ty(), first, static_cast<std::uint64_t>(offset));
}

/// A vector of `count` elements from element `first` on. One that would end after the last field begins earlier, by
/// `shift` elements.
Value* Fields::piece(const FieldGroup& group, std::uint64_t first, std::uint64_t count, int& shift) {
  const std::uint64_t end = (s_.width - 1) * group.stride + group.span;
  shift = first + count > end ? static_cast<int>(first + count - end) : 0;
  auto* type = llvm::FixedVectorType::get(element_type(group), static_cast<unsigned>(count));
  Value* from = address(group, first - static_cast<std::uint64_t>(shift));
  return describe(b_.CreateAlignedLoad(type, from, alignment(group)), group);
}

/// The lanes may be elsewhere if their index wraps, or if the guess was wrong: a test decides, and then each lane is
/// accessed by itself.
void Fields::load(const FieldGroup& group) {
  tally(!group.is_by_windows() ? Transformation::load_fields
        : group.apart          ? Transformation::transpose_windows_apart
                               : Transformation::transpose_windows);
  Value* holds = group.apart ? nullptr : s_.holds(llvm::getLoadStorePointerOperand(group.place));
  if (holds != nullptr) tally(Transformation::fields_by_test);
  if (group.guessed) {
    tally(Transformation::fields_by_guess);
    holds = addresses_.lanes_are_apart(*group.place, bytes_from_lane_to_lane(group), mask_);
  }
  const bool runs = group.guessed && has_masked_form(group) && addresses_.may_have_two_runs(*group.place);
  const auto general = [&] { return runs ? by_runs(group) : lane_by_lane(group); };
  const Parts all =
      holds == nullptr ? load_where_known(group)
                       : emit_fast_or_general(s_, holds, kFieldForms, [&] { return load_where_known(group); }, general);
  llvm::ArrayRef<Value*> left = all;
  for (const Field& field : group.fields) {
    const unsigned count = components(*llvm::getLoadStoreType(field.access));
    s_.set_parts(*field.access, left.take_front(count));
    left = left.drop_front(count);
  }
}

/// The active lanes are where they are expected.
Parts Fields::load_where_known(const FieldGroup& group) {
  if (mask_ == nullptr) return together(group);
  const auto some = [&] {
    if (!has_masked_form(group)) return lane_by_lane(group);
    tally(Transformation::load_masked_fields);
    Value* none = llvm::Constant::getNullValue(all_lanes(group));
    return parts_of(group, elements_of(group, masked(group, address(group, 0), mask_, none)));
  };
  Value* full = masks_.is_full_for_access(*group.place, mask_);
  return full == nullptr ? some() : emit_fast_or_general(s_, full, kFullForms, [&] { return together(group); }, some);
}

llvm::FixedVectorType* Fields::all_lanes(const FieldGroup& group) const {
  return llvm::FixedVectorType::get(element_type(group), static_cast<unsigned>(group.stride) * s_.width);
}

bool Fields::has_masked_form(const FieldGroup& group) const {
  const unsigned space = llvm::getLoadStorePointerOperand(group.place)->getType()->getPointerAddressSpace();
  return llvm::isa<llvm::LoadInst>(group.place)
             ? s_.target.isLegalMaskedLoad(all_lanes(group), alignment(group), space)
             : s_.target.isLegalMaskedStore(all_lanes(group), alignment(group), space);
}

/// The elements that belong to fields of `lanes`. Masks are registers of their own, so bytes are repeated.
Value* Fields::structure_mask(const FieldGroup& group, Value* lanes) {
  const auto stride = static_cast<unsigned>(group.stride);
  auto* type = llvm::FixedVectorType::get(b_.getIntNTy(group.element_bytes * 8), s_.width);
  Value* zeros = llvm::Constant::getNullValue(type);
  llvm::SmallVector<int> from;
  for (unsigned l = 0; l < s_.width; ++l)
    for (unsigned e = 0; e < stride; ++e)
      from.push_back(static_cast<int>((group.used >> e & 1) != 0 ? l : s_.width + l));
  Value* all = b_.CreateShuffleVector(b_.CreateSExt(lanes, type), zeros, from);
  return b_.CreateICmpSLT(all, llvm::Constant::getNullValue(all->getType()));
}

/// All elements of the structures from `address` on, and those of `others` where no field of `lanes` is.
Value* Fields::masked(const FieldGroup& group, Value* address, Value* lanes, Value* others) {
  return describe(
      b_.CreateMaskedLoad(all_lanes(group), address, alignment(group), structure_mask(group, lanes), others), group);
}

/// Where a vector comes to the end of a row: two masked loads, of which the second keeps what the first has loaded.
Parts Fields::by_runs(const FieldGroup& group) {
  tally(Transformation::load_two_runs);
  const Addresses::TwoRuns runs = addresses_.two_runs(*group.place, bytes_from_lane_to_lane(group), mask_);
  const auto loaded = [&](const Addresses::Run& run, Value* others) {
    const auto back = static_cast<std::uint64_t>(-offset_of_place(group));
    return masked(group, b_.CreateConstGEP1_64(b_.getInt8Ty(), run.address, back), run.lanes, others);
  };
  return emit_either(
      s_, runs.holds, kRowsOfFields,
      [&] {
        Value* first = loaded(runs.first, llvm::Constant::getNullValue(all_lanes(group)));
        return parts_of(group, elements_of(group, loaded(runs.last, first)));
      },
      [&] { return lane_by_lane(group); });
}

Fields::Values Fields::elements_of(const FieldGroup& group, Value* all) {
  Values elements;
  for (unsigned e = 0; e < group.span; ++e)
    elements.push_back(
        b_.CreateShuffleVector(all, llvm::createStrideMask(e, static_cast<unsigned>(group.stride), s_.width)));
  return elements;
}

Parts Fields::together(const FieldGroup& group) {
  return parts_of(group, group.is_by_windows() ? by_windows(group) : whole(group));
}

Parts Fields::parts_of(const FieldGroup& group, const Values& elements) {
  Parts parts;
  for (const Field& field : group.fields) {
    llvm::Type* type = llvm::getLoadStoreType(field.access);
    for (unsigned p = 0; p < components(*type); ++p)
      parts.push_back(b_.CreateBitCast(elements[first_element(group, field) + p], b_.wide(type->getScalarType()),
                                       field.access->getName()));
  }
  return parts;
}

/// The address of a field in each lane, of those at the place.
Value* Fields::lane_address(const FieldGroup& group, const Field& field, Value* at_place) {
  const std::int64_t offset = field.offset - offset_of_place(group);
  return b_.CreateConstGEP1_64(b_.getInt8Ty(), at_place, static_cast<std::uint64_t>(offset));
}

/// The address of the place in each lane; for lanes that are not active it is in a dummy that has room for all fields.
llvm::SmallVector<Value*> Fields::lane_addresses(const FieldGroup& group) {
  const Value* pointer = llvm::getLoadStorePointerOperand(group.place);
  if (mask_ == nullptr) return addresses_.lane_addresses(pointer, nullptr, llvm::getLoadStoreType(group.place));
  auto* room = llvm::ArrayType::get(b_.getInt8Ty(), group.span * group.element_bytes);
  Value* dummy = s_.dummy(room, pointer->getType()->getPointerAddressSpace());
  dummy = b_.CreateConstGEP1_64(b_.getInt8Ty(), dummy, static_cast<std::uint64_t>(offset_of_place(group)));
  Value* all = b_.CreateSelect(mask_, s_.vector(pointer), b_.splat(dummy));
  llvm::SmallVector<Value*> addresses;
  for (unsigned l = 0; l < s_.width; ++l) addresses.push_back(b_.CreateExtractElement(all, l));
  return addresses;
}

/// In a lane: the access may be to a dummy.
llvm::Align Fields::lane_alignment(const Field& field) const {
  const llvm::Align align = addresses_.lane_alignment(*field.access);
  return mask_ == nullptr ? align : llvm::commonAlignment(align, static_cast<std::uint64_t>(field.offset));
}

Parts Fields::lane_by_lane(const FieldGroup& group) {
  tally(Transformation::load_lane_by_lane);
  const auto addresses = lane_addresses(group);
  Parts parts;
  for (const Field& field : group.fields) {
    llvm::Type* type = llvm::getLoadStoreType(field.access);
    Values values;
    for (Value* at_place : addresses) {
      Value* address = lane_address(group, field, at_place);
      Instruction* value = b_.CreateAlignedLoad(type, address, lane_alignment(field));
      copy_metadata(*field.access, value);
      if (mask_ != nullptr) value->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
      values.push_back(value);
    }
    if (type->isVectorTy())
      parts.append(split_vectors(s_, values, components(*type)));
    else
      parts.push_back(b_.from_lanes(values));
  }
  return parts;
}

/// Two loads, each of half of the lanes, or one if the last structure is read up to its end.
Fields::Values Fields::whole(const FieldGroup& group) {
  const std::uint64_t half = group.stride * s_.width / 2;
  const bool once = group.span == group.stride;
  int shift = 0;
  Value* low = piece(group, 0, once ? 2 * half : half, shift);
  Value* high = once ? llvm::PoisonValue::get(low->getType()) : piece(group, half, half, shift);
  Values elements;
  for (unsigned e = 0; e < group.span; ++e) {
    llvm::SmallVector<int> mask;
    for (unsigned l = 0; l < s_.width; ++l) {
      const int at = static_cast<int>(l * group.stride + e);
      mask.push_back(once || l < s_.width / 2 ? at : at + shift);
    }
    elements.push_back(b_.CreateShuffleVector(low, high, mask));
  }
  return elements;
}

/// The windows of `lanes` lanes from lane `first` on, side by side.
Value* Fields::row(const FieldGroup& group, unsigned first, unsigned lanes) {
  const unsigned window = group.window;
  const std::uint64_t count = std::uint64_t{window} * lanes;
  const auto begin = first * group.stride;
  llvm::SmallVector<int> mask;
  if (group.stride == window || (group.stride == 2ULL * window && lanes > 1)) {
    int shift = 0;
    Value* low = piece(group, begin, count, shift);
    int last_shift = shift;
    Value* high = group.stride == window ? low : piece(group, begin + count, count, last_shift);
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned e = 0; e < window; ++e) {
        const auto at = static_cast<int>(l * group.stride + e);
        const int from = at + (std::cmp_less(at, count) ? shift : last_shift);
        mask.push_back(std::cmp_less(from, 2 * count) ? from : -1);  // after the last field
      }
    return b_.CreateShuffleVector(low, high, mask);
  }
  llvm::SmallVector<Value*> all;
  for (unsigned l = 0; l < lanes; ++l) {
    int shift = 0;
    Value* own = piece(group, begin + l * group.stride, window, shift);
    if (shift != 0) {
      for (int e = shift; e < shift + static_cast<int>(window); ++e) mask.push_back(std::cmp_less(e, window) ? e : -1);
      own = b_.CreateShuffleVector(own, mask);
    }
    all.push_back(own);
  }
  return llvm::concatenateVectors(b_, all);
}

/// The window of each lane.
llvm::SmallVector<Value*> Fields::windows_apart(const FieldGroup& group) {
  const Value* pointer = llvm::getLoadStorePointerOperand(group.place);
  auto* type = llvm::FixedVectorType::get(element_type(group), group.window);
  llvm::SmallVector<Value*> windows;
  for (Value* address : addresses_.lane_addresses(pointer, nullptr, type)) {
    Value* from = b_.CreateConstGEP1_64(b_.getInt8Ty(), address, static_cast<std::uint64_t>(-offset_of_place(group)));
    windows.push_back(describe(b_.CreateAlignedLoad(type, from, alignment(group)), group));
  }
  return windows;
}

/// In each 128 bits of as many rows as a window has elements, element e of row r goes to element r of row e.
void Fields::transpose(Values& rows, unsigned window) {
  const auto width = static_cast<int>(llvm::cast<llvm::FixedVectorType>(rows.front()->getType())->getNumElements());
  const auto size = static_cast<int>(window);
  const auto interleaved = [&](Value* a, Value* b, int half) {
    llvm::SmallVector<int> mask;
    for (int group = 0; group < width; group += size)
      for (int e = half * size / 2; e < (half + 1) * size / 2; ++e)
        for (const int source : {0, width}) mask.push_back(source + group + e);
    return b_.CreateShuffleVector(a, b, mask);
  };
  for (unsigned step = 1; step < window; step *= 2) {
    Values next;
    for (unsigned r = 0; r < window / 2; ++r)
      for (const int half : {0, 1}) next.push_back(interleaved(rows[r], rows[r + window / 2], half));
    rows = std::move(next);
  }
}

/// As many lanes at a time as fill a register.
Fields::Values Fields::by_windows(const FieldGroup& group) {
  const unsigned window = group.window;
  const auto bits = s_.target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const unsigned unit = std::clamp(static_cast<unsigned>(bits) / 8 / group.element_bytes, window, s_.width);
  const unsigned lanes = unit / window;
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < unit; ++l) order.push_back(static_cast<int>(((l % lanes) * window) + (l / lanes)));
  llvm::SmallVector<Value*> apart;
  if (group.apart) apart = windows_apart(group);
  llvm::SmallVector<Values> units;
  for (unsigned first = 0; first < s_.width; first += unit) {
    Values rows;
    for (unsigned r = 0; r < window; ++r) {
      llvm::SmallVector<Value*> of_row;
      for (unsigned l = r; group.apart && l < unit; l += window) of_row.push_back(apart[first + l]);
      rows.push_back(group.apart ? llvm::concatenateVectors(b_, of_row) : row(group, first + (r * lanes), lanes));
    }
    transpose(rows, window);
    if (!group.apart)
      for (Value*& r : rows) r = b_.CreateShuffleVector(r, order);
    units.push_back(std::move(rows));
  }
  Values elements;
  for (unsigned e = 0; e < group.span; ++e) {
    llvm::SmallVector<Value*> all;
    for (const Values& rows : units) all.push_back(rows[e]);
    elements.push_back(llvm::concatenateVectors(b_, all));
  }
  return elements;
}

void Fields::store(const FieldGroup& group) {
  tally(Transformation::store_fields);
  const auto fast = [&] {
    store_where_known(group);
    return Parts();
  };
  const auto general = [&] {
    store_lane_by_lane(group);
    return Parts();
  };
  Value* holds = s_.holds(llvm::getLoadStorePointerOperand(group.place));
  if (holds == nullptr) return store_where_known(group);
  tally(Transformation::fields_by_test);
  emit_fast_or_general(s_, holds, kFieldForms, fast, general);
}

void Fields::store_where_known(const FieldGroup& group) {
  if (mask_ == nullptr) return store_together(group, nullptr);
  const auto some = [&] {
    if (has_masked_form(group)) {
      tally(Transformation::store_masked_fields);
      store_together(group, mask_);
    } else {
      store_lane_by_lane(group);
    }
    return Parts();
  };
  const auto all = [&] {
    store_together(group, nullptr);
    return Parts();
  };
  Value* full = masks_.is_full_for_access(*group.place, mask_);
  if (full == nullptr)
    some();
  else
    emit_fast_or_general(s_, full, kFullForms, all, some);
}

/// @param lanes  those that are stored; null: all
void Fields::store_together(const FieldGroup& group, Value* lanes) {
  llvm::Type* type = element_type(group);
  llvm::SmallVector<Value*> elements(std::bit_ceil(group.stride), llvm::PoisonValue::get(b_.wide(type)));
  for (const Field& field : group.fields) {
    const Value* stored = llvm::cast<llvm::StoreInst>(field.access)->getValueOperand();
    for (unsigned p = 0; p < components(*stored->getType()); ++p)
      elements[first_element(group, field) + p] = b_.CreateBitCast(s_.vector(stored, p), b_.wide(type));
  }
  const llvm::SmallVector<int> mask = llvm::createInterleaveMask(s_.width, static_cast<unsigned>(group.stride));
  Value* all = b_.CreateShuffleVector(llvm::concatenateVectors(b_, elements), mask);
  Value* to = address(group, 0);
  if (lanes == nullptr)
    describe(b_.CreateAlignedStore(all, to, alignment(group)), group);
  else
    describe(b_.CreateMaskedStore(all, to, alignment(group), structure_mask(group, lanes)), group);
}

void Fields::store_lane_by_lane(const FieldGroup& group) {
  tally(Transformation::store_lane_by_lane);
  const auto addresses = lane_addresses(group);
  for (const Field& field : group.fields) {
    const Value* stored = llvm::cast<llvm::StoreInst>(field.access)->getValueOperand();
    for (unsigned l = 0; l < s_.width; ++l)
      copy_metadata(*field.access, b_.CreateAlignedStore(s_.lane(stored, l), lane_address(group, field, addresses[l]),
                                                         lane_alignment(field)));
  }
}

}  // namespace lanewise::spmd
