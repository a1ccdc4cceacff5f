// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/addresses.h"

#include "compiler/lanes/analysis/components.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::Value;

std::uint64_t Addresses::bytes_of(const Instruction& access) const {
  return s_.layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
}

Value* Addresses::uniform_address(Value* pointer, Value* mask, llvm::Type* type) {
  if (masks_.never_empty(mask)) return pointer;
  return b_.CreateSelect(masks_.any(mask), pointer, s_.dummy(type, pointer->getType()->getPointerAddressSpace()));
}

/// Computed without a vector of pointers.
Value* Addresses::first_address(const Instruction& access) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (s_.shape(pointer).has_base()) return s_.base(pointer);
  if (const auto element = narrow_element(access); element.index != nullptr) {
    // Of a clamped line this is asked where the clamps have been found to change nothing.
    Value* index = lines_.unclamped(*element.index, access, element.is_signed).first;
    if (index == nullptr) index = b_.CreateExtractElement(s_.vector(element.index), std::uint64_t{0});
    return element_address(element, index);
  }
  return s_.lane(pointer, 0);
}

/// From lane 0's, as a lane of a checked pointer would be taken from a vector of pointers.
Value* Addresses::last_address(const Instruction& access) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  const auto distance = s_.shape(pointer).stride * static_cast<std::int64_t>(s_.width - 1);
  return b_.CreateGEP(b_.getInt8Ty(), s_.base(pointer), b_.getInt64(static_cast<std::uint64_t>(distance)));
}

bool Addresses::masks(const Instruction& access, llvm::FixedVectorType* lanes) const {
  const unsigned space = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
  return llvm::isa<llvm::LoadInst>(access) ? s_.target.isLegalMaskedLoad(lanes, lane_alignment(access), space)
                                           : s_.target.isLegalMaskedStore(lanes, lane_alignment(access), space);
}

llvm::FixedVectorType* Addresses::masked_type(const Instruction& access) const {
  llvm::Type* lane = llvm::getLoadStoreType(&access);
  auto* all = llvm::FixedVectorType::get(lane->getScalarType(), components(*lane) * s_.width);
  const auto bits = static_cast<unsigned>(lane->getPrimitiveSizeInBits().getFixedValue());
  if (!lane->isVectorTy() || (bits != 32 && bits != 64) || masks(access, all)) return all;
  auto* units = llvm::FixedVectorType::get(b_.getIntNTy(bits), s_.width);
  return masks(access, units) ? units : all;
}

/// Matches an access to an element of an array whose index is extended from 32 bits. What the access uses only by way
/// of the address must be available where the access is.
Addresses::NarrowElement Addresses::narrow_element(const Instruction& access) const {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&access));
  if (address == nullptr || !s_.body.contains(address->getParent()) || address->getNumIndices() != 1 ||
      !s_.shape(address->getPointerOperand()).is_uniform() || s_.shapes.interleaved(*address) != nullptr)
    return {};
  const auto* extended = llvm::dyn_cast<llvm::CastInst>(address->getOperand(1));
  if (extended == nullptr || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extended)) return {};
  if (!extended->getOperand(0)->getType()->isIntegerTy(32)) return {};
  for (const Value* used : std::initializer_list<const Value*>{extended->getOperand(0), address->getPointerOperand()})
    if (!lines_.is_visible(*used, access.getParent())) return {};
  return {address, extended->getOperand(0), llvm::isa<llvm::SExtInst>(extended)};
}

/// Whether the lanes' elements are `step` apart, by their indices: half as many registers as for addresses. An index
/// that could wrap within the vector counts as another.
Value* Addresses::indices_are_apart(const NarrowElement& element, std::uint64_t step, Value* mask) {
  Value* indices = s_.vector(element.index);
  Value* first = b_.CreateExtractElement(indices, std::uint64_t{0});
  Value* steps = b_.CreateStepVector(b_.wide(b_.getInt32Ty()));
  if (step != 1) steps = b_.CreateMul(steps, llvm::ConstantInt::get(steps->getType(), step));
  Value* equal = b_.CreateICmpEQ(b_.CreateSub(indices, b_.splat(first)), steps);
  if (mask != nullptr) equal = b_.CreateOr(equal, b_.CreateNot(mask));
  Value* largest =
      b_.getInt32((element.is_signed ? 0x7fffffffU : 0xffffffffU) - s_.width * static_cast<std::uint32_t>(step));
  Value* in_range = element.is_signed ? b_.CreateICmpSLE(first, largest) : b_.CreateICmpULE(first, largest);
  return b_.CreateAnd(b_.CreateAndReduce(b_.CreateFreeze(equal)), b_.CreateFreeze(in_range));
}

