// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/measures.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/machine_operations.h"
#include "compiler/builtins/packets.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/analysis/field_groups.h"
#include "compiler/lanes/plan/accesses.h"
#include "compiler/lanes/plan/chains.h"
#include "compiler/lanes/plan/costs.h"
#include "compiler/lanes/plan/streams.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;

/// A loop body is weighted by `costs::iteration` against the code around it, for loops nested up to a limit.
constexpr unsigned kDeepest = 4;

unsigned element_bytes(const Instruction& i) {
  const llvm::Type* type = i.getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) type = store->getValueOperand()->getType();
  if (llvm::isa<llvm::CmpInst>(i)) type = i.getOperand(0)->getType();
  const llvm::Type* scalar = type->getScalarType();
  if (!scalar->isIntegerTy() && !scalar->isFloatingPointTy()) return 0;
  const unsigned bits = scalar->getPrimitiveSizeInBits().getFixedValue() == 0 ? 32 : scalar->getScalarSizeInBits();
  return bits < 8 ? 0 : std::min(bits / 8, 8U);
}

/// Lanes access neighbours of so many bytes.
bool is_consecutive(const Shape& shape, std::int64_t bytes) {
  return shape.kind == Kind::strided && shape.stride == bytes;
}

/// Elements from iteration to iteration by which a load takes another cache line each time, at distances that are often
/// powers of two: it comes from the second-level cache, where neighbouring work-items have it in one line.
constexpr std::uint64_t kFar = 16;

bool is_invariant(const llvm::Value& v, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned kDeepestAddress = 4;
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || loop.isLoopInvariant(i)) return true;
  if (depth == kDeepestAddress || llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory()) return false;
  return llvm::all_of(i->operands(), [&](const llvm::Use& use) { return is_invariant(*use.get(), loop, depth + 1); });
}

/// Whether the address goes far in each iteration of the loop.
bool goes_far(const llvm::Value& address, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned kDeepestAddress = 6;
  const auto* i = llvm::dyn_cast<Instruction>(&address);
  if (i == nullptr || depth == kDeepestAddress || is_invariant(address, loop)) return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(i)) {
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    if (phi->getParent() != loop.getHeader() || latch == nullptr) return false;
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValueForBlock(latch));
    if (next == nullptr || next->getOpcode() != Instruction::Add) return false;
    const llvm::Value* step = next->getOperand(is_invariant(*next->getOperand(0), loop) ? 0 : 1);
    const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(step);
    return fixed == nullptr ? is_invariant(*step, loop) : fixed->getValue().abs().uge(kFar);
  }
  if (i->mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(i)) return false;
  if (i->getOpcode() == Instruction::Mul && is_invariant(*i->getOperand(1), loop))
    return !llvm::isa<llvm::ConstantInt>(i->getOperand(1)) || goes_far(*i->getOperand(0), loop, depth + 1);
  return llvm::any_of(i->operands(), [&](const llvm::Use& use) { return goes_far(*use.get(), loop, depth + 1); });
}

/// Whether the load's value reaches its own address, through phis, selections and branches of the loop: a processor
/// cannot begin the next one earlier, nor look beyond the end of a search whose length nobody can predict.
bool is_chased(const llvm::LoadInst& load, const llvm::Loop& loop) {
  constexpr unsigned kMost = 64;
  llvm::SmallPtrSet<const llvm::User*, 16> seen;
  llvm::SmallVector<const llvm::User*, 16> open{&load};
  const auto reach = [&](const llvm::User* user) {
    if (loop.contains(llvm::cast<Instruction>(user)) && seen.insert(user).second) open.push_back(user);
  };
  while (!open.empty() && seen.size() < kMost) {
    const llvm::User* value = open.pop_back_val();
    for (const llvm::User* user : value->users()) reach(user);
    if (seen.contains(&load)) return true;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(value);
    if (branch == nullptr || !llvm::all_of(branch->successors(), [&](const auto* to) { return loop.contains(to); }))
      continue;
    for (const llvm::BasicBlock* block : loop.blocks())
      if (block != loop.getHeader())
        for (const llvm::PHINode& phi : block->phis()) reach(&phi);
  }
  return false;
}

