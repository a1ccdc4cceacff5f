// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Canonical IR to running code: re-targeting, inlining, images, several kernels.
#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "include/lanewise/kernel_abi.h"
#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

TEST(Codegen, SaxpyOnEveryLevelThatRuns) {
  const char* source =
      "kernel void saxpy(global const float* x, global float* y, float a) {"
      "  const size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }";
  for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    abi::Build q = build_of(source);
    q.code.isa = level;
    const abi::Reply reply = run_request(q);
    ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
    if (!host_isa().covers(level)) continue;
    std::vector<float> x(1000), y(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i), y[i] = 1.0F;
    run_direct(reply, "saxpy", Range(1000, 64), {buffer(x), buffer(y), value(2.0F)}, nullptr);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], 2.0F * static_cast<float>(i) + 1.0F) << i;
  }
}

/// Requests are bytes from outside: one with a level or features that do not exist is damaged.
TEST(Codegen, RequestsForWhatDoesNotExistAreDamaged) {
  const Bytes good = abi::encode(build_of("kernel void k() {}"));
  ASSERT_TRUE(abi::decode<abi::Request>(good).has_value());
  // The request ends: number, features, barriers, width, report, zeros, time, checks.
  const std::size_t at = good.size() - (4 + 4 + 1 + 4 + 1 + 1 + sizeof(abi::CodeTime) + 4);
  ASSERT_EQ(good[at], Isa().number());
  for (const auto& [number, features] :
       {std::pair(7, 0), std::pair(2, 1), std::pair(2, 2), std::pair(3, 1), std::pair(4, 8)}) {
    Bytes damaged = good;
    damaged[at] = static_cast<std::uint8_t>(number);
    damaged[at + 4] = static_cast<std::uint8_t>(features);
    EXPECT_FALSE(abi::decode<abi::Request>(damaged).has_value()) << number << ", " << features;
  }
}

TEST(Codegen, FeaturesReachTheCodeGenerator) {
  abi::Build q = build_of("kernel void k(global int* a) { a[0] = 1; }");
  q.code.isa = Isa(IsaLevel::x86_64_v4).with(IsaFeature::avx512_vnni);
  EXPECT_TRUE(contains(form(q, "lowered"), "\"target-features\"=\"+avx512vnni\""));
}

TEST(Codegen, NothingOfSpirIsLeft) {
  const std::string ir = form(build_of(R"(
    kernel void k(global int* a, local int* l) {
      event_t e[2];
      e[0] = async_work_group_copy(l, a, 16, 0);
      e[1] = async_work_group_copy(l + 16, a + 16, 16, e[0]);
      wait_group_events(2, e);
      a[get_global_id(0)] = l[31 - get_local_id(0)];
    })"),
                              "lowered");
  EXPECT_FALSE(contains(ir, "target(\"spirv"));
  EXPECT_FALSE(contains(ir, "spir_func"));
  EXPECT_FALSE(contains(ir, "spir_kernel"));
  EXPECT_FALSE(contains(ir, "spir64"));
  EXPECT_TRUE(contains(ir, "x86_64-unknown-linux-gnu"));
  EXPECT_TRUE(contains(ir, "\"target-cpu\"=\"x86-64-v2\""));
}

TEST(Codegen, DebugInformationHasNoSegments) {
  const std::string ir = form(
      build_of(
          "kernel void k(global int* a) { local int t[4]; int i = get_global_id(0); t[i & 3] = i; a[i] = t[i & 3]; }",
          {"-g"}),
      "lowered");
  EXPECT_TRUE(contains(ir, "DILocalVariable"));
  EXPECT_FALSE(contains(ir, "DW_OP_xderef"));
}

TEST(Codegen, RecursionIsRefused) {
  for (const char* source :
       {"int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } kernel void k(global int* a) { *a = f(*a); }",
        "int g(int); int f(int n) { return n ? g(n - 1) : 0; } int g(int n) { return n ? f(n - 1) : 1; }"
        "kernel void k(global int* a) { *a = f(*a); }"}) {
    const abi::Reply reply = build_program(source);
    EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_TRUE(contains(reply.log, "recursion")) << reply.log;
    EXPECT_TRUE(contains(reply.log, "'f'")) << reply.log;
  }
}

/// 2^39 calls of a function with a barrier: no number of copies is built, and none is needed.
TEST(Codegen, MultiplyingCallsShareBodies) {
  std::string source = "void f0(local int* a) { barrier(CLK_LOCAL_MEM_FENCE); a[0]++; }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "f" + std::to_string(i - 1) + "(a); ";
    source += "void f" + std::to_string(i) + "(local int* a) { " + callee + callee + "}\n";
  }
  const abi::Reply reply = build_program(source + "kernel void k(local int* a) { f39(a); }");
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
}

