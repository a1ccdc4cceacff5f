// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/races.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <cstddef>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

using namespace check::race_record;

constexpr std::uint64_t kRecordBytes = 8;
/// Accesses of more cells call the runtime.
constexpr std::uint64_t kMostCells = 4;

llvm::Align align_of(const llvm::Instruction& i, const CheckedAccess& access) {
  const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i);
  if (memory == nullptr) return access.align;
  const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(memory);
  return (access.reads && copy != nullptr ? copy->getSourceAlign() : memory->getDestAlign()).valueOrOne();
}

void mark(llvm::Instruction& i, const char* kind) {
  i.setMetadata(kind, llvm::MDNode::get(i.getContext(), {}));
}

/// Whether `from` <= value < `to`.
Value* in_range(IRBuilder<>& b, Value* value, std::uint64_t from, std::uint64_t to) {
  return b.CreateICmpULT(b.CreateSub(value, b.getInt64(from)), b.getInt64(to - from));
}

constexpr std::uint64_t bit(unsigned number) {
  return std::uint64_t{1} << number;
}

}  // namespace

RaceChecks::RaceChecks(llvm::Function& kernel, const abi::KernelInfo& info, CheckCalls& calls)
    : kernel_(kernel), calls_(calls), intervals_(kernel) {
  for (llvm::Instruction& i : llvm::instructions(kernel)) {
    if (Intervals::orders(i)) linear_ = false;
    for (const CheckedAccess& access : accesses_of(i)) {
      const AccessedObject pointee = pointee_of(*access.pointer, &info);
      if (pointee.is_shared()) look_at(i, access, pointee);
    }
  }
  linear_ = linear_ && !has_atomics_;
  load_table();
}

void RaceChecks::look_at(const llvm::Instruction& i, const CheckedAccess& access, const AccessedObject& pointee) {
  const bool local = pointee.space == local_space;
  const bool anywhere = pointee.kind == ObjectKind::unknown && pointee.space == generic_space;
  if (local) linear_ = false;
  if (access.atomic) has_atomics_ = true;
  const std::uint64_t bytes = access.constant_bytes();
  const unsigned granule =
      std::min(bytes == 0 ? 0U : static_cast<unsigned>(std::countr_zero(bytes)), Log2(align_of(i, access)));
  if (local || anywhere) local_.granule = std::min(local_.granule, granule);
  if (!local) global_.granule = std::min(global_.granule, granule);
}

void RaceChecks::load_table() {
  IRBuilder<> b(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value* table = calls_.races(b);
  const auto load = [&](llvm::Type* type, std::size_t offset) {
    auto* value = b.CreateLoad(type, b.CreateConstGEP1_64(b.getInt8Ty(), table, offset), "check.races");
    mark(*value, "invariant.load");
    return value;
  };
  const auto load_planes = [&](Planes& planes, std::size_t offset) {
    planes.records = load(b.getPtrTy(global_space), offset + offsetof(lanewise_records, records));
    planes.again = load(b.getPtrTy(global_space), offset + offsetof(lanewise_records, again));
    planes.plane = b.CreateLShr(load(b.getInt64Ty(), offset + offsetof(lanewise_records, plane)), planes.granule);
    planes.epoch = load(b.getInt64Ty(), offset + offsetof(lanewise_records, epoch));
  };
  load_planes(global_, offsetof(lanewise_races, global));
  load_planes(local_, offsetof(lanewise_races, local));
  local_shift_ = load(b.getInt64Ty(), offsetof(lanewise_races, local_shift));
  shifts_ = load(b.getPtrTy(), offsetof(lanewise_races, shifts));
  id_ = calls_.id(b, linear_);
  behind_table_ = &*b.GetInsertPoint();
}

Value* RaceChecks::shift_of(const AccessedObject& pointee) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointee.base);
  if (pointee.space == local_space || argument == nullptr) return local_shift_;
  Value*& shift = argument_shifts_[argument->getArgNo()];
  if (shift != nullptr) return shift;
  IRBuilder<> b(behind_table_);
  Value* place = b.CreateConstGEP1_64(b.getInt64Ty(), shifts_, argument->getArgNo());
  auto* load = b.CreateLoad(b.getInt64Ty(), place, "check.shift");
  mark(*load, "invariant.load");
  return shift = load;
}

Value* RaceChecks::now(IRBuilder<>& b, bool local) const {
  Value* record = b.CreateOr(id_, local ? local_.epoch : global_.epoch);
  return linear_ ? record : b.CreateOr(record, b.CreateShl(intervals_.now(b, local), kIntervalShift));
}

Value* RaceChecks::conflict(IRBuilder<>& b, Value* before, Value* now, bool local) const {
  Value* other = b.CreateXor(before, now);
  if (linear_) return in_range(b, other, bit(kItemShift), bit(kEpochShift));
  Value* in_group = in_range(b, other, bit(kItemShift), bit(kIntervalShift));
  return local ? in_group : b.CreateOr(in_group, in_range(b, other, bit(kGroupShift), bit(kEpochShift)));
}

