// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/shapes.h"

#include "compiler/base/marks.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/lanes/analysis/private_layout.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Support/MathExtras.h>

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr Shape kUniform{.kind = Kind::uniform};
constexpr Shape kVarying{.kind = Kind::varying};
/// Larger strides are of no use, and their multiples could overflow.
constexpr std::int64_t kLargestStride = std::int64_t{1} << 40U;

Shape strided(std::int64_t stride, bool checked) {
  if (stride == 0 && !checked) return kUniform;
  if (stride > kLargestStride || stride < -kLargestStride) return kVarying;
  return {.kind = Kind::strided, .checked = checked, .stride = stride};
}

Shape join(const Shape& a, const Shape& b) {
  if (a.kind == Kind::bottom) return b;
  if (b.kind == Kind::bottom) return a;
  if (a == b && !a.checked) return a;
  if (a.has_base() && b.has_base() && !a.checked && !b.checked && a.stride == b.stride) return strided(a.stride, false);
  return kVarying;
}

Shape sum(const Shape& a, const Shape& b, std::int64_t sign) {
  if (a.kind == Kind::varying || b.kind == Kind::varying) return kVarying;
  if (a.kind == Kind::bottom || b.kind == Kind::bottom) return {};
  return strided(a.stride + sign * b.stride, a.checked || b.checked);
}

Shape scaled(const Shape& a, std::int64_t factor) {
  if (a.kind != Kind::strided) return a;
  if (factor > kLargestStride || factor < -kLargestStride) return kVarying;
  std::int64_t stride = 0;
  if (__builtin_mul_overflow(a.stride, factor, &stride)) return kVarying;
  return strided(stride, a.checked);
}

/// A mask that leaves numbers in [0, 2^31) unchanged, as it stands for the extension of a truncated number that is
/// known not to be negative.
bool keeps_bounded(const Value& mask) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&mask);
  return constant != nullptr && constant->getType()->isIntegerTy(64) && constant->getValue().isMask() &&
         constant->getValue().getActiveBits() >= 31;
}

/// Also to floating point, which takes one instruction from 32 bits, and on some processors one for each lane from 64.
bool becomes_narrow(const llvm::User* user) {
  const auto* i = llvm::cast<Instruction>(user);
  return llvm::isa<llvm::TruncInst, llvm::SIToFPInst, llvm::UIToFPInst>(i) ||
         (i->getOpcode() == Instruction::And && keeps_bounded(*i->getOperand(1)));
}

}  // namespace

std::uint64_t Shapes::element_bytes(const llvm::AllocaInst& variable) const {
  const auto known = element_bytes_.find(&variable);
  if (known != element_bytes_.end()) return known->second;
  return element_bytes_[&variable] = interleaved_bytes(variable);
}

const llvm::AllocaInst* Shapes::interleaved(const Value& pointer) const {
  const Value* v = &pointer;
  while (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(v)) v = address->getPointerOperand();
  const llvm::AllocaInst* variable = private_variable(*v);
  return variable != nullptr && !is_shared(*variable) && element_bytes(*variable) != 0 ? variable : nullptr;
}

Shapes::Shapes(const Body& body, const llvm::PHINode& local_id, Assumptions assumptions)
    : body_(&body), local_id_(&local_id), assumptions_(std::move(assumptions)), divergence_(body) {}

std::optional<unsigned> Shapes::passed(const llvm::BasicBlock& block) const {
  for (const Guard& guard : assumptions_.passed)
    if (guard.block == &block) return guard.in;
  return std::nullopt;
}

const llvm::AllocaInst* Shapes::private_variable(const Value& value) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value);
  return variable != nullptr && variable->hasMetadata(marks::kPrivate) ? variable : nullptr;
}

