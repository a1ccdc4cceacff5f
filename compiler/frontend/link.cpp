// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/link.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

#include "compiler/base/diagnostics.h"

namespace lanewise {
namespace {

using ModuleOrError = llvm::Expected<std::unique_ptr<llvm::Module>>;

llvm::MemoryBufferRef buffer_of(std::span<const std::uint8_t> ir) {
  return {llvm::StringRef(reinterpret_cast<const char*>(ir.data()), ir.size()), "program"};
}

llvm::Error check(const llvm::Module& module) {
  std::string reason;
  llvm::raw_string_ostream out(reason);
  if (llvm::verifyModule(module, &out)) return failure("program IR is not valid: " + reason);
  if (!module.getTargetTriple().isSPIR()) return failure("program IR is not for this device");
  return llvm::Error::success();
}

/// Reads the body of `kernel` and those of all functions that are used by something. What has been read shows new uses.
llvm::Error read_used(llvm::Module& module, llvm::StringRef kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : module) {
      if (!function.isMaterializable() || (function.use_empty() && function.getName() != kernel)) continue;
      if (llvm::Error error = function.materialize()) return error;
      changed = true;
    }
  }
  return llvm::Error::success();
}

}  // namespace

ModuleOrError read_program(std::span<const std::uint8_t> ir, llvm::LLVMContext& context) {
  DiagnosticCapture capture(context);
  auto module = llvm::parseBitcodeFile(buffer_of(ir), context);
  if (!module) return module.takeError();
  if (llvm::Error error = check(**module)) return error;
  return module;
}

ModuleOrError read_kernel(std::span<const std::uint8_t> ir, llvm::StringRef kernel, llvm::LLVMContext& context) {
  DiagnosticCapture capture(context);
  auto module = llvm::getLazyBitcodeModule(buffer_of(ir), context);
  if (!module) return module.takeError();
  if (llvm::Error error = read_used(**module, kernel)) return error;
  for (llvm::Function& function : llvm::make_early_inc_range(**module))
    if (function.isMaterializable()) function.eraseFromParent();
  if (llvm::Error error = (*module)->materializeAll()) return error;
  if (llvm::Error error = check(**module)) return error;
  return module;
}

Bytes write_program(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream out(buffer);
  llvm::WriteBitcodeToFile(module, out);
  return {buffer.begin(), buffer.end()};
}

llvm::Expected<std::unique_ptr<llvm::Module>> link_programs(std::span<const Bytes> inputs, llvm::LLVMContext& context,
                                                            bool& damaged) {
  damaged = false;
  DiagnosticCapture capture(context);
  std::unique_ptr<llvm::Module> whole;
  for (const Bytes& input : inputs) {
    auto module = read_program(input, context);
    if (!module) {
      damaged = true;
      return module.takeError();
    }
    if (!whole) {
      whole = std::move(*module);
      continue;
    }
    if (llvm::Linker::linkModules(*whole, std::move(*module))) return failure(capture.text);
  }
  if (!whole) return failure("nothing to link");
  return whole;
}

std::vector<std::string> unresolved_symbols(const llvm::Module& module,
                                            llvm::function_ref<bool(const llvm::Function&)> is_builtin) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.use_empty() || function.isIntrinsic() || is_builtin(function)) continue;
    names.push_back(function.getName().str());
  }
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty()) names.push_back(variable.getName().str());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<llvm::Function*> kernels_of(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      kernels.push_back(&function);
  return kernels;
}

void internalize_all_but_kernels(llvm::Module& module) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration()) continue;
    const auto* function = llvm::dyn_cast<llvm::Function>(&value);
    if (function != nullptr && function->getCallingConv() == llvm::CallingConv::SPIR_KERNEL) continue;
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  }
}

}  // namespace lanewise
