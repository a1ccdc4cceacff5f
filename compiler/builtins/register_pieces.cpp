// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/register_pieces.h"

#include <llvm/Analysis/VectorUtils.h>

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
  const unsigned here = std::min(piece_, lanes_ - p * piece_);
  return builder_.CreateShuffleVector(all, llvm::createSequentialMask(p * piece_, here, piece_ - here));
}

llvm::Value* RegisterPieces::joined(llvm::SmallVector<llvm::Value*> parts) {
  if (scalar_) return builder_.CreateExtractElement(parts.front(), std::uint64_t{0});
  while (!llvm::isPowerOf2_64(parts.size())) parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  llvm::Value* all = llvm::concatenateVectors(builder_, parts);
  if (lanes_of(*all->getType()) == lanes_) return all;
  return builder_.CreateShuffleVector(all, llvm::createSequentialMask(0, lanes_, 0));
}

}  // namespace lanewise
