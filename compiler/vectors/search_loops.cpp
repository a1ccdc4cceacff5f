// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/search_loops.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Instructions that wait in a processor at a time (Intel's Golden Cove: 97, AMD's Zen 4: 64 and 96).
constexpr double kWaiting = 97;
/// The pair must be faster by this much.
constexpr double kWorthwhile = 0.93;
constexpr unsigned kMostInstructions = 1000;
constexpr unsigned kMostLoads = 4;
/// Operations that an address, and what the next iteration begins with, may follow in.
constexpr unsigned kMostOfAddress = 6;
constexpr unsigned kMostOfLatch = 16;

llvm::BranchInst* conditional_branch(BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch
                                                                                                            : nullptr;
}

/// Nothing happens but a value, whatever the operands are.
bool only_computes(const Instruction& i) {
  if (i.mayReadOrWriteMemory() || i.mayHaveSideEffects()) return false;
  if (llvm::isa<llvm::CallBase>(i))
    return llvm::isa<llvm::IntrinsicInst>(i) && !llvm::cast<llvm::CallBase>(i).isConvergent();
  return llvm::isSafeToSpeculativelyExecute(&i);
}

/// A step of a counter, an address or a comparison.
bool is_simple(const Instruction& i) {
  if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst, llvm::FreezeInst>(i))
    return true;
  return llvm::isa<llvm::BinaryOperator>(i) && i.getType()->isIntOrIntVectorTy() && !i.isIntDivRem() &&
         i.getOpcode() != Instruction::Mul;
}

class SearchLoopReader {
 public:
  SearchLoopReader(llvm::Loop& loop, Isa isa)
      : loop_(loop), isa_(isa), header_(loop.getHeader()), latch_(loop.getLoopLatch()) {}

  [[nodiscard]] bool read() {
    found_.loop = &loop_;
    found_.header = header_;
    found_.latch = latch_;
    return latch_ != nullptr && header_ != latch_ && read_branches() && read_header() && read_latch();
  }
  [[nodiscard]] bool gains(const llvm::TargetTransformInfo& target);
  [[nodiscard]] SearchLoop take() { return std::move(found_); }

 private:
  [[nodiscard]] bool read_branches();
  [[nodiscard]] bool read_header();
  [[nodiscard]] bool read_latch() const;
  [[nodiscard]] bool is_short(const Value& v, unsigned& budget, bool loads) const;
  [[nodiscard]] unsigned registers() const;

  llvm::Loop& loop_;
  Isa isa_;
  BasicBlock* header_;
  BasicBlock* latch_;
  SearchLoop found_;
};

bool SearchLoopReader::read_branches() {
  const llvm::BranchInst* header = conditional_branch(*header_);
  const llvm::BranchInst* latch = conditional_branch(*latch_);
  if (header == nullptr || latch == nullptr) return false;
  found_.header_goes_on = header->getSuccessor(0) == latch_;
  found_.latch_goes_on = latch->getSuccessor(0) == header_;
  found_.exit = latch->getSuccessor(found_.latch_goes_on ? 1 : 0);
  return (found_.header_goes_on || header->getSuccessor(1) == latch_) && !loop_.contains(found_.exit);
}

bool SearchLoopReader::read_header() {
  if (header_->size() > kMostInstructions) return false;
  for (Instruction& i : *header_) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (load == nullptr) {
      if (!only_computes(i)) return false;
      continue;
    }
    unsigned budget = kMostOfAddress;
    if (!load->isSimple() || !is_short(*load->getPointerOperand(), budget, false)) return false;
    if (!loop_.isLoopInvariant(load->getPointerOperand())) found_.loads.push_back(load);
  }
  return found_.loads.size() <= kMostLoads;
}

/// What the next iteration begins with must be there at once. Loads are only allowed where the latch is certain to run.
bool SearchLoopReader::read_latch() const {
  const bool certain = loop_.getExitingBlock() == latch_;
  for (const Instruction& i : *latch_) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (load != nullptr ? !certain || !load->isSimple() || !loop_.isLoopInvariant(load->getPointerOperand())
                        : !llvm::isa<llvm::PHINode>(i) && !i.isTerminator() && !only_computes(i))
      return false;
  }
  unsigned budget = kMostOfLatch;
  for (const llvm::PHINode& phi : header_->phis())
    if (!is_short(*phi.getIncomingValueForBlock(latch_), budget, false)) return false;
  return is_short(*found_.latch_condition(), budget, true);
}