/// The loads of a loop that are chased, of which a processor begins those at once that do not wait for each other.
class ChasedLoads {
 public:
  explicit ChasedLoads(const llvm::Loop& loop) {
    llvm::DenseMap<const llvm::Value*, unsigned> lengths;
    llvm::ReversePostOrderTraversal<const llvm::BasicBlock*> order(loop.getHeader());
    for (const llvm::BasicBlock* block : order) {
      if (!loop.contains(block)) continue;
      for (const Instruction& i : *block) {
        unsigned length = 0;
        for (const llvm::Value* operand : i.operands()) length = std::max(length, lengths.lookup(operand));
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (load != nullptr && is_chased(*load, loop)) {
          loads_.insert(load);
          longest_ = std::max(longest_, ++length);
        }
        if (length != 0) lengths[&i] = length;
      }
    }
  }

  [[nodiscard]] bool contains(const llvm::LoadInst& load) const { return loads_.contains(&load); }
  /// What each costs in scalar code: one after the other as many as the longest chain has, and the others meanwhile.
  [[nodiscard]] double item_cost() const {
    const double count = loads_.size();
    return (longest_ * costs::item_chased_load + (count - longest_)) / count;
  }

 private:
  llvm::SmallPtrSet<const llvm::LoadInst*, 8> loads_;
  unsigned longest_ = 0;  ///< how many an iteration makes one after the other
};

class Model {
 public:
  Model(const Body& body, const Shapes& shapes, Isa isa = {}) : body_(body), shapes_(shapes), isa_(isa) {}

  [[nodiscard]] double weight(const llvm::BasicBlock& block) const {
    if (block.getTerminator()->hasMetadata(marks::kRare)) return costs::rare;
    unsigned depth = 0;
    for (const Level* l = body_.level(&block); l->parent != nullptr; l = l->parent) ++depth;
    return std::pow(costs::iteration, std::min(depth, kDeepest));
  }

  /// The cost of the vector form of `i`, for all lanes; the scalar form costs 1 per lane, or `scalar`.
  double vector_cost(const Instruction& i, unsigned width, double& scalar) const {
    const auto* address = llvm::getLoadStorePointerOperand(&i);
    const bool is_store = llvm::isa<llvm::StoreInst>(i);
    const double count = components(*(is_store ? i.getOperand(0)->getType() : i.getType()));
    // In the scalar form these are part of an addressing mode.
    const bool folds = llvm::isa<llvm::GetElementPtrInst>(i) ||
                       (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(i) && i.getType()->isIntegerTy(64));
    scalar = folds ? costs::item_address : count;
    const unsigned bytes = std::max(element_bytes(i), 1U);
    const double registers = std::max(1.0, static_cast<double>(width) * bytes / isa_.vector_bytes());
    if (address != nullptr && (llvm::isa<llvm::LoadInst>(i) || is_store))
      return access_cost(i, *address, width, registers, scalar);
    if (shapes_.of(i).has_base() && !shapes_.of(i).checked) return scalar;
    if (i.isIntDivRem() && !llvm::isa<llvm::Constant>(i.getOperand(1))) {
      scalar = bytes <= 4 ? costs::item_division : costs::item_long_division;
      if (bytes > 4 || i.getType()->isVectorTy()) return costs::lane_division * width;
      const bool one = shapes_.of(*i.getOperand(1)).is_uniform();
      return (one ? costs::uniform_division : costs::division) * registers;
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) return call_cost(*call, width, registers, scalar);
    if (i.isAtomic()) {
      const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i);
      const auto* pointer = atomic != nullptr ? atomic->getPointerOperand() : address;
      const bool local = pointer != nullptr && pointer->getType()->getPointerAddressSpace() == local_space;
      const bool own = atomic != nullptr && atomic->getSyncScopeID() == llvm::SyncScope::SingleThread;
      const bool locked = !local && !own;
      scalar = locked ? costs::item_locked_atomic : costs::item_atomic;
      const bool once = pointer != nullptr && !is_store && shapes_.of(*pointer).is_uniform();
      const double lane = locked ? costs::locked_atomic_lane : costs::atomic_lane;
      if (!once) return width * (scalar + lane);
      return scalar + (i.use_empty() ? costs::atomic_unused : costs::atomic_used) * registers;
    }
    if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(i)) return costs::element;
    if (i.getType()->isIntegerTy(64) && i.getOpcode() == Instruction::Mul) return costs::product_64 * registers;
    if (is_wide(i)) {
      const bool multiplies = i.getOpcode() == Instruction::Mul;
      scalar = multiplies ? costs::item_wide_product : 0;
      return multiplies ? costs::wide_product * registers : 0;
    }
    return registers * count;
  }

 private:
  /// Parts of `vector_cost`: of a call.
  static double call_cost(const llvm::CallBase& call, unsigned width, double registers, double& scalar) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee != nullptr && is_machine_operation(*callee)) return costs::machine_operation * registers;
    if (lane_call(call) != nullptr) {
      scalar = costs::item_call;
      return costs::lane_function + costs::lane_function_register * registers;
    }
    if (packets::take(call) != nullptr) {
      scalar = costs::item_call;
      return scalar + costs::packet_lane * width + costs::packet_register * registers;
    }
    if (llvm::isTriviallyVectorizable(call.getIntrinsicID())) return costs::intrinsic * registers;
    scalar = call.getIntrinsicID() == llvm::Intrinsic::not_intrinsic ? costs::item_call : costs::item_intrinsic;
    return width * (scalar + costs::lane_call);
  }

  /// Of a load or a store.
  double access_cost(const Instruction& i, const llvm::Value& address, unsigned width, double registers,
                     double& scalar) const {
    scalar = 1;
    const bool masked = shapes_.divergence().is_linear(*body_.node(i.getParent()));
    const AccessRecipe recipe(i, shapes_, isa_, masked);
    const Level& level = *body_.level(i.getParent());
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    const bool repeats = load != nullptr && level.parent != nullptr;
    bool chased = false;
    switch (recipe.form()) {
      case AccessForm::wide:
      case AccessForm::tested:
        if (repeats && goes_far(address, *level.loop)) scalar = costs::item_far_load;
        break;
      case AccessForm::gathered:
      case AccessForm::lane_by_lane:
        if (!repeats) break;
        if (const ChasedLoads& loads = chased_in(*level.loop); loads.contains(*load)) {
          chased = true;
          scalar = loads.item_cost();
        }
        break;
      case AccessForm::uniform:
      case AccessForm::reversed:
      case AccessForm::tested_reversed:
        break;
    }
    return recipe.price(width, registers, chased);
  }

  const ChasedLoads& chased_in(const llvm::Loop& loop) const {
    auto& known = chased_[&loop];
    if (known == nullptr) known = std::make_unique<ChasedLoads>(loop);
    return *known;
  }

  /// Part of a product of 64-bit numbers in 128 bits.
  static bool is_wide(const Instruction& i) {
    constexpr unsigned kWide = 128;
    return i.getType()->isIntegerTy(kWide) ||
           (llvm::isa<llvm::TruncInst>(i) && i.getOperand(0)->getType()->isIntegerTy(kWide));
  }

  const Body& body_;
  const Shapes& shapes_;
  const Isa isa_;
  mutable llvm::DenseMap<const llvm::Loop*, std::unique_ptr<ChasedLoads>> chased_;
};

