// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mistakes that the front end tolerates (docs/language.md), and others that stay errors.
#include <CL/cl.h>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

struct Slip {
  const char* name;
  const char* source;
};

class ToleratedSlip : public testing::TestWithParam<Slip> {};

TEST_P(ToleratedSlip, IsAWarning) {
  const abi::Reply reply = build_program(GetParam().source);
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_TRUE(contains(reply.log, "warning: ")) << reply.log;
  EXPECT_TRUE(contains(reply.log, "program.cl:1:")) << reply.log;
  EXPECT_FALSE(contains(reply.log, "error: ")) << reply.log;
}

TEST_P(ToleratedSlip, IsAnErrorForThoseWhoAskForErrors) {
  EXPECT_EQ(compile_only(GetParam().source, {"-Werror"}).status, CL_COMPILE_PROGRAM_FAILURE);
}

TEST_P(ToleratedSlip, IsHiddenWithoutWarnings) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-w"}, {"-w", "-Werror"}}) {
    const abi::Reply reply = compile_only(GetParam().source, options);
    EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
    EXPECT_EQ(reply.log, "");
  }
}

TEST_P(ToleratedSlip, IsOneInEveryVersionOfTheLanguage) {
  for (const char* version : {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"})
    EXPECT_EQ(compile_only(GetParam().source, {version}).status, CL_SUCCESS) << version;
}

INSTANTIATE_TEST_SUITE_P(
    All, ToleratedSlip,
    testing::Values(
        Slip{"VectorPointers", "kernel void k(global float2* a) { global float4* b = a; b[0] = (float4)(1); }"},
        Slip{"PointersToOtherElements", "kernel void k(global float* a, global int* b) { b = a; *b = 1; }"},
        Slip{"PointerAsAnArgument", "void f(global uint* p) { *p = 1; } kernel void k(global float* a) { f(a); }"},
        Slip{"PointerAsAResult",
             "global int* f(global float* p) { return p; } kernel void k(global float* a) { *f(a) = 1; }"},
        Slip{"PointerToLocal", "kernel void k(local float* a) { local float4* b = a; b[0] = (float4)(1); }"},
        Slip{"PointerAsANumber", "kernel void k(global ulong* a) { ulong n = a; *a = n; }"},
        Slip{"NumberAsAPointer", "kernel void k(global int* a, ulong n) { global int* p = n; *a = *p; }"},
        Slip{"NoType", "constant n = 3; kernel void k(global int* a) { *a = n; }"},
        Slip{"NoResult", "int f(global int* a) { *a = 1; return; } kernel void k(global int* a) { f(a); }"},
        Slip{"UnwantedResult", "void f(global int* a) { return *a; } kernel void k(global int* a) { f(a); }"}),
    [](const auto& info) { return info.param.name; });

class WrongCode : public testing::TestWithParam<Slip> {};

TEST_P(WrongCode, StaysAnError) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"-w"}, {"-cl-std=CL3.0"}}) {
    const abi::Reply reply = compile_only(GetParam().source, options);
    EXPECT_EQ(reply.status, CL_COMPILE_PROGRAM_FAILURE);
    EXPECT_TRUE(contains(reply.log, "error: ")) << reply.log;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongCode,
    testing::Values(
        Slip{"LocalToGlobal", "kernel void k(local int* a) { global int* b = a; *b = 1; }"},
        Slip{"GlobalToPrivateOfAnotherType", "kernel void k(global float* a) { int* b = a; *b = 1; }"},
        Slip{"NestedAddressSpaces", "void f(global int** p) { **p = 1; } kernel void k(local float* a) { f(&a); }"},
        Slip{"CastAcrossAddressSpaces", "kernel void k(local int* a) { *(global int*)a = 1; }"},
        Slip{"WriteToConstant", "kernel void k(constant int* a) { *a = 1; }"},
        Slip{"UnknownFunction", "kernel void k(global int* a) { *a = no_such_function(1); }"},
        Slip{"VectorsOfOtherSizes", "kernel void k(global float4* a, float2 b) { *a = b; }"},
        Slip{"VectorsOfOtherElements", "kernel void k(global float4* a, int4 b) { *a = b; }"},
        Slip{"StructAsANumber", "typedef struct { int x; } S; kernel void k(global int* a, S s) { *a = s; }"}),
    [](const auto& info) { return info.param.name; });

/// OpenCL C has no inline assembly: the error gives its position.
TEST(InlineAssembly, IsAnErrorWithAPosition) {
  for (const char* source :
       {"kernel void k(global int* a) {\n  __asm__(\"nop\");\n}", "kernel void k() {}\n__asm__(\"nop\");",
        "kernel void k(global int* a) {\n  int x; __asm(\"movl $1, %0\" : \"=r\"(x)); *a = x;\n}"}) {
    const abi::Reply reply = build_program(source);
    EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE) << source;
    EXPECT_TRUE(contains(reply.log, "program.cl:2:")) << reply.log;
    EXPECT_TRUE(contains(reply.log, "error: ")) << reply.log;
    EXPECT_TRUE(contains(reply.log, "assembly")) << reply.log;
    EXPECT_FALSE(contains(reply.log, "internal")) << reply.log;
  }
}

/// The idiom for a compiler barrier has no instruction in it.
TEST(InlineAssembly, MayBeEmpty) {
  const abi::Reply reply =
      build_program("kernel void k(global int* a) { a[0] = 1; __asm__ volatile(\"\" ::: \"memory\"); a[0] = 2; }");
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
}

}  // namespace
}  // namespace lanewise::test
