// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of the vector form that touch no memory.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "compiler/spmd/emitter.h"
#include "compiler/spmd/machine_operations.h"
#include "compiler/subgroup/operations.h"

namespace lanewise::spmd {

using llvm::Constant;
using llvm::ConstantInt;

unsigned components(const llvm::Type& type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) return vector->getNumElements();
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return structure->getNumElements();
  return 1;
}

llvm::Type* component_type(llvm::Type& type, unsigned part) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return structure->getElementType(part);
  return type.getScalarType();
}

Emitter::Emitter(Body& body, const Shapes& shapes, llvm::PHINode& local_id, unsigned width,
                 const llvm::TargetTransformInfo& target, LaneStorage& storage)
    : body_(body),
      shapes_(shapes),
      local_id_(local_id),
      width_(width),
      target_(target),
      b_(local_id.getContext()),
      function_(*local_id.getFunction()),
      layout_(function_.getDataLayout()),
      storage_(storage) {}

// --- values ----------------------------------------------------------------------------------------------------------

/// Lane 0 of a uniform or strided value.
Emitter::Value* Emitter::base(const Value* v) {
  const auto known = lanes_.find(v);
  if (known != lanes_.end() && known->second.base != nullptr) return known->second.base;
  if (const llvm::AllocaInst* variable = Shapes::private_variable(*v)) {
    Value*& copy = storage_.private_copies[variable];
    if (copy == nullptr) {
      llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
      const std::uint64_t own = variable->getAllocationSize(layout_)->getFixedValue();
      const bool rows = shapes_.interleaved(*v) != nullptr;
      const std::uint64_t bytes = (rows ? own : static_cast<std::uint64_t>(shapes_.of(*v).stride)) * width_;
      auto* copies =
          entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), bytes), nullptr, variable->getName() + ".lanes");
      copies->setMetadata(kLanesMetadata, llvm::MDNode::get(function_.getContext(), {}));
      copies->setAlignment(rows ? std::max(variable->getAlign(), llvm::Align(64)) : variable->getAlign());
      copy = copies;
    }
    return copy;
  }
  return const_cast<Value*>(v);
}

/// All lanes of a value, or of one of its components.
Emitter::Value* Emitter::vector(const Value* v, unsigned part) {
  const auto known = lanes_.find(v);
  if (known != lanes_.end() && !known->second.parts.empty()) return known->second.parts[part];
  const Shape shape = shapes_.of(*v);
  Value* first = base(v);
  llvm::Type* type = first->getType();
  if (type->isVectorTy())
    first = b_.CreateExtractElement(first, part);
  else if (type->isStructTy())
    first = b_.CreateExtractValue(first, part);
  if (shape.kind != Kind::strided || shape.stride == 0) return splat(first);
  llvm::SmallVector<Constant*> steps;
  llvm::Type* offset = type->isPointerTy() ? b_.getInt64Ty() : type;
  for (unsigned l = 0; l < width_; ++l)
    steps.push_back(ConstantInt::get(
        offset, llvm::APInt(64, static_cast<std::uint64_t>(shape.stride * static_cast<std::int64_t>(l)))
                    .sextOrTrunc(offset->getIntegerBitWidth())));
  Constant* all = llvm::ConstantVector::get(steps);
  if (type->isPointerTy()) return b_.CreateGEP(b_.getInt8Ty(), first, all);
  return b_.CreateAdd(splat(first), all);
}

/// One lane of a value, as a scalar of the original's type.
Emitter::Value* Emitter::lane(const Value* v, unsigned number) {
  const auto known = lanes_.find(v);
  if (known == lanes_.end() || known->second.parts.empty()) {
    const Shape shape = shapes_.of(*v);
    Value* first = base(v);
    if (shape.kind != Kind::strided || number == 0) return first;
    const auto offset = static_cast<std::uint64_t>(shape.stride * static_cast<std::int64_t>(number));
    if (first->getType()->isPointerTy()) return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(offset));
    return b_.CreateAdd(first,
                        ConstantInt::get(first->getType(),
                                         llvm::APInt(64, offset).sextOrTrunc(first->getType()->getIntegerBitWidth())));
  }
  const auto& parts = known->second.parts;
  llvm::Type* type = v->getType();
  if (!type->isVectorTy() && !type->isStructTy()) return b_.CreateExtractElement(parts.front(), number);
  Value* whole = llvm::PoisonValue::get(type);
  for (unsigned part = 0; part < parts.size(); ++part) {
    Value* element = b_.CreateExtractElement(known->second.parts[part], number);
    whole =
        type->isVectorTy() ? b_.CreateInsertElement(whole, element, part) : b_.CreateInsertValue(whole, element, part);
  }
  return whole;
}

