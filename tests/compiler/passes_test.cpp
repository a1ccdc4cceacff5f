// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes by their names, and the pipeline that consists of them.
#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Target/TargetMachine.h>

#include <set>

#include "compiler/base/context.h"
#include "compiler/builtins/library.h"
#include "compiler/frontend/link.h"
#include "compiler/object/code_generator.h"
#include "compiler/object/code_object.h"
#include "compiler/pipeline/kernel_pipeline.h"
#include "compiler/pipeline/registry.h"
#include "compiler/program/kernel_info.h"
#include "compiler/target/machine.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

constexpr const char* kKernel = R"(
  float twice(float x) { return 2 * x; }
  kernel void k(global float* a, global half* h, local float* t, int n) {
    const size_t g = get_global_id(0), l = get_local_id(0);
    t[l] = twice(a[g]) / (float)n + sin(a[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g % 3 != 0) a[g] = t[(l + 1) % get_local_size(0)];
    vstore_half(a[g], g, h);
  })";

/// The image that `run_passes` gives for the canonical IR of a program with one kernel.
Bytes image_by_names(const abi::Reply& program, const std::string& names, Isa isa) {
  llvm::LLVMContext context;
  bool damaged = false;
  auto module = link_programs({&program.ir, 1}, context, damaged);
  EXPECT_TRUE(static_cast<bool>(module));
  internalize_all_but_kernels(**module);
  auto machine = make_target_machine(isa, true);
  EXPECT_TRUE(static_cast<bool>(machine));
  CodegenOptions options;
  options.isa = isa;
  options.builtins = *BuiltinLibrary::open(compiler_directory(), isa);
  abi::KernelInfo info = describe_kernel(*kernels_of(**module).front());
  KernelContext kernel = driver_context(options, **machine, info, nullptr);
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::StandardInstrumentations instrumentation(context, false, /*VerifyEach=*/true);
  instrumentation.registerCallbacks(callbacks);
  llvm::Error error = run_passes(names, **module, kernel, &callbacks, llvm::outs());
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  auto object = emit(**module, kernel, llvm::CodeGenFileType::ObjectFile);
  EXPECT_TRUE(static_cast<bool>(object));
  auto image = link_code_object({llvm::StringRef(object->data(), object->size())}, isa);
  EXPECT_TRUE(static_cast<bool>(image));
  return *image;
}

TEST(Passes, ThePipelineByItsNamesMakesTheImageOfTheDriver) {
  const abi::Reply program = build_program(kKernel);
  ASSERT_EQ(program.status, 0) << program.log;
  std::string names;
  for (const KernelStep& step : kernel_pipeline()) names += (names.empty() ? "" : ",") + std::string(step.pass);
  for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    abi::Link q;
    q.inputs = {program.ir};
    q.code.isa = level;
    const abi::Reply reply = run_request(q);
    ASSERT_EQ(reply.status, 0) << reply.log;
    EXPECT_TRUE(image_by_names(program, names, level) == reply.code_object) << Isa(level).name();
    EXPECT_TRUE(image_by_names(program, "kernel", level) == reply.code_object) << Isa(level).name();
    EXPECT_FALSE(image_by_names(program,
                                "keep-kernel,call-relaxed-forms,link-builtins,retarget,describe-queries,"
                                "simplify-functions,mark-for-inlining,inline-marked,lower-work-groups",
                                level) == reply.code_object)
        << "a part of the list makes the same";
  }
}

TEST(Passes, StepsAreRegisteredAndSayWhyTheyStandThere) {
  std::set<std::string> seen;
  for (const KernelStep& step : kernel_pipeline()) {
    llvm::ModulePassManager passes;
    llvm::Error error = add_pass(step.pass, passes);
    EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
    EXPECT_TRUE(seen.insert(step.pass).second) << step.pass << " stands there twice";
    EXPECT_GT(std::string(step.why).size(), 20U) << step.pass;
    EXPECT_GT(std::string(step.what).size(), 10U) << step.pass;
  }
}

/// The table is to be read in one go.
TEST(Passes, TheTableFitsOnOneScreen) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print_pipeline(out);
  EXPECT_LE(llvm::StringRef(text).count('\n'), 100U);
  for (const KernelStep& step : kernel_pipeline())
    EXPECT_NE(text.find(std::string(step.pass) + " "), std::string::npos);
}

