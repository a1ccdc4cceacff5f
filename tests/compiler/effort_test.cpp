// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a kernel's size decides its build: by instructions, so that the same source always gives the same code.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "compiler/base/effort.h"
#include "compiler/frontend/link.h"
#include "compiler/pipeline/llvm_pipelines.h"
#include "compiler/program/split.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

TEST(Effort, FollowsTheNumberOfInstructions) {
  EXPECT_EQ(effort_for(0), Effort::normal);
  EXPECT_EQ(effort_for(kNormalInstructions), Effort::normal);
  EXPECT_EQ(effort_for(kNormalInstructions + 1), Effort::brief);
  EXPECT_EQ(effort_for(kBriefInstructions), Effort::brief);
  EXPECT_EQ(effort_for(kBriefInstructions + 1), Effort::reduced);
  EXPECT_EQ(effort_for(kReducedInstructions), Effort::reduced);
  EXPECT_EQ(effort_for(kReducedInstructions + 1), Effort::least);
}

TEST(Effort, IsLessForKernelsOfALargeProgram) {
  EXPECT_EQ(effort_for(0, true), Effort::cold);
  EXPECT_EQ(effort_for(kBriefInstructions, true), Effort::cold);
  EXPECT_EQ(effort_for(kBriefInstructions + 1, true), Effort::reduced);
  EXPECT_EQ(effort_for(kReducedInstructions + 1, true), Effort::least);
}

TEST(Effort, AProgramOfManyKernelsIsLargeSooner) {
  EXPECT_FALSE(is_large_program(kLargeProgram, 1));
  EXPECT_TRUE(is_large_program(kLargeProgram + 1, 1));
  EXPECT_FALSE(is_large_program(kLargeProgramOfMany + 1, kManyKernels - 1));
  EXPECT_FALSE(is_large_program(kLargeProgramOfMany, kManyKernels));
  EXPECT_TRUE(is_large_program(kLargeProgramOfMany + 1, kManyKernels));
}

std::string steps(unsigned count) {
  std::string text = "kernel void k(global uint* data) { uint x = data[get_global_id(0)];\n";
  for (unsigned n = 0; n < count; ++n)
    text += "x = x * " + std::to_string(2 * n + 3) + "u + 1u; x ^= x >> " + std::to_string(n % 13 + 3) + ";\n";
  return text + "data[get_global_id(0)] = x; }\n";
}

TEST(Effort, HugeKernelsSayThatTheyAreScalar) {
  abi::Build q = build_of(steps(kReducedInstructions / 4 + 100));
  q.code.report_vectors = true;
  const abi::Reply reply = run_request(q);
  ASSERT_EQ(reply.status, 0) << reply.log;
  ASSERT_EQ(reply.loops.size(), 1u);
  EXPECT_EQ(reply.loops[0].width, 1u);
  EXPECT_EQ(reply.loops[0].reason, "a huge kernel");
  EXPECT_EQ(reply.log, "");
}

TEST(Effort, TheSameSourceGivesTheSameImage) {
  const std::string source = steps(kBriefInstructions / 4 + 100);
  const abi::Reply first = build_program(source);
  ASSERT_EQ(first.status, 0) << first.log;
  EXPECT_EQ(first.code_object, build_program(source).code_object);
}

/// A kernel of some 250 instructions and more, of which 12 read where lanes are nearly always consecutive.
std::string wrapped_reads(const std::string& name, const std::string& begin = "") {
  std::string text = "kernel void " + name + "(global const float* in, global float* out, int mask) {\n" +
                     "  int i = get_global_id(0);\n  float x = 1.0f;\n" + begin;
  for (int n = 0; n < 12; ++n) {
    text += "  x = x * in[(i + " + std::to_string(n) + ") & mask] + " + std::to_string(n) + ".5f;\n";
    for (int k = 0; k < 16; ++k) text += "  x = fma(x, x, " + std::to_string(k) + ".25f);\n";
  }
  return text + "  out[i] = x;\n}\n";
}

std::string program_of(unsigned kernels, const std::string& begin = "") {
  std::string text;
  for (unsigned n = 0; n < kernels; ++n) text += wrapped_reads("k" + std::to_string(n), begin);
  return text;
}

