// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// clLinkProgram: several programs, libraries, missing symbols and symbols that are defined twice.
#include <CL/cl.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "compiler/frontend/link.h"
#include "tests/compiler/direct_harness.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

const char* const kCaller =
    "int helper(int); kernel void k(global int* a) { a[get_global_id(0)] = helper(a[get_global_id(0)]); }";
const char* const kHelper = "int helper(int x) { return x * 2 + 1; }";

TEST(Link, ProgramsMeet) {
  const abi::Reply program = link_replies({compile_only(kCaller), compile_only(kHelper)});
  ASSERT_EQ(program.status, CL_SUCCESS) << program.log;
  ASSERT_EQ(program.kernels.size(), 1U);
  std::vector<int> data = {1, 2, 3, 4};
  run_direct(program, "k", Range(4, 2), {buffer(data)}, nullptr);
  EXPECT_EQ(data, (std::vector<int>{3, 5, 7, 9}));
}

TEST(Link, MissingNamesAreTold) {
  const abi::Reply program = link_replies({compile_only(kCaller)});
  EXPECT_EQ(program.status, CL_LINK_PROGRAM_FAILURE);
  EXPECT_TRUE(contains(program.log, "'helper'")) << program.log;
  EXPECT_FALSE(contains(program.log, "get_global_id")) << "a built-in is not missing";
  EXPECT_TRUE(program.ir.empty());
  EXPECT_TRUE(program.code_object.empty());
  const abi::Reply built = build_program(kCaller);
  EXPECT_EQ(built.status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_TRUE(contains(built.log, "'helper'")) << built.log;
  EXPECT_EQ(compile_only(kCaller).status, CL_SUCCESS) << "compiling alone does not need it";
}

TEST(Link, DefinedTwice) {
  const abi::Reply program = link_replies({compile_only(kCaller), compile_only(kHelper), compile_only(kHelper)});
  EXPECT_EQ(program.status, CL_LINK_PROGRAM_FAILURE);
  EXPECT_TRUE(contains(program.log, "helper")) << program.log;
}

TEST(Link, LibrariesKeepEverything) {
  const abi::Reply library = link_replies({compile_only(kHelper)}, true);
  ASSERT_EQ(library.status, CL_SUCCESS) << library.log;
  EXPECT_TRUE(library.code_object.empty());
  EXPECT_TRUE(library.kernels.empty());
  const abi::Reply open = link_replies({compile_only(kCaller)}, true);
  EXPECT_EQ(open.status, CL_SUCCESS) << "a library may lack something: " << open.log;
  const abi::Reply program = link_replies({open, library});
  EXPECT_EQ(program.status, CL_SUCCESS) << program.log;
  EXPECT_EQ(program.kernels.size(), 1U);
}

TEST(Link, AnExecutableCanBeLinkedAgain) {
  const abi::Reply built = build_program("kernel void one(global int* a) { a[0] = 1; }");
  ASSERT_EQ(built.status, CL_SUCCESS) << built.log;
  const abi::Reply program = link_replies({built, compile_only("kernel void two(global int* a) { a[0] = 2; }")});
  ASSERT_EQ(program.status, CL_SUCCESS) << program.log;
  EXPECT_EQ(program.kernels.size(), 2U);
}

TEST(Link, DamagedInput) {
  abi::Reply good = compile_only(kHelper);
  abi::Link q;
  q.inputs = {Bytes{1, 2, 3}};
  EXPECT_EQ(run_request(q).status, CL_INVALID_PROGRAM);
  q.inputs = {Bytes{}};
  EXPECT_EQ(run_request(q).status, CL_INVALID_PROGRAM);
  q.inputs = {Bytes(good.ir.begin(), good.ir.begin() + static_cast<std::ptrdiff_t>(good.ir.size() / 2))};
  EXPECT_EQ(run_request(q).status, CL_INVALID_PROGRAM);
  q.inputs = {};
  EXPECT_NE(run_request(q).status, CL_SUCCESS);
}

TEST(Link, Options) {
  abi::Link q{.options = {"-cl-fast-relaxed-math"}, .code = {}};
  q.inputs = {compile_only("kernel void k() {}").ir};
  EXPECT_EQ(run_request(q).status, CL_SUCCESS);
  q.options = {"-DX=1"};
  EXPECT_EQ(run_request(q).status, CL_INVALID_LINKER_OPTIONS);
}

TEST(Link, StaticAndInlineFunctionsStayApart) {
  const abi::Reply program = link_replies({compile_only("static int f() { return 1; } inline int g() { return 3; } "
                                                        "kernel void a(global int* p) { *p = f() + g(); }"),
                                           compile_only("static int f() { return 2; } inline int g() { return 3; } "
                                                        "kernel void b(global int* p) { *p = f() + g(); }")});
  ASSERT_EQ(program.status, CL_SUCCESS) << program.log;
  std::vector<int> data = {0};
  run_direct(program, "a", Range(1, 1), {buffer(data)}, nullptr);
  EXPECT_EQ(data[0], 4);
  run_direct(program, "b", Range(1, 1), {buffer(data)}, nullptr);
  EXPECT_EQ(data[0], 5);
}

/// Definitions of C99's `inline`, whatever keeps Clang from inlining them, or from making code of them.
constexpr const char* kInlineDefinitions[] = {
    "inline int f(int a) { return a + 2; }",
    "__inline int f(int a) { return a + 2; }",
    "__inline__ int f(int a) { return a + 2; }",
    "int inline f(int a) { return a + 2; }",
    "inline __attribute__((noinline)) int f(int a) { return a + 2; }",
    "__attribute__((noinline)) __inline int f(int a) { return a + 2; }",
    "__inline__ int f(int a) __attribute__((noinline)); __inline__ int f(int a) { return a + 2; }",
    "__attribute__((noinline)) int f(int a); inline int f(int a) { return a + 2; }",
    "inline int f(int a); inline __attribute__((noinline)) int f(int a) { return a + 2; }",
    "inline __attribute__((noinline)) int f(int a) { return a + 2; } inline int f(int a);",
    "inline __attribute__((always_inline)) int f(int a) { return a + 2; }",
    "inline __attribute__((optnone, noinline)) int f(int a) { return a + 2; }",
    "inline __attribute__((overloadable, noinline)) int f(int a) { return a + 2; }"
    " inline __attribute__((overloadable, noinline)) int f(float a) { return (int)a + 3; }",
    "inline __attribute__((weak, noinline)) int f(int a) { return a + 2; }",
    "inline __attribute__((gnu_inline, noinline)) int f(int a) { return a + 2; }",
    "extern inline __attribute__((noinline)) int f(int a) { return a + 2; }",
    "extern inline __attribute__((gnu_inline, noinline)) int f(int a) { return a + 2; }",
    "static inline __attribute__((noinline)) int f(int a) { return a + 2; }",
    "inline __attribute__((noinline)) int f(int a) { return a + 2; } int f(int a);",
    "inline __attribute__((noinline)) int f(int a) { return a + 2; } extern int f(int a);",
    "inline __attribute__((noinline)) int g(int a) { return a + 1; }"
    " inline __attribute__((noinline)) int f(int a) { return g(a) + 1; }",
    "inline __attribute__((noinline)) int f(int a) { for (int i = 0; i < 2; ++i) a += i * 2 - (a & 0); return a; }",
};

/// A kernel that calls `f` of a number, behind the definition or in front of it.
std::string calling_kernel(const std::string& name) {
  return " kernel void " + name + "(global int* p) { p[0] = f(p[0]); }";
}

void expect_two_more(const abi::Reply& program, const char* kernel, const std::string& what) {
  ASSERT_EQ(program.status, CL_SUCCESS) << what << "\n" << program.log;
  std::vector<int> data = {40};
  run_direct(program, kernel, Range(1, 1), {buffer(data)}, nullptr);
  EXPECT_EQ(data[0], 42) << what;
}

TEST(Link, InlineDefinitionsHaveCode) {
  for (const std::string definition : kInlineDefinitions)
    for (const char* option : {"-cl-std=CL1.2", "-cl-opt-disable", "-g", "-cl-std=CL3.0"}) {
      expect_two_more(build_program(definition + calling_kernel("k"), {option}), "k", definition + " " + option);
      const std::string attributes = contains(definition, "overloadable") ? "__attribute__((overloadable)) " : "";
      if (contains(definition, "static")) continue;
      const std::string in_front = attributes + "int f(int a);" + calling_kernel("k");
      // A declaration in front that is not inline makes the definition an ordinary one.
      expect_two_more(build_program(in_front + definition, {option}), "k", in_front + definition + " " + option);
    }
}

TEST(Link, InlineDefinitionsInCxxHaveCode) {
  for (const std::string definition : kInlineDefinitions) {
    if (contains(definition, "overloadable")) continue;
    abi::Build q = build_of(definition + calling_kernel("k"), {"-cl-std=CLC++2021"});
    q.source.extensions.emplace_back("cl_ext_cxx_for_opencl");
    expect_two_more(run_request(q), "k", definition);
  }
}

/// Headers with such definitions are part of several programs.
TEST(Link, InlineDefinitionsMeet) {
  for (const std::string definition : kInlineDefinitions) {
    // These three are ordinary definitions, of which there may be one.
    if (contains(definition, "int f(int a);") && !contains(definition, "inline int f(int a);")) continue;
    if (contains(definition, "extern inline __attribute__((noinline))")) continue;
    if (contains(definition, "inline __attribute__((gnu_inline") && !contains(definition, "extern")) continue;
    const abi::Reply first = compile_only(definition + calling_kernel("a"));
    const abi::Reply second = compile_only(definition + calling_kernel("b"));
    const abi::Reply program = link_replies({first, second});
    expect_two_more(program, "a", definition);
    expect_two_more(program, "b", definition);
    const abi::Reply library = link_replies({first, second}, true);
    ASSERT_EQ(library.status, CL_SUCCESS) << library.log;
    const abi::Reply both = link_replies({library, compile_only(definition + calling_kernel("c"))});
    expect_two_more(both, "a", definition);
    expect_two_more(both, "c", definition);
  }
}

/// An ordinary definition elsewhere may stand for them.
TEST(Link, AnInlineDefinitionLeavesRoomForAnOrdinaryOne) {
  const abi::Reply program = link_replies(
      {compile_only("inline __attribute__((noinline)) int f(int a) { return a + 2; }" + calling_kernel("a")),
       compile_only("int f(int a) { return a + 2; }" + calling_kernel("b"))});
  expect_two_more(program, "a", "inline");
  expect_two_more(program, "b", "ordinary");
  const char* owned = "inline __attribute__((noinline)) int f(int a) { return a + 2; } extern int f(int a);";
  const abi::Reply twice = link_replies({compile_only(owned), compile_only(owned)});
  EXPECT_EQ(twice.status, CL_LINK_PROGRAM_FAILURE) << "both are external definitions";
}

/// Kernels may be inline, and call each other.
TEST(Link, InlineKernels) {
  const char* source =
      "inline kernel void one(global int* p) { p[0] += 1; }"
      "inline __attribute__((noinline)) kernel void two(global int* p) { one(p); one(p); }";
  for (const char* option : {"-cl-std=CL3.0", "-cl-opt-disable"})
    expect_two_more(build_program(source, {option}), "two", option);
}

/// A program that is compiled again for one kernel. What only others use, also through their functions, is not read;
/// the places of variables follow from all of them, so these stay.
TEST(Link, AKernelIsReadWithWhatItUses) {
  const abi::Reply program = compile_only(
      "constant int mine[2] = {1, 2}; constant int theirs[2] = {3, 4};"
      "int leaf(int x) { return x + mine[x & 1]; } int deep(int x) { return leaf(x) * 2; }"
      "int other(int x) { return leaf(x) + theirs[x & 1]; }"
      "kernel void k(global int* a) { a[0] = deep(a[1]); }"
      "kernel void second(global int* a) { a[0] = other(a[1]) + leaf(3); }");
  ASSERT_EQ(program.status, CL_SUCCESS) << program.log;
  llvm::LLVMContext context;
  auto module = read_kernel(program.ir, "k", context);
  ASSERT_TRUE(static_cast<bool>(module));
  for (const char* name : {"k", "deep", "leaf"}) {
    const llvm::Function* function = (*module)->getFunction(name);
    ASSERT_NE(function, nullptr) << name;
    EXPECT_FALSE(function->empty()) << name;
  }
  EXPECT_EQ((*module)->getFunction("other"), nullptr);
  EXPECT_EQ((*module)->getFunction("second"), nullptr);
  EXPECT_NE((*module)->getNamedGlobal("theirs"), nullptr);
  auto half = read_kernel({program.ir.data(), program.ir.size() / 2}, "k", context);
  EXPECT_FALSE(static_cast<bool>(half));
  llvm::consumeError(half.takeError());
}

}  // namespace
}  // namespace lanewise::test
