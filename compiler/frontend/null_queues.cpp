// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/null_queues.h"

#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>

namespace lanewise {
namespace {

class NullQueues final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  NullQueues() { ShouldVisitTemplateInstantiations = true; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
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
