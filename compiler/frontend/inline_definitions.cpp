// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/inline_definitions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/Mangle.h>
#include <llvm/IR/Module.h>

namespace lanewise {
namespace {

class InlineDefinitionConsumer final : public clang::ASTConsumer {
 public:
  explicit InlineDefinitionConsumer(InlineDefinitions& found) : found_(found) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (function == nullptr || !function->doesThisDeclarationHaveABody() || function->isDependentContext()) continue;
      if (function->hasAttr<clang::WeakAttr>() || !is_for_inlining(*function)) continue;
      if (function->hasAttr<clang::DeviceKernelAttr>()) {
        function->setInlineSpecified(false);  // the host calls it, so there is code of it whether anybody else does
        continue;
      }
      function->addAttr(clang::WeakAttr::CreateImplicit(function->getASTContext()));
      made_weak_.push_back(function);
    }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    clang::ASTNameGenerator names(context);
    for (const clang::FunctionDecl* function : made_weak_)
      (is_for_inlining(*function) ? found_.shared : found_.owned).push_back(names.getName(function));
  }

 private:
  static bool is_for_inlining(const clang::FunctionDecl& function) {
    return function.getASTContext().GetGVALinkageForFunction(&function) == clang::GVA_AvailableExternally;
  }

  InlineDefinitions& found_;
  std::vector<const clang::FunctionDecl*> made_weak_;
};

void set_linkage(llvm::Module& module, const std::vector<std::string>& names, llvm::GlobalValue::LinkageTypes linkage) {
  for (const std::string& name : names)
    if (llvm::Function* function = module.getFunction(name); function != nullptr && !function->isDeclaration())
      function->setLinkage(linkage);
}

}  // namespace

std::unique_ptr<clang::ASTConsumer> keep_inline_definitions(InlineDefinitions& found) {
  return std::make_unique<InlineDefinitionConsumer>(found);
}

void finish_inline_definitions(llvm::Module& module, const InlineDefinitions& found) {
  set_linkage(module, found.shared, llvm::GlobalValue::LinkOnceODRLinkage);
  set_linkage(module, found.owned, llvm::GlobalValue::ExternalLinkage);
  // Those of C++ that have GCC's attribute, of which only the ones that can be inlined are here.
  for (llvm::Function& function : module)
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

}  // namespace lanewise
