// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/components.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include <array>

#include "compiler/lanes/analysis/components.h"

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
    s.set_parts(i, part);
    return true;
  }
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    Value* part = s.vector(extract->getAggregateOperand(), extract->getIndices().front());
    s.set_parts(i, part);
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

/// The number of the lane that comes as number `place` in memory.
static int lane_at(const VectorState& s, unsigned place, LaneOrder order) {
  return static_cast<int>(order == LaneOrder::up ? place : s.width - 1 - place);
}

Value* repeat_each(VectorState& s, Value* mask, unsigned times, LaneOrder order) {
  if (order == LaneOrder::down) mask = s.b.CreateVectorReverse(mask);
  if (times == 1) return mask;
  return s.b.CreateShuffleVector(mask, llvm::createReplicatedMask(times, s.width));
}

llvm::SmallVector<Value*, 1> split_lanes(VectorState& s, Value* flat, unsigned count, LaneOrder order) {
  if (count == 1 && order == LaneOrder::up) return {flat};
  llvm::SmallVector<Value*, 1> parts;
  for (unsigned p = 0; p < count; ++p) {
    llvm::SmallVector<int> from;
    for (unsigned l = 0; l < s.width; ++l)
      from.push_back(lane_at(s, l, order) * static_cast<int>(count) + static_cast<int>(p));
    parts.push_back(s.b.CreateShuffleVector(flat, from));
  }
  return parts;
}

/// The parts of pairs of 32 bits, of which there is one for each lane. Registers of 128 bits with two lanes each are
/// put side by side so that one shuffle within 128 bits takes the parts out of two of them in order:
///
///     lanes 0 1 | 4 5   and   lanes 2 3 | 6 7   =>   part 0: x0 x1 x2 x3 | x4 x5 x6 x7
static llvm::SmallVector<Value*, 1> split_pairs(VectorState& s, llvm::ArrayRef<Value*> lanes) {
  auto& b = s.b;
  llvm::Type* element = lanes.front()->getType()->getScalarType();
  // As numbers of 64 bits, of which a processor loads the second one into its half of a register.
  auto* piece_type = llvm::FixedVectorType::get(b.getDoubleTy(), 2);
  std::array<llvm::SmallVector<Value*>, 2> pieces;
  for (unsigned l = 0; l < s.width; l += 2) {
    Value* piece = llvm::PoisonValue::get(piece_type);
    for (unsigned k = 0; k < 2; ++k)
      piece = b.CreateInsertElement(piece, b.CreateBitCast(lanes[l + k], b.getDoubleTy()), std::uint64_t{k});
    pieces[l / 2 % 2].push_back(b.CreateBitCast(piece, llvm::FixedVectorType::get(element, 4)));
  }
  Value* first = llvm::concatenateVectors(b, pieces[0]);
  Value* second = llvm::concatenateVectors(b, pieces[1]);
  llvm::SmallVector<Value*, 1> parts;
  const int width = static_cast<int>(s.width);
  for (int p = 0; p < 2; ++p) {
    llvm::SmallVector<int> mask;
    for (int l = 0; l < width; l += 4)
      for (const int from : {l, l + 2, width + l, width + l + 2}) mask.push_back(from + p);
    parts.push_back(b.CreateShuffleVector(first, second, mask));
  }
  return parts;
}

llvm::SmallVector<Value*, 1> split_vectors(VectorState& s, llvm::ArrayRef<Value*> lanes, unsigned count) {
  if (count == 2 && lanes.front()->getType()->getScalarSizeInBits() == 32 && s.width % 4 == 0)
    return split_pairs(s, lanes);
  return split_lanes(s, llvm::concatenateVectors(s.b, lanes), count);
}

Value* join_parts(VectorState& s, const Value* v, unsigned count, LaneOrder order) {
  if (count == 1) return order == LaneOrder::up ? s.vector(v) : s.b.CreateVectorReverse(s.vector(v));
  llvm::SmallVector<Value*> parts;
  for (unsigned p = 0; p < count; ++p) parts.push_back(s.vector(v, p));
  // The code generator handles a number of parts that is a power of two best.
  while (!llvm::isPowerOf2_64(parts.size())) parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  llvm::SmallVector<int> from;
  for (unsigned l = 0; l < s.width; ++l)
    for (unsigned p = 0; p < count; ++p) from.push_back(static_cast<int>(p * s.width) + lane_at(s, l, order));
  return s.b.CreateShuffleVector(llvm::concatenateVectors(s.b, parts), from);
}

}  // namespace lanewise::spmd