Value* RaceChecks::joined(IRBuilder<>& b, Value* before, Value* now, bool local) const {
  Value* other = b.CreateXor(before, now);
  const auto if_in = [&](unsigned from, unsigned to, std::uint64_t several) {
    return b.CreateSelect(in_range(b, other, bit(from), bit(to)), b.getInt64(several), b.getInt64(0));
  };
  if (linear_) return b.CreateOr(now, if_in(kItemShift, kEpochShift, kSeveralIds));
  Value* both = b.CreateOr(now, if_in(kItemShift, kIntervalShift, kSeveralItems));
  return local ? both : b.CreateOr(both, if_in(kGroupShift, kEpochShift, kSeveralGroups));
}

/// The bits of a value of at most 8 bytes, or the address of a copy of it; null: it is an aggregate.
Value* RaceChecks::bits_of(IRBuilder<>& b, Value* value) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return b.CreatePtrToInt(value, b.getInt64Ty());
  const std::uint64_t bits = kernel_.getDataLayout().getTypeSizeInBits(type).getFixedValue();
  if (bits > 64 || type->getScalarType()->isPointerTy()) {
    IRBuilder<> entry(&kernel_.getEntryBlock(), kernel_.getEntryBlock().begin());
    Value* copy = entry.CreateAlloca(type, nullptr, "check.value");
    b.CreateStore(value, copy);
    return b.CreatePtrToInt(copy, b.getInt64Ty());
  }
  return b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(static_cast<unsigned>(bits))), b.getInt64Ty());
}

llvm::CallInst* RaceChecks::call(llvm::Instruction& at, const CheckedAccess& access, const RaceCall& what) {
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(what.where);
  Value* value = (what.call.flags & check::has_value) != 0 ? bits_of(b, access.stored) : b.getInt64(0);
  Value* bytes = access.constant_bytes() == 0 ? access.bytes : nullptr;
  return calls_.shared(b, what.call, what.where, what.object, b.CreatePtrToInt(access.pointer, b.getInt64Ty()), value,
                       now(b, false), now(b, true), bytes);
}

void RaceChecks::call_after(llvm::Instruction& at, const CheckedAccess& access, RaceCall what) {
  what.call.event = check::CheckEvent::recorded;
  call(at, access, what);
  what.call.event = check::CheckEvent::shared;
  what.call.flags |= check::after;
  call(at, access, what);
}

void RaceChecks::call_around(llvm::Instruction& i, const CheckedAccess& access, const RaceCall& what) {
  if (!llvm::isa<llvm::AtomicCmpXchgInst>(i)) {
    llvm::Instruction& next = *i.getNextNode();
    call(i, access, what);
    if ((what.call.flags & check::has_value) != 0) call_after(next, access, what);
    return;
  }
  // A compare-exchange that fails writes nothing, so it is looked at when it has been done.
  llvm::CallInst* made = call(*i.getNextNode(), access, what);
  IRBuilder<> b(made);
  const std::uint64_t writing = llvm::cast<llvm::ConstantInt>(made->getArgOperand(0))->getZExtValue();
  const std::uint64_t reading = writing & ~(std::uint64_t{check::writes} << check::CheckCall::kFlagsShift);
  made->setArgOperand(0, b.CreateSelect(b.CreateExtractValue(&i, 1), b.getInt64(writing), b.getInt64(reading)));
}

void RaceChecks::watch(llvm::Instruction& i, const CheckedAccess& access, const AccessedObject& pointee,
                       check::CheckCall call, const CheckedObject& object) {
  const bool local = pointee.space == local_space;
  const llvm::Type* stored = access.stored == nullptr ? nullptr : access.stored->getType();
  if (stored != nullptr && !access.atomic && stored->isSingleValueType() && !stored->isTargetExtTy())
    call.flags |= check::has_value;
  if (i.hasMetadata(marks::kAnyItem)) call.flags |= check::any_item;
  if (linear_) call.flags |= check::linear;
  call.global_granule = static_cast<std::uint8_t>(global_.granule);
  call.local_granule = static_cast<std::uint8_t>(local_.granule);
  const RaceCall what{call, object, i.getDebugLoc()};
  const std::uint64_t cells = access.constant_bytes() >> (local ? local_ : global_).granule;
  const bool known = pointee.kind == ObjectKind::argument || (local && pointee.kind == ObjectKind::variable);
  const bool valued = !access.writes || (call.flags & check::has_value) != 0;
  if (!known || access.atomic || !valued || cells == 0 || cells > kMostCells) return call_around(i, access, what);

  IRBuilder<> b(&i);
  Value* shift = shift_of(pointee);
  Value* watched = b.CreateICmpEQ(b.CreateAnd(shift, b.getInt64(kNotWatched)), b.getInt64(0), "check.watched");
  Value* by_call = b.CreateICmpEQ(shift, b.getInt64(kByCall), "check.by.call");
  llvm::Instruction& before = block_if(watched, i);
  test_before(before, access, records_of(before, access, shift, local, cells), what);
  if (!local) this->call(rare_block_if(by_call, i), access, what);
  if (!access.writes) return;
  RaceCall after = what;
  after.call.flags |= check::after;
  llvm::Instruction& next = *i.getNextNode();
  llvm::Instruction& inside = block_if(watched, next);
  test_after(inside, access, records_of(inside, access, shift, local, cells), after);
  if (!local) call_after(rare_block_if(by_call, next), access, what);
}

