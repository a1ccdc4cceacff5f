// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of the vector form.
///
///     uniform address       one scalar access; for an empty mask the address is a dummy's
///     consecutive           one wide access, masked where not all lanes are active; vectors of N components are taken
///                           apart by shuffles (array of structures <-> structure of arrays)
///     the same, one form    (item_loop.h) wide where all lanes are active, masked for the last vector
///     checked consecutive   both forms, chosen by the test that goes with the address; gathers and scatters for the
///                           rare one, where the processor has them
///     anything else         one access per lane; inactive lanes use the dummy (a hardware gather is slower on most
///     CPUs)
#include <llvm/Analysis/Loads.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/emitter.h"

namespace lanewise::spmd {
namespace {

const llvm::Align kDummyAlign(64);

/// Metadata that stays true for several lanes at once.
void copy_metadata(const llvm::Instruction& from, llvm::Value* to) {
  auto* access = llvm::dyn_cast<llvm::Instruction>(to);
  if (access == nullptr) return;
  for (const unsigned kind : {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load})
    if (llvm::MDNode* node = from.getMetadata(kind)) access->setMetadata(kind, node);
}

/// Consecutive from the last lane to the first.
bool is_backwards(const Shape& shape, std::uint64_t bytes, const llvm::Type& type) {
  return shape.kind == Kind::strided && !shape.checked && !type.isVectorTy() &&
         shape.stride == -static_cast<std::int64_t>(bytes);
}

constexpr unsigned kDeepestIndex = 12;

/// The index is made of ids and uniform values by arithmetic that only bends a straight line: clamps, quotients and
/// remainders, choices. `bends`: there is such an operation.
bool is_bent_line(const Body& body, const Shapes& shapes, const llvm::Value& v, unsigned depth, bool& bends) {
  if (shapes.of(v).has_base()) return true;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(&v);
  if (i == nullptr || depth == 0 || !body.contains(i->getParent()) || i->getType()->isVectorTy()) return false;
  switch (i->getOpcode()) {
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::Or:
    case llvm::Instruction::AddrSpaceCast:
      break;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::And:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      bends = true;
      break;
    case llvm::Instruction::Select:
      // The condition chooses between lines.
      bends = true;
      return is_bent_line(body, shapes, *i->getOperand(1), depth - 1, bends) &&
             is_bent_line(body, shapes, *i->getOperand(2), depth - 1, bends);
    case llvm::Instruction::Call:
      switch (llvm::cast<llvm::CallBase>(i)->getIntrinsicID()) {
        case llvm::Intrinsic::smin:
        case llvm::Intrinsic::smax:
        case llvm::Intrinsic::umin:
        case llvm::Intrinsic::umax:
          bends = true;
          return is_bent_line(body, shapes, *i->getOperand(0), depth - 1, bends) &&
                 is_bent_line(body, shapes, *i->getOperand(1), depth - 1, bends);
        default:
          return false;
      }
    default:
      return false;
  }
  return llvm::all_of(i->operands(), [&](const llvm::Use& operand) {
    return is_bent_line(body, shapes, *operand.get(), depth - 1, bends);
  });
}

bool often_consecutive(const Body& body, const Shapes& shapes, const llvm::Value& pointer) {
  bool bends = false;
  return is_bent_line(body, shapes, pointer, kDeepestIndex, bends) && bends;
}

}  // namespace

Emitter::Value* Emitter::dummy(llvm::Type* type, unsigned address_space) {
  Value*& place = storage_.dummies[{type, address_space}];
  if (place == nullptr) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> top(&entry, entry.begin());
    auto* variable = top.CreateAlloca(type, nullptr, "dummy");
    variable->setAlignment(kDummyAlign);
    llvm::IRBuilder<> end(entry.getTerminator());
    end.CreateStore(llvm::Constant::getNullValue(type), variable);
    place = address_space == 0 ? variable : end.CreateAddrSpaceCast(variable, end.getPtrTy(address_space));
  }
  return place;
}

