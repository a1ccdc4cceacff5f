// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/blocking.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <array>
#include <optional>

#include "compiler/lanes/plan/plan.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Type;

constexpr unsigned kMostCopies = 16;
constexpr std::uint64_t kMostRows = 8;
constexpr unsigned kMostInstructions = 1600;
constexpr unsigned kMostChains = 64;
/// A larger block must be faster by this much.
constexpr double kWorthwhile = 0.93;
/// Cycles between vectors from the outer cache levels.
constexpr double kCacheCycles = 4;
constexpr double kLineBytes = 64;

using Blocks = llvm::SmallPtrSetImpl<const BasicBlock*>;

/// Counts by what an instruction depends on (`Depends`).
using Counts = std::array<double, 4>;

unsigned copies(unsigned depends, const Blocking& b) {
  return ((depends & on_row) != 0 ? b.rows : 1) * ((depends & on_column) != 0 ? b.columns : 1);
}

double total(const Counts& counts, const Blocking& b) {
  double sum = 0;
  for (unsigned d = 0; d < 4; ++d) sum += counts[d] * copies(d, b);
  return sum;
}

struct OperationCost {
  double compute = 0;
  double loads = 0;
  double latency = 0;
};

/// The first half of a splat, which is one register with the second, or one load of all lanes.
bool begins_splat(const llvm::Value& v) {
  return llvm::isa<llvm::InsertElementInst>(v) && v.hasOneUse() && llvm::isa<llvm::ShuffleVectorInst>(*v.user_begin());
}

bool ends_block(const Instruction* i) {
  return i != nullptr && i->isTerminator();
}

class InnerLoop {
 public:
  InnerLoop(const VectorLoop& vector, const llvm::Loop& loop, const Blocks& seldom, Isa isa)
      : vector_(vector), loop_(loop), isa_(isa) {
    for (const BasicBlock* block : loop.blocks())
      if (!seldom.contains(block)) blocks_.push_back(block);
    find_seldom(seldom);
    count_operations();
    count_live();
    find_latency();
  }

  [[nodiscard]] double cycles(const Blocking& b) const {
    const double issue = std::max({total(compute_, b), total(loads_, b), total(operations_, b) / 5});
    return std::max({issue, latency_, kCacheCycles * (total(vector_loads_, b) + total(jumps_, b))});
  }

  [[nodiscard]] bool fits(const Blocking& b) const {
    double most = 0;
    for (const Counts& live : live_) most = std::max(most, total(live, b));
    return most <= isa_.registers() - 2;
  }

 private:
  /// What only blocks use that seldom run is computed there in the end.
  void find_seldom(const Blocks& seldom) {
    const auto is_seldom = [&](const llvm::User* u) {
      const auto* user = llvm::cast<Instruction>(u);
      return seldom.contains(user->getParent()) || seldom_.contains(user);
    };
    for (bool changed = !seldom.empty(); changed;) {
      changed = false;
      for (const BasicBlock* block : llvm::reverse(blocks_))
        for (const Instruction& i : llvm::reverse(*block))
          if (!i.mayHaveSideEffects() && !i.isTerminator() && !seldom_.contains(&i) &&
              llvm::all_of(i.users(), is_seldom))
            changed = seldom_.insert(&i).second;
    }
  }

  [[nodiscard]] double registers(const Type& type) const {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    if (vector == nullptr) return 0;
    const unsigned bits = vector->getElementType()->isPointerTy() ? 64 : vector->getScalarSizeInBits();
    if (bits == 1) return isa_.has_mask_registers() ? 0 : 1;
    return std::max(1U, bits * vector->getNumElements() / isa_.vector_bits());
  }

