// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_global_variable_host_access: names and permissions of variables.
#include "include/lanewise/cl_compat.h"
#include "tests/spirv/newer_fixture.h"

namespace lanewise::test {
namespace {

class NewerHostAccess : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (IsSkipped()) return;
    if (!has("SPV_INTEL_global_variable_host_access")) GTEST_SKIP() << "the validator does not know it";
  }
  template <class Function>
  [[nodiscard]] Function* found(const char* name) const {
    return reinterpret_cast<Function*>(clGetExtensionFunctionAddressForPlatform(platform_, name));
  }
};

TEST_F(NewerHostAccess, NamesAndPermissionsAreTheModules) {
  const auto program = built_il("newer_host_access");
  const auto on = queue();
  const auto read = [&](const char* name, cl_uint* value) {
    return found<decltype(clEnqueueReadGlobalVariableINTEL)>("clEnqueueReadGlobalVariableINTEL")(
        on.get(), program.get(), name, CL_TRUE, sizeof *value, 0, value, 0, nullptr, nullptr);
  };
  const auto write = [&](const char* name, cl_uint value) {
    return found<decltype(clEnqueueWriteGlobalVariableINTEL)>("clEnqueueWriteGlobalVariableINTEL")(
        on.get(), program.get(), name, CL_TRUE, sizeof value, 0, &value, 0, nullptr, nullptr);
  };
  cl_uint value = 0;
  for (const char* name : {"both", "both_exported"}) {
    ASSERT_EQ(read(name, &value), CL_SUCCESS) << name;
    EXPECT_EQ(value, 1U) << name;
  }
  ASSERT_EQ(read("read", &value), CL_SUCCESS);
  EXPECT_EQ(value, 2U);
  EXPECT_EQ(read("write", &value), CL_INVALID_OPERATION);
  EXPECT_EQ(read("none", &value), CL_INVALID_OPERATION);
  EXPECT_EQ(write("both", 100), CL_SUCCESS);
  EXPECT_EQ(write("write", 400), CL_SUCCESS);
  EXPECT_EQ(write("read", 200), CL_INVALID_OPERATION);
  EXPECT_EQ(write("none", 800), CL_INVALID_OPERATION);
  EXPECT_EQ(result_of<cl_uint>(program, "take", {0}), (std::vector<cl_uint>{100 + 2 + 400 + 8}));
}

}  // namespace
}  // namespace lanewise::test
