// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/dimension_order.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <optional>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"

namespace lanewise {
namespace {

using llvm::Value;

/// By how much a value grows from one work-item to the next; nothing: not by a constant.
using Step = std::optional<std::int64_t>;
/// Along each dimension.
using Steps = std::array<Step, 3>;

constexpr Steps kUniform{0, 0, 0};

Step sum(Step a, Step b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return {};
  return result;
}

Step product(Step a, std::int64_t factor) {
  std::int64_t result = 0;
  if (!a || __builtin_mul_overflow(*a, factor, &result)) return {};
  return result;
}

/// Sign extension is a shift up and down again.
auto quotient(std::int64_t divisor) {
  return [divisor](Step a, Step) { return a && *a % divisor == 0 ? Step(*a / divisor) : Step(); };
}

constexpr unsigned kLongestRow = 1U << 20U;

/// The quotient of a small step by a row's length mostly is the same in neighbours, and the remainder walks on.
auto within_rows(std::int64_t length, bool is_quotient) {
  return [length, is_quotient](Step a, Step) {
    constexpr std::int64_t kMostOften = 4;
    if (!a || std::abs(*a) * kMostOften > length) return a == 0 ? a : Step();
    return is_quotient ? Step(0) : a;
  };
}

template <class Combine>
Steps each(const Steps& a, const Steps& b, const Combine& combine) {
  return {combine(a[0], b[0]), combine(a[1], b[1]), combine(a[2], b[2])};
}

/// Of a value that is one or the other: a coordinate that has been limited walks on as it does within its limits.
Step either(Step a, Step b) {
  if (a == b || b == 0) return a;
  return a == 0 ? b : Step();
}

/// Of a value that depends on both in some way.
Step mixed(Step a, Step b) {
  return a == 0 && b == 0 ? Step(0) : Step();
}

/// Integers are taken not to wrap around: the result decides about speed only.
class StepAnalysis {
 public:
  /// @param follows_rows  quotients and remainders count as in most neighbours
  explicit StepAnalysis(const WorkItemFunction& item, bool follows_rows = false)
      : layout_(item.function->getDataLayout()), follows_rows_(follows_rows) {
    for (const unsigned d : {0U, 1U, 2U}) {
      Steps one = kUniform;
      one[d] = 1;
      known_[item.context(ContextParameter::local_id, d)] = one;
    }
  }

  Steps of(const Value& value) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto found = known_.find(&value); found != known_.end()) return found->second;
    if (i == nullptr) return kUniform;
    known_[i] = kUniform;  // for a phi that depends on itself: an induction variable walks on as its start does
    return known_[i] = compute(*i);
  }

 private:
  Steps compute(const llvm::Instruction& i) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
      Steps steps = of(*phi->getIncomingValue(0));
      for (const Value* value : phi->incoming_values()) steps = each(steps, of(*value), either);
      return steps;
    }
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&i)) return of_address(*gep);
    switch (i.getOpcode()) {
      case llvm::Instruction::Add:
        return each(of(*i.getOperand(0)), of(*i.getOperand(1)), sum);
      case llvm::Instruction::Sub:
        return each(of(*i.getOperand(0)), negative(of(*i.getOperand(1))), sum);
      case llvm::Instruction::Xor:  // ~x is -1 - x
        if (const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
            mask != nullptr && mask->isMinusOne())
          return negative(of(*i.getOperand(0)));
        break;
      case llvm::Instruction::Mul:
        return of_product(*i.getOperand(0), *i.getOperand(1));
      case llvm::Instruction::Shl:
      case llvm::Instruction::AShr:
      case llvm::Instruction::LShr:
        if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
            by != nullptr && by->getValue().ult(63)) {
          const std::int64_t factor = std::int64_t{1} << by->getZExtValue();
          const Steps steps = of(*i.getOperand(0));
          return i.getOpcode() == llvm::Instruction::Shl ? scaled(steps, factor) : each(steps, steps, quotient(factor));
        }
        break;
      case llvm::Instruction::Or:
        if (llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint())
          return each(of(*i.getOperand(0)), of(*i.getOperand(1)), sum);
        break;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        if (const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
            follows_rows_ && divisor != nullptr && divisor->getValue().isStrictlyPositive() &&
            divisor->getValue().ult(kLongestRow)) {
          const bool is_quotient = i.getOpcode() == llvm::Instruction::UDiv || i.getOpcode() == llvm::Instruction::SDiv;
          const Steps steps = of(*i.getOperand(0));
          return each(steps, steps, within_rows(static_cast<std::int64_t>(divisor->getZExtValue()), is_quotient));
        }
        break;
      case llvm::Instruction::Select:
        return each(of(*i.getOperand(1)), of(*i.getOperand(2)), either);
      default:
        if (llvm::isa<llvm::MinMaxIntrinsic>(i)) return each(of(*i.getOperand(0)), of(*i.getOperand(1)), either);
        if (llvm::isa<llvm::CastInst>(i) || llvm::isa<llvm::FreezeInst>(i)) return of(*i.getOperand(0));
    }
    Steps steps = kUniform;
    for (const Value* operand : i.operand_values()) steps = each(steps, of(*operand), mixed);
    return steps;
  }

  Steps of_address(const llvm::GEPOperator& gep) {
    Steps steps = of(*gep.getPointerOperand());
    for (auto it = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); it != end; ++it) {
      if (it.isStruct()) continue;
      const auto bytes = static_cast<std::int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
      steps = each(steps, scaled(of(*it.getOperand()), bytes), sum);
    }
    return steps;
  }

  Steps of_product(const Value& a, const Value& b) {
    const auto constant = [](const Value& v) { return llvm::dyn_cast<llvm::ConstantInt>(&v); };
    if (const auto* c = constant(b); c != nullptr && c->getBitWidth() <= 64) return scaled(of(a), c->getSExtValue());
    return each(of(a), of(b), mixed);
  }

  static Steps scaled(const Steps& steps, std::int64_t factor) {
    return each(steps, steps, [factor](Step a, Step) { return product(a, factor); });
  }
  static Steps negative(const Steps& steps) { return scaled(steps, -1); }

  const llvm::DataLayout& layout_;
  bool follows_rows_;
  llvm::DenseMap<const Value*, Steps> known_;
};

