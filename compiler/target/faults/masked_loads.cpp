// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/masked_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/transformations.h"

namespace lanewise {
namespace {

using llvm::MachineInstr;
using llvm::MachineOperand;

class MaskedLoads final : public llvm::MachineFunctionPass {
 public:
  static char ID;
  MaskedLoads() : MachineFunctionPass(ID) {}

  [[nodiscard]] llvm::StringRef getPassName() const override { return "Lanewise masked loads"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    if (!function.getTarget().getTargetTriple().isX86_64()) return false;
    registers_ = &function.getRegInfo();
    const llvm::TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    bool changed = false;
    for (llvm::MachineBasicBlock& block : function) {
      for (MachineInstr& load : block) {
        if (!load.mayLoad() || !load.canFoldAsLoad() || !has_mask(load)) continue;
        const llvm::Register loaded = load.getOperand(0).getReg();
        if (!loaded.isVirtual() || !registers_->hasOneNonDBGUse(loaded)) continue;
        MachineOperand& use = *registers_->use_nodbg_begin(loaded);
        MachineInstr& user = *use.getParent();
        if (!keeps_other_lanes(user)) continue;
        const llvm::Register copy = registers_->cloneVirtualRegister(loaded);
        llvm::BuildMI(*user.getParent(), user, user.getDebugLoc(), instructions.get(llvm::TargetOpcode::COPY), copy)
            .addReg(loaded, llvm::getKillRegState(use.isKill()));
        use.setReg(copy);
        changed = true;
      }
    }
    if (changed) tally(Transformation::masked_loads);
    return changed;
  }

 private:
  [[nodiscard]] bool has_mask(const MachineInstr& i) const {
    const llvm::TargetRegisterInfo& info = *registers_->getTargetRegisterInfo();
    return llvm::any_of(i.explicit_uses(), [&](const MachineOperand& operand) {
      if (!operand.isReg() || !operand.getReg().isVirtual()) return false;
      const llvm::TargetRegisterClass* kind = registers_->getRegClassOrNull(operand.getReg());
      return kind != nullptr && llvm::StringRef(info.getRegClassName(kind)).starts_with("VK");
    });
  }

  /// Whether the result begins as a register that may be used again.
  [[nodiscard]] bool keeps_other_lanes(const MachineInstr& i) const {
    return llvm::any_of(i.explicit_uses(), [&](const MachineOperand& operand) {
      return operand.isReg() && operand.isTied() && !ends_here(operand.getReg(), *i.getParent());
    });
  }

  [[nodiscard]] bool ends_here(llvm::Register kept, const llvm::MachineBasicBlock& block) const {
    if (!kept.isVirtual() || !registers_->hasOneNonDBGUse(kept)) return false;
    const MachineInstr* made = registers_->getUniqueVRegDef(kept);
    return made != nullptr && made->getParent() == &block && !made->isCopyLike() && !made->isInsertSubreg();
  }

  llvm::MachineRegisterInfo* registers_ = nullptr;
};

char MaskedLoads::ID = 0;

}  // namespace

llvm::Pass* create_masked_loads_pass() {
  return new MaskedLoads();
}

}  // namespace lanewise