/// Bytes of the element that at most a third of the work is wider than.
unsigned dominant_bytes(const Body& body, const Shapes& shapes, const Model& model) {
  std::array<double, 4> share{};
  double total = 0;
  for (const llvm::BasicBlock* block : body.top().loop->blocks())
    for (const Instruction& i : *block) {
      const bool store = llvm::isa<llvm::StoreInst>(i);
      if (!store && (i.getType()->isVoidTy() || shapes.of(i).has_base())) continue;
      if (i.hasOneUse() && *i.user_begin() == body.top().loop->getLoopLatch()->getTerminator()) continue;
      if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(i) && i.getType()->isIntegerTy(64)) continue;
      const unsigned bytes = element_bytes(i);
      if (bytes == 0) continue;
      share[static_cast<std::size_t>(std::bit_width(bytes) - 1)] += model.weight(*block);
      total += model.weight(*block);
    }
  if (total == 0) return 4;
  double wider = 0;
  for (unsigned k = 4; k-- > 0;) {
    wider += share[k];
    if (wider > 0.35 * total) return 1U << k;
  }
  return 4;
}

/// A load from the same place in all iterations, in a loop that writes nothing: LLVM hoists it later.
bool is_hoisted(const Instruction& i, const llvm::Loop& loop) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
  if (load == nullptr || !load->isSimple() || !is_invariant(*load->getPointerOperand(), loop)) return false;
  return llvm::none_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& other) { return other.mayWriteToMemory(); });
  });
}

