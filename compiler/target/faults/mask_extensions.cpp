// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/mask_extensions.h"

#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <array>

#include "compiler/base/transformations.h"

namespace lanewise {
namespace {

/// A move between mask registers, and the conjunction of the same width; both clear the bits above it.
struct MaskInstructions {
  unsigned move = 0;
  unsigned conjunction = 0;
};

using AllForms = std::array<MaskInstructions, 3>;

/// LLVM does not install the header with the numbers of the instructions, so they are looked up by name.
AllForms find_forms(const llvm::TargetInstrInfo& instructions) {
  constexpr std::array<std::array<llvm::StringLiteral, 2>, 3> kNames = {
      {{"KMOVBkk", "KANDBkk"}, {"KMOVWkk", "KANDWkk"}, {"KMOVDkk", "KANDDkk"}}};
  AllForms forms;
  for (unsigned number = 0; number < instructions.getNumOpcodes(); ++number) {
    const llvm::StringRef name = instructions.getName(number);
    if (!name.starts_with("KMOV") && !name.starts_with("KAND")) continue;
    for (unsigned width = 0; width < kNames.size(); ++width) {
      if (name == kNames[width][0]) forms[width].move = number;
      if (name == kNames[width][1]) forms[width].conjunction = number;
    }
  }
  return forms;
}

class MaskExtensions final : public llvm::MachineFunctionPass {
 public:
  static char ID;
  MaskExtensions() : MachineFunctionPass(ID) {}

  [[nodiscard]] llvm::StringRef getPassName() const override { return "Lanewise mask extensions"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    if (!function.getTarget().getTargetTriple().isX86_64()) return false;
    const llvm::TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    static const AllForms forms = find_forms(instructions);
    bool changed = false;
    for (llvm::MachineBasicBlock& block : function)
      for (llvm::MachineInstr& i : block) changed |= rewrite(i, forms, instructions);
    if (changed) tally(Transformation::mask_extensions);
    return changed;
  }

 private:
  static bool rewrite(llvm::MachineInstr& i, const AllForms& forms, const llvm::TargetInstrInfo& instructions) {
    const auto* form =
        std::find_if(forms.begin(), forms.end(), [&](const MaskInstructions& f) { return f.move == i.getOpcode(); });
    if (form == forms.end() || form->conjunction == 0) return false;
    llvm::MachineOperand& source = i.getOperand(1);
    source.setIsKill(false);
    i.setDesc(instructions.get(form->conjunction));
    i.addOperand(llvm::MachineOperand::CreateReg(source.getReg(), /*isDef=*/false, /*isImp=*/false, /*isKill=*/false,
                                                 /*isDead=*/false, /*isUndef=*/false, /*isEarlyClobber=*/false,
                                                 source.getSubReg()));
    return true;
  }
};

char MaskExtensions::ID = 0;

}  // namespace

llvm::Pass* create_mask_extensions_pass() {
  return new MaskExtensions();
}

}  // namespace lanewise