TEST(Codegen, UserNamesDoNotMeetOurs) {
  const abi::Reply reply = build_program(R"(
    void memcpy(global int* a) { a[0] = 7; }
    float sqrtf(float x) { return x + 1; }
    typedef struct { int v[512]; } big;
    kernel void k(global int* a, global big* b, global float* f) {
      memcpy(a);
      b[1] = b[0];
      f[0] = sqrtf(f[0]) + sqrt(f[1]);
    })");
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  std::vector<int> a(1), b(1024);
  for (int i = 0; i < 512; ++i) b[static_cast<std::size_t>(i)] = i;
  std::vector<float> f = {1, 16};
  run_direct(reply, "k", Range(1, 1), {buffer(a), buffer(b), buffer(f)}, nullptr);
  EXPECT_EQ(a[0], 7);
  EXPECT_EQ(b[1023], 511);
  EXPECT_EQ(f[0], 6.0F);
}

TEST(Codegen, HalfConversionsWithoutHardware) {
  const abi::Reply reply = build_program(R"(
    kernel void k(global half* h, global const float* f, global float* back) {
      const size_t i = get_global_id(0);
      vstore_half(f[i], i, h);
      back[i] = vload_half(i, h);
    })");
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  const std::vector<float> in = {0.0F,     -0.0F,   1.0F,    65504.0F, 65519.9F, 65520.0F, 1e-8F,
                                 5.97e-8F, 6.1e-5F, 2049.0F, 2051.0F,  INFINITY, -2.5F,    0.333333333F};
  std::vector<float> f = in, back(in.size());
  std::vector<std::uint16_t> h(in.size());
  run_direct(reply, "k", Range(in.size(), 1), {buffer(h), buffer(f), buffer(back)}, nullptr);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto expected = static_cast<_Float16>(in[i]);
    std::uint16_t bits;
    std::memcpy(&bits, &expected, 2);
    EXPECT_EQ(h[i], bits) << in[i];
    EXPECT_EQ(back[i], static_cast<float>(expected)) << in[i];
  }
}

TEST(Codegen, ManyKernels) {
  std::string source = "int shared(int x) { return x * 3; }\nconstant int table[4] = {1, 2, 3, 4};\n";
  for (int i = 0; i < 24; ++i) {
    const std::string n = std::to_string(i);
    source += "kernel void k" + n + "(global int* a) { a[get_global_id(0)] = shared(" + n +
              ") + table[get_global_id(0) & 3]; }\n";
  }
  const abi::Reply reply = build_program(source);
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  ASSERT_EQ(reply.kernels.size(), 24U);
  for (int i = 0; i < 24; ++i) {
    std::vector<int> data(4);
    run_direct(reply, "k" + std::to_string(i), Range(4, 2), {buffer(data)}, nullptr);
    EXPECT_EQ(data, (std::vector<int>{i * 3 + 1, i * 3 + 2, i * 3 + 3, i * 3 + 4}));
  }
}

TEST(Codegen, OneBadKernelFailsTheProgramOnce) {
  const abi::Reply reply = build_program(
      "int f(int n) { return n ? f(n - 1) : 0; }"
      "kernel void a(global int* p) { *p = f(1); } kernel void b(global int* p) { *p = f(2); } kernel void c() {}");
  EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(reply.log.find("recursion"), reply.log.rfind("recursion")) << reply.log;
  EXPECT_TRUE(reply.kernels.empty());
  EXPECT_TRUE(reply.code_object.empty());
}

TEST(Codegen, ImageIsSelfContained) {
  const abi::Reply reply = build_program(
      "typedef struct { int v[2000]; } big; kernel void k(global big* b, global float* f) { b[1] = b[0]; *f = exp(*f); "
      "}");
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  ASSERT_GT(reply.code_object.size(), sizeof(Elf64_Ehdr));
  Elf64_Ehdr header;
  std::memcpy(&header, reply.code_object.data(), sizeof header);
  EXPECT_EQ(header.e_type, ET_DYN);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), reply.code_object.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    EXPECT_NE(section.sh_type, static_cast<unsigned>(SHT_NOTE)) << "no build id";
    if (section.sh_type != SHT_DYNSYM) continue;
    EXPECT_EQ(section.sh_size / sizeof(Elf64_Sym), 2U) << "the null symbol and the range function";
  }
  EXPECT_EQ(build_program("kernel void k() {}").code_object, build_program("kernel void k() {}").code_object)
      << "reproducible";
}

TEST(Codegen, EmptyProgramIsAnExecutableWithoutKernels) {
  const abi::Reply reply = build_program("int f(int x) { return x; }");
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_TRUE(reply.kernels.empty());
  EXPECT_FALSE(reply.ir.empty());
}

