// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables that are too large for any machine are an error of the program, and its log says so.
#include <CL/cl.h>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

std::string sized(const char* source, const std::string& size) {
  std::string text(source);
  for (std::size_t at; (at = text.find("SIZE")) != std::string::npos;) text.replace(at, 4, size);
  return text;
}

constexpr const char* kPrivate =
    "kernel void k(global long* a) { char x[SIZE]; x[a[0]] = 1; x[a[1]] = 2; a[0] = x[a[2]]; }";
constexpr const char* kPrivateAcrossABarrier =
    "kernel void k(global long* a) { char x[SIZE]; x[a[0]] = 1; x[a[1]] = 2; barrier(1); a[0] = x[a[2]]; }";
constexpr const char* kLocal =
    "kernel void k(global long* a) { local char x[SIZE]; x[a[0]] = 1; barrier(1); a[0] = x[a[2]]; }";

void expect_too_large(const std::string& source, const char* what) {
  const abi::Reply reply = build_program(source);
  EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE) << source;
  EXPECT_TRUE(contains(reply.log, what)) << reply.log;
  EXPECT_TRUE(contains(reply.log, "bytes; the limit is")) << reply.log;
  EXPECT_FALSE(contains(reply.log, "internal")) << reply.log;
}

TEST(SizeLimits, Variables) {
  for (const char* size : {"1ul << 45", "(1ul << 40) + 1", "1ul << 60"}) {
    expect_too_large(sized(kPrivate, size), "private variable");
    expect_too_large(sized(kPrivateAcrossABarrier, size), "private variable");
    expect_too_large(sized(kLocal, size), "local variable");
  }
}

TEST(SizeLimits, LargeVariablesAreLeftToTheLaunch) {
  for (const char* source : {kPrivate, kPrivateAcrossABarrier, kLocal}) {
    const abi::Reply reply = build_program(sized(source, "1ul << 40"));
    EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  }
}

TEST(SizeLimits, VariablesTogether) {
  expect_too_large(
      "kernel void k(global long* a) { char x[1ul << 39], y[1ul << 39], z[1ul << 39];"
      " x[a[0]] = 1; y[a[1]] = 2; z[a[2]] = 3; a[0] = x[a[3]] + y[a[3]] + z[a[3]]; }",
      "the private memory of kernel 'k'");
  expect_too_large(
      "kernel void k(global long* a) { local char x[1ul << 39], y[1ul << 39], z[1ul << 39];"
      " x[a[0]] = 1; y[a[1]] = 2; z[a[2]] = 3; barrier(1); a[0] = x[a[3]] + y[a[3]] + z[a[3]]; }",
      "the local memory of kernel 'k'");
}

TEST(SizeLimits, Arguments) {
  constexpr const char* kByValue =
      "struct S { int n; char x[SIZE]; }; kernel void k(global long* a, struct S s) { a[0] = s.x[a[1]] + s.n; }";
  for (const char* size : {"1ul << 20", "1ul << 30", "1ul << 32", "1ul << 45"})
    expect_too_large(sized(kByValue, size), "kernel argument 's'");
  const abi::Reply reply = build_program(sized(kByValue, "1 << 16"));
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  constexpr const char* kTogether =
      "struct S { char x[SIZE]; }; kernel void k(global char* a, struct S s, struct S t) { *a = s.x[*a] + t.x[*a]; }";
  expect_too_large(sized(kTogether, "1 << 19"), "the arguments of kernel 'k'");
}

TEST(SizeLimits, Constants) {
  expect_too_large("constant char x[1ul << 36] = {1}; kernel void k(global long* a) { *a = x[*a]; }", "constant");
}

}  // namespace
}  // namespace lanewise::test
