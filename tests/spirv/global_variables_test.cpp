// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_intel_global_variable_access on modules: variables by the names under which these offer them.
#include "include/lanewise/cl_compat.h"
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

class IlVariables : public IlFixture {
 protected:
  cl_int read(const ProgramPtr& program, const char* name, cl_uint& value) const {
    const auto function = reinterpret_cast<decltype(&clEnqueueReadGlobalVariableINTEL)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clEnqueueReadGlobalVariableINTEL"));
    const auto on = queue();
    return function(on.get(), program.get(), name, CL_TRUE, sizeof value, 0, &value, 0, nullptr, nullptr);
  }
  cl_int write(const ProgramPtr& program, const char* name, cl_uint value) const {
    const auto function = reinterpret_cast<decltype(&clEnqueueWriteGlobalVariableINTEL)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clEnqueueWriteGlobalVariableINTEL"));
    const auto on = queue();
    return function(on.get(), program.get(), name, CL_TRUE, sizeof value, 0, &value, 0, nullptr, nullptr);
  }
};

TEST_F(IlVariables, AreFoundByTheirLinkage) {
  const auto program = built_il("global_variables");
  cl_uint value = 0;
  ASSERT_EQ(read(program, "offered", value), CL_SUCCESS);
  EXPECT_EQ(value, 7U);
  ASSERT_EQ(write(program, "offered", 40), CL_SUCCESS);
  EXPECT_EQ(result_of<cl_uint>(program, "take", {0}), (std::vector<cl_uint>{41}));
  ASSERT_EQ(read(program, "offered", value), CL_SUCCESS);
  EXPECT_EQ(value, 41U);
  EXPECT_EQ(read(program, "kept", value), CL_INVALID_ARG_VALUE) << "a name for debuggers is none for others";
}

}  // namespace
}  // namespace lanewise::test