Emitter::Value* Emitter::from_lanes(llvm::ArrayRef<Value*> lanes) {
  Value* all = llvm::PoisonValue::get(wide(lanes.front()->getType()));
  for (unsigned l = 0; l < lanes.size(); ++l) all = b_.CreateInsertElement(all, lanes[l], l);
  return all;
}

/// Vectors of the same type, one behind the other. Their number is a power of two.
Emitter::Value* Emitter::concatenate(llvm::ArrayRef<Value*> pieces) {
  llvm::SmallVector<Value*> rest(pieces);
  while (rest.size() > 1) {
    const unsigned n = llvm::cast<llvm::FixedVectorType>(rest.front()->getType())->getNumElements();
    llvm::SmallVector<int> order;
    for (unsigned k = 0; k < 2 * n; ++k) order.push_back(static_cast<int>(k));
    llvm::SmallVector<Value*> halves;
    for (std::size_t k = 0; k < rest.size(); k += 2)
      halves.push_back(b_.CreateShuffleVector(rest[k], rest[k + 1], order));
    rest = halves;
  }
  return rest.front();
}

Emitter::Value* Emitter::repeat_each(Value* mask, unsigned times) {
  if (times == 1) return mask;
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < width_; ++l) order.append(times, static_cast<int>(l));
  return b_.CreateShuffleVector(mask, order);
}

// --- instructions ----------------------------------------------------------------------------------------------------

void Emitter::emit_instructions(const BasicBlock& block, Value* mask) {
  for (const Instruction& i : block) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
    b_.SetCurrentDebugLocation(i.getDebugLoc());
    emit_instruction(i, mask);
  }
}

void Emitter::emit_instruction(const Instruction& i, Value* mask) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load != nullptr && load->isSimple())
    return emit_load(*load, mask);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store != nullptr && store->isSimple())
    return emit_store(*store, mask);
  if (llvm::isa<llvm::FenceInst>(i)) {
    b_.Insert(i.clone());
    return;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      intrinsic != nullptr && (intrinsic->isAssumeLikeIntrinsic()))
    return;
  if (sub_group_call(i)) return emit_sub_group(llvm::cast<llvm::CallInst>(i), mask);
  if (i.hasMetadata("lanewise.lane")) {
    lanes_[&i].base = ConstantInt::get(i.getType(), 0);
    return;
  }
  const Shape shape = shapes_.of(i);
  if (!i.getType()->isVoidTy() && shape.has_base()) {
    emit_scalar(i, mask, shape);
    if (!shape.checked) return;
  }
  emit_vector(i, mask);
}

/// Lane 0 of a uniform or strided value. Lane 0 may be inactive: what a flag promises may not hold for it.
void Emitter::emit_scalar(const Instruction& i, Value* mask, const Shape& shape) {
  if (shape.kind == Kind::strided && i.getOpcode() == Instruction::Or) {
    // Of disjoint bits, in the lanes that are active; elsewhere only the sum keeps the stride.
    Value* total = b_.CreateAdd(base(i.getOperand(0)), base(i.getOperand(1)), i.getName());
    Value* holds = shape.checked ? holds_of(i, total) : nullptr;
    lanes_[&i].base = total;
    lanes_[&i].holds = holds;
    return;
  }
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i); address != nullptr && shapes_.interleaved(i)) {
    Value* place = interleaved_address(*address, false);
    lanes_[&i].base = place;
    return;
  }
  Instruction* copy = i.clone();
  for (llvm::Use& operand : copy->operands())
    if (!llvm::isa<llvm::Function>(operand.get())) operand.set(base(operand.get()));
  if (mask != nullptr) {
    copy->dropPoisonGeneratingAnnotations();
    const unsigned op = i.getOpcode();
    const bool divides =
        op == Instruction::UDiv || op == Instruction::SDiv || op == Instruction::URem || op == Instruction::SRem;
    if (divides && !llvm::isa<ConstantInt>(copy->getOperand(1)))
      copy->setOperand(1, b_.CreateSelect(any(mask), copy->getOperand(1), ConstantInt::get(i.getType(), 1)));
  }
  b_.Insert(copy, i.getName());
  Value* holds = shape.checked ? holds_of(i, copy) : nullptr;
  Lanes& result = lanes_[&i];
  result.base = copy;
  result.holds = holds;
}

