// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The form of the math functions: what a vectoriser needs to widen them, and no more calls than intended.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cmath>
#include <set>
#include <string>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

constexpr const char* kUnary[] = {"exp",   "exp2",  "exp10",      "expm1",      "log",        "log2",      "log10",
                                  "log1p", "sinh",  "cosh",       "tanh",       "asin",       "acos",      "atan",
                                  "cbrt",  "sinpi", "cospi",      "tanpi",      "asinpi",     "acospi",    "atanpi",
                                  "erf",   "erfc",  "native_sin", "native_cos", "native_exp", "native_log"};
constexpr const char* kBinary[] = {"atan2", "atan2pi"};
constexpr const char* kDouble[] = {"exp",   "exp2", "exp10", "expm1", "log",   "log2", "log10",
                                   "log1p", "sinh", "cosh",  "tanh",  "asin",  "acos", "atan",
                                   "cbrt",  "erf",  "erfc",  "sinpi", "cospi", "rsqrt"};

/// Those for whose rare arguments there is a branch, below x86-64-v4.
const std::set<std::string> kBranchFloat = {"exp", "exp2", "exp10", "log", "log2", "log10", "log1p", "native_log"};
const std::set<std::string> kBranchDouble = {"exp",  "exp2", "exp10", "log", "log2", "log10", "log1p",
                                             "sinh", "cosh", "cbrt",  "erf", "erfc", "rsqrt"};
constexpr unsigned kOneBranch = 3;

/// Whether nearly all work-items go the same way: the vectoriser then tests whether all of them do.
bool is_unlikely(const llvm::Instruction& branch) {
  return branch.getNumSuccessors() < 2 || branch.hasMetadata(llvm::LLVMContext::MD_prof);
}

/// Links a kernel that calls `call` and expects at most `blocks` blocks, without calls but for those of the library's
/// own steps, in every function that was linked.
void expect_straight_line(const std::string& call, const std::string& type, unsigned blocks = 1) {
  llvm::LLVMContext context;
  auto module = compile("kernel void k(global " + type + "* x, global int* n) { x[0] = " + call + "; }", context);
  ASSERT_TRUE(module);
  auto library = BuiltinLibrary::open(builtins_directory(), IsaLevel::x86_64_v3);
  ASSERT_TRUE(static_cast<bool>(library));
  ASSERT_TRUE(static_cast<bool>((*library)->link_into(*module)));
  for (const auto& f : *module) {
    if (f.isDeclaration() || !f.getName().starts_with("_Z")) continue;
    EXPECT_LE(f.size(), blocks) << call << " has branches";
    EXPECT_TRUE(is_unlikely(*f.front().getTerminator())) << call << " has a likely branch";
    for (const auto& i : llvm::instructions(f))
      if (const auto* inner = llvm::dyn_cast<llvm::CallBase>(&i)) {
        const llvm::Function* callee = inner->getCalledFunction();
        ASSERT_TRUE(callee != nullptr) << call;
        EXPECT_TRUE(callee->isIntrinsic() || callee->getName().contains("__lw_")) << call << " calls";
      }
  }
}

TEST(BuiltinForm, FloatFunctionsHaveNoCallsAndBranchesForRareArgumentsOnly) {
  for (const std::string name : kUnary)
    expect_straight_line(name + "(x[1])", "float", kBranchFloat.contains(name) ? kOneBranch : 1);
  for (const char* name : kBinary) expect_straight_line(std::string(name) + "(x[1], x[2])", "float");
}

TEST(BuiltinForm, DoubleFunctionsHaveNoCallsAndBranchesForRareArgumentsOnly) {
  for (const std::string name : kDouble)
    expect_straight_line(name + "(x[1])", "double", kBranchDouble.contains(name) ? kOneBranch : 1);
  expect_straight_line("atan2(x[1], x[2])", "double");
}

/// Zeros, infinities, negative numbers and results near the ends of the range are handled behind branches that most
/// vectors do not take; there may be others behind those.
TEST(BuiltinForm, PowersHaveUnlikelyBranchesAndNoCalls) {
  constexpr unsigned kFewBranches = 8;
  for (const char* type : {"float", "double"}) {
    for (const char* name : {"pow", "powr"})
      expect_straight_line(std::string(name) + "(x[1], x[2])", type, kFewBranches);
    for (const char* name : {"pown", "rootn"})
      expect_straight_line(std::string(name) + "(x[1], n[0])", type, kFewBranches);
  }
}

TEST(BuiltinForm, NativeFormsAreCloseWhereTheyAreMeant) {
  BuiltinProgram program(R"(
    void e(global const float* x, global float* r, int n) { for (int i = 0; i < n; ++i) r[i] = native_exp(x[i]); }
    void l(global const float* x, global float* r, int n) { for (int i = 0; i < n; ++i) r[i] = native_log(x[i]); }
    void s(global const float* x, global float* r, int n) { for (int i = 0; i < n; ++i) r[i] = native_sin(x[i]); }
    void c(global const float* x, global float* r, int n) { for (int i = 0; i < n; ++i) r[i] = native_cos(x[i]); })",
                         host_level());
  const auto compare = [&](const char* name, double (*want)(double), double low, double high, double tolerance) {
    auto* run = program.get<void(const float*, float*, int)>(name);
    ASSERT_TRUE(run);
    std::vector<float> x(10000), r(10000);
    for (int i = 0; i < 10000; ++i) x[i] = static_cast<float>(low + (high - low) * i / 9999);
    run(x.data(), r.data(), 10000);
    for (int i = 0; i < 10000; ++i) {
      const double exact = want(static_cast<double>(x[i]));
      ASSERT_NEAR(r[i], exact, tolerance * std::max(1.0, std::abs(exact))) << name << "(" << x[i] << ")";
    }
  };
  compare("e", std::exp, -80, 80, 2e-5);
  compare("l", std::log, 1e-6, 1e6, 2e-6);
  compare("s", std::sin, -5000, 5000, 1e-6);
  compare("c", std::cos, -5000, 5000, 1e-6);
}

}  // namespace
}  // namespace lanewise::test
