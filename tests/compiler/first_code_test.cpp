// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executables whose kernels get their code later, each for itself: what the build says of them, and that the code is
/// that of a build of the whole program.
#include <numeric>

#include "tests/compiler/direct_launch.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

abi::Reply built(const std::string& source, abi::CodeTime time, std::vector<std::string> options = {}) {
  abi::Build q = build_of(source, std::move(options));
  q.code.time = time;
  return run_request(q);
}

abi::FirstCode first_code(const abi::Reply& program, const std::string& kernel) {
  return {.program = program.ir, .kernel = kernel, .large_program = program.large_program, .code = {}};
}

const char* kKernels = R"(
  float twice(float x) { return x + x; }
  kernel void plain(global float* x) { x[get_global_id(0)] = twice(x[get_global_id(0)]); }
  kernel void rows(global float* x, local float* more, struct { int n; } by) {
    local float shared[64];
    float kept[16];
    for (int i = 0; i < 16; ++i) kept[i] = x[get_global_id(0)] + i;
    shared[get_local_id(0)] = kept[by.n & 15];
    more[get_local_id(0)] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = shared[63 - get_local_id(0)] + kept[3] + more[0];
  }
  kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global int* bins, const global int* in) {
    atomic_inc(&bins[in[get_global_id(0)] & 15]);
  })";

/// Layers of functions, each of which calls the one below four times: after inlining of every call, 4^12 of the first.
std::string layers(const std::string& innermost) {
  std::string text = "float f0(float x) { float a[4] = {x, 1, 2, 3}; return " + innermost + " + a[(int)x & 3]; }\n";
  for (int i = 1; i < 13; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += "float f" + std::to_string(i) + "(float x) { return " + below + "(x + 1) * " + below + "(x - 1) + " +
            below + "(x * 2) - " + below + "(x / 3); }\n";
  }
  return text + "kernel void k(global float* x) { if (x[0] > 5) x[get_global_id(0)] = f12(x[get_global_id(0)]); }";
}

TEST(FirstCode, FunctionsThatShareBodiesCountOnce) {
  const abi::Reply program = built(layers("sin(x) * pow(x, 3.5f)"), abi::CodeTime::wanted);
  ASSERT_EQ(program.status, 0) << program.log;
  ASSERT_TRUE(program.lacks_code);
  const abi::Reply code = run_request(first_code(program, "k"));
  ASSERT_EQ(code.status, 0) << code.log;
  EXPECT_LE(code.kernels.at(0).item_bytes, program.kernels.at(0).item_bytes);
}

