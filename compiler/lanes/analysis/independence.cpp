// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/independence.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>

#include "compiler/base/address_spaces.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

struct Access {
  const Value* object = nullptr;  ///< what the address is based on
  unsigned space = 0;
  const llvm::SCEV* address = nullptr;
  std::int64_t bytes = 0;
  bool stores = false;
};

/// Objects of different address spaces are different, unless a space contains others.
bool in_different_spaces(unsigned a, unsigned b) {
  const auto is_apart = [](unsigned space) { return space == global_space || space == local_space; };
  return a != b && is_apart(a) && is_apart(b);
}

bool are_different_objects(const Access& a, const Access& b) {
  if (in_different_spaces(a.space, b.space)) return true;
  return a.object != b.object && llvm::isIdentifiedObject(a.object) && llvm::isIdentifiedObject(b.object);
}

class Accesses {
 public:
  Accesses(const llvm::Loop& loop, unsigned iterations, llvm::ScalarEvolution& evolution)
      : loop_(loop), iterations_(iterations), evolution_(evolution) {}

  /// False if something else than simple loads and stores is there, or a call that does more than to compute.
  bool collect() {
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const Instruction& i : *block)
        if (!add(i)) return false;
    return true;
  }

  [[nodiscard]] bool are_apart() const {
    for (const Access& a : accesses_)
      for (const Access& b : accesses_)
        if (a.stores && !are_apart(a, b)) return false;
    return true;
  }

 private:
  bool add(const Instruction& i) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&i);
    if (pointer == nullptr) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (call != nullptr && (call->isConvergent() || !call->willReturn())) return false;
      return !i.mayReadOrWriteMemory() && !i.mayThrow();
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if (load != nullptr ? !load->isSimple() : !store->isSimple()) return false;
    const auto bytes = i.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i)).getFixedValue();
    accesses_.push_back({.object = llvm::getUnderlyingObject(pointer, 0),
                         .space = pointer->getType()->getPointerAddressSpace(),
                         .address = evolution_.getSCEV(const_cast<Value*>(pointer)),
                         .bytes = static_cast<std::int64_t>(bytes),
                         .stores = store != nullptr});
    return true;
  }

  /// An address goes on by `step` bytes in each iteration.
  struct Line {
    const llvm::SCEV* start = nullptr;
    std::int64_t step = 0;
  };
  [[nodiscard]] std::optional<Line> line_of(const Access& a) const {
    if (evolution_.isLoopInvariant(a.address, &loop_)) return Line{a.address, 0};
    const auto* line = llvm::dyn_cast<llvm::SCEVAddRecExpr>(a.address);
    if (line == nullptr || line->getLoop() != &loop_ || !line->isAffine()) return std::nullopt;
    const auto step = number(*line->getStepRecurrence(evolution_));
    return step ? std::optional(Line{line->getStart(), *step}) : std::nullopt;
  }

  static std::optional<std::int64_t> number(const llvm::SCEV& s) {
    const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&s);
    if (constant == nullptr || constant->getAPInt().getSignificantBits() > 32) return std::nullopt;
    return constant->getAPInt().getSExtValue();
  }

  /// What all iterations access, from the first byte to after the last one.
  struct AccessedBytes {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  [[nodiscard]] AccessedBytes range_of(std::int64_t first, std::int64_t step, std::int64_t bytes) const {
    const std::int64_t last = first + step * (static_cast<std::int64_t>(iterations_) - 1);
    return {.begin = std::min(first, last), .end = std::max(first, last) + bytes};
  }

  /// Whether no iteration accesses with `b` what another one stores with `a`.
  [[nodiscard]] bool are_apart(const Access& a, const Access& b) const {
    if (are_different_objects(a, b)) return true;
    const auto line_a = line_of(a);
    const auto line_b = line_of(b);
    if (!line_a || !line_b) return false;
    const auto distance = number(*evolution_.getMinusSCEV(line_b->start, line_a->start));
    if (!distance) return false;
    const AccessedBytes of_a = range_of(0, line_a->step, a.bytes);
    const AccessedBytes of_b = range_of(*distance, line_b->step, b.bytes);
    if (of_a.end <= of_b.begin || of_b.end <= of_a.begin) return true;
    // Both are in one window as long as the step, so the windows of other iterations are after or before it.
    return line_a->step == line_b->step &&
           std::max(*distance + b.bytes, a.bytes) - std::min(*distance, std::int64_t{0}) <= std::abs(line_a->step);
  }

  const llvm::Loop& loop_;
  unsigned iterations_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallVector<Access, 16> accesses_;
};

}  // namespace

bool has_independent_iterations(const llvm::Loop& loop, unsigned iterations, llvm::ScalarEvolution& evolution) {
  Accesses accesses(loop, iterations, evolution);
  return accesses.collect() && accesses.are_apart();
}

}  // namespace lanewise::spmd