Emitter::Value* Emitter::uniform_address(Value* pointer, Value* mask, llvm::Type* type) {
  if (mask == nullptr || mask == level_mask_ || mask == guard_mask_)
    return pointer;  // a level with a mask is entered for some lane only
  return b_.CreateSelect(any(mask), pointer, dummy(type, pointer->getType()->getPointerAddressSpace()));
}

/// Lane 0's address, of lanes that are consecutive: in the form that leaves no vector of pointers behind.
Emitter::Value* Emitter::first_address(const Instruction& access) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (shapes_.of(*pointer).has_base()) return base(pointer);
  if (const auto element = narrow_element(access); element.index != nullptr) {
    Value* index = b_.CreateExtractElement(vector(element.index), std::uint64_t{0});
    index = b_.CreateIntCast(index, b_.getInt64Ty(), element.is_signed);
    return b_.CreateGEP(element.address->getSourceElementType(), base(element.address->getPointerOperand()), index);
  }
  return lane(pointer, 0);
}

/// The access is to an element of an array, with an index of 32 bits that is extended. What the access uses only by
/// way of the address must be of its own block: of other blocks only values that are used here directly reach it.
Emitter::NarrowElement Emitter::narrow_element(const Instruction& access) const {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&access));
  if (address == nullptr || !body_.contains(address->getParent()) || address->getNumIndices() != 1 ||
      !shapes_.of(*address->getPointerOperand()).is_uniform() || shapes_.interleaved(*address) != nullptr)
    return {};
  const auto* extended = llvm::dyn_cast<llvm::CastInst>(address->getOperand(1));
  if (extended == nullptr || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extended)) return {};
  if (!extended->getOperand(0)->getType()->isIntegerTy(32)) return {};
  for (const Value* used : std::initializer_list<const Value*>{extended->getOperand(0), address->getPointerOperand()})
    if (const auto* i = llvm::dyn_cast<Instruction>(used);
        i != nullptr && body_.contains(i->getParent()) && i->getParent() != access.getParent())
      return {};
  return {address, extended->getOperand(0), llvm::isa<llvm::SExtInst>(extended)};
}

/// Whether the lanes' elements are consecutive, by their indices: half as many registers as for addresses. An index
/// that could wrap within the vector counts as not consecutive.
Emitter::Value* Emitter::indices_are_consecutive(const NarrowElement& element, Value* mask) {
  Value* indices = vector(element.index);
  Value* first = b_.CreateExtractElement(indices, std::uint64_t{0});
  llvm::SmallVector<llvm::Constant*> steps;
  for (unsigned l = 0; l < width_; ++l) steps.push_back(b_.getInt32(l));
  Value* equal = b_.CreateICmpEQ(b_.CreateSub(indices, splat(first)), llvm::ConstantVector::get(steps));
  if (mask != nullptr) equal = b_.CreateOr(equal, b_.CreateNot(mask));
  Value* largest = b_.getInt32((element.is_signed ? 0x7fffffffU : 0xffffffffU) - width_);
  Value* in_range = element.is_signed ? b_.CreateICmpSLE(first, largest) : b_.CreateICmpULE(first, largest);
  return b_.CreateAnd(b_.CreateAndReduce(b_.CreateFreeze(equal)), b_.CreateFreeze(in_range));
}

/// Whether lanes of any addresses happen to be consecutive, for pointers that often are: of clamped and of divided ids.
/// Null: it is not worth a test.
Emitter::Value* Emitter::lanes_are_consecutive(const Instruction& access, std::uint64_t bytes, Value* mask) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (shapes_.of(*pointer).has_base() || !often_consecutive(body_, shapes_, *pointer)) return nullptr;
  if (const auto element = narrow_element(access);
      element.index != nullptr && layout_.getTypeAllocSize(element.address->getSourceElementType()) == bytes)
    return indices_are_consecutive(element, mask);
  Value* addresses = b_.CreatePtrToInt(vector(pointer), wide(b_.getInt64Ty()));
  Value* distances = b_.CreateSub(addresses, splat(b_.CreateExtractElement(addresses, std::uint64_t{0})));
  llvm::SmallVector<llvm::Constant*> steps;
  for (unsigned l = 0; l < width_; ++l) steps.push_back(b_.getInt64(l * bytes));
  Value* equal = b_.CreateICmpEQ(distances, llvm::ConstantVector::get(steps));
  if (mask != nullptr) equal = b_.CreateOr(equal, b_.CreateNot(mask));
  return b_.CreateAndReduce(b_.CreateFreeze(equal));
}

