// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tests of loops that are asked once in front of them, on numbers of 8 bits: every first number and every limit, all
/// comparisons, steps up and down, and as many iterations as may be, one more, and so many that the number comes around.
/// The loop gives the iterations in which the test held as bits.
#include "compiler/vectors/range_tests.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <memory>
#include <string>

#include "compiler/base/analyses.h"

namespace lanewise::test {
namespace {

/// Four times 31 is less than half of 256.
constexpr RangeTestLimits kLimits{.least_bits = 8, .largest_step = 4, .most_turns = 31};
constexpr unsigned kTurns[] = {0, 1, 2, 30, 31, 32, 63};
constexpr const char* kSmaller[] = {"slt", "sle", "ult", "ule"};
constexpr const char* kGreater[] = {"sgt", "sge", "ugt", "uge"};
constexpr int kSteps[] = {1, 3, 4, -1, -4};

std::string function_of(const std::string& name, const std::string& test, int step) {
  return "define i64 @" + name + R"((i8 %first, i8 %limit, i64 %turns) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %number = phi i8 [ %first, %entry ], [ %number.next, %latch ]
  %held = phi i64 [ 0, %entry ], [ %held.next, %latch ]
  )" + test +
         R"(
  br i1 %holds, label %inside, label %latch
inside:
  %bit = shl i64 1, %i
  %more.held = or i64 %held, %bit
  br label %latch
latch:
  %held.next = phi i64 [ %held, %loop ], [ %more.held, %inside ]
  %number.next = add i8 %number, )" +
         std::to_string(step) + R"(
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %turns
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %held.next
}
)";
}

/// Each as it is, and with `_hoisted` in its name.
std::string functions(const std::string& test) {
  std::string text;
  for (unsigned step = 0; step < std::size(kSteps); ++step) {
    const std::string name = "f" + std::to_string(step);
    text += function_of(name, test, kSteps[step]) + function_of(name + "_hoisted", test, kSteps[step]);
  }
  return text;
}

class RangeTests : public ::testing::Test {
 protected:
  using Function = std::uint64_t(std::uint8_t, std::uint8_t, std::uint64_t);

  /// Hoists what has that in its name.
  void compile(const std::string& text) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text, diagnostic, *context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
    Analyses analyses;
    for (llvm::Function& function : *module) {
      if (!function.getName().contains("_hoisted")) continue;
      const unsigned before = function.getInstructionCount();
      hoist_range_tests(function, analyses.functions, kLimits);
      ASSERT_GT(function.getInstructionCount(), before) << "nothing was hoisted";
    }
    ASSERT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
    auto jit = llvm::orc::LLJITBuilder().create();
    ASSERT_TRUE(static_cast<bool>(jit)) << llvm::toString(jit.takeError());
    jit_ = std::move(*jit);
    module->setDataLayout(jit_->getDataLayout());
    auto error = jit_->addIRModule({std::move(module), std::move(context)});
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  }

  void compare() {
    for (unsigned step = 0; step < std::size(kSteps); ++step) {
      const std::string name = "f" + std::to_string(step);
      Function* plain = get(name);
      Function* hoisted = get(name + "_hoisted");
      ASSERT_TRUE(plain && hoisted);
      for (const unsigned turns : kTurns)
        for (unsigned pair = 0; pair < 256 * 256; ++pair) {
          const auto first = static_cast<std::uint8_t>(pair);
          const auto limit = static_cast<std::uint8_t>(pair >> 8);
          if (hoisted(first, limit, turns) == plain(first, limit, turns)) continue;
          FAIL() << "step " << kSteps[step] << " from " << unsigned{first} << ", limit " << unsigned{limit} << ", "
                 << turns << " turns";
        }
    }
  }

 private:
  Function* get(const std::string& name) {
    auto symbol = jit_->lookup(name);
    EXPECT_TRUE(static_cast<bool>(symbol)) << llvm::toString(symbol.takeError());
    return symbol ? symbol->toPtr<Function*>() : nullptr;
  }

  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

TEST_F(RangeTests, HoldAsBeforeWithOneLimit) {
  for (const auto* predicates : {&kSmaller, &kGreater})
    for (const std::string predicate : *predicates) {
      SCOPED_TRACE(predicate);
      ASSERT_NO_FATAL_FAILURE(compile(functions("%holds = icmp " + predicate + " i8 %number, %limit")));
      ASSERT_NO_FATAL_FAILURE(compare());
    }
}

/// Two tests of a number and of one beside it: not below 5, not above the limit.
TEST_F(RangeTests, HoldAsBeforeWithTwoLimits) {
  for (const char kind : {'s', 'u'}) {
    SCOPED_TRACE(kind);
    const std::string least = std::string("%least = icmp ") + kind + "ge i8 %number, 5\n";
    const std::string most =
        std::string("  %beside = add i8 %number, 7\n  %most = icmp ") + kind + "ge i8 %limit, %beside\n";
    ASSERT_NO_FATAL_FAILURE(compile(functions(least + most + "  %holds = and i1 %least, %most")));
    ASSERT_NO_FATAL_FAILURE(compare());
  }
}

}  // namespace
}  // namespace lanewise::test