TEST(Codegen, UnoptimisedIsTheSame) {
  const char* source =
      "kernel void k(global int* a) { int s = 0; for (int i = 0; i < 10; ++i) s += i * a[get_global_id(0)]; "
      "a[get_global_id(0)] = s; }";
  for (const char* option : {"-cl-opt-disable", "-g", "-cl-fast-relaxed-math"}) {
    const abi::Reply reply = build_program(source, {option});
    ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
    std::vector<int> data = {1, 2, 3};
    run_direct(reply, "k", Range(3, 3), {buffer(data)}, nullptr);
    EXPECT_EQ(data, (std::vector<int>{45, 90, 135})) << option;
  }
}

TEST(Codegen, LargePrivateArraysStayOffTheStack) {
  const abi::Reply reply = build_program(R"(
    int sum(int seed) { int a[1 << 18]; for (int i = 0; i < 1 << 18; ++i) a[i] = seed + i; int s = 0;
                        for (int i = 0; i < 1 << 18; i += 64) s += a[(i * seed) & 0x3ffff]; return s; }
    kernel void k(global int* p) { p[get_global_id(0)] = sum(p[get_global_id(0)]); })");
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_GE(reply.kernels[0].group_bytes, 1U << 20);
}

TEST(Codegen, KernelsShareProgramScopeVariables) {
  abi::Build q = build_of(R"(
    global int counter = 5;
    global int* pointer = &counter;
    kernel void add(global int* a) { counter += a[0]; }
    kernel void get(global int* a) { a[0] = *pointer; static global int calls = 0; a[1] = ++calls; })",
                          {"-cl-std=CL3.0"});
  q.source.macros.insert(q.source.macros.end(),
                         {"__opencl_c_program_scope_global_variables=1", "__opencl_c_generic_address_space=1"});
  const abi::Reply reply = run_request(q);
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  // One storage, three launches of one work-item, each from an image of its own.
  const abi::VariableStorage& variables = reply.variables;
  std::vector<std::uint64_t> storage(variables.bytes / 8 + 1);
  std::memcpy(storage.data(), variables.initial.data(), variables.initial.size());
  for (const auto& pointer : variables.pointers)
    storage.at(pointer.at / 8) = reinterpret_cast<std::uintptr_t>(storage.data()) + pointer.target;
  const int file = memfd_create("image", 0);
  ASSERT_EQ(write(file, reply.code_object.data(), reply.code_object.size()),
            static_cast<ssize_t>(reply.code_object.size()));
  int a[2] = {10, 0};
  const void* block[] = {a, storage.data()};
  for (const abi::KernelInfo& kernel : reply.kernels) {
    EXPECT_TRUE(kernel.has_variables);
    EXPECT_EQ(kernel.variables_offset, 8U);
    EXPECT_EQ(kernel.args_bytes, 16U);
  }
  const lanewise_launch launch{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 1, 0};
  lanewise_worker worker{};
  for (const char* symbol : {"add.range", "get.range", "get.range"}) {
    void* image = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(image, nullptr) << dlerror();
    auto* function = reinterpret_cast<lanewise_range_fn*>(dlsym(image, symbol));
    ASSERT_NE(function, nullptr) << symbol;
    function(&launch, block, &worker, 0, 1);
    dlclose(image);
  }
  close(file);
  EXPECT_EQ(a[0], 15);
  EXPECT_EQ(a[1], 2);
}

TEST(Codegen, KernelsCallKernels) {
  const abi::Reply reply = build_program(
      "kernel void inner(global int* a) { a[get_global_id(0)] += 1; barrier(CLK_GLOBAL_MEM_FENCE); }"
      "kernel void outer(global int* a) { inner(a); inner(a); }");
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  std::vector<int> data = {1, 2, 3, 4};
  run_direct(reply, "outer", Range(4, 2), {buffer(data)}, nullptr);
  EXPECT_EQ(data, (std::vector<int>{3, 4, 5, 6}));
}

TEST(Codegen, RequestsRunAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<abi::Reply> replies(8);
  threads.reserve(replies.size());
  for (std::size_t i = 0; i < replies.size(); ++i)
    threads.emplace_back([&replies, i] {
      replies[i] = build_program("kernel void a(global int* p) { p[get_global_id(0)] = " + std::to_string(i) +
                                 "; } kernel void b(global int* p) { p[0] = 1; }");
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_EQ(replies[i].status, CL_SUCCESS) << replies[i].log;
    std::vector<int> data(2);
    run_direct(replies[i], "a", Range(2, 1), {buffer(data)}, nullptr);
    EXPECT_EQ(data[1], static_cast<int>(i));
  }
}

}  // namespace
}  // namespace lanewise::test
