// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/link.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

#include "compiler/frontend/diagnostics.h"

namespace lanewise {
llvm::Expected<std::unique_ptr<llvm::Module>> read_program(std::span<const std::uint8_t> ir,
                                                           llvm::LLVMContext& context) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(ir.data()), ir.size());
  DiagnosticCapture capture(context);
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "program"), context);
  if (!module) return module.takeError();
  std::string reason;
  llvm::raw_string_ostream out(reason);
  if (llvm::verifyModule(**module, &out)) return failure("program IR is not valid: " + reason);
  if (!(*module)->getTargetTriple().isSPIR()) return failure("program IR is not for this device");
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
