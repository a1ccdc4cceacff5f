// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/vector_state.h"

#include "compiler/base/transformations.h"

namespace lanewise::spmd {
namespace {

using llvm::Constant;
using llvm::ConstantInt;
using llvm::Value;

/// How far lane `number` is from lane 0, as an integer of `type`.
Constant* distance(llvm::Type* type, const Shape& shape, unsigned number) {
  const auto offset = static_cast<std::uint64_t>(shape.stride * static_cast<std::int64_t>(number));
  return ConstantInt::get(type, llvm::APInt(64, offset).sextOrTrunc(type->getIntegerBitWidth()));
}

}  // namespace

VectorState::VectorState(const BodyForm& form, LaneStorage& storage)
    : body(form.body),
      shapes(form.shapes),
      target(form.target),
      isa(form.isa),
      width(form.width),
      economy(form.economy),
      bounded(form.bounded),
      function(const_cast<llvm::Function&>(*form.local_id.getFunction())),
      layout(function.getDataLayout()),
      b(function.getContext(), width),
      storage_(storage) {}

Value* VectorState::base(const Value* v) {
  const auto known = lanes_.find(v);
  if (known != lanes_.end() && known->second.base != nullptr) return known->second.base;
  if (const llvm::AllocaInst* variable = Shapes::private_variable(*v)) {
    if (shapes.is_shared(*variable)) {
      tally(Transformation::share_private_variables);
      return LaneStorage::shared(*variable);
    }
    const std::uint64_t own = variable->getAllocationSize(layout)->getFixedValue();
    const bool rows = shapes.interleaved(*v) != nullptr;
    const std::uint64_t bytes = (rows ? own : static_cast<std::uint64_t>(shape(v).stride)) * width;
    return storage_.copies_of(*variable, bytes,
                              rows ? std::max(variable->getAlign(), llvm::Align(64)) : variable->getAlign());
  }
  return const_cast<Value*>(v);
}

Value* VectorState::vector(const Value* v, unsigned part) {
  const auto known = lanes_.find(v);
  if (known != lanes_.end() && !known->second.parts.empty()) return known->second.parts[part];
  const Shape shape = this->shape(v);
  Value* first = base(v);
  llvm::Type* type = first->getType();
  if (type->isVectorTy())
    first = b.CreateExtractElement(first, part);
  else if (type->isStructTy())
    first = b.CreateExtractValue(first, part);
  if (shape.kind != Kind::strided || shape.stride == 0) return b.splat(first);
  llvm::SmallVector<Constant*> steps;
  for (unsigned l = 0; l < width; ++l) steps.push_back(distance(type->isPointerTy() ? b.getInt64Ty() : type, shape, l));
  Constant* all = llvm::ConstantVector::get(steps);
  if (type->isPointerTy()) return b.CreateGEP(b.getInt8Ty(), first, all);
  return b.CreateAdd(b.splat(first), all);
}

Value* VectorState::lane(const Value* v, unsigned number) {
  const auto known = lanes_.find(v);
  if (known == lanes_.end() || known->second.parts.empty()) {
    const Shape shape = this->shape(v);
    Value* first = base(v);
    if (shape.kind != Kind::strided || number == 0) return first;
    if (first->getType()->isPointerTy())
      return b.CreateGEP(b.getInt8Ty(), first, distance(b.getInt64Ty(), shape, number));
    return b.CreateAdd(first, distance(first->getType(), shape, number));
  }
  const auto& parts = known->second.parts;
  llvm::Type* type = v->getType();
  if (!type->isVectorTy() && !type->isStructTy()) return b.CreateExtractElement(parts.front(), number);
  Value* whole = llvm::PoisonValue::get(type);
  for (unsigned part = 0; part < parts.size(); ++part) {
    Value* element = b.CreateExtractElement(parts[part], number);
    whole =
        type->isVectorTy() ? b.CreateInsertElement(whole, element, part) : b.CreateInsertValue(whole, element, part);
  }
  return whole;
}

Value* VectorState::holds(const Value* v) const {
  const auto known = lanes_.find(v);
  return known == lanes_.end() ? nullptr : known->second.holds;
}

void VectorState::set_parts(const Value& v, llvm::ArrayRef<Value*> parts) {
  lanes_[&v].parts.assign(parts.begin(), parts.end());
}

Lanes* VectorState::find(const Value& v) {
  const auto known = lanes_.find(&v);
  return known == lanes_.end() ? nullptr : &known->second;
}

llvm::BasicBlock* VectorState::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(function.getContext(), name, &function, body.top().loop->getHeader());
}

}  // namespace lanewise::spmd