Shape Shapes::of(const Value& value) const {
  if (&value == local_id_) return {.kind = Kind::strided, .bounded = true, .roomy = true, .stride = 1};
  if (const llvm::AllocaInst* variable = private_variable(value)) {
    if (is_shared(*variable)) return kUniform;
    if (const std::uint64_t bytes = element_bytes(*variable); bytes != 0)
      return strided(static_cast<std::int64_t>(bytes), false);
    const auto size = variable->getAllocationSize(variable->getDataLayout());
    return strided(static_cast<std::int64_t>(llvm::alignTo(size->getFixedValue(), variable->getAlign())), false);
  }
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || !body_->contains(instruction->getParent())) return kUniform;
  return shapes_.lookup(&value);
}

class ShapeAnalysis {
 public:
  ShapeAnalysis(const Body& body, const llvm::PHINode& local_id, Assumptions assumptions)
      : body_(body), local_id_(local_id), result_(body, local_id, std::move(assumptions)) {}

  Shapes run();

 private:
  void find_private_variables();
  void find_fixed_point();
  bool part_variables();
  [[nodiscard]] bool run_by_all(const llvm::BasicBlock& block) const;
  Shape transfer(const Instruction& i);
  [[nodiscard]] Shape of_phi(const llvm::PHINode& phi) const;
  Shape of_binary(const llvm::BinaryOperator& i);
  Shape of_addition(const llvm::BinaryOperator& i);
  Shape of_bits(const llvm::BinaryOperator& i, const Shape& number);
  [[nodiscard]] unsigned trailing_zeros(const Value& v, llvm::SmallVectorImpl<const Value*>& path) const;
  [[nodiscard]] Shape of_cast(const llvm::CastInst& i) const;
  [[nodiscard]] Shape of_address(const llvm::GetElementPtrInst& i) const;
  [[nodiscard]] Shape by_operands(const Instruction& i) const;
  [[nodiscard]] Shape of(const Value& value) const { return result_.of(value); }

  const Body& body_;
  const llvm::PHINode& local_id_;
  Shapes result_;
};

Shapes ShapeAnalysis::run() {
  const llvm::BasicBlock* latch = body_.top().loop->getLoopLatch();
  const auto diverges = [&](const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return &block != latch && branch != nullptr && branch->isConditional() && !result_.passed(block) &&
           of(*branch->getCondition()).kind != Kind::uniform;
  };
  const auto is_uniform = [&](const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch != nullptr && !result_.passed(block) &&
           (branch->isUnconditional() || of(*branch->getCondition()).kind == Kind::uniform);
  };
  find_private_variables();
  do {
    do find_fixed_point();
    while (result_.divergence_.update(diverges, is_uniform));
  } while (part_variables());
  return std::move(result_);
}

/// The lanes share all of them until a store is found that is not uniform.
void ShapeAnalysis::find_private_variables() {
  for (const Instruction& i : local_id_.getFunction()->getEntryBlock()) {
    const llvm::AllocaInst* variable = Shapes::private_variable(i);
    llvm::SmallVector<const llvm::StoreInst*> stores;
    if (variable != nullptr && find_stores(*variable, stores)) result_.shared_[variable] = std::move(stores);
  }
}

/// Gives lanes that store different values, at different places or not all of them, variables of their own. Returns
/// true if there are any: other values differ then as well.
bool ShapeAnalysis::part_variables() {
  llvm::SmallVector<const llvm::AllocaInst*> apart;
  for (const auto& [variable, stores] : result_.shared_) {
    const bool differs = llvm::any_of(stores, [&](const llvm::StoreInst* store) {
      return !of(*store->getValueOperand()).is_uniform() || !of(*store->getPointerOperand()).is_uniform() ||
             !run_by_all(*store->getParent());
    });
    if (differs) apart.push_back(variable);
  }
  for (const llvm::AllocaInst* variable : apart) result_.shared_.erase(variable);
  return !apart.empty();
}

/// No lane that is active in the vector has another way around the block.
bool ShapeAnalysis::run_by_all(const llvm::BasicBlock& block) const {
  const Node* node = body_.node(&block);
  for (const Level* level = body_.level(&block);; level = level->parent) {
    if (node == nullptr || level == nullptr || result_.divergence_.diverges(*level) ||
        result_.divergence_.is_linear(*node))
      return false;
    if (level->parent == nullptr) return true;
    const auto& around = level->parent->nodes;
    node = llvm::find_if(around, [&](const auto& n) { return n->loop == level; })->get();
  }
}

