// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/code_generator.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/diagnostics.h"
#include "compiler/object/generator_passes.h"
#include "compiler/target/machine.h"

namespace lanewise {

llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, const KernelContext& context,
                                                llvm::CodeGenFileType type) {
  llvm::TargetMachine& machine = context.machine;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  GeneratorPasses passes(module, context.effort != Effort::cold);
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library_functions(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    return failure("the code generator cannot write this kind of file");
  const GeneratorLimits limits(module);
  passes.run(module);
  return bytes;
}

}  // namespace lanewise
