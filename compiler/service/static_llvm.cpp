// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Satisfies references of LLVM's libraries to parts that the driver does not use, where the compiler is linked from
/// archives: lld registers every target that LLVM was built with, Clang the passes of Polly. The back end that is
/// kept is that of this processor.
#include <llvm/Config/llvm-config.h>
#include <llvm/Plugins/PassPlugin.h>

// KEEP_X86 expands to two arguments and moves the definition out of the second place.
#if defined(__x86_64__)
#define KEEP_X86 ~,
#elif defined(__aarch64__)
#define KEEP_AArch64 ~,
#endif
#define SECOND_OF(first, second, ...) second
#define SECOND(...) SECOND_OF(__VA_ARGS__)
#define NOTHING(name)     \
  extern "C" void name(); \
  extern "C" void name() {}
#define UNLESS_KEPT(target, name) SECOND(KEEP_##target static_assert(true);, NOTHING(name), ~)

#define LLVM_TARGET(T)                          \
  UNLESS_KEPT(T, LLVMInitialize##T##TargetInfo) \
  UNLESS_KEPT(T, LLVMInitialize##T##Target)     \
  UNLESS_KEPT(T, LLVMInitialize##T##TargetMC)
#include <llvm/Config/Targets.def>

#define LLVM_ASM_PRINTER(T) UNLESS_KEPT(T, LLVMInitialize##T##AsmPrinter)
#include <llvm/Config/AsmPrinters.def>

#define LLVM_ASM_PARSER(T) NOTHING(LLVMInitialize##T##AsmParser)
#include <llvm/Config/AsmParsers.def>

// LLVM's own writer of SPIR-V, which the translator has as an option that is not used here. It is exported, as all that
// the translator names (compiler/spirv/shared_llvm.cmake).
extern "C" __attribute__((visibility("default"))) bool SPIRVTranslateModule();
extern "C" bool SPIRVTranslateModule() {
  return false;
}

llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "", "", [](llvm::PassBuilder&) {}, nullptr};
}