/// Whether stride and base describe a checked value: those of its operands do, and an extension does not wrap.
Emitter::Value* Emitter::holds_of(const Instruction& i, Value* /*base*/) {
  Value* holds = nullptr;
  for (const Value* operand : i.operands()) {
    const auto known = lanes_.find(operand);
    if (known == lanes_.end() || known->second.holds == nullptr) continue;
    holds = holds == nullptr ? known->second.holds : b_.CreateAnd(holds, known->second.holds);
  }
  const Shape from = shapes_.of(*i.getOperand(0));
  if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(i) || from.bounded) return holds != nullptr ? holds : b_.getTrue();
  const bool is_signed = llvm::isa<llvm::SExtInst>(i);
  Value* first = this->base(i.getOperand(0));
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const __int128 reach = static_cast<__int128>(from.stride) * (width_ - 1);
  const __int128 low = is_signed ? -(static_cast<__int128>(1) << (bits - 1)) : 0;
  const __int128 high = low + (static_cast<__int128>(1) << bits) - 1;
  const __int128 limit = reach >= 0 ? high - reach : low - reach;
  if (limit < low || limit > high) return b_.getFalse();
  const auto predicate = reach >= 0 ? (is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                                    : (is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE);
  Value* fits = b_.CreateICmp(
      predicate, first,
      ConstantInt::get(first->getType(), llvm::APInt(64, static_cast<std::uint64_t>(limit)).sextOrTrunc(bits)));
  return holds == nullptr ? fits : b_.CreateAnd(holds, fits);
}

void Emitter::emit_vector(const Instruction& i, Value* mask) {
  if (emit_parts(i)) return;
  Value* result = widened(i, mask);
  if (result == nullptr) {
    emit_per_lane(i, mask);
    return;
  }
  result->setName(i.getName());
  lanes_[&i].parts.assign(1, result);
}

/// Vectors and structs as lists of their components. False: not such an instruction.
bool Emitter::emit_parts(const Instruction& i) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) {
    const auto* index = llvm::dyn_cast<ConstantInt>(extract->getIndexOperand());
    if (index == nullptr) return false;
    Value* part = vector(extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue()));
    lanes_[&i].parts.assign(1, part);
    return true;
  }
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    Value* part = vector(extract->getAggregateOperand(), extract->getIndices().front());
    lanes_[&i].parts.assign(1, part);
    return true;
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i)) {
    const auto* index = llvm::dyn_cast<ConstantInt>(insert->getOperand(2));
    if (index == nullptr) return false;
    llvm::SmallVector<Value*, 1> parts;
    for (unsigned p = 0; p < components(*i.getType()); ++p)
      parts.push_back(p == index->getZExtValue() ? vector(insert->getOperand(1)) : vector(insert->getOperand(0), p));
    lanes_[&i].parts = parts;
    return true;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&i)) return emit_reinterpreted(*cast);
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) {
    llvm::SmallVector<Value*, 1> parts;
    const int n = static_cast<int>(components(*shuffle->getOperand(0)->getType()));
    for (const int p : shuffle->getShuffleMask())
      parts.push_back(p < 0   ? llvm::PoisonValue::get(wide(i.getType()->getScalarType()))
                      : p < n ? vector(shuffle->getOperand(0), static_cast<unsigned>(p))
                              : vector(shuffle->getOperand(1), static_cast<unsigned>(p - n)));
    lanes_[&i].parts = parts;
    return true;
  }
  return false;
}