struct CountedAccess {
  const Value* address = nullptr;
  std::int64_t bytes = 0;
};

/// What `i` does with global memory, or with local memory if that counts, if it does.
CountedAccess access_of(const llvm::Instruction& i, bool local_too = false) {
  const llvm::DataLayout& layout = i.getDataLayout();
  const Value* address = llvm::getLoadStorePointerOperand(&i);
  llvm::Type* type = address != nullptr ? llvm::getLoadStoreType(&i) : nullptr;
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    address = atomic->getPointerOperand();
    type = atomic->getType();
  }
  if (address == nullptr) return {};
  const unsigned space = address->getType()->getPointerAddressSpace();
  const bool counts =
      space == local_space ? local_too : space == global_space || space == constant_space || space == generic_space;
  if (!counts) return {};
  return {address, static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue())};
}

/// Of an access by a vector of work-items along a dimension, in accesses to memory; about.
unsigned cost(Step step, std::int64_t bytes) {
  if (!step) return kGatherCost;
  const std::int64_t size = std::abs(*step);
  if (size <= 4 * bytes) return 1;
  return size <= 8 * bytes ? 2 : kGatherCost;
}

constexpr unsigned kDeepest = 4;     ///< loops that count
constexpr unsigned kIterations = 4;  ///< of each

/// Whether code uses an id, other than for the report of a fault.
bool is_used(const llvm::Argument& id) {
  return llvm::any_of(id.users(), [](const llvm::User* user) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
    return i == nullptr || !i->getParent()->getTerminator()->hasMetadata(marks::kRare);
  });
}

}  // namespace

struct AccessCosts::Analyses {
  Analyses(const WorkItemFunction& item, bool follows_rows)
      : dominators(*item.function), loops(dominators), steps(item, follows_rows) {}

  void add(const llvm::BasicBlock& block, bool local_too, std::array<std::uint64_t, 3>& costs) {
    std::uint64_t weight = 1;
    for (unsigned depth = std::min(loops.getLoopDepth(&block), kDeepest); depth != 0; --depth) weight *= kIterations;
    for (const llvm::Instruction& i : block) {
      const CountedAccess access = access_of(i, local_too);
      if (access.address == nullptr) continue;
      const Steps of = steps.of(*access.address);
      for (const unsigned d : {0U, 1U, 2U}) costs[d] += weight * cost(of[d], access.bytes);
    }
  }

  const llvm::DominatorTree dominators;
  const llvm::LoopInfo loops;
  StepAnalysis steps;
};

AccessCosts::AccessCosts(const WorkItemFunction& item) : analyses_(std::make_unique<Analyses>(item, true)) {}
AccessCosts::~AccessCosts() = default;

std::array<std::uint64_t, 3> AccessCosts::of(llvm::ArrayRef<llvm::BasicBlock*> blocks) const {
  std::array<std::uint64_t, 3> costs{};
  for (const llvm::BasicBlock* block : blocks) analyses_->add(*block, true, costs);
  return costs;
}

std::array<std::uint64_t, 3> access_costs(const WorkItemFunction& item) {
  AccessCosts::Analyses analyses(item, false);
  std::array<std::uint64_t, 3> costs{};
  for (const llvm::BasicBlock& block : *item.function) analyses.add(block, false, costs);
  return costs;
}

unsigned choose_first_dimension(const WorkItemFunction& item) {
  const auto costs = access_costs(item);
  unsigned best = 0;
  for (const unsigned d : {1U, 2U})
    if (is_used(*item.context(ContextParameter::local_id, d)) && kExchangeGain * costs[d] <= costs[0] &&
        costs[d] < costs[best])
      best = d;
  return best;
}

bool crosses_dimensions(const WorkItemFunction& item) {
  if (item.context(ContextParameter::local_id, 0)->use_empty() ||
      item.context(ContextParameter::local_id, 1)->use_empty())
    return false;
  StepAnalysis steps(item);
  std::array<bool, 2> walks{};
  for (const llvm::Instruction& i : llvm::instructions(*item.function)) {
    const CountedAccess access = access_of(i);
    if (access.address == nullptr) continue;
    const Steps of = steps.of(*access.address);
    for (const unsigned d : {0U, 1U})
      walks[d] |= of[d] != 0 && cost(of[d], access.bytes) == 1 && cost(of[1 - d], access.bytes) == kGatherCost;
  }
  return walks[0] && walks[1];
}

void exchange_dimensions(const WorkItemFunction& item, unsigned other) {
  for (const ContextParameter which :
       {ContextParameter::local_id, ContextParameter::local_size, ContextParameter::group_id,
        ContextParameter::group_base, ContextParameter::enqueued_size, ContextParameter::global_size,
        ContextParameter::global_offset, ContextParameter::num_groups}) {
    llvm::Argument* x = item.context(which, 0);
    llvm::Argument* y = item.context(which, other);
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : x->uses()) uses.push_back(&use);
    y->replaceAllUsesWith(x);
    for (llvm::Use* use : uses) use->set(y);
  }
}

}  // namespace lanewise
