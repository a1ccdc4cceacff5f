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
  EXPECT_TRUE(program.image.empty());
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
  EXPECT_TRUE(library.image.empty());
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
  abi::Request q = request(abi::Job::link, "");
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
  abi::Request q = request(abi::Job::link, "", {"-cl-fast-relaxed-math"});
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

/// A program that is compiled again for one kernel. What only others use, also through their functions, is not read; the
/// places of variables follow from all of them, so these stay.
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
