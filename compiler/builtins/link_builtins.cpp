// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/link_builtins.h"

#include "compiler/base/diagnostics.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/library.h"

namespace lanewise {
namespace {

llvm::Error link_builtins(llvm::Module& module, const BuiltinLibrary& library) {
  auto missing = library.link_into(module);
  if (!missing) return failure("internal compiler error: " + llvm::toString(missing.takeError()));
  std::string names;
  for (const std::string& name : *missing) {
    const llvm::Function* function = module.getFunction(name);
    if (function == nullptr || known_function(*function) != Known::none) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return llvm::Error::success();
  return failure("internal compiler error: no definition of " + names);
}

}  // namespace

const BuiltinLibrary* library_of(KernelContext& context) {
  if (!context.options.builtins) context.fail(failure("internal compiler error: no built-in library"));
  return context.options.builtins.get();
}

llvm::PreservedAnalyses LinkBuiltinsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (const BuiltinLibrary* library = library_of(context))
    if (llvm::Error error = link_builtins(module, *library)) context.fail(std::move(error));
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
