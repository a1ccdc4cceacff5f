// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_variable_length_array: see the modules.
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

using Numbers = std::vector<cl_uint>;

class IlVariableArrays : public IlFixture {
 protected:
  /// 0: the length is the module's, 4.
  ProgramPtr of_length(cl_uint length) const {
    auto program = from_il(module_named("variable_arrays"));
    if (length != 0)
      EXPECT_EQ(clSetProgramSpecializationConstant(program.get(), 7, sizeof length, &length), CL_SUCCESS);
    build(program);
    return program;
  }
};

Numbers counted(std::size_t count) {
  Numbers made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<cl_uint>(i * 7 + 1);
  return made;
}

TEST_F(IlVariableArrays, AreAsLongAsTheBuildSays) {
  constexpr std::size_t kItems = 37;
  for (const cl_uint length : {0U, 1U, 3U, 16U, 1000U}) {
    const std::size_t block = length == 0 ? 4 : length;
    const Numbers before = counted(kItems * block);
    Numbers expected = before;
    for (std::size_t i = 0; i < kItems; ++i)
      for (std::size_t k = 0; k < block; ++k) expected[i * block + k] = before[i * block + block - 1 - k];
    EXPECT_EQ(result_of(of_length(length), "reverse", before, kItems), expected) << length;
  }
}

TEST_F(IlVariableArrays, AreMadeInLoops) {
  const Numbers before = counted(50);
  Numbers expected;
  for (const cl_uint x : before) expected.push_back(4 * x + 6);
  for (const char* name : {"scopes", "again"}) EXPECT_EQ(result_of(of_length(5), name, before, 50), expected) << name;
}

TEST_F(IlVariableArrays, MayHaveTheLengthOfAnArgument) {
  const Numbers before = counted(50);
  Numbers expected;
  for (const cl_uint x : before) expected.push_back(x + 9);
  EXPECT_EQ(result_of(of_length(9), "called", before, 50), expected);
}

TEST_F(IlVariableArrays, AreRefusedWithAReason) {
  const auto program = from_il(module_named("refused_arrays"));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  const std::string told = log(program);
  EXPECT_NE(told.find("kernel 'late': private array of variable size"), std::string::npos) << told;
  EXPECT_NE(told.find("'kept': a loop allocates private memory in each iteration and keeps a pointer to it"),
            std::string::npos)
      << told;
}

}  // namespace
}  // namespace lanewise::test
