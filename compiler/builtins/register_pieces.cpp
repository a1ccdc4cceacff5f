// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/register_pieces.h"

#include <algorithm>

namespace lanewise {
namespace {

unsigned lanes_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector == nullptr ? 1 : vector->getNumElements();
}

}  // namespace

RegisterPieces::RegisterPieces(llvm::IRBuilderBase& builder, const llvm::Type& type, unsigned least, unsigned most)
    : builder_(builder),
      scalar_(!type.isVectorTy()),
      lanes_(lanes_of(type)),
      element_bits_(type.getScalarSizeInBits()),
      piece_(std::clamp(static_cast<unsigned>(llvm::PowerOf2Ceil(lanes_)) * element_bits_, least, most) /
             element_bits_) {}

llvm::Value* RegisterPieces::part(llvm::Value* all, unsigned p) {
  if (!all->getType()->isVectorTy())
    return builder_.CreateInsertElement(llvm::PoisonValue::get(llvm::FixedVectorType::get(all->getType(), piece_)), all,
                                        std::uint64_t{0});
  if (lanes_ == piece_) return all;
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < piece_; ++l) {
    const unsigned lane = p * piece_ + l;
    order.push_back(lane < lanes_ ? static_cast<int>(lane) : llvm::PoisonMaskElem);
  }
  return builder_.CreateShuffleVector(all, order);
}

llvm::Value* RegisterPieces::joined(llvm::SmallVector<llvm::Value*> parts) {
  if (scalar_) return builder_.CreateExtractElement(parts.front(), std::uint64_t{0});
  while (parts.size() > 1) {
    llvm::SmallVector<llvm::Value*> pairs;
    const auto count = static_cast<int>(lanes_of(*parts.front()->getType()));
    llvm::SmallVector<int> order;
    for (int l = 0; l < 2 * count; ++l) order.push_back(l);
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      llvm::Value* second = i + 1 < parts.size() ? parts[i + 1] : llvm::PoisonValue::get(parts[i]->getType());
      pairs.push_back(builder_.CreateShuffleVector(parts[i], second, order));
    }
    parts = pairs;
  }
  if (lanes_of(*parts.front()->getType()) == lanes_) return parts.front();
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < lanes_; ++l) order.push_back(static_cast<int>(l));
  return builder_.CreateShuffleVector(parts.front(), order);
}

}  // namespace lanewise
