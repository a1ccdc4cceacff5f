// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_function_pointers, and clGetDeviceFunctionPointerINTEL for its functions.
#include "include/lanewise/cl_compat.h"
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

/// Calls a function that the application names, or any number.
class IlFunctionPointersByName : public IlFunctionPointers {
 protected:
  cl_ulong pointer(const ProgramPtr& program, const char* name) const {
    const auto find = reinterpret_cast<decltype(&clGetDeviceFunctionPointerINTEL)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clGetDeviceFunctionPointerINTEL"));
    cl_ulong found = 0;
    EXPECT_EQ(find(device_, program.get(), name, &found), CL_SUCCESS) << name;
    return found;
  }
  std::vector<cl_uint> called(const ProgramPtr& program, cl_ulong function) const {
    const auto values = filled<cl_uint>({10, 20, 30});
    const auto made = kernel(program, "given");
    set(made, 0, function);
    set(made, 1, values);
    run(made, 3);
    return read<cl_uint>(values, 3);
  }
};

const std::vector<cl_uint> kPlus2{12, 22, 32}, kTimes2{20, 40, 60}, kMinus2{8, 18, 28};

TEST_F(IlFunctionPointersByName, AreNumbersOfTheirNames) {
  const auto program = built_il("function_pointers");
  const std::vector<cl_ulong> seen = result_of<cl_ulong>(program, "same", {0, 0});
  EXPECT_EQ(seen[0], pointer(program, "plus"));
  EXPECT_NE(seen[1], seen[0]);
  EXPECT_EQ(called(program, seen[0]), kPlus2);
  EXPECT_EQ(called(program, seen[1]), kTimes2);
  EXPECT_EQ(called(program, pointer(program, "asked")), kMinus2) << "no code has its address";
  EXPECT_EQ(called(program, 0), (std::vector<cl_uint>{0, 0, 0})) << "of no function";
}

TEST_F(IlFunctionPointersByName, AreTheSameLinkedFromABinaryAndOptimisedOtherwise) {
  const auto program = built_il("function_pointers");
  const cl_ulong asked = pointer(program, "asked");
  const cl_ulong times = result_of<cl_ulong>(program, "same", {0, 0})[1];
  ProgramPtr others[] = {from_binary(binary(program)), linked({compiled_il("function_pointers").get()}),
                         built_il("function_pointers", "-cl-opt-disable")};
  build(others[0]);
  for (const ProgramPtr& other : others) {
    EXPECT_EQ(pointer(other, "asked"), asked);
    EXPECT_EQ(called(other, asked), kMinus2);
    EXPECT_EQ(called(other, times), kTimes2);
  }
}

}  // namespace
}  // namespace lanewise::test
