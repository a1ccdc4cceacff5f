// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/lane_reductions.h"

#include <llvm/Analysis/VectorUtils.h>

namespace lanewise {
namespace {

using llvm::Value;

unsigned width_of(const Value* v) {
  return llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements();
}

}  // namespace

Value* shifted_lanes(llvm::IRBuilderBase& b, Value* v, unsigned by, Value* fill) {
  const unsigned width = width_of(v);
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < width; ++l) order.push_back(static_cast<int>(l < by ? width + l : l - by));
  return b.CreateShuffleVector(v, fill, order);
}

Value* reduced_lanes(llvm::IRBuilderBase& b, Value* v, CombineLanes combine) {
  for (unsigned half = width_of(v) / 2; half != 0; half /= 2) {
    Value* low = b.CreateShuffleVector(v, llvm::createSequentialMask(0, half, 0));
    Value* high = b.CreateShuffleVector(v, llvm::createSequentialMask(half, half, 0));
    v = combine(low, high);
  }
  return b.CreateExtractElement(v, std::uint64_t{0});
}

Value* scanned_lanes(llvm::IRBuilderBase& b, Value* v, Value* neutral, CombineLanes combine) {
  const unsigned width = width_of(v);
  for (unsigned step = 1; step < width; step *= 2) v = combine(shifted_lanes(b, v, step, neutral), v);
  return v;
}

}  // namespace lanewise
