// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/other_forms.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <string>
#include <vector>

#include "compiler/base/context.h"
#include "compiler/builtins/library.h"
#include "compiler/builtins/link_builtins.h"

namespace lanewise::builtins {
namespace {

constexpr llvm::StringLiteral kRelaxed = "__lw_relaxed_";
constexpr llvm::StringLiteral kFirstTier = "__lw_first_";

/// `_Z3powff` -> `_Z16__lw_relaxed_powff`; empty for other names. The rest of a mangled name never refers back to the
/// name of the function, so it stays as it is.
std::string name_of_form(llvm::StringRef prefix, llvm::StringRef mangled) {
  unsigned size = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, size) || size > mangled.size()) return {};
  return "_Z" + std::to_string(size + prefix.size()) + prefix.str() + mangled.str();
}

std::vector<llvm::Function*> called_functions(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (auto& f : module)
    if (f.isDeclaration() && !f.isIntrinsic() && !f.use_empty()) functions.push_back(&f);
  return functions;
}

llvm::FunctionCallee declare_form(llvm::Function& f, const std::string& name) {
  llvm::FunctionCallee form = f.getParent()->getOrInsertFunction(name, f.getFunctionType(), f.getAttributes());
  llvm::cast<llvm::Function>(form.getCallee())->setCallingConv(f.getCallingConv());
  return form;
}

bool approximate(const llvm::User& user, const llvm::Function& callee) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
  return call != nullptr && call->getCalledOperand() == &callee && llvm::isa<llvm::FPMathOperator>(call) &&
         call->hasApproxFunc();
}

}  // namespace

namespace {

bool call_first_tier_forms(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef)> defines) {
  bool changed = false;
  for (auto* f : called_functions(module)) {
    const std::string name = f->getName().contains("_image") ? name_of_form(kFirstTier, f->getName()) : std::string();
    if (name.empty() || !defines(name)) continue;
    f->replaceAllUsesWith(declare_form(*f, name).getCallee());
    changed = true;
  }
  return changed;
}

}  // namespace

bool call_relaxed_forms(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef)> defines) {
  bool changed = false;
  for (auto* f : called_functions(module)) {
    std::vector<llvm::CallInst*> calls;
    for (auto* user : f->users())
      if (approximate(*user, *f)) calls.push_back(llvm::cast<llvm::CallInst>(user));
    const std::string name = calls.empty() ? std::string() : name_of_form(kRelaxed, f->getName());
    if (name.empty() || !defines(name)) continue;
    const auto form = declare_form(*f, name);
    for (auto* call : calls) call->setCalledFunction(form);
    changed = true;
  }
  return changed;
}

llvm::PreservedAnalyses CallRelaxedFormsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const BuiltinLibrary* library = library_of(context_of(module, analyses));
  if (library == nullptr) return llvm::PreservedAnalyses::all();
  return keeping_blocks(call_relaxed_forms(module, [&](llvm::StringRef name) { return library->defines(name); }));
}

llvm::PreservedAnalyses CallFirstTierFormsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const BuiltinLibrary* library = library_of(context_of(module, analyses));
  if (library == nullptr) return llvm::PreservedAnalyses::all();
  return keeping_blocks(call_first_tier_forms(module, [&](llvm::StringRef name) { return library->defines(name); }));
}

}  // namespace lanewise::builtins
