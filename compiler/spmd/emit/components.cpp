// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/components.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/analysis/components.h"

namespace lanewise::spmd {

using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

namespace {

/// A bit cast of a vector to a scalar or to a vector of other elements: both are the bits of a lane, side by side.
/// False for scalars and for vectors of i1.
bool emit_reinterpreted(VectorState& s, const llvm::BitCastInst& cast) {
  const llvm::Type& from = *cast.getSrcTy();
  const llvm::Type& to = *cast.getDestTy();
  const auto is_whole = [](const llvm::Type& type) {
    const unsigned bits = type.getScalarSizeInBits();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  if ((!from.isVectorTy() && !to.isVectorTy()) || !is_whole(from) || !is_whole(to)) return false;
  const unsigned count = components(to);
  Value* flat = join_parts(s, cast.getOperand(0), components(from));
  flat = s.b.CreateBitCast(flat, llvm::FixedVectorType::get(to.getScalarType(), count * s.width));
  s.set_parts(cast, split_lanes(s, flat, count));
  return true;
}

}  // namespace

bool emit_components(VectorState& s, const Instruction& i) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) {
    const auto* index = llvm::dyn_cast<ConstantInt>(extract->getIndexOperand());
    if (index == nullptr) return false;
    Value* part = s.vector(extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue()));
    s.set_vector(i, part);
    return true;
  }
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    Value* part = s.vector(extract->getAggregateOperand(), extract->getIndices().front());
    s.set_vector(i, part);
    return true;
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i)) {
    const auto* index = llvm::dyn_cast<ConstantInt>(insert->getOperand(2));
    if (index == nullptr) return false;
    llvm::SmallVector<Value*, 1> parts;
    for (unsigned p = 0; p < components(*i.getType()); ++p)
      parts.push_back(p == index->getZExtValue() ? s.vector(insert->getOperand(1))
                                                 : s.vector(insert->getOperand(0), p));
    s.set_parts(i, parts);
    return true;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&i)) return emit_reinterpreted(s, *cast);
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) {
    llvm::SmallVector<Value*, 1> parts;
    const int n = static_cast<int>(components(*shuffle->getOperand(0)->getType()));
    for (const int p : shuffle->getShuffleMask())
      parts.push_back(p < 0   ? llvm::PoisonValue::get(s.b.wide(i.getType()->getScalarType()))
                      : p < n ? s.vector(shuffle->getOperand(0), static_cast<unsigned>(p))
                              : s.vector(shuffle->getOperand(1), static_cast<unsigned>(p - n)));
    s.set_parts(i, parts);
    return true;
  }
  return false;
}

Value* repeat_each(VectorState& s, Value* mask, unsigned times) {
  if (times == 1) return mask;
  return s.b.CreateShuffleVector(mask, llvm::createReplicatedMask(times, s.width));
}

llvm::SmallVector<Value*, 1> split_lanes(VectorState& s, Value* flat, unsigned count) {
  if (count == 1) return {flat};
  llvm::SmallVector<Value*, 1> parts;
  for (unsigned p = 0; p < count; ++p)
    parts.push_back(s.b.CreateShuffleVector(flat, llvm::createStrideMask(p, count, s.width)));
  return parts;
}

llvm::SmallVector<Value*, 1> split_vectors(VectorState& s, llvm::ArrayRef<Value*> lanes, unsigned count) {
  return split_lanes(s, llvm::concatenateVectors(s.b, lanes), count);
}

Value* join_parts(VectorState& s, const Value* v, unsigned count) {
  if (count == 1) return s.vector(v);
  llvm::SmallVector<Value*> parts;
  for (unsigned p = 0; p < count; ++p) parts.push_back(s.vector(v, p));
  // The code generator handles a number of parts that is a power of two best.
  while (!llvm::isPowerOf2_64(parts.size())) parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  return s.b.CreateShuffleVector(llvm::concatenateVectors(s.b, parts), llvm::createInterleaveMask(s.width, count));
}

}  // namespace lanewise::spmd
