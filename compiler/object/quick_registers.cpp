// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/quick_registers.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/CodeGen/CalcSpillWeights.h>
#include <llvm/CodeGen/LiveDebugVariables.h>
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/LiveRangeEdit.h>
#include <llvm/CodeGen/LiveRegMatrix.h>
#include <llvm/CodeGen/LiveStacks.h>
#include <llvm/CodeGen/MachineBlockFrequencyInfo.h>
#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/RegisterClassInfo.h>
#include <llvm/CodeGen/SlotIndexes.h>
#include <llvm/CodeGen/Spiller.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/CodeGen/VirtRegMap.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>

#include <memory>
#include <queue>
#include <vector>

#include "compiler/base/transformations.h"

namespace lanewise {
namespace {

using llvm::LiveInterval;
using llvm::MCRegister;
using llvm::Register;

/// A value that waits for a register.
struct WaitingValue {
  float weight;
  unsigned number;  ///< of its virtual register: an order that does not depend on addresses

  bool operator<(const WaitingValue& other) const {
    return weight != other.weight ? weight < other.weight : number > other.number;
  }
};

/// The choice of registers for one function.
class RegisterChoice final : llvm::LiveRangeEdit::Delegate {
 public:
  struct Analyses {
    llvm::LiveIntervals& lives;
    llvm::VirtRegMap& map;
    llvm::LiveRegMatrix& matrix;
    llvm::LiveStacks& stacks;
    llvm::MachineDominatorTree& dominators;
    const llvm::MachineBlockFrequencyInfo& frequencies;
    const llvm::MachineLoopInfo& loops;
    llvm::ProfileSummaryInfo& profile;
  };

  RegisterChoice(llvm::MachineFunction& function, const Analyses& analyses)
      : function_(function),
        analyses_(analyses),
        registers_(function.getRegInfo()),
        weights_(function, analyses.lives, analyses.map, analyses.loops, analyses.frequencies, &analyses.profile) {}

  void run() {
    registers_.freezeReservedRegs();
    classes_.runOnMachineFunction(function_);
    weights_.calculateSpillWeightsAndHints();
    spiller_.reset(
        llvm::createInlineSpiller({analyses_.lives, analyses_.stacks, analyses_.dominators, analyses_.frequencies},
                                  function_, analyses_.map, weights_, &analyses_.matrix));
    for (unsigned k = 0; k < registers_.getNumVirtRegs(); ++k) {
      const Register value = Register::index2VirtReg(k);
      if (!registers_.reg_nodbg_empty(value)) wait(analyses_.lives.getInterval(value));
    }
    while (!waiting_.empty()) {
      const Register value = Register::index2VirtReg(waiting_.top().number);
      waiting_.pop();
      if (analyses_.lives.hasInterval(value) && !analyses_.map.hasPhys(value)) allocate(value);
    }
    spiller_->postOptimization();
    for (llvm::MachineInstr* dead : dead_) {
      analyses_.lives.RemoveMachineInstrFromMaps(*dead);
      dead->eraseFromParent();
    }
  }

 private:
  using Interferences = llvm::SmallVector<const LiveInterval*, 8>;

  void wait(const LiveInterval& life) { waiting_.push({life.weight(), life.reg().virtRegIndex()}); }

  void allocate(Register value) {
    if (registers_.reg_nodbg_empty(value)) return analyses_.lives.removeInterval(value);
    const LiveInterval& life = analyses_.lives.getInterval(value);
    analyses_.matrix.invalidateVirtRegs();
    if (const MCRegister chosen = free_register(life)) return analyses_.matrix.assign(life, chosen);
    if (const MCRegister chosen = taken_register(life)) return analyses_.matrix.assign(life, chosen);
    if (life.isSpillable()) return spill(life);
    give_up(life);
  }