/// If no lane is active, the index may be any.
bool Addresses::all_lanes_exist(const Instruction& access, const Value* mask) const {
  return s_.shapes.interleaved(*llvm::getLoadStorePointerOperand(&access)) != nullptr && masks_.never_empty(mask);
}

BentLines::Guess Addresses::guess(const Instruction& access) const {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (s_.shape(pointer).has_base()) return BentLines::Guess::scattered;
  const BentLines::Guess guess = BentLines(s_.body, s_.shapes).guess(*pointer);
  if (guess != BentLines::Guess::scaled) return guess;
  // What may never be consecutive is worth the cheaper test only. A pair of texels overlaps the next one. One load for
  // each lane is nearly as good where a lane fills a register; in loops a test counts once for many of them
  // (shared_branches.h).
  constexpr std::uint64_t kRegister = 16;
  const bool in_loop = s_.body.level(access.getParent()) != &s_.body.top();
  const bool pays = is_whole_element(narrow_element(access), access) && (in_loop || bytes_of(access) < kRegister);
  return pays ? guess : BentLines::Guess::scattered;
}

bool Addresses::is_whole_element(const NarrowElement& element, const Instruction& access) const {
  return element.index != nullptr &&
         s_.layout.getTypeAllocSize(element.address->getSourceElementType()) == bytes_of(access);
}

/// How many elements of the array `bytes` are; 0: a part of one, or the index is not narrow.
std::uint64_t Addresses::elements_in(const NarrowElement& element, std::uint64_t bytes) const {
  if (element.index == nullptr) return 0;
  const std::uint64_t size = s_.layout.getTypeAllocSize(element.address->getSourceElementType());
  return bytes % size == 0 ? bytes / size : 0;
}

Value* Addresses::lanes_are_consecutive(const Instruction& access, Value* mask) {
  if (const auto element = narrow_element(access); is_whole_element(element, access)) {
    const Lines::Straight line = lines_.unclamped(*element.index, access, element.is_signed);
    if (line.first != nullptr) return line.holds;
  }
  return lanes_are_apart(access, bytes_of(access), mask);
}

Value* Addresses::lanes_are_apart(const Instruction& access, std::uint64_t bytes, Value* mask) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  const auto element = narrow_element(access);
  if (const std::uint64_t step = elements_in(element, bytes); step != 0) return indices_are_apart(element, step, mask);
  Value* addresses = b_.CreatePtrToInt(s_.vector(pointer), b_.wide(b_.getInt64Ty()));
  Value* distances = b_.CreateSub(addresses, b_.splat(b_.CreateExtractElement(addresses, std::uint64_t{0})));
  llvm::SmallVector<llvm::Constant*> steps;
  for (unsigned l = 0; l < s_.width; ++l) steps.push_back(b_.getInt64(l * bytes));
  Value* equal = b_.CreateICmpEQ(distances, llvm::ConstantVector::get(steps));
  if (mask != nullptr) equal = b_.CreateOr(equal, b_.CreateNot(mask));
  return b_.CreateAndReduce(b_.CreateFreeze(equal));
}

bool Addresses::may_have_two_runs(const Instruction& access) const {
  if (s_.economy.few_forms) return false;
  llvm::Type* element = llvm::getLoadStoreType(&access);
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  auto* all = llvm::FixedVectorType::get(element->getScalarType(), components(*element) * s_.width);
  BentLines lines(s_.body, s_.shapes);
  return masks(access, all) && lines.guess(*pointer) == BentLines::Guess::often && lines.has_rows();
}

Value* Addresses::place_of(const Instruction& access, unsigned lane) {
  const NarrowElement element = narrow_element(access);
  if (element.index == nullptr) return s_.lane(llvm::getLoadStorePointerOperand(&access), lane);
  return element_address(element, b_.CreateExtractElement(s_.vector(element.index), std::uint64_t{lane}));
}

Value* Addresses::element_address(const NarrowElement& element, Value* index) {
  index = b_.CreateIntCast(index, b_.getInt64Ty(), element.is_signed);
  return b_.CreateGEP(element.address->getSourceElementType(), s_.base(element.address->getPointerOperand()), index);
}

