// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/unaligned_conversions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>

#include "compiler/base/transformations.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kVectorBytes = 16;

/// LLVM does not install the header with the numbers of the instructions, so they are looked up by name.
struct ConversionInstructions {
  unsigned load = 0;
  unsigned convert_memory = 0;
  unsigned convert_register = 0;
};

ConversionInstructions find_forms(const llvm::TargetInstrInfo& instructions) {
  ConversionInstructions forms;
  for (unsigned number = 0; number < instructions.getNumOpcodes(); ++number) {
    const llvm::StringRef name = instructions.getName(number);
    if (name == "MOVUPSrm") forms.load = number;
    if (name == "CVTPS2DQrm") forms.convert_memory = number;
    if (name == "CVTPS2DQrr") forms.convert_register = number;
  }
  return forms;
}

bool is_aligned(const llvm::MachineInstr& i) {
  return !i.memoperands_empty() && llvm::all_of(i.memoperands(), [](const llvm::MachineMemOperand* operand) {
    return operand->getAlign().value() >= kVectorBytes;
  });
}

class UnalignedConversions final : public llvm::MachineFunctionPass {
 public:
  static char ID;
  UnalignedConversions() : MachineFunctionPass(ID) {}

  [[nodiscard]] llvm::StringRef getPassName() const override { return "Lanewise unaligned conversions"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    if (!function.getTarget().getTargetTriple().isX86_64()) return false;
    const llvm::TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    static const ConversionInstructions forms = find_forms(instructions);
    if (forms.load == 0 || forms.convert_register == 0) return false;
    bool changed = false;
    for (llvm::MachineBasicBlock& block : function) {
      for (llvm::MachineInstr& i : llvm::make_early_inc_range(block)) {
        if (i.getOpcode() != forms.convert_memory || is_aligned(i)) continue;
        load_first(i, forms, instructions);
        changed = true;
      }
    }
    if (changed) tally(Transformation::unaligned_conversions);
    return changed;
  }

 private:
  static void load_first(llvm::MachineInstr& i, const ConversionInstructions& forms,
                         const llvm::TargetInstrInfo& instructions) {
    llvm::MachineBasicBlock& block = *i.getParent();
    const llvm::Register result = i.getOperand(0).getReg();
    const llvm::Register loaded = block.getParent()->getRegInfo().cloneVirtualRegister(result);
    auto load = llvm::BuildMI(block, i, i.getDebugLoc(), instructions.get(forms.load), loaded);
    for (const llvm::MachineOperand& operand : llvm::drop_begin(i.explicit_operands())) load.add(operand);
    load.cloneMemRefs(i);
    llvm::BuildMI(block, i, i.getDebugLoc(), instructions.get(forms.convert_register), result)
        .addReg(loaded, llvm::RegState::Kill)
        .setMIFlags(i.getFlags());
    i.eraseFromParent();
  }
};

char UnalignedConversions::ID = 0;

}  // namespace

llvm::Pass* create_unaligned_conversions_pass() {
  return new UnalignedConversions();
}

}  // namespace lanewise
