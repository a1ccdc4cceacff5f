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
  explicit StepAnalysis(const WorkItemFunction& item) : layout_(item.function->getDataLayout()) {
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
  llvm::DenseMap<const Value*, Steps> known_;
};

struct GlobalAccess {
  const Value* address = nullptr;
  std::int64_t bytes = 0;
};

/// What `i` does with global memory, if it does.
GlobalAccess access_of(const llvm::Instruction& i) {
  const llvm::DataLayout& layout = i.getDataLayout();
  const Value* address = llvm::getLoadStorePointerOperand(&i);
  llvm::Type* type = address != nullptr ? llvm::getLoadStoreType(&i) : nullptr;
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    address = atomic->getPointerOperand();
    type = atomic->getType();
  }
  if (address == nullptr) return {};
  const unsigned space = address->getType()->getPointerAddressSpace();
  if (space != global_space && space != constant_space && space != generic_space) return {};
  return {address, static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue())};
}

constexpr unsigned kGather = 16;

/// Of an access by a vector of work-items along a dimension, in accesses to memory; about.
unsigned cost(Step step, std::int64_t bytes) {
  if (!step) return kGather;
  const std::int64_t size = std::abs(*step);
  if (size <= 4 * bytes) return 1;
  return size <= 8 * bytes ? 2 : kGather;
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

std::array<std::uint64_t, 3> access_costs(const WorkItemFunction& item) {
  llvm::Function& function = *item.function;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  StepAnalysis steps(item);
  std::array<std::uint64_t, 3> costs{};
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    const GlobalAccess access = access_of(i);
    if (access.address == nullptr) continue;
    std::uint64_t weight = 1;
    for (unsigned depth = std::min(loops.getLoopDepth(i.getParent()), kDeepest); depth != 0; --depth)
      weight *= kIterations;
    const Steps of = steps.of(*access.address);
    for (const unsigned d : {0U, 1U, 2U}) costs[d] += weight * cost(of[d], access.bytes);
  }
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
    const GlobalAccess access = access_of(i);
    if (access.address == nullptr) continue;
    const Steps of = steps.of(*access.address);
    for (const unsigned d : {0U, 1U})
      walks[d] |= of[d] != 0 && cost(of[d], access.bytes) == 1 && cost(of[1 - d], access.bytes) == kGather;
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