/// An intermediate form of one kernel of a program, whose kernels are compiled at once.
std::string form_of(const std::string& kernel, const std::string& source, const std::string& phase) {
  abi::Build q = build_of(source);
  q.code.isa = Isa(IsaLevel::x86_64_v4);
  std::string text;
  const PipelineObserver observer{.wants = [&](std::string_view p) { return p == phase; },
                                  .show =
                                      [&](std::string_view, std::string_view of, std::string_view shown) {
                                        if (of == kernel) text = shown;
                                      }};
  const abi::Reply reply = run_request(q, &observer);
  EXPECT_EQ(reply.status, 0) << reply.log;
  EXPECT_NE(text, "");
  return text;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A read that is consecutive, or masked and consecutive, or scattered; the second of them is left out.
TEST(Effort, ReadsHaveFewerFormsInALargeProgram) {
  const std::string masked = "call <32 x float> @llvm.masked.load", scattered = "call <32 x float> @llvm.masked.gather";
  for (const unsigned kernels : {1U, 2U}) {
    const std::string small = form_of("k0", program_of(kernels), "lowered");
    EXPECT_EQ(count(small, masked), 12U);
    EXPECT_EQ(count(small, scattered), 12U);
  }
  const std::string large = form_of("k0", program_of(30), "lowered");
  EXPECT_EQ(count(large, masked), 0U);
  EXPECT_EQ(count(large, scattered), 12U);
}

// Elements of private arrays, of which a lane that does not store may have a value: 8 masked stores, or 8 loads,
// selections and stores.
TEST(Effort, StoresAreMaskedInALargeProgram) {
  const std::string stored =
      "kernel void a(global float* p, global int* q) { int i = get_global_id(0); float v[8], x = p[i];\n"
      "for (int k = 0; k < q[i]; ++k) { v[0] = x; v[1] = 1; v[2] = 2; v[3] = 3; v[4] = 4; v[5] = 5; v[6] = 6; v[7] = "
      "7;\n"
      "x += v[(i + k) & 7]; v[k & 7] = x; x += v[(i + (int)x) & 7];\n";
  std::string work;
  for (int k = 0; k < 250; ++k) work += "x = fma(x, x, " + std::to_string(k) + ".25f);\n";
  const std::string source = stored + work + "}\np[i] = x; }\n";
  const std::string blended = "freeze <16 x float>", masked = "call void @llvm.masked.store.v16f32";
  const std::string small = form_of("a", source + program_of(1), "lowered");
  EXPECT_GE(count(small, blended), 8U);
  const std::string large = form_of("a", source + program_of(30), "lowered");
  EXPECT_EQ(count(large, blended), 0U);
  EXPECT_GE(count(large, masked), 8U);
}

// Loops that may be unrolled completely, with a private array and without, and one that may not.
TEST(Effort, KernelsWithCountedLoopsKeepTheirsInALargeProgram) {
  const std::string begin = "kernel void a(global float* p) { int i = get_global_id(0); float x = 0, v[4];\n";
  const std::string array =
      "for (int k = 0; k < 4; ++k) v[k] = p[4 * i + k];\n"
      "for (int k = 0; k < 4; ++k) x += v[k] * v[3 - k];\n";
  const std::string chosen =
      "for (int k = 0; k < 4; ++k) v[k] = p[4 * i + k];\n"
      "for (int k = 0; k < 4; ++k) x += v[k] * v[(3 - k) ^ (i & 1)];\n";
  const std::string values = "for (int k = 0; k < 4; ++k) x += p[4 * i + k];\n";
  const std::string unknown = "for (int k = 0; k < i; ++k) x += p[4 * i + k];\n";
  const std::string end = "p[4 * i] = x; }\n";
  const auto same = [&](const std::string& body) {
    const std::string kernel = begin + body + end;
    return form_of("a", kernel + program_of(1), "optimised") == form_of("a", kernel + program_of(30), "optimised");
  };
  EXPECT_TRUE(same(chosen));
  EXPECT_TRUE(same(values));
  EXPECT_FALSE(same(unknown));
  // Counters alone choose its elements, which are values before effort is chosen.
  EXPECT_EQ(form_of("a", begin + array + end + program_of(30), "optimised").find("alloca"), std::string::npos);
}

// Helpers count for each kernel that calls them: they are inlined into all of them.
TEST(Effort, AProgramIsAsLargeAsItsKernelsWithTheirFunctions) {
  llvm::LLVMContext context;
  const abi::Reply reply = compile_only(
      "float f(float x) { return x * 2.0f + 1.0f; }\n"
      "kernel void a(global float* p) { p[0] = f(p[0]); }\n"
      "kernel void b(global float* p) { p[1] = f(p[1]); }\n");
  ASSERT_EQ(reply.status, 0) << reply.log;
  auto module = read_program(reply.ir, context);
  ASSERT_TRUE(static_cast<bool>(module));
  const unsigned all = (*module)->getInstructionCount(), shared = (*module)->getFunction("f")->getInstructionCount();
  const KernelParts parts(**module, kernels_of(**module));
  EXPECT_EQ(parts.instructions(), all + shared);
}

}  // namespace
}  // namespace lanewise::test
