// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/null_queues.h"

#include <clang/AST/DeclGroup.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace lanewise {
namespace {

class NullQueues final : public clang::ASTConsumer, public clang::RecursiveASTVisitor<NullQueues> {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  // The visitor finds these by their names.
  [[nodiscard]] static bool shouldVisitTemplateInstantiations() { return true; }
  [[nodiscard]] static bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_NullToPointer && cast->getType()->isQueueT())
      cast->setCastKind(clang::CK_ZeroToOCLOpaqueType);
    return true;
  }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mend_null_queues() {
  return std::make_unique<NullQueues>();
}

}  // namespace lanewise