/// A long kernel that calls `sin` a thousand times is no reason to make its code in the build.
TEST(FirstCode, BuiltInFunctionsCountOnce) {
  std::string text = "kernel void k(global float* x) {\n  float f = x[get_global_id(0)];\n";
  for (int i = 0; i < 1'000; ++i) text += "  f += sin(f * " + std::to_string(i) + ".5f);\n";
  const abi::Reply program = built(text + "  x[get_global_id(0)] = f;\n}", abi::CodeTime::wanted);
  ASSERT_EQ(program.status, 0) << program.log;
  EXPECT_TRUE(program.lacks_code);
}

TEST(FirstCode, AKernelThatIsTooLargeFailsInTheBuild) {
  abi::Build q = build_of(layers("sub_group_reduce_add(x)"), {"-cl-std=CL3.0"});
  q.source.extensions.emplace_back("cl_khr_subgroups");
  q.source.macros.emplace_back("__opencl_c_subgroups=1");
  q.code.time = abi::CodeTime::wanted;
  const abi::Reply program = run_request(q);
  EXPECT_NE(program.status, 0);
  EXPECT_NE(program.log.find("too large after inlining"), std::string::npos) << program.log;
}

TEST(FirstCode, ABuildDescribesItsKernels) {
  const abi::Reply all = built(kKernels, abi::CodeTime::build);
  ASSERT_EQ(all.status, 0) << all.log;
  EXPECT_FALSE(all.lacks_code);
  const abi::Reply described = built(kKernels, abi::CodeTime::wanted);
  ASSERT_EQ(described.status, 0) << described.log;
  EXPECT_TRUE(described.lacks_code);
  EXPECT_TRUE(described.code_object.empty());
  EXPECT_EQ(described.ir, all.ir);
  EXPECT_EQ(described.log, all.log);
  ASSERT_EQ(described.kernels.size(), all.kernels.size());
  for (std::size_t i = 0; i < all.kernels.size(); ++i) {
    const abi::KernelInfo& bound = described.kernels[i];
    const abi::KernelInfo& exact = all.kernels[i];
    EXPECT_EQ(bound.name, exact.name);
    EXPECT_EQ(bound.attributes, exact.attributes);
    EXPECT_EQ(bound.args_bytes, exact.args_bytes);
    EXPECT_EQ(bound.args.size(), exact.args.size());
    EXPECT_EQ(bound.reqd_work_group_size, exact.reqd_work_group_size);
    EXPECT_GE(bound.local_bytes, exact.local_bytes) << exact.name;
    EXPECT_LE(bound.local_bytes, exact.local_bytes + 256) << exact.name;
    EXPECT_GE(bound.item_bytes, exact.item_bytes) << exact.name;
  }
}

TEST(FirstCode, IsThatOfABuildOfAll) {
  const abi::Reply all = built(kKernels, abi::CodeTime::build);
  const abi::Reply described = built(kKernels, abi::CodeTime::wanted);
  ASSERT_EQ(described.status, 0) << described.log;
  for (const abi::KernelInfo& exact : all.kernels) {
    const abi::Reply code = run_request(first_code(described, exact.name));
    ASSERT_EQ(code.status, 0) << code.log;
    EXPECT_TRUE(code.ir.empty());
    EXPECT_FALSE(code.lacks_code);
    ASSERT_EQ(code.kernels.size(), 1U);
    const abi::KernelInfo& info = code.kernels[0];
    EXPECT_EQ(info.name, exact.name);
    EXPECT_EQ(info.symbol, exact.symbol);
    EXPECT_EQ(info.local_bytes, exact.local_bytes) << exact.name;
    EXPECT_EQ(info.item_bytes, exact.item_bytes) << exact.name;
    EXPECT_EQ(info.group_bytes, exact.group_bytes) << exact.name;
    EXPECT_EQ(info.private_bytes, exact.private_bytes) << exact.name;
    EXPECT_EQ(info.shape, exact.shape) << exact.name;
    EXPECT_EQ(info.instructions, exact.instructions) << exact.name;
    EXPECT_EQ(info.accumulates, exact.accumulates) << exact.name;
  }
  const abi::Reply code = run_request(first_code(described, "plain"));
  std::vector<float> x(64);
  std::iota(x.begin(), x.end(), 0.0F);
  EXPECT_EQ(launch_direct(code, "plain", Range{1, {64, 1, 1}, {16, 1, 1}}, {buffer(x)}, nullptr), "");
  EXPECT_EQ(x[63], 126.0F);
}

TEST(FirstCode, OfALargeProgramIsThatOfABuildOfAll) {
  std::string source;
  for (int k = 0; k < 2; ++k) {
    source += "kernel void k" + std::to_string(k) + "(global uint* data) { uint x = data[get_global_id(0)];\n";
    for (int n = 0; n < 600; ++n)
      source += "x = x * " + std::to_string(2 * n + 3) + "u + 1u; x ^= x >> " + std::to_string(n % 13 + 3) + ";\n";
    source += "data[get_global_id(0)] = x; }\n";
  }
  const abi::Reply all = built(source, abi::CodeTime::build);
  const abi::Reply described = built(source, abi::CodeTime::wanted);
  ASSERT_EQ(described.status, 0) << described.log;
  EXPECT_TRUE(described.large_program);
  const abi::Reply code = run_request(first_code(described, "k1"));
  ASSERT_EQ(code.status, 0) << code.log;
  EXPECT_EQ(code.kernels.at(0).instructions, all.kernels.at(1).instructions);
}

/// Errors that show only when code is made belong to the build, with the same log.
TEST(FirstCode, IsMadeInTheBuildWhereErrorsMightShow) {
  const char* second = "kernel void other(global int* x) { *x = 2; }\n";
  const std::vector<std::string> doubtful = {
      "int down(int n) { return n == 0 ? 0 : down(n - 1); } kernel void k(global int* x) { *x = down(*x); }",
      "kernel __attribute__((intel_reqd_sub_group_size(3))) void k(global int* x) { *x = 1; }",
      "kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int* x) { *x = 1; }",
      "kernel void k(global int* x) { int a[300000000]; for (int i = 0; i < *x; ++i) a[i] = i; *x = a[*x]; }",
      "kernel void k(global int* x) { *(int*)__builtin_alloca(*x) = 1; }",
      "kernel void k(global int* x) { long double d = *x; *x = (int)(d / 3.0L); }",
      "kernel void k(global int* x) { __int128 n = *x; *x = (int)(n * n / 3); }",
      "kernel void k(global float* x) { *x = __builtin_sinf(*x); }"};
  for (const std::string& text : doubtful) {
    const abi::Reply all = built(second + text, abi::CodeTime::build);
    const abi::Reply reply = built(second + text, abi::CodeTime::wanted);
    EXPECT_FALSE(reply.lacks_code) << text;
    EXPECT_EQ(reply.status, all.status) << text;
    EXPECT_EQ(reply.log, all.log) << text;
  }
}

TEST(FirstCode, IsMadeInTheBuildForDebuggersAndReports) {
  EXPECT_FALSE(built(kKernels, abi::CodeTime::wanted, {"-cl-opt-disable"}).lacks_code);
  abi::Build q = build_of(kKernels);
  q.code.time = abi::CodeTime::wanted;
  q.code.report_vectors = true;
  EXPECT_FALSE(run_request(q).lacks_code);
}

TEST(FirstCode, FindsVariablesWhereOtherKernelsHaveThem) {
  abi::Build q = build_of(
      "global int first = 3; global int counter = 4; constant int* global p = 0;\n"
      "kernel void k(global int* x) { *x = ++counter; }\n"
      "kernel void other(global int* x) { *x = ++first; p = 0; }",
      {"-cl-std=CL3.0"});
  q.source.macros.emplace_back("__opencl_c_program_scope_global_variables=1");
  q.source.macros.emplace_back("__opencl_c_generic_address_space=1");
  q.code.time = abi::CodeTime::wanted;
  const abi::Reply program = run_request(q);
  ASSERT_EQ(program.status, 0) << program.log;
  EXPECT_TRUE(program.lacks_code);
  for (const char* name : {"k", "other"}) {
    const abi::Reply code = run_request(first_code(program, name));
    ASSERT_EQ(code.status, 0) << code.log;
    EXPECT_EQ(code.variables, program.variables);
    EXPECT_EQ(code.kernels.at(0).variables_offset, program.kernels.at(0).variables_offset);
  }
}

TEST(FirstCode, RefusesWhatItCannotTakeOut) {
  const abi::Reply program = built(kKernels, abi::CodeTime::wanted);
  EXPECT_NE(run_request(first_code(program, "third")).status, 0);
  abi::FirstCode damaged = first_code(program, "plain");
  damaged.program.resize(damaged.program.size() / 2);
  EXPECT_NE(run_request(damaged).status, 0);
}

}  // namespace
}  // namespace lanewise::test