/// Computes the shapes, given which branches and loops diverge.
void ShapeAnalysis::find_fixed_point() {
  result_.shapes_.clear();
  result_.bounded_bases_.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* block : body_.top().loop->blocks())
      for (const Instruction& i : *block) {
        if (i.getType()->isVoidTy() || &i == &local_id_) continue;
        const Shape shape = transfer(i);
        Shape& known = result_.shapes_[&i];
        if (shape == known || known.kind == Kind::varying) continue;
        // Shapes only move up in the lattice, so that the iteration ends.
        const bool up = known.kind == Kind::bottom || shape.kind == Kind::varying;
        known = up ? shape : kVarying;
        changed = true;
      }
  }
}

Shape ShapeAnalysis::transfer(const Instruction& i) {
  if (i.hasMetadata(marks::kUniform)) return kUniform;
  if (i.hasMetadata(marks::kLane)) return {.kind = Kind::strided, .bounded = true, .stride = 1};
  if (const auto call = sub_group_call(i)) return call->is_uniform() ? kUniform : kVarying;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) return of_phi(*phi);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return of_binary(*binary);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return of_cast(*cast);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) return of_address(*address);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
    const Shape pointer = of(*load->getPointerOperand());
    return pointer.is_uniform() && load->isSimple() ? pointer : kVarying;
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    const Shape arms = join(of(*select->getTrueValue()), of(*select->getFalseValue()));
    const Shape condition = of(*select->getCondition());
    if (condition.kind == Kind::bottom) return condition;
    return condition.is_uniform() ? arms : kVarying;
  }
  if (llvm::isa<llvm::FreezeInst>(i)) {
    const Shape operand = of(*i.getOperand(0));
    return operand.checked ? kVarying : operand;
  }
  // Lanes with the same operands read the same, as they do with a load.
  if (const llvm::CallInst* call = lane_call(i); call != nullptr && call->onlyReadsMemory()) return by_operands(i);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    return call->doesNotAccessMemory() && !call->isConvergent() ? by_operands(i) : kVarying;
  if (i.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(i)) return kVarying;
  return by_operands(i);
}

Shape ShapeAnalysis::by_operands(const Instruction& i) const {
  Shape result = kUniform;
  for (const Value* operand : i.operands()) {
    if (llvm::isa<llvm::BasicBlock>(operand)) continue;
    const Shape shape = of(*operand);
    if (!shape.is_uniform()) return kVarying;
    if (shape.kind == Kind::bottom) result = shape;
  }
  return result;
}

Shape ShapeAnalysis::of_phi(const llvm::PHINode& phi) const {
  const llvm::BasicBlock* block = phi.getParent();
  const Level* left = body_.left_through(block);
  Shape shape;
  for (const Value* v : phi.incoming_values())
    if (!llvm::isa<llvm::UndefValue>(v)) shape = join(shape, of(*v));
  shape = shape.without_bound();
  if (shape.checked) return kVarying;
  if (left != nullptr && result_.divergence_.diverges(*left)) {
    // Each lane left in an iteration of its own: only invariant values are the same in all lanes.
    const Value* same = phi.hasConstantValue();
    const auto* inside = llvm::dyn_cast_or_null<Instruction>(same);
    if (same == nullptr || (inside != nullptr && left->loop->contains(inside))) return kVarying;
    return shape;
  }
  if (left != nullptr) return shape;
  const Node& node = *body_.node(block);
  const bool header = body_.level(block)->loop->getHeader() == block;
  if (header || !result_.divergence_.merges_lanes(node) || phi.hasConstantValue() != nullptr) return shape;
  return shape.kind == Kind::bottom ? shape : kVarying;
}

