// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// clGetDeviceFunctionPointerINTEL: pointers to functions of programs from source. From SPIR-V:
/// tests/spirv/function_pointers_test.cpp.
#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

/// `call` calls what its argument points to. What is in the table, and not static, may be asked for.
constexpr const char* kSource = R"(
  #pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
  typedef int (*op)(int, int);
  int plus(int a, int b) { return a + b; }
  int position(int a, int b) { return 100 * b + (int)get_local_id(0); }
  static int hidden(int a, int b) { return a * b; }
  int direct(int a, int b) { return a - b; }
  constant op table[3] = {plus, position, hidden};
  kernel void call(ulong function, global int* values) {
    int i = get_global_id(0); values[i] = ((op)function)(values[i], 2); }
  kernel void choose(global int* values) {
    int i = get_global_id(0); values[i] = direct(table[i % 3](values[i], 2), 0); }
)";

class FunctionPointerApi : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    find_ = reinterpret_cast<decltype(find_)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clGetDeviceFunctionPointerINTEL"));
    ASSERT_NE(find_, nullptr);
  }
  cl_ulong pointer(const ProgramPtr& program, const char* name) const {
    cl_ulong found = 0;
    EXPECT_EQ(find_(device_, program.get(), name, &found), CL_SUCCESS) << name;
    EXPECT_NE(found, 0U) << name;
    return found;
  }
  /// What `call` gives for the values 10, 20, 30, 40.
  std::vector<cl_int> called(const ProgramPtr& program, cl_ulong function) const {
    cl_int values[] = {10, 20, 30, 40};
    cl_int code = 1;
    const MemPtr memory(clCreateBuffer(context_.get(), CL_MEM_COPY_HOST_PTR, sizeof values, values, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    const auto made = kernel(program, "call");
    cl_mem handle = memory.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof function, &function), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 1, sizeof handle, &handle), CL_SUCCESS);
    run(made, 4, 2);
    return read<cl_int>(memory, 4);
  }

  decltype(&clGetDeviceFunctionPointerINTEL) find_ = nullptr;
};

const std::vector<cl_int> kSums{12, 22, 32, 42}, kPositions{200, 201, 200, 201}, kNothing{0, 0, 0, 0};

TEST_F(FunctionPointerApi, KernelsCallWhatTheyAreGiven) {
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    const auto program = built(kSource, options);
    EXPECT_EQ(called(program, pointer(program, "plus")), kSums) << options;
    EXPECT_EQ(called(program, pointer(program, "position")), kPositions) << options;
    EXPECT_EQ(called(program, 0), kNothing) << options;
  }
}

TEST_F(FunctionPointerApi, CxxForOpenCLHasMangledNames) {
  const auto program = built(kSource, "-cl-std=CLC++2021");
  EXPECT_EQ(called(program, pointer(program, "_Z4plusii")), kSums);
  EXPECT_EQ(called(program, pointer(program, "_Z8positionii")), kPositions);
  cl_ulong found = 0;
  EXPECT_EQ(find_(device_, program.get(), "plus", &found), CL_INVALID_ARG_VALUE);
}

TEST_F(FunctionPointerApi, BinariesAndLinkedProgramsHaveThem) {
  const auto program = built(kSource, "-cl-std=CL3.0");
  const auto again = from_binary(binary(program));
  ASSERT_EQ(clBuildProgram(again.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(again);
  EXPECT_EQ(called(again, pointer(again, "plus")), kSums);
  const auto part = compiled(kSource, "-cl-std=CL3.0");
  const auto whole = linked({part.get()});
  EXPECT_EQ(called(whole, pointer(whole, "position")), kPositions);
  const auto linked_again = from_binary(binary(whole));
  ASSERT_EQ(clBuildProgram(linked_again.get(), 0, nullptr, "-cl-opt-disable", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(called(linked_again, pointer(linked_again, "plus")), kSums);
}

TEST_F(FunctionPointerApi, Errors) {
  const auto program = built(kSource, "-cl-std=CL3.0");
  cl_ulong found = 5;
  EXPECT_EQ(find_(nullptr, program.get(), "plus", &found), CL_INVALID_DEVICE);
  EXPECT_EQ(find_(device_, nullptr, "plus", &found), CL_INVALID_PROGRAM);
  EXPECT_EQ(find_(device_, program.get(), nullptr, &found), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(find_(device_, program.get(), "plus", nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(find_(device_, program.get(), "nothing", &found), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(find_(device_, program.get(), "hidden", &found), CL_INVALID_ARG_VALUE) << "static";
  EXPECT_EQ(find_(device_, program.get(), "direct", &found), CL_INVALID_ARG_VALUE) << "no pointer reaches it";
  EXPECT_EQ(find_(device_, program.get(), "choose", &found), CL_INVALID_ARG_VALUE) << "a kernel";
  EXPECT_EQ(find_(device_, compiled(kSource, "-cl-std=CL3.0").get(), "plus", &found), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(found, 5U);
}

/// A program of one sub-device has no functions on another one.
TEST_F(FunctionPointerApi, OfTheDevicesOfTheProgram) {
  const cl_device_partition_property singles[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  if (clCreateSubDevices(device_, singles, 1, &part, nullptr) != CL_SUCCESS) GTEST_SKIP() << "one compute unit";
  const auto program = built(kSource, "-cl-std=CL3.0");
  cl_ulong found = 0;
  EXPECT_EQ(find_(part, program.get(), "plus", &found), CL_INVALID_DEVICE);
  EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