/// A vector as a scalar or a vector of other elements: all bits of a lane, side by side, are what both mean. False: of
/// scalars, or of vectors of bits.
bool Emitter::emit_reinterpreted(const llvm::BitCastInst& cast) {
  const llvm::Type& from = *cast.getSrcTy();
  const llvm::Type& to = *cast.getDestTy();
  const auto is_whole = [](const llvm::Type& type) {
    const unsigned bits = type.getScalarSizeInBits();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  if ((!from.isVectorTy() && !to.isVectorTy()) || !is_whole(from) || !is_whole(to)) return false;
  const unsigned count = components(to);
  Value* flat = join_parts(cast.getOperand(0), components(from));
  Lanes result;
  split_lanes(b_.CreateBitCast(flat, llvm::FixedVectorType::get(to.getScalarType(), count * width_)), count, result);
  lanes_[&cast].parts = result.parts;
  return true;
}

/// The vector form of an instruction on scalars; null if it has none.
Emitter::Value* Emitter::widened(const Instruction& i, Value* mask) {
  if (i.getType()->isVectorTy() || i.getType()->isStructTy()) return nullptr;
  for (const Value* operand : i.operands())
    if (operand->getType()->isVectorTy() || operand->getType()->isStructTy()) return nullptr;
  const auto flags = [&](Value* v) {
    if (auto* made = llvm::dyn_cast<Instruction>(v)) {
      made->copyIRFlags(&i);
      if (Instruction* m = made; i.hasMetadata(llvm::LLVMContext::MD_fpmath))
        m->setMetadata(llvm::LLVMContext::MD_fpmath, i.getMetadata(llvm::LLVMContext::MD_fpmath));
    }
    return v;
  };
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    if (binary->isIntDivRem())
      if (Value* result = widened_division(*binary, mask)) return result;
    Value* divisor = vector(i.getOperand(1));
    if (binary->isIntDivRem() && mask != nullptr && !llvm::isa<ConstantInt>(i.getOperand(1)))
      divisor = b_.CreateSelect(mask, divisor, ConstantInt::get(divisor->getType(), 1));
    Value* dividend = vector(i.getOperand(0));
    return flags(b_.Insert(llvm::BinaryOperator::Create(binary->getOpcode(), dividend, divisor)));
  }
  if (llvm::isa<llvm::UnaryOperator>(i))
    return flags(b_.Insert(
        llvm::UnaryOperator::Create(llvm::cast<llvm::UnaryOperator>(i).getOpcode(), vector(i.getOperand(0)))));
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&i)) {
    Value* left = vector(i.getOperand(0));
    Value* right = vector(i.getOperand(1));
    return flags(b_.Insert(llvm::CmpInst::Create(compare->getOpcode(), compare->getPredicate(), left, right)));
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    const Value* c = select->getCondition();
    Value* condition = shapes_.of(*c).is_uniform() ? base(c) : vector(c);
    Value* yes = vector(select->getTrueValue());
    Value* no = vector(select->getFalseValue());
    return flags(b_.Insert(llvm::SelectInst::Create(condition, yes, no)));
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i))
    return flags(b_.Insert(llvm::CastInst::Create(cast->getOpcode(), vector(i.getOperand(0)), wide(i.getType()))));
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
    if (shapes_.interleaved(i) != nullptr) return interleaved_address(*address, true);
    llvm::SmallVector<Value*> indices;
    for (const Value* index : address->indices())
      indices.push_back(llvm::isa<ConstantInt>(index) ? const_cast<Value*>(index) : vector(index));
    Value* pointer = vector(address->getPointerOperand());
    return flags(b_.Insert(llvm::GetElementPtrInst::Create(address->getSourceElementType(), pointer, indices)));
  }
  if (llvm::isa<llvm::FreezeInst>(i)) return b_.CreateFreeze(vector(i.getOperand(0)));
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) return widened_call(*call);
  return nullptr;
}

/// An address in an interleaved private variable: offsets count rows of lanes (private_layout.h).
Emitter::Value* Emitter::interleaved_address(const llvm::GetElementPtrInst& address, bool all_lanes) {
  llvm::Type* type = b_.getInt64Ty();
  if (all_lanes) type = wide(type);
  Value* offset = llvm::Constant::getNullValue(type);
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    std::uint64_t bytes = 0;
    Value* times = llvm::ConstantInt::get(type, 1);
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<ConstantInt>(step.getOperand())->getZExtValue());
      bytes = layout_.getStructLayout(structure)->getElementOffset(field).getFixedValue();
    } else {
      bytes = step.getSequentialElementStride(layout_).getFixedValue();
      Value* index = all_lanes ? vector(step.getOperand()) : base(step.getOperand());
      times = b_.CreateSExtOrTrunc(index, type);
    }
    offset = b_.CreateAdd(offset, b_.CreateMul(times, llvm::ConstantInt::get(type, bytes * width_)));
  }
  const Value* pointer = address.getPointerOperand();
  return b_.CreateGEP(b_.getInt8Ty(), all_lanes ? vector(pointer) : base(pointer), offset);
}

Emitter::Value* Emitter::widened_call(const llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (Value* result = saturated(call)) return result;
  if (const llvm::Function* callee = call.getCalledFunction(); callee != nullptr && is_machine_operation(*callee)) {
    llvm::SmallVector<Value*> arguments;
    for (const Value* argument : call.args())
      arguments.push_back(argument->getType()->isPointerTy() ? base(argument) : vector(argument));
    return b_.CreateCall(&wide_machine_operation(*callee, width_), arguments);
  }
  if (!llvm::isTriviallyVectorizable(id)) return nullptr;
  llvm::SmallVector<llvm::Type*> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, &target_)) types.push_back(wide(call.getType()));
  llvm::SmallVector<Value*> arguments;
  for (unsigned k = 0; k < call.arg_size(); ++k) {
    const Value* argument = call.getArgOperand(k);
    const bool scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, k, &target_);
    if (scalar && !shapes_.of(*argument).is_uniform()) return nullptr;
    arguments.push_back(scalar ? base(argument) : vector(argument));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(k), &target_))
      types.push_back(arguments.back()->getType());
  }
  llvm::Function* wide_function = llvm::Intrinsic::getOrInsertDeclaration(function_.getParent(), id, types);
  llvm::CallInst* made = b_.CreateCall(wide_function, arguments);
  if (llvm::isa<llvm::FPMathOperator>(call)) made->copyFastMathFlags(&call);
  return made;
}

}  // namespace lanewise::spmd
