// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/code_generator.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/diagnostics.h"
#include "compiler/base/effort.h"
#include "compiler/object/generator_passes.h"
#include "compiler/target/machine.h"

namespace lanewise {
namespace {

bool has_assembly(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call != nullptr && call->isInlineAsm();
  });
}

/// Whether registers are allocated with less effort (quick_registers.h). Kernels of moderate size would build in 0.93
/// of the time, and clFFT's ran at 0.8 to 0.9 of their speed. Small ones gain a few milliseconds at most. Assembly may
/// want so many registers at once that only LLVM's allocation finds a way.
bool allocates_quickly(const llvm::Module& module, const KernelContext& context) {
  const bool quick = context.effort == Effort::cold || context.effort == Effort::reduced;
  return quick && module.getInstructionCount() > kSearchedInstructions && llvm::none_of(module, has_assembly);
}

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, const KernelContext& context,
                                                llvm::CodeGenFileType type) {
  llvm::TargetMachine& machine = context.machine;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  GeneratorPasses passes(module, context.effort != Effort::cold, !allocates_quickly(module, context));
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library_functions(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    return failure("the code generator cannot write this kind of file");
  const GeneratorLimits limits(module);
  passes.run(module);
  return bytes;
}

}  // namespace lanewise
