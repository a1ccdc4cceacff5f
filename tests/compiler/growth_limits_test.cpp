// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes are left out on large code (compiler/pipeline/growth_limits.h).
#include "compiler/pipeline/growth_limits.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>

#include "compiler/base/extent.h"

namespace lanewise::test {
namespace {

/// Whether accesses are compared in a loop that has so many of them.
bool compares(unsigned accesses, bool hot) {
  std::string text =
      "define void @f(ptr %p, i64 %n) {\n  br label %loop\nloop:\n  %i = phi i64 [0, %0], [%next, %loop]\n";
  for (unsigned k = 0; k < accesses; ++k) text += "  %x" + std::to_string(k) + " = load i32, ptr %p\n";
  text += "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %n\n  br i1 %more, label %loop, label %exit\nexit:\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text + "  ret void\n}\n", error, context);
  if (module == nullptr) {
    ADD_FAILURE() << error.getMessage().str();
    return false;
  }
  llvm::PassInstrumentationCallbacks callbacks;
  limit_growth(callbacks, hot);
  const llvm::PassInstrumentation instrumentation(&callbacks);
  return instrumentation.runBeforePass(llvm::LoopLoadEliminationPass(), *module->getFunction("f"));
}

TEST(GrowthLimits, FirstCodeComparesFewerAccesses) {
  EXPECT_TRUE(compares(kQuicklyComparedAccesses, false));
  EXPECT_FALSE(compares(kQuicklyComparedAccesses + 1, false));
  EXPECT_TRUE(compares(kComparedAccesses, true));
  EXPECT_FALSE(compares(kComparedAccesses + 1, true));
}

}  // namespace
}  // namespace lanewise::test