  [[nodiscard]] OperationCost operation(const Instruction& i) const {
    const double parts = registers(*i.getType());
    if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst>(i) && parts == 0) return {};
    if (llvm::isa<llvm::PHINode, llvm::BitCastInst, llvm::AddrSpaceCastInst>(i)) return {};
    if (llvm::isa<llvm::LoadInst>(i)) return {.loads = std::max(parts, 0.5), .latency = 6};
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
      return {.loads = static_cast<double>(llvm::cast<llvm::FixedVectorType>(i.getType())->getNumElements()),
              .latency = 20};
    if (i.mayReadOrWriteMemory()) return {.loads = 2, .latency = 8};
    // A splat of a loaded value is part of the load.
    if (llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(i)) return {.compute = 0.1 * parts, .latency = 1};
    if (parts == 0) return {.compute = 0.1, .latency = i.getType()->isFloatingPointTy() ? 4.0 : 1.0};
    if (divides(i)) return {.compute = 10 * parts, .latency = 14};
    const bool floats = i.getType()->getScalarType()->isFloatingPointTy();
    const bool slow = floats || i.getOpcode() == Instruction::Mul;
    return {.compute = floats ? parts : 0.6 * parts, .latency = slow ? 4.0 : 1.0};
  }

  void count_operations() {
    for (const BasicBlock* block : blocks_)
      for (const Instruction& i : *block) {
        if (seldom_.contains(&i)) continue;
        const OperationCost o = operation(i);
        const Depends d = vector_.of(i);
        compute_[d] += o.compute;
        loads_[d] += o.loads;
        operations_[d] += o.compute + o.loads;
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (load != nullptr && !loop_.isLoopInvariant(load->getOperand(0))) count_stream(*load, d);
      }
  }

  void count_stream(const llvm::LoadInst& load, Depends d) {
    const double parts = registers(*load.getType());
    const double share = share_from_outside(load);
    // A load for a single lane reads a cache line of its own.
    const bool one_lane = parts == 0 && (d & on_column) != 0;
    const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
    const bool beside = lanes != nullptr && lanes->getNumElements() >= vector_.width && (d & on_column) != 0;
    if (!beside || by_rows_ || !jumps(load)) {
      vector_loads_[d] += (one_lane ? 1 : parts) * share;
      return;
    }
    const auto bytes = static_cast<double>(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
    const double line = std::min(1.0, bytes / kLineBytes);
    vector_loads_[d] += parts * line;
    jumps_[d & on_row] += 2 - line;
  }

  /// Whether an iteration goes so far from the one before that no prefetcher foresees the line. The lines of
  /// neighbouring columns lie beside it.
  [[nodiscard]] bool jumps(const llvm::LoadInst& load) const {
    constexpr std::int64_t kFar = 1024;
    const auto step = step_of(*load.getPointerOperand(), 0);
    return !step || std::abs(*step) >= kFar;
  }

  /// How much of what a load reads the iteration before did not read: a row is walked through in steps of an element.
  [[nodiscard]] double share_from_outside(const Instruction& load) const {
    const auto step = step_of(*load.getOperand(0), 0);
    if (!step) return 1;
    const double bytes = isa_.vector_bits() / 8.0;
    return std::min(1.0, std::abs(static_cast<double>(*step)) / bytes);
  }

  /// By how much a number or an address grows from iteration to iteration; of vectors, all lanes alike.
  [[nodiscard]] std::optional<std::int64_t> step_of(const llvm::Value& v, unsigned depth) const {
    constexpr unsigned kDeepest = 8;
    const auto* i = llvm::dyn_cast<Instruction>(&v);
    if (i == nullptr || !loop_.contains(i)) return 0;
    if (depth == kDeepest) return std::nullopt;
    const auto of = [&](unsigned operand) { return step_of(*i->getOperand(operand), depth + 1); };
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(i)) {
      if (phi->getParent() != loop_.getHeader() || loop_.getLoopLatch() == nullptr) return std::nullopt;
      const llvm::Value* next = phi->getIncomingValueForBlock(loop_.getLoopLatch());
      const llvm::APInt* by = nullptr;
      using namespace llvm::PatternMatch;
      return match(next, m_Add(m_Specific(phi), m_APInt(by))) ? by->trySExtValue() : std::nullopt;
    }
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(i)) return of(0);
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(i);
    const bool simple = address != nullptr && address->getNumIndices() == 1;
    if (!simple && i->getOpcode() != Instruction::Add) return std::nullopt;
    const auto first = of(0);
    const auto second = of(1);
    if (!first || !second) return std::nullopt;
    if (!simple) return *first + *second;
    return *first + *second * static_cast<std::int64_t>(address->getSourceElementType()->getScalarSizeInBits() / 8);
  }

  /// Vectors that are live at each instruction, in the order of the blocks; a value that crosses blocks is live in all.
  void count_live() {
    llvm::DenseMap<const llvm::Value*, const Instruction*> last;
    Counts everywhere{};
    llvm::DenseMap<const llvm::Value*, bool> outside;
    for (const BasicBlock* block : blocks_)
      for (const Instruction& i : *block) {
        if (seldom_.contains(&i)) continue;
        for (const llvm::Value* operand : i.operands()) {
          if (llvm::isa<llvm::Constant>(operand) || registers(*operand->getType()) == 0) continue;
          const auto* made = llvm::dyn_cast<Instruction>(operand);
          const bool edge = llvm::isa<llvm::PHINode>(i);
          if (made == nullptr || !loop_.contains(made)) {
            // A phi takes over the register of its first value.
            if (!edge && outside.insert({operand, true}).second)
              everywhere[vector_.of(*operand)] += registers(*operand->getType());
          } else if (edge && block != loop_.getHeader()) {
            last[made] = made->getParent()->getTerminator();
          } else if (made->getParent() == block && !edge && !ends_block(last.lookup(made))) {
            last[made] = &i;
          }
        }
        if (lives_on(i)) everywhere[vector_.of(i)] += registers(*i.getType());
      }
    const CarriedEnds ends = find_carried_ends();
    for (const BasicBlock* block : blocks_) {
      Counts now = everywhere;
      for (const Instruction& i : *block) {
        if (seldom_.contains(&i)) continue;
        live_.push_back(now);
        if (ends.taken_over.contains(&i))
          now[vector_.of(i)] += ends.taken_over.lookup(&i);
        else if (!lives_on(i) && last.contains(&i) && !begins_splat(i))
          now[vector_.of(i)] += registers(*i.getType());
        live_.push_back(now);
        llvm::SmallPtrSet<const llvm::Value*, 4> ended;
        for (const llvm::Value* operand : i.operands())
          if (last.lookup(operand) == &i && !lives_on(*llvm::cast<Instruction>(operand)) && !begins_splat(*operand) &&
              !ends.taken_over.contains(operand) && ended.insert(operand).second)
            now[vector_.of(*operand)] -= registers(*operand->getType());
        for (const llvm::PHINode* phi : ends.phis.lookup(&i)) now[vector_.of(*phi)] -= registers(*phi->getType());
      }
    }
  }

  /// Where registers of header phis are free in the last block of an iteration.
  struct CarriedEnds {
    llvm::DenseMap<const llvm::Value*, llvm::SmallVector<const llvm::PHINode*, 1>> phis;  ///< by their last use
    llvm::DenseMap<const llvm::Value*, double> taken_over;  ///< registers, by the value for the next iteration
  };

  /// A chain of operations does not need the value that it began with any more, and a register for the next one only
  /// once that is there.
  [[nodiscard]] CarriedEnds find_carried_ends() const {
    CarriedEnds found;
    const BasicBlock* latch = loop_.getLoopLatch();
    if (latch == nullptr) return found;
    for (const llvm::PHINode& phi : loop_.getHeader()->phis()) {
      const auto* next = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch));
      if (registers(*phi.getType()) == 0 || next == nullptr || !made_in(*latch, *next)) continue;
      const Instruction* last = nullptr;
      bool elsewhere = false;
      for (const llvm::User* u : phi.users()) {
        const auto* user = llvm::cast<Instruction>(u);
        if (!loop_.contains(user)) continue;
        elsewhere |= user->getParent() != latch || llvm::isa<llvm::PHINode>(user);
        if (!elsewhere && (last == nullptr || last->comesBefore(user))) last = user;
      }
      if (elsewhere || last == nullptr || !last->comesBefore(next)) continue;
      found.phis[last].push_back(&phi);
      found.taken_over[next] += registers(*phi.getType());
    }
    return found;
  }

  /// Whether a value for the next iteration is computed in the block, and not needed in others.
  [[nodiscard]] bool made_in(const BasicBlock& block, const Instruction& next) const {
    return next.getParent() == &block && !llvm::isa<llvm::PHINode>(next) && !seldom_.contains(&next) && !lives_on(next);
  }

  /// Whether a value needs a register in all of the loop. A phi shares its own with the values that come into it.
  [[nodiscard]] bool lives_on(const Instruction& i) const {
    if (registers(*i.getType()) == 0) return false;
    if (llvm::isa<llvm::PHINode>(i) && i.getParent() == loop_.getHeader()) return true;
    return llvm::any_of(i.users(), [&](const llvm::User* u) {
      const auto* user = llvm::cast<Instruction>(u);
      return user->getParent() != i.getParent() && !llvm::isa<llvm::PHINode>(user) &&
             llvm::is_contained(blocks_, user->getParent()) && !seldom_.contains(user);
    });
  }

  void find_latency() {
    unsigned chains = 0;
    for (const llvm::PHINode& phi : loop_.getHeader()->phis()) {
      if (registers(*phi.getType()) == 0 || loop_.getLoopLatch() == nullptr || ++chains > kMostChains) continue;
      llvm::DenseMap<const llvm::Value*, double> distance{{&phi, 0.0}};
      for (const BasicBlock* block : blocks_)
        for (const Instruction& i : *block) {
          if (&i == &phi) continue;
          double longest = -1;
          for (const llvm::Value* operand : i.operands())
            if (const auto known = distance.find(operand); known != distance.end())
              longest = std::max(longest, known->second);
          if (longest >= 0) distance[&i] = longest + operation(i).latency;
        }
      const auto end = distance.find(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
      if (end != distance.end()) latency_ = std::max(latency_, end->second);
    }
  }

  const VectorLoop& vector_;
  const llvm::Loop& loop_;
  Isa isa_;
  bool by_rows_ = vector_.uses_rows();     ///< rows share the loads; these, and not lines, are what they wait for
  std::vector<const BasicBlock*> blocks_;  ///< that usually run
  llvm::SmallPtrSet<const Instruction*, 16> seldom_;  ///< of those blocks, for others
  Counts compute_{};
  Counts loads_{};
  Counts operations_{};
  Counts vector_loads_{};
  Counts jumps_{};  ///< what a load costs more in an iteration, however many columns there are
  std::vector<Counts> live_;
  double latency_ = 0;
};