// --- loads -----------------------------------------------------------------------------------------------------------

void Emitter::emit_load(const llvm::LoadInst& load, Value* mask) {
  const Value* pointer = load.getPointerOperand();
  const Shape shape = shapes_.of(*pointer);
  llvm::Type* type = load.getType();
  if (shape.is_uniform()) {
    Value* address = base(pointer);
    if (!llvm::isDereferenceableAndAlignedPointer(address, type, load.getAlign(), layout_))
      address = uniform_address(address, mask, type);
    auto* copy = b_.CreateAlignedLoad(type, address, lane_alignment(load), load.getName());
    copy_metadata(load, copy);
    if (address != base(pointer)) copy->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
    lanes_[&load].base = copy;
    return;
  }
  Lanes result;
  const bool consecutive =
      shape.kind == Kind::strided && shape.stride == static_cast<std::int64_t>(layout_.getTypeStoreSize(type));
  if (is_backwards(shape, layout_.getTypeStoreSize(type), *type)) {
    load_backwards(load, mask, result);
  } else if (!consecutive) {
    Value* test = lanes_are_consecutive(load, layout_.getTypeStoreSize(type).getFixedValue(), mask);
    if (test == nullptr)
      load_lanes(load, mask, result);
    else
      load_by_test(load, test, mask, result);
  } else if (!shape.checked) {
    load_full_or_masked(load, mask, result);
  } else {
    load_by_test(load, lanes_.lookup(pointer).holds, mask, result);
  }
  lanes_[&load] = result;
}

void Emitter::load_by_test(const llvm::LoadInst& load, Value* test, Value* mask, Lanes& result) {
  load_either(
      test, [&](Lanes& lanes) { load_consecutive(load, mask, lanes); },
      [&](Lanes& lanes) { load_rarely(load, mask, lanes); }, result);
}

/// Consecutive, and as `store_full_or_masked`.
void Emitter::load_full_or_masked(const llvm::LoadInst& load, Value* mask, Lanes& result) {
  if (full_ == nullptr || mask == nullptr || mask != top_mask_) return load_consecutive(load, mask, result);
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), components(*load.getType()) * width_);
  const bool native = target_.isLegalMaskedLoad(type, lane_alignment(load), load.getPointerAddressSpace());
  load_either(
      full_, [&](Lanes& lanes) { load_consecutive(load, nullptr, lanes); },
      [&](Lanes& lanes) { native ? load_consecutive(load, mask, lanes) : load_lanes(load, mask, lanes); }, result);
}

void Emitter::load_either(Value* test, LoadForm fast_form, LoadForm slow_form, Lanes& result) {
  BasicBlock* fast = new_block("consecutive");
  BasicBlock* slow = new_block("scattered");
  BasicBlock* after = new_block("loaded");
  b_.CreateCondBr(test, fast, slow);
  b_.SetInsertPoint(fast);
  fast_form(result);
  BasicBlock* fast_end = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(slow);
  Lanes other;
  slow_form(other);
  BasicBlock* slow_end = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  for (unsigned p = 0; p < result.parts.size(); ++p) {
    llvm::PHINode* phi = b_.CreatePHI(result.parts[p]->getType(), 2);
    phi->addIncoming(result.parts[p], fast_end);
    phi->addIncoming(other.parts[p], slow_end);
    result.parts[p] = phi;
  }
}

