// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs without kernels (API 5.8): empty, or helper functions only. All calls treat them like other programs.
#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

struct Named {
  const char* name;
  const char* source;
};
constexpr Named kSources[] = {{"Empty", ""},
                              {"Blank", "\n"},
                              {"Functions", "int lanewise_helper(int x) { return x + 1; }"},
                              {"Constants", "constant int lanewise_table[2] = {1, 2};"}};

class KernellessProgram : public ProgramFixture, public ::testing::WithParamInterface<Named> {
 protected:
  void expect_no_kernels(const ProgramPtr& program) const {
    std::size_t count = 77;
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
    EXPECT_EQ(count, 0u);
    char names[4] = "???";
    std::size_t size = 0;
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &size), CL_SUCCESS);
    EXPECT_EQ(size, 1u);
    EXPECT_STREQ(names, "");
    cl_uint kernels = 77;
    EXPECT_EQ(clCreateKernelsInProgram(program.get(), 0, nullptr, &kernels), CL_SUCCESS);
    EXPECT_EQ(kernels, 0u);
    cl_int code = 1;
    EXPECT_EQ(clCreateKernel(program.get(), "f", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
    EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
    EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  }
};

TEST_P(KernellessProgram, IsBuilt) {
  for (const char* options : {"", "-cl-std=CL3.0", "-cl-opt-disable -g", "-cl-lanewise-report-vectors"})
    expect_no_kernels(built(GetParam().source, options));
}

TEST_P(KernellessProgram, GoesThroughABinary) {
  const auto bytes = binary(built(GetParam().source));
  ASSERT_FALSE(bytes.empty());
  const auto loaded = from_binary(bytes);
  ASSERT_EQ(clBuildProgram(loaded.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(loaded);
  expect_no_kernels(loaded);
  EXPECT_EQ(binary(loaded), bytes);
}

TEST_P(KernellessProgram, IsCompiledAndLinked) {
  const auto part = compiled(GetParam().source);
  expect_no_kernels(linked({part.get()}));
  const auto library = linked({part.get()}, "-create-library");
  EXPECT_EQ(binary_type(library), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  expect_no_kernels(linked({library.get()}));
  const auto loaded = from_binary(binary(part));
  const auto other = compiled("int lanewise_other(int x) { return x; }");
  expect_no_kernels(linked({loaded.get(), other.get()}));
}

TEST_P(KernellessProgram, IsPartOfAProgramWithKernels) {
  const auto part = compiled(GetParam().source);
  const auto main = compiled("kernel void set(global int* out) { *out = 5; }");
  const auto whole = linked({part.get(), main.get()});
  const auto set = kernel(whole, "set");
  const auto out = buffer(sizeof(int));
  cl_mem handle = out.get();
  EXPECT_EQ(clSetKernelArg(set.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  run(set, 1);
  EXPECT_EQ(read<int>(out, 1)[0], 5);
}

TEST_P(KernellessProgram, IsBuiltWherePrivateMemoryIsZeroed) {
  const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                              CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR, 0};
  const auto bytes = binary(built(GetParam().source));
  cl_int code = 1;
  context_.reset(clCreateContext(properties, 1, &device_, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  expect_no_kernels(built(GetParam().source));
  const auto loaded = from_binary(bytes);
  ASSERT_EQ(clBuildProgram(loaded.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(loaded);
  expect_no_kernels(loaded);
}

TEST_P(KernellessProgram, IsBuiltForSubDevices) {
  const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64];
  cl_uint count = 0;
  if (clCreateSubDevices(device_, by_one, 64, parts, &count) != CL_SUCCESS || count < 2)
    GTEST_SKIP() << "the device cannot be divided here";
  cl_int code = 1;
  context_.reset(clCreateContext(nullptr, 2, parts, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto program = source(GetParam().source);
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  std::size_t kernels = 77;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), CL_SUCCESS);
  EXPECT_EQ(kernels, 0u);
  for (cl_uint i = 0; i < count; ++i) clReleaseDevice(parts[i]);
}

INSTANTIATE_TEST_SUITE_P(Sources, KernellessProgram, ::testing::ValuesIn(kSources),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace lanewise::test