  /// The registers that the value may have, best first.
  [[nodiscard]] llvm::SmallVector<llvm::MCPhysReg, 32> order_for(const LiveInterval& life) const {
    const llvm::ArrayRef<llvm::MCPhysReg> order = classes_.getOrder(registers_.getRegClass(life.reg()));
    llvm::SmallVector<llvm::MCPhysReg, 16> hints;
    const llvm::TargetRegisterInfo& info = *registers_.getTargetRegisterInfo();
    const bool only_hints =
        info.getRegAllocationHints(life.reg(), order, hints, function_, &analyses_.map, &analyses_.matrix);
    llvm::SmallVector<llvm::MCPhysReg, 32> all(hints.begin(), hints.end());
    if (!only_hints)
      llvm::copy_if(order, std::back_inserter(all), [&](llvm::MCPhysReg r) { return !llvm::is_contained(hints, r); });
    return all;
  }

  /// A register that is free as long as the value lives; none: 0.
  MCRegister free_register(const LiveInterval& life) {
    for (const llvm::MCPhysReg each : order_for(life))
      if (analyses_.matrix.checkInterference(life, each) == llvm::LiveRegMatrix::IK_Free) return each;
    return {};
  }

  /// A register that only values of less weight have; these wait again. None: 0.
  MCRegister taken_register(const LiveInterval& life) {
    MCRegister best;
    float best_weight = life.weight();
    Interferences losers;
    for (const llvm::MCPhysReg each : order_for(life)) {
      if (analyses_.matrix.checkInterference(life, each) > llvm::LiveRegMatrix::IK_VirtReg) continue;
      Interferences found;
      const float weight = weight_of_others(life, each, best_weight, found);
      if (weight >= best_weight) continue;
      best = each;
      best_weight = weight;
      losers = found;
    }
    if (best)
      for (const LiveInterval* loser : losers) {
        analyses_.matrix.unassign(*loser);
        wait(*loser);
      }
    return best;
  }

  /// The largest weight of the values that have the register while `life` lives, and those values. Stops at the first
  /// that has `limit` or cannot lose its register.
  float weight_of_others(const LiveInterval& life, MCRegister taken, float limit, Interferences& found) {
    float largest = 0;
    for (const llvm::MCRegUnit unit : registers_.getTargetRegisterInfo()->regunits(taken)) {
      llvm::LiveIntervalUnion::Query& query = analyses_.matrix.query(life, unit);
      // One more at a time, because mostly the first is in the way already.
      for (unsigned k = 0; query.interferingVRegs(k + 1).size() > k; ++k) {
        const LiveInterval* other = query.interferingVRegs(k + 1)[k];
        if (!other->isSpillable() || other->weight() >= limit) return limit;
        largest = std::max(largest, other->weight());
        if (!llvm::is_contained(found, other)) found.push_back(other);
      }
    }
    return largest;
  }

  void spill(const LiveInterval& life) {
    tally(Transformation::quick_registers);
    llvm::SmallVector<Register, 4> parts;
    llvm::LiveRangeEdit edit(&life, parts, function_, analyses_.lives, &analyses_.map, this, &dead_);
    spiller_->spill(edit);
    for (const Register part : parts) {
      if (registers_.reg_nodbg_empty(part))
        analyses_.lives.removeInterval(part);
      else
        wait(analyses_.lives.getInterval(part));
    }
  }

  /// One instruction needs more registers than there are; never seen without inline assembly. The kernel's build fails.
  /// The value gets any register, so that the code generator comes to its end.
  void give_up(const LiveInterval& life) {
    const llvm::Function& ir = function_.getFunction();
    ir.getContext().diagnose(llvm::DiagnosticInfoRegAllocFailure("no register is left for a value", ir));
    analyses_.map.assignVirt2Phys(life.reg(), order_for(life).front());
  }

  /// The spiller asks before it removes a value that is not used any more.
  bool LRE_CanEraseVirtReg(Register value) override {
    LiveInterval& life = analyses_.lives.getInterval(value);
    if (analyses_.map.hasPhys(value)) {
      analyses_.matrix.unassign(life);
      return true;
    }
    life.clear();  // it waits, and is removed when its turn comes
    return false;
  }

