// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/component_shuffles.h"

#include <llvm/Analysis/VectorUtils.h>

#include <numeric>

namespace lanewise::spmd {

using llvm::FixedVectorType;
using llvm::ShuffleVectorInst;
using llvm::Value;

namespace {

unsigned elements(const Value& v) {
  const auto* type = llvm::dyn_cast<FixedVectorType>(v.getType());
  return type == nullptr ? 0 : type->getNumElements();
}

/// A shuffle that sets its operands side by side.
ShuffleVectorInst* concatenation(Value& v) {
  auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(&v);
  return shuffle != nullptr && shuffle->isConcat() ? shuffle : nullptr;
}

/// Of groups of four elements, the lower or upper two of `a` and then of `b`: `size` elements of each by turns.
Value* interleave(llvm::IRBuilder<>& b, Value* first, Value* second, int half, int size) {
  const int width = static_cast<int>(elements(*first));
  llvm::SmallVector<int> mask;
  for (int group = 0; group < width; group += 4)
    for (int from = group + 2 * half; from < group + 2 * half + 2; from += size)
      for (const int source : {0, width})
        for (int e = 0; e < size; ++e) mask.push_back(source + from + e);
  return b.CreateShuffleVector(first, second, mask);
}

}  // namespace

std::optional<Join> join_at(llvm::Instruction& i) {
  auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(&i);
  if (shuffle == nullptr) return std::nullopt;
  const unsigned all = elements(*shuffle->getOperand(0));
  const unsigned width = all / kComponents;
  if (width < 2 || shuffle->getShuffleMask() != llvm::ArrayRef(llvm::createInterleaveMask(width, kComponents)))
    return std::nullopt;
  const ShuffleVectorInst* both = concatenation(*shuffle->getOperand(0));
  if (both == nullptr) return std::nullopt;
  ShuffleVectorInst* low = concatenation(*both->getOperand(0));
  ShuffleVectorInst* high = concatenation(*both->getOperand(1));
  if (low == nullptr || high == nullptr) return std::nullopt;
  return Join{.shuffle = shuffle,
              .parts = {low->getOperand(0), low->getOperand(1), high->getOperand(0), high->getOperand(1)},
              .width = width,
              .halves = {low, high}};
}

Value* whole_of(const Group& parts) {
  Value* whole = nullptr;
  for (unsigned c = 0; c < kComponents; ++c) {
    const auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(parts[c]);
    if (shuffle == nullptr || (whole != nullptr && shuffle->getOperand(0) != whole)) return nullptr;
    whole = shuffle->getOperand(0);
    const unsigned width = elements(*shuffle);
    if (elements(*whole) != width * kComponents ||
        shuffle->getShuffleMask() != llvm::ArrayRef(llvm::createStrideMask(c, kComponents, width)))
      return nullptr;
  }
  return whole;
}

Value* join(llvm::IRBuilder<>& b, const Group& parts, unsigned width) {
  return b.CreateShuffleVector(llvm::concatenateVectors(b, parts), llvm::createInterleaveMask(width, kComponents));
}

Value* piece_of(Value& whole, unsigned begin) {
  const unsigned count = elements(whole);
  if (count == kComponents) return begin == 0 ? &whole : nullptr;
  const ShuffleVectorInst* both = concatenation(whole);
  if (both == nullptr) return nullptr;
  const bool high = begin >= count / 2;
  return piece_of(*both->getOperand(high ? 1 : 0), high ? begin - count / 2 : begin);
}

Group transpose(llvm::IRBuilder<>& b, const Group& rows) {
  Group parts;
  for (const int half : {0, 1}) {
    Value* first = interleave(b, rows[0], rows[1], half, 1);
    Value* second = interleave(b, rows[2], rows[3], half, 1);
    for (const int pair : {0, 1}) parts[2 * half + pair] = interleave(b, first, second, pair, 2);
  }
  return parts;
}

}  // namespace lanewise::spmd
