// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/spirv/host_access.h"
#include "compiler/spirv/mended_form.h"
#include "compiler/spirv/print_formats.h"
#include "compiler/spirv/private_linkage.h"
#include "compiler/spirv/sub_group_counts.h"
#include "compiler/spirv/translated_form.h"

namespace lanewise::spirv {

namespace {

SPIRV::TranslatorOpts options_for(const Job& job) {
  SPIRV::TranslatorOpts options;
#define SPIRV_EXTENSION(name) options.setAllowedToUseExtension(SPIRV::ExtensionID::name);
#define SPIRV_REWRITTEN_EXTENSION(name)
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

/// SPV_INTEL_optnone: functions that the producer compiled for a debugger. Kernels have to be inlined and optimised to
/// be lowered at all; who wants to debug builds with -cl-opt-disable. The translator also marks the calls, and LLVM
/// wants another attribute beside this one, which modules do not have to give.
void drop_optnone(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasOptNone()) function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->removeFnAttr(llvm::Attribute::OptimizeNone);
  }
}

/// Clang makes no wider ones for SPIR-V, and memory would have them elsewhere than on the machine.
constexpr std::uint32_t kMostBits = 128;

/// The widest integers of the module, if they are too wide; 0 otherwise.
std::uint32_t too_many_bits(View module) {
  std::uint32_t most = 0;
  for_each_instruction(module, [&](View i, bool whole) {
    if (whole && opcode(i) == op_type_int && i.size() > 2) most = std::max(most, i[2]);
  });
  return most > kMostBits ? most : 0;
}

/// Returns why a count is not known; empty if all are.
std::string mark_sub_group_counts(llvm::Module& module, const Job& job) {
  SubGroupCounts counts = sub_group_counts(job.module, job.constants);
  llvm::Type* type = llvm::Type::getInt32Ty(module.getContext());
  for (const auto& [name, count] : counts.of_kernels)
    if (llvm::Function* kernel = module.getFunction(name))
      kernel->setMetadata(
          kSubGroupCount,
          llvm::MDNode::get(module.getContext(), llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, count))));
  return std::move(counts.fault);
}

}  // namespace

Answer translate(const Job& job) {
#ifdef LANEWISE_NEWER_SPIRV
  const TranslatedForm form = translated_form(job.module);
  if (!form.fault.empty()) return refused(form.fault);
  Words words = words_of(form.module);
#else
  Words words = words_of(job.module);
#endif
  if (const std::uint32_t bits = too_many_bits(words); bits != 0)
    return refused("integers of " + std::to_string(bits) + " bits are not supported: the most is " +
                   std::to_string(kMostBits));
  const std::vector<HostVariable> host_variables = name_host_variables(words);
  std::istringstream input(std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]));
  llvm::LLVMContext context;
  llvm::Module* raw = nullptr;
  std::string reason;
  if (!llvm::readSpirv(context, options_for(job), input, raw, reason) || raw == nullptr) return refused(reason);
  const std::unique_ptr<llvm::Module> module(raw);
  drop_optnone(*module);
  mark_host_variables(*module, host_variables);
  if (std::string fault = mark_sub_group_counts(*module, job); !fault.empty()) return refused(std::move(fault));
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
#define SPIRV_READ_EXTENSION(name) options.setAllowedToUseExtension(SPIRV::ExtensionID::name, false);
#include "include/lanewise/spirv_surface.def"
  options.setPreserveOCLKernelArgTypeMetadataThroughString(true);
  std::ostringstream out;
  std::string reason;
  if (!llvm::writeSpirv(module->get(), options, out, reason)) return refused(reason);
  const std::string made = out.str();
  const Words words = mended_form(with_character_formats(
      without_private_linkage({reinterpret_cast<const std::uint8_t*>(made.data()), made.size()})));
  Bytes bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return {.good = true, .reason = {}, .bytes = std::move(bytes)};
}

}  // namespace lanewise::spirv