void Emitter::load_consecutive(const llvm::LoadInst& load, Value* mask, Lanes& result) {
  const unsigned count = components(*load.getType());
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), count * width_);
  Value* address = first_address(load);
  Value* flat = nullptr;
  if (mask == nullptr)
    flat = b_.CreateAlignedLoad(type, address, lane_alignment(load), load.getName());
  else
    flat = b_.CreateMaskedLoad(type, address, lane_alignment(load), repeat_each(mask, count),
                               llvm::Constant::getNullValue(type), load.getName());
  copy_metadata(load, flat);
  split_lanes(flat, count, result);
}

/// The last lane has the lowest address.
void Emitter::load_backwards(const llvm::LoadInst& load, Value* mask, Lanes& result) {
  llvm::VectorType* type = wide(load.getType());
  Value* address = lane(load.getPointerOperand(), width_ - 1);
  const llvm::Align align = lane_alignment(load);
  Value* flat = mask == nullptr ? static_cast<Value*>(b_.CreateAlignedLoad(type, address, align))
                                : b_.CreateMaskedLoad(type, address, align, b_.CreateVectorReverse(mask),
                                                      llvm::Constant::getNullValue(type));
  copy_metadata(load, flat);
  result.parts.push_back(b_.CreateVectorReverse(flat, load.getName()));
}

void Emitter::store_backwards(const llvm::StoreInst& store, Value* mask) {
  Value* flat = b_.CreateVectorReverse(vector(store.getValueOperand()));
  Value* address = lane(store.getPointerOperand(), width_ - 1);
  const llvm::Align align = lane_alignment(store);
  Instruction* made = mask == nullptr ? static_cast<Instruction*>(b_.CreateAlignedStore(flat, address, align))
                                      : b_.CreateMaskedStore(flat, address, align, b_.CreateVectorReverse(mask));
  copy_metadata(store, made);
}

/// Components of lanes that lie one behind the other.
void Emitter::split_lanes(Value* flat, unsigned count, Lanes& result) {
  if (count == 1) {
    result.parts.push_back(flat);
    return;
  }
  for (unsigned p = 0; p < count; ++p) {
    llvm::SmallVector<int> order;
    for (unsigned l = 0; l < width_; ++l) order.push_back(static_cast<int>(l * count + p));
    result.parts.push_back(b_.CreateShuffleVector(flat, order));
  }
}

/// Alignment of an access in each lane: of an interleaved variable only lane 0 has the original's.
llvm::Align Emitter::lane_alignment(const Instruction& access) {
  const llvm::Align align = llvm::getLoadStoreAlignment(&access);
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (shapes_.interleaved(*pointer) == nullptr) return std::min(align, kDummyAlign);
  const std::uint64_t bytes = layout_.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
  return std::min(align, llvm::commonAlignment(kDummyAlign, bytes));
}

llvm::SmallVector<Emitter::Value*> Emitter::lane_addresses(const Value* pointer, Value* mask, llvm::Type* type) {
  llvm::SmallVector<Value*> addresses;
  const Shape shape = shapes_.of(*pointer);
  if (mask == nullptr && shape.kind == Kind::strided && !shape.checked) {
    for (unsigned l = 0; l < width_; ++l) addresses.push_back(lane(pointer, l));
    return addresses;
  }
  // base + index in each lane: the processor's addressing modes do what vectors of pointers would be taken apart for.
  const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (mask == nullptr && step != nullptr && body_.contains(step->getParent()) &&
      shapes_.interleaved(*step) == nullptr && shapes_.of(*step->getPointerOperand()).is_uniform()) {
    for (unsigned l = 0; l < width_; ++l) {
      llvm::SmallVector<Value*> indices;
      for (const Value* index : step->indices()) indices.push_back(lane(index, l));
      addresses.push_back(b_.CreateGEP(step->getSourceElementType(), base(step->getPointerOperand()), indices));
    }
    return addresses;
  }
  Value* all = vector(pointer);
  if (mask != nullptr)
    all = b_.CreateSelect(mask, all, splat(dummy(type, pointer->getType()->getPointerAddressSpace())));
  for (unsigned l = 0; l < width_; ++l) addresses.push_back(b_.CreateExtractElement(all, l));
  return addresses;
}