RaceChecks::Records RaceChecks::records_of(llvm::Instruction& at, const CheckedAccess& access, Value* shift, bool local,
                                           std::uint64_t cells) {
  IRBuilder<> b(&at);
  const Planes& planes = local ? local_ : global_;
  Value* offset = b.CreateAdd(b.CreatePtrToInt(access.pointer, b.getInt64Ty()), shift);
  return {planes, b.CreateMul(offset, b.getInt64(kRecordBytes >> planes.granule)), now(b, local), cells, local};
}

Value* RaceChecks::record(IRBuilder<>& b, const Records& records, Value* base, std::uint64_t cell, unsigned plane) {
  Value* at = b.CreateGEP(b.getInt8Ty(), base, records.offset);
  if (plane != 0) at = b.CreateGEP(b.getInt8Ty(), at, b.CreateMul(records.planes.plane, b.getInt64(plane)));
  return b.CreateConstGEP1_64(b.getInt64Ty(), at, cell, "check.record");
}

Value* RaceChecks::with_place(IRBuilder<>& b, const Records& records, const RaceCall& what) {
  std::uint64_t bits = calls_.race_place(what.call, what.where, what.object);
  if ((what.call.flags & check::any_item) != 0) bits |= kSeveralItems;
  return b.CreateOr(records.now, b.getInt64(bits));
}

void RaceChecks::test_before(llvm::Instruction& at, const CheckedAccess& access, const Records& records,
                             const RaceCall& what) {
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(what.where);
  Value* now = with_place(b, records, what);
  llvm::SmallVector<Value*> found;
  for (std::uint64_t cell = 0; cell < records.cells; ++cell) {
    for (const unsigned plane : {kWrites, kReads, kChanges}) {
      if ((plane == kReads && !access.writes) || (plane == kChanges && !has_atomics_)) continue;
      Value* before = b.CreateLoad(b.getInt64Ty(), record(b, records, records.planes.records, cell, plane));
      found.push_back(conflict(b, before, now, records.local));
    }
  }
  call(rare_block_if(b.CreateOr(found), at), access, what);
  b.SetInsertPoint(&at);
  for (std::uint64_t cell = 0; cell < records.cells; ++cell) {
    if (access.writes)
      b.CreateStore(now, record(b, records, records.planes.records, cell, kWrites));
    else
      join_readers(at, records, cell, now);
  }
}

/// What is there already is not written again: threads that read one place would take its line from each other.
void RaceChecks::join_readers(llvm::Instruction& at, const Records& records, std::uint64_t cell, Value* now) {
  IRBuilder<> b(&at);
  const auto differs = [&](Value* one, Value* other) {
    return b.CreateICmpUGE(b.CreateXor(one, other), b.getInt64(bit(kItemShift)));
  };
  Value* place = record(b, records, records.planes.records, cell, kReads);
  Value* before = b.CreateLoad(b.getInt64Ty(), place);
  Value* both = joined(b, before, now, records.local);
  llvm::Instruction& fresh = block_if(differs(before, both), at);
  b.SetInsertPoint(&fresh);
  b.CreateStore(both, place);
  Value* again = b.CreateLoad(b.getInt64Ty(), record(b, records, records.planes.again, cell, kReads));
  llvm::Instruction& several = block_if(differs(again, both), fresh);
  b.SetInsertPoint(&several);
  b.CreateStore(joined(b, again, both, records.local), place);
}

void RaceChecks::test_after(llvm::Instruction& at, const CheckedAccess& access, const Records& records,
                            const RaceCall& what) {
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(what.where);
  Value* now = with_place(b, records, what);
  llvm::SmallVector<Value*> found;
  for (std::uint64_t cell = 0; cell < records.cells; ++cell) {
    Value* again = b.CreateLoad(b.getInt64Ty(), record(b, records, records.planes.again, cell, kWrites));
    found.push_back(b.CreateICmpUGE(b.CreateXor(again, now), b.getInt64(bit(kItemShift))));
  }
  call(rare_block_if(b.CreateOr(found), at), access, what);
}

}  // namespace lanewise
