// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <sstream>
#include <utility>

namespace lanewise::spirv {

namespace {

SPIRV::TranslatorOpts options_for(const Job& job) {
  SPIRV::TranslatorOpts options;
#define SPIRV_EXTENSION(name) options.setAllowedToUseExtension(SPIRV::ExtensionID::name);
#include "include/lanewise/spirv_surface.def"
  // Built-ins come back under the names that Clang gives OpenCL C, so both languages share everything after this.
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL20);
  options.enableGenArgNameMD();
  for (const abi::SpecConstant& constant : job.constants) options.setSpecConst(constant.id, constant.value);
  return options;
}

Answer refused(std::string reason) {
  return {.good = false, .reason = std::move(reason), .bytes = {}};
}

}  // namespace

Answer translate(const Job& job) {
  std::istringstream input(std::string(job.module.begin(), job.module.end()));
  llvm::LLVMContext context;
  llvm::Module* raw = nullptr;
  std::string reason;
  if (!llvm::readSpirv(context, options_for(job), input, raw, reason) || raw == nullptr) return refused(reason);
  const std::unique_ptr<llvm::Module> module(raw);
  std::string broken;
  llvm::raw_string_ostream why(broken);
  if (llvm::verifyModule(*module, &why)) return refused("the module's translation is not valid: " + broken);
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream out(bitcode);
  llvm::WriteBitcodeToFile(*module, out);
  return {.good = true, .reason = {}, .bytes = Bytes(bitcode.begin(), bitcode.end())};
}

Answer write(const Job& job) {
  llvm::LLVMContext context;
  const llvm::StringRef bitcode(reinterpret_cast<const char*>(job.module.data()), job.module.size());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "program"), context);
  if (!module) return refused(llvm::toString(module.takeError()));
  SPIRV::TranslatorOpts options = options_for(job);
  options.setPreserveOCLKernelArgTypeMetadataThroughString(true);
  std::ostringstream out;
  std::string reason;
  if (!llvm::writeSpirv(module->get(), options, out, reason)) return refused(reason);
  const std::string made = out.str();
  return {.good = true, .reason = {}, .bytes = Bytes(made.begin(), made.end())};
}

}  // namespace lanewise::spirv