/// By indices of 32 bits where possible, as `indices_are_apart`; one that could wrap within a run is in none.
Addresses::TwoRuns Addresses::two_runs(const Instruction& access, std::uint64_t bytes, Value* mask) {
  const auto element = narrow_element(access);
  const std::uint64_t in_elements = elements_in(element, bytes);
  const bool narrow = in_elements != 0;
  const unsigned last_lane = s_.width - 1;
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  Value* numbers = narrow ? s_.vector(element.index) : b_.CreatePtrToInt(s_.vector(pointer), b_.wide(b_.getInt64Ty()));
  numbers = b_.CreateFreeze(numbers);
  llvm::Type* type = numbers->getType();
  Value* step = llvm::ConstantInt::get(type, narrow ? in_elements : bytes);
  Value* origins = b_.CreateSub(numbers, b_.CreateMul(b_.CreateStepVector(type), step));
  const auto run = [&](unsigned lane) {
    Value* in = b_.CreateICmpEQ(origins, b_.splat(b_.CreateExtractElement(origins, std::uint64_t{lane})));
    Value* address = narrow ? element_address(element, b_.CreateExtractElement(numbers, std::uint64_t{lane}))
                            : s_.lane(pointer, lane);
    const auto back = static_cast<std::uint64_t>(-static_cast<std::int64_t>(lane * bytes));
    if (lane != 0) address = b_.CreateGEP(b_.getInt8Ty(), address, b_.getInt64(back));
    return Run{address, mask == nullptr ? in : b_.CreateAnd(in, mask)};
  };
  TwoRuns runs{run(0), run(last_lane), nullptr};
  Value* covered = b_.CreateOr(runs.first.lanes, runs.last.lanes);
  if (mask != nullptr) covered = b_.CreateOr(covered, b_.CreateNot(mask));
  runs.holds = b_.CreateAndReduce(b_.CreateFreeze(covered));
  if (!narrow) return runs;
  const auto predicate = element.is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE;
  const auto reach = last_lane * static_cast<std::uint32_t>(in_elements);
  Value* largest = b_.getInt32((element.is_signed ? 0x7fffffffU : 0xffffffffU) - reach);
  Value* least = b_.getInt32((element.is_signed ? 0x80000000U : 0U) + reach);
  Value* begin = b_.CreateExtractElement(numbers, std::uint64_t{0});
  Value* end = b_.CreateExtractElement(numbers, std::uint64_t{last_lane});
  Value* in_range = b_.CreateAnd(b_.CreateICmp(predicate, begin, largest), b_.CreateICmp(predicate, least, end));
  runs.holds = b_.CreateAnd(runs.holds, in_range);
  return runs;
}

/// For an interleaved variable only lane 0 has the original's alignment.
llvm::Align Addresses::lane_alignment(const Instruction& access) const {
  const llvm::Align align = llvm::getLoadStoreAlignment(&access);
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (s_.shapes.interleaved(*pointer) == nullptr) return std::min(align, kDummyAlign);
  return std::min(align, llvm::commonAlignment(kDummyAlign, bytes_of(access)));
}

llvm::SmallVector<Value*> Addresses::lane_addresses(const Value* pointer, Value* mask, llvm::Type* type) {
  llvm::SmallVector<Value*> addresses;
  const Shape shape = s_.shape(pointer);
  if (mask == nullptr && shape.kind == Kind::strided && !shape.checked) {
    for (unsigned l = 0; l < s_.width; ++l) addresses.push_back(s_.lane(pointer, l));
    return addresses;
  }
  // base + index in each lane: addressing modes compute it, while lanes of a vector of pointers must be extracted.
  const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (mask == nullptr && step != nullptr && s_.body.contains(step->getParent()) &&
      s_.shapes.interleaved(*step) == nullptr && s_.shape(step->getPointerOperand()).is_uniform()) {
    for (unsigned l = 0; l < s_.width; ++l) {
      llvm::SmallVector<Value*> indices;
      for (const Value* index : step->indices()) indices.push_back(s_.lane(index, l));
      addresses.push_back(b_.CreateGEP(step->getSourceElementType(), s_.base(step->getPointerOperand()), indices));
    }
    return addresses;
  }
  // The same distance from another address of each lane: an addressing mode again, where a vector would be taken apart
  // twice, or in each iteration of a loop that only changes the distance.
  if (mask == nullptr && step != nullptr && s_.body.contains(step->getParent()) &&
      s_.shapes.interleaved(*step) == nullptr &&
      llvm::all_of(step->indices(), [&](const Value* index) { return s_.shape(index).is_uniform(); })) {
    addresses = lane_addresses(step->getPointerOperand(), mask, type);
    llvm::SmallVector<Value*> indices;
    for (const Value* index : step->indices()) indices.push_back(s_.base(index));
    for (Value*& address : addresses) address = b_.CreateGEP(step->getSourceElementType(), address, indices);
    return addresses;
  }
  Value* all = s_.vector(pointer);
  if (mask != nullptr)
    all = b_.CreateSelect(mask, all, b_.splat(s_.dummy(type, pointer->getType()->getPointerAddressSpace())));
  for (unsigned l = 0; l < s_.width; ++l) addresses.push_back(b_.CreateExtractElement(all, l));
  return addresses;
}

}  // namespace lanewise::spmd