/// A divergent loop that computes in a few registers waits for its own results: a second vector fills the gaps.
bool is_latency_bound(const Body& body, const Shapes& shapes) {
  constexpr unsigned kMostCarried = 5;
  constexpr unsigned kMostInstructions = 48;
  bool found = false;
  for (const auto& level : body.levels()) {
    if (level->parent == nullptr || !level->loop->getSubLoops().empty()) continue;
    if (!shapes.divergence().diverges(*level)) return false;
    unsigned carried = 0;
    unsigned count = 0;
    for (const llvm::PHINode& phi : level->loop->getHeader()->phis()) carried += shapes.of(phi).has_base() ? 0 : 1;
    for (const llvm::BasicBlock* block : level->loop->blocks())
      for (const Instruction& i : *block) {
        if (is_hoisted(i, *level->loop)) continue;
        if (i.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(i)) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
          if (call == nullptr || !llvm::isTriviallyVectorizable(call->getIntrinsicID())) return false;
        }
        ++count;
      }
    if (carried > kMostCarried || count > kMostInstructions) return false;
    found = true;
  }
  return found;
}

/// How many more iterations a vector takes than a work-item on average, because its lanes wait for the last one.
/// Neighbours that compute (Mandelbrot) end together; where each walks memory of its own until it finds something
/// (text, rows of a sparse matrix), the last of 16 comes late: for memoryless ends, after 3.4 times the average.
double waiting_for_the_last(const Body& body, const Shapes& shapes) {
  double factor = 1;
  for (const auto& level : body.levels()) {
    if (level->parent == nullptr || !shapes.divergence().diverges(*level)) continue;
    factor = std::max(factor, costs::neighbours);
    bool atomics = false;
    bool scattered = false;
    for (const llvm::BasicBlock* block : level->loop->blocks())
      for (const Instruction& i : *block) {
        atomics |= i.isAtomic();
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        scattered |= load != nullptr && shapes.of(*load->getPointerOperand()).kind == Kind::varying;
      }
    if (scattered && !atomics) factor = costs::strangers;
  }
  return factor;
}

/// Work-items mostly pass vectors of the source on, from addresses that are not neighbours' or to other components,
/// like a transposition in blocks of 8 x 8: one work-item at a time loads and stores whole vectors, of which lanes
/// would only be put together and taken apart again.
bool passes_vectors_on(const Body& body, const Shapes& shapes) {
  constexpr unsigned kLeastComponents = 4;
  constexpr std::int64_t kLeastBytes = 16;
  const Model model(body, shapes);
  double moved = 0;
  double apart = 0;
  double placed = 0;
  double computed = 0;
  for (const llvm::BasicBlock* block : body.top().loop->blocks()) {
    const double weight = model.weight(*block);
    for (const Instruction& i : *block) {
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i)) {
        const Shape shape = shapes.of(*pointer);
        const unsigned count = components(*llvm::getLoadStoreType(&i));
        const auto bytes = static_cast<std::int64_t>(i.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i)));
        if (count < kLeastComponents || bytes < kLeastBytes || shape.is_uniform()) continue;
        if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) continue;
        moved += weight * count;
        if (!is_consecutive(shape, bytes)) apart += weight * count;
      } else if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(i)) {
        placed += weight * (llvm::isa<llvm::ShuffleVectorInst>(i) ? components(*i.getType()) : 1);
      } else if (!i.isTerminator() && !llvm::isa<llvm::PHINode, llvm::GetElementPtrInst>(i) &&
                 !shapes.of(i).has_base()) {
        computed += weight * components(*i.getType());
      }
    }
  }
  return 2 * moved >= 3 * computed && (2 * apart >= moved || 2 * placed >= moved) && moved > 0;
}

/// A loop carries more values, in all lanes, than there are registers.
bool would_spill(const Body& body, const Shapes& shapes, unsigned width, Isa isa) {
  const unsigned vector_bytes = isa.vector_bytes();
  const double registers = isa.registers();
  for (const auto& level : body.levels()) {
    if (level->parent == nullptr) continue;
    double carried = 0;
    for (const llvm::PHINode& phi : level->loop->getHeader()->phis())
      if (!shapes.of(phi).has_base())
        carried +=
            components(*phi.getType()) * std::max(1.0, static_cast<double>(element_bytes(phi) * width) / vector_bytes);
    if (carried > registers) return true;
  }
  return false;
}

