// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When the time of the passes is over, optional ones no longer run, and required ones still do.
#include "compiler/pipeline/time_budget.h"

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

namespace lanewise::test {
namespace {

/// Whether the pass would run.
template <class Pass>
bool runs(std::chrono::nanoseconds budget, const Pass& pass) {
  llvm::LLVMContext context;
  const llvm::Module module("m", context);
  llvm::PassInstrumentationCallbacks callbacks;
  limit_time(callbacks, budget);
  return llvm::PassInstrumentation(&callbacks).runBeforePass(pass, module);
}

TEST(TimeBudget, EndsOptionalPassesOnly) {
  EXPECT_TRUE(runs(std::chrono::hours(1), llvm::GlobalDCEPass()));
  EXPECT_FALSE(runs(std::chrono::nanoseconds(0), llvm::GlobalDCEPass()));
  EXPECT_TRUE(runs(std::chrono::nanoseconds(0), llvm::AlwaysInlinerPass()));
}

}  // namespace
}  // namespace lanewise::test
