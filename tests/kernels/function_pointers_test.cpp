// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls through pointers to functions (compiler/program/function_pointers.h), in sources of OpenCL C 3.0 and C++ for
/// OpenCL. From SPIR-V: tests/spirv/function_pointers_test.cpp.
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr const char* kPragma = "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n";

std::vector<int> numbers(std::size_t count) {
  std::vector<int> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<int>(i * 7 % 31);
  return made;
}

TEST(FunctionPointers, EachWorkItemChoosesInATable) {
  std::vector<int> data = numbers(133), expected = data;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const int id = static_cast<int>(i), x = data[i];
    const std::array results{x + id, x * id, x - 100 * id};
    expected[i] = results[i % 3];
  }
  run(std::string(kPragma) +
          "typedef int (*op)(int, int);\n"
          "int add(int a, int b) { return a + b; }\n"
          "static int mul(int a, int b) { return a * b; }\n"
          "int ask(int a, int b) { return a - 100 * (int)get_global_id(0); }\n"
          "constant op table[3] = { add, mul, ask };\n"
          "kernel void k(global int* a) { int i = get_global_id(0); a[i] = table[i % 3](a[i], i); }\n",
      "k", Range(data.size(), 19), {buffer(data)});
  EXPECT_EQ(data, expected);
}

TEST(FunctionPointers, ThePointerMayBeTheSameForAllWithBarriersInTheFunction) {
  std::vector<int> data = numbers(64), expected = data;
  for (std::size_t i = 0; i < data.size(); ++i) expected[i] = data[i / 16 * 16 + (i + 1) % 16];
  const int which = 1;
  run(std::string(kPragma) +
          "typedef int (*op)(local int*, int);\n"
          "int same(local int* t, int x) { return x; }\n"
          "int next(local int* t, int x) {\n"
          "  size_t l = get_local_id(0); t[l] = x; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  return t[(l + 1) % get_local_size(0)]; }\n"
          "kernel void k(global int* a, local int* t, int which) {\n"
          "  __private op f = which ? next : same; size_t i = get_global_id(0); a[i] = f(t, a[i]); }\n",
      "k", Range(data.size(), 16), {buffer(data), local(16 * sizeof(int)), value(which)});
  EXPECT_EQ(data, expected);
}

TEST(FunctionPointers, ChangeInLoopsAndKeepPrivateMemory) {
  std::vector<int> data = numbers(77), expected = data;
  for (int& x : expected) {
    for (int state[2] = {x, 0}; state[1] < 6; ++state[1]) {
      if (state[0] % 2 != 0) {
        state[0] = 3 * state[0] + 1;
      } else {
        state[0] /= 2;
      }
      x += state[0];
    }
  }
  run(std::string(kPragma) +
          "typedef void (*step)(int*);\n"
          "void odd(int* s) { s[0] = 3 * s[0] + 1; }\n"
          "void even(int* s) { s[0] /= 2; }\n"
          "kernel void k(global int* a) {\n"
          "  size_t i = get_global_id(0); int state[2] = { a[i], 0 }; int x = a[i];\n"
          "  for (; state[1] < 6; ++state[1]) {\n"
          "    __private step f = state[0] % 2 != 0 ? odd : even; f(state); x += state[0]; }\n"
          "  a[i] = x; }\n",
      "k", Range(data.size(), 11), {buffer(data)});
  EXPECT_EQ(data, expected);
}

TEST(FunctionPointers, OfNoFunctionDoNothing) {
  std::vector<int> data(40, 5), expected = data;
  for (std::size_t i = 0; i < data.size(); i += 2) expected[i] = 0;
  run(std::string(kPragma) +
          "typedef int (*op)(int);\n"
          "int same(int a) { return a; }\n"
          "kernel void k(global int* a) { size_t i = get_global_id(0);\n"
          "  __private op f = i % 2 == 0 ? (op)0 : same; a[i] = f(a[i]); }\n",
      "k", Range(data.size(), 8), {buffer(data)});
  EXPECT_EQ(data, expected);
}

/// A virtual function calls another one of the same type, so each of them may seem to call itself.
TEST(FunctionPointers, VirtualFunctionsCallEachOther) {
  std::vector<int> data = numbers(100), expected = data;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const int w = static_cast<int>(i), n = data[i];
    const std::array results{w * n, (w + 1) * (w + 1) + n * 2, 3 * (w + 2) + n * 5};
    expected[i] = results[i % 3];
  }
  run(std::string(kPragma) + R"(
        struct Shape {
          int w;
          virtual int area(int k) const { return w * k; }
          virtual int number(int k) const { return k; }
          virtual int absent(int k) const = 0;
        };
        struct Line : Shape { int absent(int) const override { return 0; } };
        struct Square : Line {
          int area(int k) const override { return w * w + k * number(0); }
          int number(int k) const override { return 2 + k; }
        };
        struct Circle final : Line {
          int area(int k) const override { return 3 * w + k * number(1); }
          int number(int k) const override { return 4 + k; }
        };
        kernel void k(global int* a) {
          int i = get_global_id(0);
          Line line; Square square; Circle circle;
          line.w = i; square.w = i + 1; circle.w = i + 2;
          const Shape* shape = i % 3 == 0 ? static_cast<const Shape*>(&line)
                               : i % 3 == 1 ? static_cast<const Shape*>(&square) : &circle;
          a[i] = shape->area(a[i]);
        })",
      "k", Range(data.size(), 20), {buffer(data)}, "-cl-std=CLC++2021");
  EXPECT_EQ(data, expected);
}

}  // namespace
}  // namespace lanewise::test