/// The processor has masked forms of all accesses to consecutive places.
bool masks_are_native(const Body& body, const Shapes& shapes, unsigned lanes, const llvm::TargetTransformInfo& target) {
  for (const llvm::BasicBlock* block : body.top().loop->blocks())
    for (const Instruction& i : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i);
      if (pointer == nullptr) continue;
      llvm::Type* type = llvm::getLoadStoreType(&i);
      const Shape shape = shapes.of(*pointer);
      const auto bytes = static_cast<std::int64_t>(i.getDataLayout().getTypeStoreSize(type).getFixedValue());
      if (!is_consecutive(shape, bytes)) continue;
      llvm::Type* all = llvm::FixedVectorType::get(type->getScalarType(), lanes * components(*type));
      const llvm::Align align = llvm::getLoadStoreAlignment(&i);
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      const bool native = llvm::isa<llvm::LoadInst>(i) ? target.isLegalMaskedLoad(all, align, space)
                                                       : target.isLegalMaskedStore(all, align, space);
      if (!native) return false;
    }
  return true;
}

void count_accesses(const Body& body, const Shapes& shapes, unsigned lanes, Measures& measures) {
  for (const llvm::BasicBlock* block : body.top().loop->blocks()) {
    const FieldGroups groups(*block, body, shapes, lanes, false);
    for (const Instruction& i : *block) {
      ++measures.instructions;
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i);
      if (pointer == nullptr || shapes.of(*pointer).is_uniform()) continue;
      ++measures.accesses;
      if (shapes.divergence().is_linear(*body.node(block))) continue;
      const Shape shape = shapes.of(*pointer);
      const auto bytes = i.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i)).getFixedValue();
      const bool apart = shape.kind == Kind::strided && std::abs(shape.stride) != static_cast<std::int64_t>(bytes);
      const FieldGroup* group = groups.of(i);
      measures.strided += apart || (group != nullptr && !group->guessed) ? 1 : 0;
    }
  }
}

/// The size of the private variables that a work-item of this loop has on the stack, in bytes.
std::uint64_t private_bytes(const llvm::Loop& items) {
  llvm::SmallPtrSet<const llvm::AllocaInst*, 8> seen;
  std::uint64_t bytes = 0;
  for (const llvm::BasicBlock* block : items.blocks())
    for (const Instruction& i : *block)
      for (const llvm::Value* operand : i.operands()) {
        const llvm::AllocaInst* variable = Shapes::private_variable(*operand);
        if (variable != nullptr && seen.insert(variable).second)
          bytes += variable->getAllocationSize(variable->getDataLayout())->getFixedValue();
      }
  return bytes;
}

}  // namespace

Elements measure_elements(const LoopFacts& facts, const Shapes& shapes, Isa isa) {
  Elements elements;
  elements.bytes = dominant_bytes(*facts.body, shapes, Model(*facts.body, shapes));
  elements.latency_bound = is_latency_bound(*facts.body, shapes);
  elements.chained = waits_for_chain(*facts.body, shapes, isa);
  elements.vectors = vectors_for_streams(*facts.body, shapes, isa);
  const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(facts.items.size);
  if (fixed != nullptr) elements.local_size = fixed->getZExtValue();
  return elements;
}

void measure_costs(const Body& body, const Shapes& shapes, unsigned lanes, Isa isa, Measures& measures) {
  const Model model(body, shapes, isa);
  const Model one_by_one(body, shapes, isa.untuned());
  const bool tuned = isa != isa.untuned();
  for (const llvm::BasicBlock* block : body.top().loop->blocks())
    for (const Instruction& i : *block) {
      if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
      double scalar = 1;
      const double vector = model.vector_cost(i, lanes, scalar);
      measures.vector_cost += model.weight(*block) * vector;
      const bool may_gather = tuned && llvm::isa<llvm::LoadInst>(i);
      measures.part_cost += model.weight(*block) * (may_gather ? one_by_one.vector_cost(i, lanes, scalar) : vector);
      measures.scalar_cost += model.weight(*block) * scalar * lanes;
    }
  const double waiting = waiting_for_the_last(body, shapes);
  measures.vector_cost *= waiting;
  measures.part_cost *= waiting;
}

void measure_body(const LoopFacts& facts, const Shapes& inner, const Shapes& whole, unsigned lanes, Isa isa,
                  const llvm::TargetTransformInfo& target, Measures& measures) {
  measures.spills =
      facts.source_vectors.filling || (facts.source_vectors.carried && would_spill(*facts.body, inner, lanes, isa));
  measures.passing = passes_vectors_on(*facts.body, inner);
  measures.native_masks = masks_are_native(*facts.body, inner, lanes, target);
  measures.private_bytes = private_bytes(*facts.items.loop);
  count_accesses(*facts.body, whole, lanes, measures);
}

}  // namespace lanewise::spmd