  /// The spiller tells before a value loses a part of its life.
  void LRE_WillShrinkVirtReg(Register value) override {
    if (!analyses_.map.hasPhys(value)) return;
    const LiveInterval& life = analyses_.lives.getInterval(value);
    analyses_.matrix.unassign(life);
    wait(life);
  }

  llvm::MachineFunction& function_;
  const Analyses analyses_;
  llvm::MachineRegisterInfo& registers_;
  llvm::RegisterClassInfo classes_;
  llvm::VirtRegAuxInfo weights_;
  std::unique_ptr<llvm::Spiller> spiller_;
  std::priority_queue<WaitingValue> waiting_;
  llvm::SmallPtrSet<llvm::MachineInstr*, 32> dead_;  ///< what other instructions may still be computed from again
};

class QuickRegisters final : public llvm::MachineFunctionPass {
 public:
  static char ID;
  QuickRegisters() : MachineFunctionPass(ID) {}

  [[nodiscard]] llvm::StringRef getPassName() const override { return "Lanewise registers"; }

  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesCFG();
    usage.addRequired<llvm::AAResultsWrapperPass>();
    usage.addPreserved<llvm::AAResultsWrapperPass>();
    usage.addRequired<llvm::LiveIntervalsWrapperPass>();
    usage.addPreserved<llvm::LiveIntervalsWrapperPass>();
    usage.addPreserved<llvm::SlotIndexesWrapperPass>();
    usage.addRequired<llvm::LiveDebugVariablesWrapperLegacy>();
    usage.addPreserved<llvm::LiveDebugVariablesWrapperLegacy>();
    usage.addRequired<llvm::LiveStacksWrapperLegacy>();
    usage.addPreserved<llvm::LiveStacksWrapperLegacy>();
    usage.addRequired<llvm::ProfileSummaryInfoWrapperPass>();
    usage.addRequired<llvm::MachineBlockFrequencyInfoWrapperPass>();
    usage.addPreserved<llvm::MachineBlockFrequencyInfoWrapperPass>();
    usage.addRequired<llvm::MachineDominatorTreeWrapperPass>();
    usage.addPreserved<llvm::MachineDominatorTreeWrapperPass>();
    usage.addRequired<llvm::MachineLoopInfoWrapperPass>();
    usage.addPreserved<llvm::MachineLoopInfoWrapperPass>();
    usage.addRequired<llvm::VirtRegMapWrapperLegacy>();
    usage.addPreserved<llvm::VirtRegMapWrapperLegacy>();
    usage.addRequired<llvm::LiveRegMatrixWrapperLegacy>();
    usage.addPreserved<llvm::LiveRegMatrixWrapperLegacy>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    RegisterChoice(function, {.lives = getAnalysis<llvm::LiveIntervalsWrapperPass>().getLIS(),
                              .map = getAnalysis<llvm::VirtRegMapWrapperLegacy>().getVRM(),
                              .matrix = getAnalysis<llvm::LiveRegMatrixWrapperLegacy>().getLRM(),
                              .stacks = getAnalysis<llvm::LiveStacksWrapperLegacy>().getLS(),
                              .dominators = getAnalysis<llvm::MachineDominatorTreeWrapperPass>().getDomTree(),
                              .frequencies = getAnalysis<llvm::MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
                              .loops = getAnalysis<llvm::MachineLoopInfoWrapperPass>().getLI(),
                              .profile = getAnalysis<llvm::ProfileSummaryInfoWrapperPass>().getPSI()})
        .run();
    return true;
  }

  [[nodiscard]] llvm::MachineFunctionProperties getRequiredProperties() const override {
    return llvm::MachineFunctionProperties().setNoPHIs();
  }
  [[nodiscard]] llvm::MachineFunctionProperties getClearedProperties() const override {
    return llvm::MachineFunctionProperties().setIsSSA();
  }
};

char QuickRegisters::ID = 0;

}  // namespace

llvm::FunctionPass* create_quick_registers_pass() {
  return new QuickRegisters;
}

}  // namespace lanewise
