// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_function_pointers.
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 70;

std::vector<cl_uint> numbers() {
  std::vector<cl_uint> made(kItems);
  for (std::size_t i = 0; i < kItems; ++i) made[i] = static_cast<cl_uint>(i * 5 % 23);
  return made;
}

/// What the virtual function `area` gives for object `i` and argument `k`: see the module.
cl_uint area(std::size_t i, cl_uint k) {
  return i % 2 == 0 ? 3 * static_cast<cl_uint>(i) : k + 100;
}

using IlFunctionPointers = IlFixture;

TEST_F(IlFunctionPointers, EachWorkItemChoosesInATable) {
  const std::vector<cl_uint> before = numbers();
  std::vector<cl_uint> expected;
  for (std::size_t i = 0; i < kItems; ++i) {
    const cl_uint x = before[i];
    const cl_uint results[] = {x + 7, x * 7, 100 * x + static_cast<cl_uint>(i)};
    expected.push_back(results[i % 3]);
  }
  EXPECT_EQ(result_of(built_il("function_pointers"), "choose", before, kItems), expected);
}

TEST_F(IlFunctionPointers, ObjectsHaveVirtualFunctions) {
  const std::vector<cl_uint> before = numbers();
  std::vector<cl_uint> expected;
  for (std::size_t i = 0; i < kItems; ++i) expected.push_back(area(i, before[i]));
  EXPECT_EQ(result_of(built_il("function_pointers"), "virtual", before, kItems), expected);
}

TEST_F(IlFunctionPointers, KernelsShareObjects) {
  const auto program = built_il("function_pointers");
  const std::vector<cl_uint> before = numbers();
  std::vector<cl_uint> expected;
  for (std::size_t i = 0; i < kItems; ++i) expected.push_back(area(i, before[i]));
  const auto objects = buffer(kItems * 16);
  const auto construct = kernel(program, "construct");
  set(construct, 0, objects);
  run(construct, kItems);
  const auto values = filled(before);
  const auto dispatch = kernel(program, "dispatch");
  set(dispatch, 0, objects);
  set(dispatch, 1, values);
  run(dispatch, kItems);
  EXPECT_EQ(read<cl_uint>(values, kItems), expected);
}

/// Without the program there is no function that a number names.
TEST_F(IlFunctionPointers, AreNumbersOfTheirNames) {
  const auto program = built_il("function_pointers");
  const std::vector<cl_ulong> seen = result_of<cl_ulong>(program, "same", {0, 0});
  EXPECT_NE(seen[0], 0U);
  EXPECT_NE(seen[1], seen[0]);
  const auto call = [&](const ProgramPtr& of, cl_ulong function) {
    const auto values = filled<cl_uint>({10, 20, 30});
    const auto made = kernel(of, "given");
    set(made, 0, function);
    set(made, 1, values);
    run(made, 3);
    return read<cl_uint>(values, 3);
  };
  EXPECT_EQ(call(program, seen[0]), (std::vector<cl_uint>{12, 22, 32}));
  EXPECT_EQ(call(program, seen[1]), (std::vector<cl_uint>{20, 40, 60}));
  EXPECT_EQ(call(program, 0), (std::vector<cl_uint>{0, 0, 0})) << "of no function";
  // Linked, from a binary, optimised otherwise.
  EXPECT_EQ(call(linked({compiled_il("function_pointers").get()}), seen[0]), (std::vector<cl_uint>{12, 22, 32}));
  const auto again = from_binary(binary(program));
  ASSERT_EQ(clBuildProgram(again.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(again);
  EXPECT_EQ(call(again, seen[1]), (std::vector<cl_uint>{20, 40, 60}));
  EXPECT_EQ(call(built_il("function_pointers", "-cl-opt-disable"), seen[1]), (std::vector<cl_uint>{20, 40, 60}));
}

}  // namespace
}  // namespace lanewise::test
