// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/constant_divisions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace lanewise {
namespace {

using clang::BinaryOperator;

std::optional<llvm::APSInt> constant_of(const clang::Expr& expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (expression.isValueDependent() || !expression.EvaluateAsInt(result, context)) return std::nullopt;
  return result.Val.getInt();
}

class ConstantDivisions final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  ConstantDivisions() { ShouldVisitTemplateInstantiations = true; }
  void Initialize(clang::ASTContext& context) override { context_ = &context; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator* division) override {
    const bool is_quotient = division->getOpcode() == clang::BO_Div;
    if (!is_quotient && division->getOpcode() != clang::BO_Rem) return true;
    if (!division->getType()->isIntegerType() || division->isValueDependent()) return true;
    const auto divisor = constant_of(*division->getRHS(), *context_);
    if (!divisor) return true;
    const llvm::APInt none(divisor->getBitWidth(), 0), all = ~none;
    if (divisor->isZero()) {
      become(*division, is_quotient ? all : none);
    } else if (divisor->isSigned() && divisor->isAllOnes()) {
      const auto dividend = constant_of(*division->getLHS(), *context_);
      if (dividend && dividend->isMinSignedValue()) become(*division, is_quotient ? *dividend : none);
    }
    return true;
  }

 private:
  /// `x / y` becomes `x | result`, or `x & result`, of which nothing but `result` is left.
  void become(BinaryOperator& division, const llvm::APInt& result) const {
    const bool is_zero = result.isZero();
    division.setOpcode(is_zero ? clang::BO_And : clang::BO_Or);
    division.setRHS(clang::IntegerLiteral::Create(*context_, result, division.getRHS()->getType(),
                                                  division.getRHS()->getExprLoc()));
  }

  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mend_constant_divisions() {
  return std::make_unique<ConstantDivisions>();
}

}  // namespace lanewise