void Emitter::load_lanes(const llvm::LoadInst& load, Value* mask, Lanes& result) {
  llvm::SmallVector<Value*> values;
  for (Value* address : lane_addresses(load.getPointerOperand(), mask, load.getType())) {
    values.push_back(b_.CreateAlignedLoad(load.getType(), address, lane_alignment(load)));
    copy_metadata(load, values.back());
    if (mask != nullptr)
      llvm::cast<Instruction>(values.back())->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
  }
  const unsigned count = components(*load.getType());
  if (!load.getType()->isVectorTy())
    result.parts.push_back(from_lanes(values));
  else
    split_lanes(concatenate(values), count, result);
}

/// For lanes that seldom are apart: the processor's own gather is slower than loads one by one on some, but one
/// instruction to compile where those are a hundred.
void Emitter::load_rarely(const llvm::LoadInst& load, Value* mask, Lanes& result) {
  llvm::Type* type = load.getType();
  const llvm::Align align = lane_alignment(load);
  if (type->isVectorTy() || !target_.isLegalMaskedGather(wide(type), align)) return load_lanes(load, mask, result);
  Value* addresses = vector(load.getPointerOperand());
  Value* gathered = b_.CreateMaskedGather(wide(type), addresses, align, mask != nullptr ? mask : all_true(),
                                          llvm::Constant::getNullValue(wide(type)), load.getName());
  copy_metadata(load, gathered);
  result.parts.push_back(gathered);
}

// --- stores ----------------------------------------------------------------------------------------------------------

void Emitter::emit_store(const llvm::StoreInst& store, Value* mask) {
  const Value* pointer = store.getPointerOperand();
  const Shape shape = shapes_.of(*pointer);
  const llvm::Type* type = store.getValueOperand()->getType();
  const bool consecutive =
      shape.kind == Kind::strided &&
      shape.stride == static_cast<std::int64_t>(layout_.getTypeStoreSize(const_cast<llvm::Type*>(type)));
  if (shape.is_uniform()) {
    store_uniform(store, mask);
  } else if (is_backwards(shape, layout_.getTypeStoreSize(const_cast<llvm::Type*>(type)), *type)) {
    store_backwards(store, mask);
  } else if (!consecutive) {
    Value* test = lanes_are_consecutive(store, layout_.getTypeStoreSize(const_cast<llvm::Type*>(type)), mask);
    if (test == nullptr)
      store_lanes(store, mask);
    else
      store_by_test(store, test, mask);
  } else if (!shape.checked) {
    store_full_or_masked(store, mask);
  } else {
    store_by_test(store, lanes_.lookup(pointer).holds, mask);
  }
}

void Emitter::store_by_test(const llvm::StoreInst& store, Value* test, Value* mask) {
  store_either(test, [&] { store_consecutive(store, mask); }, [&] { store_rarely(store, mask); });
}

/// Consecutive. What is masked is slower at x86-64-v3 (stores by tens of cycles on some processors), and at v2 there
/// are only branches.
void Emitter::store_full_or_masked(const llvm::StoreInst& store, Value* mask) {
  if (full_ == nullptr || mask == nullptr || mask != top_mask_) return store_consecutive(store, mask);
  llvm::Type* element = store.getValueOperand()->getType();
  auto* type = llvm::FixedVectorType::get(element->getScalarType(), components(*element) * width_);
  const bool native = target_.isLegalMaskedStore(type, lane_alignment(store), store.getPointerAddressSpace());
  store_either(
      full_, [&] { store_consecutive(store, nullptr); },
      [&] { native ? store_consecutive(store, mask) : store_lanes(store, mask); });
}