/// Whether a value follows from the header's phis in few operations, if the header goes on with the latch.
bool SearchLoopReader::is_short(const Value& v, unsigned& budget, bool loads) const {
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || !loop_.contains(i)) return true;
  if (i->getParent() != header_ && i->getParent() != latch_) return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(i))
    return phi->getParent() == header_ || is_short(*phi->getIncomingValueForBlock(header_), budget, loads);
  if (budget-- == 0 || (llvm::isa<llvm::LoadInst>(i) ? !loads || i->getParent() != latch_ : !is_simple(*i))) {
    budget = 0;
    return false;
  }
  return llvm::all_of(i->operands(), [&](const llvm::Use& use) { return is_short(*use, budget, loads); });
}

/// Vector registers that the header needs at a time for what it computes.
unsigned SearchLoopReader::registers() const {
  const auto parts = [&](const Value& v) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(v.getType());
    if (type == nullptr || type->getScalarSizeInBits() == 1) return 0U;
    return std::max(1U, type->getScalarSizeInBits() * type->getNumElements() / isa_.vector_bits());
  };
  llvm::SmallPtrSet<const Value*, 32> live;
  unsigned now = 0;
  unsigned most = 0;
  for (const Instruction& i : llvm::reverse(*header_)) {
    if (live.erase(&i)) now -= parts(i);
    if (llvm::isa<llvm::PHINode>(i)) continue;
    for (const Value* operand : i.operands())
      if (const auto* made = llvm::dyn_cast<Instruction>(operand); made != nullptr && made->getParent() == header_)
        if (live.insert(made).second) now += parts(*made);
    most = std::max(most, now);
  }
  return most;
}

/// A chain that fills the window with what waits for it takes its own time, less what of the next iteration is in the
/// window.
bool SearchLoopReader::gains(const llvm::TargetTransformInfo& target) {
  const double vectors_per_cycle = isa_.vector_bits() == 512 ? 2 : 3;
  constexpr double kScalarsPerCycle = 4;
  double instructions = 0;
  double issue = 0;
  double chain = 0;
  llvm::DenseMap<const Value*, double> ready;  // cycles from the header's begin
  for (const Instruction& i : *header_) {
    if (llvm::isa<llvm::PHINode>(i)) continue;
    const auto cost = [&](llvm::TargetTransformInfo::TargetCostKind kind) {
      const llvm::InstructionCost known = target.getInstructionCost(&i, kind);
      return known.isValid() ? static_cast<double>(known.getValue()) : 1;
    };
    const double here = cost(llvm::TargetTransformInfo::TCK_CodeSize);
    const double alone = cost(llvm::TargetTransformInfo::TCK_RecipThroughput);
    const bool waits = alone > 4 * here;  // a unit that does one at a time, such as the divider
    instructions += here;
    issue += waits ? alone : std::max(here, alone) / (i.getType()->isVectorTy() ? vectors_per_cycle : kScalarsPerCycle);
    double begin = 0;
    for (const Value* operand : i.operands()) begin = std::max(begin, ready.lookup(operand));
    // What costs nothing is part of another instruction.
    ready[&i] = begin + (alone == 0 ? 0 : cost(llvm::TargetTransformInfo::TCK_Latency));
    if (ready[&i] >= chain) found_.chain.insert(&i);
    chain = std::max(chain, ready[&i]);
  }
  const auto cycles = [&](double iterations) {
    const double n = iterations * instructions;
    return std::max(issue, chain / iterations * n / (n + kWaiting));
  };
  // Otherwise the window holds several iterations as it is.
  if (instructions < kWaiting) return false;
  if (!llvm::any_of(found_.chain, [&](const Value* i) { return fills_register(*i, isa_); })) return false;
  return cycles(2) < kWorthwhile * cycles(1) && 2 * registers() + 2 <= isa_.registers();
}

}  // namespace

bool fills_register(const Value& v, Isa isa) {
  return v.getType()->isVectorTy() && v.getType()->getPrimitiveSizeInBits() == isa.vector_bits();
}

std::optional<SearchLoop> find_search(llvm::Loop& loop, const llvm::TargetTransformInfo& target, Isa isa) {
  SearchLoopReader reader(loop, isa);
  if (!reader.read() || !reader.gains(target)) return std::nullopt;
  return reader.take();
}

}  // namespace lanewise
