// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Build options through the API: what is refused and said, what other drivers take, and LANEWISE_BUILD_OPTIONS.
#include <cstdlib>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr const char* kSet = "kernel void set(global int* out) { out[get_global_id(0)] = VALUE; }";

class BuildOptionsApi : public ProgramFixture {
 protected:
  [[nodiscard]] cl_int build(const ProgramPtr& program, const char* options = nullptr) const {
    return clBuildProgram(program.get(), 0, nullptr, options, nullptr, nullptr);
  }
  [[nodiscard]] cl_int compile(const ProgramPtr& program, const char* options = nullptr) const {
    return clCompileProgram(program.get(), 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
  }
  /// The value that kernel `set` of an executable writes.
  [[nodiscard]] int value_of(const ProgramPtr& program) const {
    const auto set = kernel(program, "set");
    const auto out = buffer(4 * sizeof(int));
    cl_mem handle = out.get();
    EXPECT_EQ(clSetKernelArg(set.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    run(set, 4);
    return read<int>(out, 4)[3];
  }
};

/// The log says why, although the operation does not begin.
TEST_F(BuildOptionsApi, RefusedOptionsAreInTheLog) {
  const auto program = source(kSet);
  for (const char* option : {"-not-an-option", "-create-library", "-funsigned-char", "-m32", "-D 1"}) {
    EXPECT_EQ(build(program, option), CL_INVALID_BUILD_OPTIONS) << option;
    EXPECT_EQ(status(program), CL_BUILD_ERROR) << option;
    EXPECT_NE(log(program).find("error: unknown or incomplete option: " + std::string(option).substr(0, 2)),
              std::string::npos)
        << log(program);
    EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), option);
  }
  EXPECT_EQ(compile(program, "-nothing"), CL_INVALID_COMPILER_OPTIONS);
  EXPECT_NE(log(program).find("-nothing"), std::string::npos) << log(program);
  EXPECT_EQ(build(program, "-I \"open"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_NE(log(program).find("quotation mark"), std::string::npos) << log(program);
  // What has been built stays.
  ASSERT_EQ(build(program, "-D VALUE=4"), CL_SUCCESS) << log(program);
  EXPECT_EQ(log(program), "");
  EXPECT_EQ(build(program, "-not-an-option"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_NE(log(program).find("-not-an-option"), std::string::npos) << log(program);
  EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), "-D VALUE=4");
  EXPECT_EQ(value_of(program), 4);
}

/// Options of other drivers that change no meaning: taken, and the log says that they have no effect.
TEST_F(BuildOptionsApi, OptionsOfOtherDriversAreTakenWithANote) {
  const auto program = source(kSet);
  for (const char* option :
       {"-O3", "-O", "-fPIC", "-ffast-math", "-fno-bin-llvmir", "-Wf,--support_32bitptr", "-cl-nv-verbose",
        "-cl-nv-maxrregcount=32", "-cl-nv-maxrregcount 32", "-cl-intel-greater-than-4GB-buffer-required",
        "-march=native", "-save-temps=x", "-s /dir/k.cl"}) {
    ASSERT_EQ(build(program, (std::string(option) + " -D VALUE=2").c_str()), CL_SUCCESS) << option << log(program);
    EXPECT_NE(log(program).find("note: the option '" + std::string(option).substr(0, 2)), std::string::npos)
        << log(program);
    EXPECT_NE(log(program).find("has no effect"), std::string::npos) << log(program);
    ASSERT_EQ(build(program, (std::string(option) + " -w -D VALUE=2").c_str()), CL_SUCCESS) << option;
    EXPECT_EQ(log(program), "") << option;
  }
  EXPECT_EQ(build(program, "-cl-nv-maxrregcount"), CL_INVALID_BUILD_OPTIONS);
  const auto object = compiled(kSet, "-O2 -D VALUE=1");
  EXPECT_NE(log(object).find("'-O2'"), std::string::npos) << log(object);
  EXPECT_NE(log(linked({object.get()}, "-O3")).find("'-O3'"), std::string::npos);
}

/// Tests of LANEWISE_BUILD_OPTIONS run with the values that tests/CMakeLists.txt sets.
TEST_F(BuildOptionsApi, TheEnvironmentAddsOptions) {
  const char* added = std::getenv("LANEWISE_BUILD_OPTIONS");
  if (added == nullptr || std::string(added).find("ADDED") == std::string::npos) GTEST_SKIP() << "not set";
  const auto program =
      source("#if __OPENCL_C_VERSION__ != 300 || ADDED != 7\n#error not added\n#endif\n" + std::string(kSet));
  for (const char* options : {"-cl-std=CL1.2 -D VALUE=3 -D ADDED=1 -Wno-macro-redefined", "-D VALUE=3"}) {
    ASSERT_EQ(build(program, options), CL_SUCCESS) << log(program);
    EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), options);  // the application's own
    EXPECT_NE(log(program).find("'-O3'"), std::string::npos) << log(program);
    EXPECT_EQ(value_of(program), 3);
  }
  ASSERT_EQ(compile(program, "-D VALUE=4"), CL_SUCCESS) << log(program);
  EXPECT_EQ(value_of(linked({program.get()})), 4);
}

TEST_F(BuildOptionsApi, TheEnvironmentMayBeWrong) {
  const char* added = std::getenv("LANEWISE_BUILD_OPTIONS");
  if (added == nullptr || std::string(added) != "-no-option") GTEST_SKIP() << "not set";
  const auto program = source(kSet);
  EXPECT_EQ(build(program, "-D VALUE=3"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_NE(log(program).find("LANEWISE_BUILD_OPTIONS: unknown or incomplete option: -no-option"), std::string::npos)
      << log(program);
}

/// Options of other compilers that have a meaning here keep it.
TEST_F(BuildOptionsApi, WarningsAndDefinitionsAreHonoured) {
  const char* unused = "kernel void k() { int unused; }";
  const auto program = source(unused);
  EXPECT_EQ(build(program), CL_SUCCESS);
  EXPECT_EQ(log(program), "");
  EXPECT_EQ(build(program, "-Wall"), CL_SUCCESS);
  EXPECT_NE(log(program).find("-Wunused-variable"), std::string::npos) << log(program);
  EXPECT_EQ(build(program, "-Wall -Wno-unused-variable"), CL_SUCCESS);
  EXPECT_EQ(log(program), "");
  EXPECT_EQ(build(program, "-Wall -Werror"), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build(program, "-Werror -Wno-such-warning -Wall-or-nothing"), CL_SUCCESS) << log(program);
  EXPECT_EQ(build(source("#ifdef A\n#error A\n#endif\nkernel void k() {}"), "-D A -U A"), CL_SUCCESS);
  EXPECT_EQ(
      build(source("#if __OPENCL_C_VERSION__ != 100\n#error version\n#endif\nkernel void k() {}"), "-cl-std=CL1.0"),
      CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