/// The size of the private variables that a copy of the iteration needs anew.
std::uint64_t private_bytes(const VectorLoop& vector) {
  std::uint64_t bytes = 0;
  for (const llvm::AllocaInst* variable : vector.variables)
    bytes += variable->getAllocationSize(variable->getDataLayout())->getFixedValue();
  return bytes;
}

}  // namespace

bool divides(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return i.isIntDivRem() || i.getOpcode() == Instruction::FDiv ||
         (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::sqrt);
}

Blocking choose_blocking(const VectorLoop& vector, Isa isa, bool rows) {
  unsigned size = 0;
  for (const BasicBlock* block : vector.loop->blocks()) size += static_cast<unsigned>(block->size());
  std::vector<InnerLoop> inner;
  for (const llvm::Loop* loop : vector.loop->getLoopsInPreorder())
    if (loop != vector.loop && loop->isInnermost()) inner.emplace_back(vector, *loop, vector.shared.seldom(), isa);
  Blocking best;
  if (inner.empty() || size > kMostInstructions) return best;
  const bool by_rows = rows && vector.rows.loop != nullptr && vector.uses_rows() && !vector.branches_on(on_row);
  const auto time = [&](const Blocking& b) {
    double sum = 0;
    for (const InnerLoop& loop : inner) sum += loop.cycles(b);
    return sum / (b.rows * b.columns);
  };
  std::uint64_t most_rows = by_rows ? kMostRows : 1;
  if (by_rows)
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(vector.rows.count))
      most_rows = std::min(most_rows, known->getZExtValue());
  const std::uint64_t own_bytes = private_bytes(vector);
  double least = time(best);
  for (unsigned copies = 2; copies <= kMostCopies; copies *= 2)
    for (unsigned r = 1; r <= std::min<std::uint64_t>(copies, most_rows); r *= 2) {
      const Blocking b{.rows = r, .columns = copies / r};
      if (b.columns > 4 || (b.columns > 1 && vector.branches_on(on_column)) || size * copies > kMostInstructions)
        continue;
      if (own_bytes * copies > kMostPrivateBytes) continue;
      if (!llvm::all_of(inner, [&](const InnerLoop& loop) { return loop.fits(b); })) continue;
      const double t = time(b);
      if (t > kWorthwhile * least) continue;
      best = b;
      least = t;
    }
  return best;
}

}  // namespace lanewise::spmd