Shape ShapeAnalysis::of_binary(const llvm::BinaryOperator& i) {
  const Shape a = of(*i.getOperand(0));
  const Shape b = of(*i.getOperand(1));
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  const bool small = constant != nullptr && constant->getValue().isSignedIntN(40);
  if (!i.getType()->isIntegerTy()) return by_operands(i);
  switch (i.getOpcode()) {
    case Instruction::Add:
      return of_addition(i);
    case Instruction::Sub:
      return sum(a, b, -1);
    case Instruction::Xor:  // ~x is -1 - x, and how LLVM writes n - x - 1
      return constant != nullptr && constant->isMinusOne() ? scaled(a, -1) : by_operands(i);
    case Instruction::Mul:
      return small ? scaled(a, constant->getSExtValue()) : by_operands(i);
    case Instruction::Shl:
      return small && constant->getValue().ult(40) ? scaled(a, std::int64_t{1} << constant->getZExtValue())
                                                   : by_operands(i);
    case Instruction::And:
      return a.bounded && keeps_bounded(*i.getOperand(1)) ? a : of_bits(i, a);
    case Instruction::LShr:
    case Instruction::AShr:
      return of_bits(i, a);
    case Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint() ? sum(a, b, 1) : by_operands(i);
    default:
      return by_operands(i);
  }
}

Shape ShapeAnalysis::of_addition(const llvm::BinaryOperator& i) {
  const Shape a = of(*i.getOperand(0));
  Shape result = sum(a, of(*i.getOperand(1)), 1);
  // group.base.x + local.id.x: the only sum whose range is worth an assumption, if it is used as 32 bits.
  const bool known_bases_only = result_.assumptions_.known_bases_only;
  const bool narrowed = llvm::any_of(i.users(), becomes_narrow);
  for (unsigned k = 0; k < 2 && narrowed; ++k)
    if (i.getOperand(k) == &local_id_ && result.kind == Kind::strided) {
      Value* base = i.getOperand(1 - k);
      const auto* inside = llvm::dyn_cast<Instruction>(base);
      if (known_bases_only && (inside == nullptr || !inside->hasMetadata(marks::kBase))) continue;
      if (!base->getType()->isIntegerTy(64) || (inside != nullptr && body_.contains(inside->getParent()))) continue;
      result_.bounded_bases_.insert(base);
      result.bounded = true;
      result.roomy = !known_bases_only;
    }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  const bool little = constant != nullptr && constant->getValue().ult(static_cast<std::uint64_t>(kRoom));
  if (little && a.roomy && result.kind == Kind::strided) result.bounded = true;
  return result;
}

/// Bits of a strided number that begins at a multiple of a power of two: where this is larger than the range that a
/// vector covers, the lower bits are those of the lanes, and the upper ones are the same in all of them.
Shape ShapeAnalysis::of_bits(const llvm::BinaryOperator& i, const Shape& number) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  const Shape otherwise = by_operands(i);
  if (constant == nullptr || number.kind != Kind::strided || number.checked || number.stride <= 0) return otherwise;
  result_.takes_bits_of_ids_ = true;
  if (result_.assumptions_.width == 0) return otherwise;
  constexpr std::int64_t kLargest = std::int64_t{1} << 30U;
  const std::int64_t last = number.stride * (result_.assumptions_.width - 1);
  llvm::SmallVector<const Value*> path;
  if (number.stride > kLargest || last >= kLargest) return otherwise;
  const unsigned bits = llvm::bit_width(static_cast<std::uint64_t>(last));
  const unsigned size = i.getType()->getScalarSizeInBits();
  if (bits >= size || trailing_zeros(*i.getOperand(0), path) < bits) return otherwise;
  if (i.getOpcode() == Instruction::And) {
    const llvm::APInt low = constant->getValue().trunc(bits);
    if (low.isZero()) return kUniform;
    if (!low.isAllOnes()) return otherwise;
    Shape result = number;
    result.bounded = number.bounded || constant->getValue().getActiveBits() < 32;
    result.roomy = number.roomy || constant->getValue().getActiveBits() < 31;
    return result;
  }
  const std::uint64_t by = constant->getValue().getLimitedValue(size);
  if (by >= size) return otherwise;
  if (by >= bits) return kUniform;
  if ((static_cast<std::uint64_t>(number.stride) & ((std::uint64_t{1} << by) - 1)) != 0) return otherwise;
  return strided(number.stride >> by, false);
}

