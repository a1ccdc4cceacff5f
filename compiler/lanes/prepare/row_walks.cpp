// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/row_walks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <optional>

#include "compiler/base/loop_motion.h"
#include "compiler/base/loop_rotation.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/field_groups.h"
#include "compiler/lanes/analysis/item_loop.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Operations of a body that is repeated, and of all its copies.
constexpr unsigned kMostInstructions = 24;
constexpr unsigned kMostCopied = 160;

/// How values change when a phi goes on by one step: by a constant, or in another way. Wrapping is ignored, because
/// what follows from this is only whether unrolling may pay.
class Steps {
 public:
  Steps(const llvm::PHINode& counter, const llvm::DataLayout& layout) : layout_(layout) {
    for (const Value* next : counter.incoming_values())
      if (const Step step = behind(counter, *next)) steps_[&counter] = step;
    steps_.try_emplace(&counter, std::nullopt);
  }

  /// nullopt: it changes in a way that is not known, or by no constant.
  std::optional<std::int64_t> of(const Value& v, unsigned depth = 0) {
    constexpr unsigned kDeepest = 24;
    const auto* i = llvm::dyn_cast<Instruction>(&v);
    if (i == nullptr) return 0;
    if (const auto found = steps_.find(i); found != steps_.end()) return found->second;
    if (depth == kDeepest) return std::nullopt;
    steps_[i] = 0;  // through a cycle: what changes it comes from elsewhere
    const auto step = computed(*i, depth + 1);
    steps_[i] = step;
    return step;
  }

 private:
  using Step = std::optional<std::int64_t>;

  /// How far `next` is from the counter, a number or a pointer.
  [[nodiscard]] Step behind(const llvm::PHINode& counter, const Value& next) const {
    llvm::APInt offset(64, 0);
    const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&next);
    if (address != nullptr && address->getPointerOperand() == &counter &&
        address->accumulateConstantOffset(layout_, offset))
      return offset.getSExtValue();
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&next);
    if (sum == nullptr || sum->getOpcode() != Instruction::Add || sum->getOperand(0) != &counter) return std::nullopt;
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
    return by != nullptr ? Step(by->getSExtValue()) : std::nullopt;
  }

  Step computed(const Instruction& i, unsigned depth) {
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) return of_address(*address, depth);
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst, llvm::FreezeInst>(i))
      return of(*i.getOperand(0), depth);
    const bool binary = llvm::isa<llvm::BinaryOperator>(i);
    const Step a = binary ? of(*i.getOperand(0), depth) : Step();
    const Step b = binary ? of(*i.getOperand(1), depth) : Step();
    const auto* factor = binary ? llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1)) : nullptr;
    switch (i.getOpcode()) {
      case Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint()) break;
        [[fallthrough]];
      case Instruction::Add:
        return a && b ? Step(*a + *b) : std::nullopt;
      case Instruction::Sub:
        return a && b ? Step(*a - *b) : std::nullopt;
      case Instruction::Mul:
        if (factor != nullptr && a) return *a * factor->getSExtValue();
        break;
      case Instruction::Shl:
      case Instruction::AShr:  // of a shift to the left: an extension
        if (factor == nullptr || !a || factor->getZExtValue() > 32) break;
        return i.getOpcode() == Instruction::Shl ? *a << factor->getZExtValue() : *a >> factor->getZExtValue();
      default:
        break;
    }
    for (const llvm::Use& operand : i.operands())
      if (of(*operand, depth) != Step(0)) return std::nullopt;
    return 0;
  }

  Step of_address(const llvm::GetElementPtrInst& address, unsigned depth) {
    Step sum = of(*address.getPointerOperand(), depth);
    llvm::SmallMapVector<Value*, llvm::APInt, 4> variables;
    llvm::APInt constant(64, 0);
    if (!sum || !llvm::cast<llvm::GEPOperator>(address).collectOffset(layout_, 64, variables, constant))
      return std::nullopt;
    for (const auto& [index, scale] : variables) {
      const Step step = of(*index, depth);
      if (!step) return std::nullopt;
      *sum += *step * scale.getSExtValue();
    }
    return sum;
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const Value*, Step> steps_;
};

class Walk {
 public:
  Walk(const llvm::Loop& loop, const llvm::PHINode& id)
      : loop_(loop), layout_(id.getDataLayout()), by_item_(id, layout_) {}

  /// How many iterations make a row's window; 0 if the loop stays as it is.
  unsigned factor() {
    const llvm::BasicBlock* exiting = loop_.getExitingBlock();
    const auto* branch = exiting == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    if (branch == nullptr || !branch->isConditional() || by_item_.of(*branch->getCondition()) != 0) return 0;
    unsigned instructions = 0;
    unsigned least_bytes = 0;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const Instruction& i : *block) {
        // The others are part of an addressing mode, or the same in all copies.
        instructions +=
            llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst>(i) || i.isTerminator() ? 0 : 1;
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
            call != nullptr && (call->isConvergent() || call->cannotDuplicate()))
          return 0;
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        const unsigned bytes = load == nullptr || !is_every_time(*block) ? 0 : walked_bytes(*load);
        if (bytes != 0 && (least_bytes == 0 || bytes < least_bytes)) least_bytes = bytes;
      }
    if (least_bytes == 0 || instructions > kMostInstructions) return 0;
    const unsigned factor = FieldGroup::kWindowBytes / least_bytes;
    return factor > 1 && factor * instructions <= kMostCopied ? factor : 0;
  }

 private:
  [[nodiscard]] bool is_every_time(const llvm::BasicBlock& block) const {
    return &block == loop_.getLoopLatch() || &block == loop_.getHeader();
  }

  /// The bytes of a load that goes through memory element by element, elsewhere for each work-item; 0 for all others.
  unsigned walked_bytes(const llvm::LoadInst& load) {
    llvm::Type* type = load.getType();
    if (!load.isSimple() || (!type->isIntegerTy() && !type->isFloatingPointTy())) return 0;
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
    const auto between_items = by_item_.of(*load.getPointerOperand());
    if (between_items && std::abs(*between_items) <= bytes) return 0;
    for (const llvm::PHINode& counter : loop_.getHeader()->phis())
      if (Steps(counter, layout_).of(*load.getPointerOperand()) == bytes) return static_cast<unsigned>(bytes);
    return 0;
  }

  const llvm::Loop& loop_;
  const llvm::DataLayout& layout_;
  Steps by_item_;
};

bool may_be_unrolled(const llvm::Loop& loop) {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && items_metadata(loop) == nullptr &&
         llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.disable") == nullptr;
}

void unroll_walk(llvm::Loop& loop, unsigned factor, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!rotate(loop, function, analyses)) return;
  hoist_invariants(loop);
  restore_form(loop, function, analyses);
  llvm::UnrollLoopOptions options{};
  options.Count = factor;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  unroll(loop, options, function, analyses);
}

}  // namespace

void unroll_row_walks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<std::pair<llvm::Loop*, unsigned>> walks;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::Loop* items = may_be_unrolled(*loop) ? items_around(*loop) : nullptr;
    if (items == nullptr || items->getHeader()->phis().empty()) continue;
    const llvm::PHINode& id = *items->getHeader()->phis().begin();
    if (const unsigned factor = Walk(*loop, id).factor(); factor != 0) walks.push_back({loop, factor});
  }
  for (const auto& [loop, factor] : walks) unroll_walk(*loop, factor, function, analyses);
  if (walks.empty()) return;
  tally(Transformation::unroll_row_walks);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

}  // namespace lanewise::spmd