/// A gate is open if and only if each of its conditions holds.
TEST(Passes, GatesAreTheConditionsOfTheKernel) {
  auto machine = make_target_machine(IsaLevel::x86_64_v3, true);
  ASSERT_TRUE(static_cast<bool>(machine));
  const abi::Specialisation launches;
  CodegenOptions options;
  abi::KernelInfo info;
  const auto opens = [&](Gate gate) { return is_open(gate, driver_context(options, **machine, info, nullptr)); };
  using namespace gates;
  for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    options.isa = level;
    EXPECT_EQ(opens(ternary_logic), level == IsaLevel::x86_64_v4);
    EXPECT_EQ(opens(no_mask_registers), level != IsaLevel::x86_64_v4);
    EXPECT_EQ(opens(lane_functions), level != IsaLevel::x86_64_v2);
  }
  EXPECT_TRUE(opens(always));
  EXPECT_TRUE(opens(first_tier & may_vectorise & ternary_logic));
  EXPECT_FALSE(opens(hot));
  options.launches = &launches;
  EXPECT_TRUE(opens(hot));
  EXPECT_FALSE(opens(first_tier & may_vectorise & ternary_logic)) << "one of three";
  EXPECT_FALSE(opens(zero_private));
  options.zero_private = true;
  EXPECT_TRUE(opens(zero_private & hot & optimised));
  options.optimise = false;
  EXPECT_FALSE(opens(optimised));
  EXPECT_FALSE(opens(may_vectorise));
  EXPECT_EQ(text_of(always), "always");
  EXPECT_EQ(text_of(hot & optimised), "optimised, hot");

  KernelContext context = driver_context(options, **machine, info, nullptr);
  EXPECT_TRUE(is_open(vectors & full_effort & work_items & any_vectors & moves_variables, context));
  context.effort = Effort::brief;
  EXPECT_FALSE(is_open(full_effort, context));
  context.vectors = false;
  EXPECT_FALSE(is_open(vectors, context));
  EXPECT_FALSE(is_open(any_vectors, context));
  info.sub_group_size = 8;
  EXPECT_TRUE(is_open(any_vectors, context));
  context.lowered_as_vectors = true;
  EXPECT_FALSE(is_open(work_items, context));
  context.workgroup.every_value = true;
  EXPECT_FALSE(is_open(moves_variables, context));
}

TEST(Passes, AllAreListedOnce) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print_passes(out);
  std::set<std::string> names;
  for (llvm::StringRef rest = text; !rest.empty(); rest = rest.split('\n').second)
    EXPECT_TRUE(names.insert(rest.split(' ').first.str()).second) << rest.split(' ').first.str();
  for (const KernelStep& step : kernel_pipeline())
    EXPECT_TRUE(names.contains(llvm::StringRef(step.pass).split('<').first.str())) << step.pass;
}

TEST(Passes, UnknownNamesAndParametersAreErrors) {
  for (const char* wrong : {"", "vectorize", "vectorise<8>", "optimise<fast>", "optimise<full", "show"}) {
    llvm::ModulePassManager passes;
    llvm::Error error = add_pass(wrong, passes);
    EXPECT_TRUE(static_cast<bool>(error)) << wrong;
    llvm::consumeError(std::move(error));
  }
  for (const char* right : {"vectorise", "optimise", "optimise<full;scalar>", "optimise<vectors>", "show<lowered>"}) {
    llvm::ModulePassManager passes;
    llvm::Error error = add_pass(right, passes);
    EXPECT_FALSE(static_cast<bool>(error)) << right << llvm::toString(std::move(error));
  }
}

/// One step reports recursion; the steps after it would never end.
TEST(Passes, NothingRunsBehindAnError) {
  const abi::Reply reply = build_program(R"(
    int down(int n) { return n == 0 ? 0 : 1 + down(n - 1) + down(n / 2); }
    kernel void k(global int* a) { a[0] = down(a[1]); })");
  EXPECT_NE(reply.status, 0);
  EXPECT_TRUE(contains(reply.log, "recursion is not supported: 'down'")) << reply.log;
}

}  // namespace
}  // namespace lanewise::test