/// The least number of trailing zero bits in lane 0 of `v`. `path`: the instructions that are being looked at. A value
/// that is met again in a cycle of phis does not limit the number.
unsigned ShapeAnalysis::trailing_zeros(const Value& v, llvm::SmallVectorImpl<const Value*>& path) const {
  constexpr unsigned kDeepestPath = 8;
  constexpr unsigned kAll = 64;
  if (&v == &local_id_) return llvm::Log2_32(result_.assumptions_.width);
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (!v.getType()->isIntegerTy()) return 0;
  if (i == nullptr || !body_.contains(i->getParent()))
    return llvm::computeKnownBits(&v, local_id_.getDataLayout()).countMinTrailingZeros();
  if (llvm::is_contained(path, i)) return kAll;
  if (path.size() > kDeepestPath) return 0;
  path.push_back(i);
  const auto of_operand = [&](unsigned k) { return trailing_zeros(*i->getOperand(k), path); };
  const auto least = [&] {
    unsigned zeros = kAll;
    for (unsigned k = 0; k < i->getNumOperands(); ++k) zeros = std::min(zeros, of_operand(k));
    return zeros;
  };
  unsigned zeros = 0;
  switch (i->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
    case Instruction::PHI:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
      zeros = least();
      break;
    case Instruction::Mul:
      zeros = std::min(of_operand(0) + of_operand(1), kAll);
      break;
    case Instruction::And:
      zeros = std::max(of_operand(0), of_operand(1));
      break;
    case Instruction::Shl:
      if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1)))
        zeros = std::min(of_operand(0) + static_cast<unsigned>(by->getValue().getLimitedValue(kAll)), kAll);
      break;
    default:
      break;
  }
  path.pop_back();
  return zeros;
}

Shape ShapeAnalysis::of_cast(const llvm::CastInst& i) const {
  Shape a = of(*i.getOperand(0));
  if (a.kind != Kind::strided || i.getType()->isVectorTy()) return by_operands(i);
  switch (i.getOpcode()) {
    case Instruction::Trunc:
      if (i.getType()->getScalarSizeInBits() < 32) a = a.without_bound();
      return i.getType()->getScalarSizeInBits() >= 8 ? a : kVarying;
    case Instruction::ZExt:
    case Instruction::SExt:
      if (!a.bounded) a.checked = true;
      return a;
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: {
      const bool whole = i.getSrcTy()->isIntegerTy(64) || i.getDestTy()->isIntegerTy(64);
      return whole ? a.without_bound() : kVarying;
    }
    case Instruction::AddrSpaceCast:
      return a;
    default:
      return kVarying;
  }
}

Shape ShapeAnalysis::of_address(const llvm::GetElementPtrInst& i) const {
  if (i.getType()->isVectorTy()) return by_operands(i);
  const llvm::DataLayout& layout = i.getDataLayout();
  Shape result = of(*i.getPointerOperand());
  if (result_.interleaved(i) != nullptr) {
    // A step of an index is a whole row of lanes here.
    for (const Value* index : i.indices())
      if (!of(*index).is_uniform()) return kVarying;
    return result;
  }
  for (auto step = llvm::gep_type_begin(i); step != llvm::gep_type_end(i); ++step) {
    Shape index = of(*step.getOperand());
    if (index.kind == Kind::strided && !step.getOperand()->getType()->isIntegerTy(64)) {
      if (!index.bounded) return kVarying;  // an implicit sign extension; normalise.h makes it explicit where it can
    }
    if (step.isStruct()) continue;
    result = sum(result, scaled(index, static_cast<std::int64_t>(step.getSequentialElementStride(layout))), 1);
  }
  return result;
}

Shapes find_shapes(const Body& body, const llvm::PHINode& local_id, Assumptions assumptions) {
  return ShapeAnalysis(body, local_id, std::move(assumptions)).run();
}

}  // namespace lanewise::spmd