void Emitter::store_either(Value* test, llvm::function_ref<void()> fast_form, llvm::function_ref<void()> slow_form) {
  BasicBlock* fast = new_block("consecutive");
  BasicBlock* slow = new_block("scattered");
  BasicBlock* after = new_block("stored");
  b_.CreateCondBr(test, fast, slow);
  b_.SetInsertPoint(fast);
  fast_form();
  b_.CreateBr(after);
  b_.SetInsertPoint(slow);
  slow_form();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

/// The components of all lanes, lane after lane.
Emitter::Value* Emitter::join_parts(const Value* v, unsigned count) {
  if (count == 1) return vector(v);
  llvm::SmallVector<Value*> parts;
  for (unsigned p = 0; p < count; ++p) parts.push_back(vector(v, p));
  // Shuffles want a power of two of them.
  while ((parts.size() & (parts.size() - 1)) != 0) parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < width_; ++l)
    for (unsigned p = 0; p < count; ++p) order.push_back(static_cast<int>(p * width_ + l));
  return b_.CreateShuffleVector(concatenate(parts), order);
}

void Emitter::store_consecutive(const llvm::StoreInst& store, Value* mask) {
  const unsigned count = components(*store.getValueOperand()->getType());
  Value* flat = join_parts(store.getValueOperand(), count);
  Value* address = first_address(store);
  Instruction* made = nullptr;
  if (mask == nullptr)
    made = b_.CreateAlignedStore(flat, address, lane_alignment(store));
  else
    made = b_.CreateMaskedStore(flat, address, lane_alignment(store), repeat_each(mask, count));
  copy_metadata(store, made);
}

void Emitter::store_lanes(const llvm::StoreInst& store, Value* mask) {
  const auto addresses = lane_addresses(store.getPointerOperand(), mask, store.getValueOperand()->getType());
  for (unsigned l = 0; l < width_; ++l)
    copy_metadata(store, b_.CreateAlignedStore(lane(store.getValueOperand(), l), addresses[l], lane_alignment(store)));
}

/// As `load_rarely`. Of lanes at one address the last one wins: scatters are ordered.
void Emitter::store_rarely(const llvm::StoreInst& store, Value* mask) {
  llvm::Type* type = store.getValueOperand()->getType();
  const llvm::Align align = lane_alignment(store);
  if (type->isVectorTy() || !target_.isLegalMaskedScatter(wide(type), align)) return store_lanes(store, mask);
  Value* value = vector(store.getValueOperand());
  Value* addresses = vector(store.getPointerOperand());
  copy_metadata(store, b_.CreateMaskedScatter(value, addresses, align, mask != nullptr ? mask : all_true()));
}

/// Of several work-items that store to one place, the last one wins, as if they ran one after the other.
void Emitter::store_uniform(const llvm::StoreInst& store, Value* mask) {
  const Value* v = store.getValueOperand();
  Value* value = nullptr;
  if (shapes_.of(*v).is_uniform()) {
    value = base(v);
  } else if (mask == nullptr) {
    value = lane(v, width_ - 1);
  } else {
    Value* bits = b_.CreateBitCast(mask, b_.getIntNTy(width_));
    // Lane 0 counts as active, so that the number is a lane even where none is: not by a select, which the optimiser
    // moves behind the extraction, and the code generator then reads beside the vector.
    bits = b_.CreateOr(bits, llvm::ConstantInt::get(bits->getType(), 1));
    Value* zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, b_.getTrue());
    Value* last = b_.CreateSub(llvm::ConstantInt::get(bits->getType(), width_ - 1), zeros);
    last = b_.CreateZExt(last, b_.getInt64Ty());
    llvm::Type* type = v->getType();
    value = type->isVectorTy() ? llvm::PoisonValue::get(type) : nullptr;
    for (unsigned p = 0; p < components(*type); ++p) {
      Value* element = b_.CreateExtractElement(vector(v, p), last);
      value = type->isVectorTy() ? b_.CreateInsertElement(value, element, p) : element;
    }
  }
  Value* address = uniform_address(base(store.getPointerOperand()), mask, v->getType());
  copy_metadata(store, b_.CreateAlignedStore(value, address, lane_alignment(store)));
}

}  // namespace lanewise::spmd
