// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/machine.h"

#include <llvm/Config/Targets.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <mutex>

#include "compiler/base/diagnostics.h"

namespace lanewise {
namespace {

/// The triple of code objects. The switch has no default, so that a new architecture does not compile without a case.
const char* triple_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::x86_64:
      return "x86_64-unknown-linux-gnu";
    case Architecture::aarch64:
      return "aarch64-unknown-linux-gnu";
  }
  llvm_unreachable("no such architecture");
}

/// Those that LLVM was built with. The driver's compiler has fewer (service/static_llvm.cpp); of the others these
/// functions are empty there.
void initialise_back_ends() {
  static std::once_flag once;
  std::call_once(once, [] {
#if LLVM_HAS_X86_TARGET
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
#endif
#if LLVM_HAS_AARCH64_TARGET
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
#endif
  });
}

/// The features that LLVM shall use. For some levels it takes gathers apart, as suits the first processors of those
/// levels. The vectoriser asks for gathers only where they are fast or lanes are rarely apart (`Loads::rarely`): there
/// the lanes one by one are no faster on a processor of today, and a kernel of many accesses takes a fifth longer to
/// compile.
std::string features_of(Isa isa) {
  return (isa.has_mask_registers() ? isa : isa.with(IsaFeature::fast_gathers)).feature_list();
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Isa isa, bool optimise) {
  initialise_back_ends();
  std::string reason;
  const llvm::Triple triple(triple_of(isa.architecture()));
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (target == nullptr) return failure(reason);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  const llvm::StringRef cpu = isa.processor();
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, features_of(isa), options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                  optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less));
  if (!machine) return failure("cannot create a code generator for " + cpu);
  return machine;
}

llvm::TargetLibraryInfoImpl library_functions(const llvm::Triple& triple) {
  llvm::TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  for (const llvm::LibFunc function : {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
    info.setAvailable(function);
  return info;
}

}  // namespace lanewise
