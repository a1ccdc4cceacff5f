// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/interleaving.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// More elements are filled by a loop.
constexpr std::uint64_t kMostFills = 16;

/// Writes `count` elements one by one in place of `fill`, whose distances are multiplied by `copies`.
void fill_elements(llvm::MemSetInst& fill, std::uint64_t element, Value& copies) {
  const std::uint64_t count = llvm::cast<llvm::ConstantInt>(fill.getLength())->getZExtValue() / element;
  const auto store = [&](IRBuilder<>& b, Value* number) {
    // The byte is a constant: else the value would have to be put together from it.
    const auto bits = static_cast<unsigned>(8 * element);
    const auto& byte = llvm::cast<llvm::ConstantInt>(fill.getValue())->getValue();
    Value* value = b.getInt(llvm::APInt::getSplat(bits, byte));
    Value* distance = b.CreateNSWMul(b.CreateNSWMul(number, b.getInt64(element)), &copies);
    b.CreateAlignedStore(value, b.CreateGEP(b.getInt8Ty(), fill.getDest(), distance), llvm::Align(element));
  };
  if (count <= kMostFills) {
    IRBuilder<> b(&fill);
    for (std::uint64_t i = 0; i < count; ++i) store(b, b.getInt64(i));
  } else {
    IRBuilder<> b(&fill);
    const auto [body, number] = llvm::SplitBlockAndInsertSimpleForLoop(b.getInt64(count), fill.getIterator());
    b.SetInsertPoint(body);
    store(b, number);
  }
  fill.eraseFromParent();
}

}  // namespace

std::uint64_t Interleaving::find_element() {
  return find_accesses(memory_, /*parts=*/false) && element_ != 0 && are_within_elements(memory_, 0) ? element_ : 0;
}

std::uint64_t Interleaving::find_element_of_parts() {
  if (!find_accesses(memory_, /*parts=*/true)) return 0;
  element_ = llvm::PowerOf2Ceil(element_);
  return element_ != 0 && are_within_elements(memory_, 0) ? element_ : 0;
}

bool Interleaving::find_accesses(Value& pointer, bool parts) {
  return llvm::all_of(pointer.uses(), [&](const llvm::Use& use) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    if (llvm::isa<llvm::GetElementPtrInst>(user))
      return use.getOperandNo() == 0 && !user->getType()->isVectorTy() && find_accesses(*user, parts);
    if (llvm::isa<llvm::LoadInst>(user)) return note_access(*user, parts);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex() &&
             (parts || !store->getValueOperand()->getType()->isPointerTy()) && note_access(*user, parts);
    auto* fill = parts ? llvm::dyn_cast<llvm::MemSetInst>(user) : nullptr;
    if (fill == nullptr || fill->isVolatile() || !llvm::isa<llvm::ConstantInt>(fill->getLength()) ||
        !llvm::isa<llvm::ConstantInt>(fill->getValue()))
      return false;
    fills_.push_back(fill);
    return true;
  });
}

bool Interleaving::note_access(Instruction& access, bool parts) {
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const std::uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
  if (!parts && (type->isVectorTy() || !llvm::isPowerOf2_64(bytes) || (element_ != 0 && bytes != element_)))
    return false;
  element_ = std::max(element_, bytes);
  accesses_.push_back(&access);
  return true;
}

bool Interleaving::are_within_elements(Value& pointer, std::uint64_t begin) {
  return llvm::all_of(pointer.users(), [&](llvm::User* user) {
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) return moves_by_elements(*address, begin);
    if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(user))
      return begin == 0 && llvm::cast<llvm::ConstantInt>(fill->getLength())->getZExtValue() % element_ == 0;
    return begin + layout_.getTypeStoreSize(llvm::getLoadStoreType(user)).getFixedValue() <= element_;
  });
}

bool Interleaving::moves_by_elements(llvm::GetElementPtrInst& address, std::uint64_t begin) {
  const unsigned bits = layout_.getIndexTypeSizeInBits(address.getType());
  llvm::SmallMapVector<Value*, llvm::APInt, 4> strides;
  llvm::APInt distance(bits, 0);
  if (!llvm::cast<llvm::GEPOperator>(address).collectOffset(layout_, bits, strides, distance)) return false;
  const bool whole = llvm::all_of(strides, [&](const auto& s) { return (s.second & (element_ - 1)).isZero(); });
  if (!whole) return false;
  if (begin != 0) {
    // The distance would be more than the part of it that leaves the element.
    const std::uint64_t end = begin + static_cast<std::uint64_t>(distance.getSExtValue());
    if (!strides.empty() || end >= element_) return false;
    return are_within_elements(address, end);
  }
  const std::uint64_t part = distance.getZExtValue() & (element_ - 1);
  addresses_.emplace_back(&address, part);
  return are_within_elements(address, part);
}

void Interleaving::spread(Value& copies) {
  for (Instruction* access : accesses_) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access))
      load->setAlignment(std::min(load->getAlign(), llvm::Align(element_)));
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access))
      store->setAlignment(std::min(store->getAlign(), llvm::Align(element_)));
  }
  for (llvm::MemSetInst* fill : fills_) fill_elements(*fill, element_, copies);
  for (const auto& [address, part] : addresses_) {
    IRBuilder<> b(address);
    Value* distance = llvm::emitGEPOffset(&b, layout_, address);
    if (part != 0) distance = b.CreateSub(distance, b.getInt64(part));
    distance = b.CreateMul(distance, &copies, "", /*HasNUW=*/false, /*HasNSW=*/address->isInBounds());
    if (part != 0) distance = b.CreateAdd(distance, b.getInt64(part));
    // An address behind the last element would be too far behind the memory of all copies.
    const auto flags = address->isInBounds() ? llvm::GEPNoWrapFlags::noUnsignedSignedWrap() : llvm::GEPNoWrapFlags();
    Value* spread = b.CreateGEP(b.getInt8Ty(), address->getPointerOperand(), distance, "", flags);
    spread->takeName(address);
    address->replaceAllUsesWith(spread);
    address->eraseFromParent();
  }
}

}  // namespace lanewise
