// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where modules cannot be compiled, nothing says that they can. Run with LANEWISE_COMPILER=inprocess, which has no
// process for the translator, and with folders in which the translator or what it needs is missing (CMakeLists.txt).
#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class IlAbsence : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    if (size_of(CL_DEVICE_IL_VERSION) > 1) GTEST_SKIP() << "the device has an intermediate language";
  }
  [[nodiscard]] size_t size_of(cl_device_info what) const {
    size_t size = 99;
    EXPECT_EQ(clGetDeviceInfo(device_, what, 0, nullptr, &size), CL_SUCCESS);
    return size;
  }
};

TEST_F(IlAbsence, IsTold) {
  EXPECT_EQ(size_of(CL_DEVICE_IL_VERSION), 1u);
  EXPECT_EQ(size_of(CL_DEVICE_ILS_WITH_VERSION), 0u);
  EXPECT_EQ(size_of(CL_DEVICE_SPIRV_CAPABILITIES_KHR), 0u);
  std::string extensions(size_of(CL_DEVICE_EXTENSIONS), ' ');
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, extensions.size(), extensions.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(extensions.find("cl_khr_il_program"), std::string::npos);
  EXPECT_EQ(extensions.find("cl_khr_spirv_"), std::string::npos);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform_, "clCreateProgramWithILKHR"), nullptr);
  // OpenCL 3.1 asks for SPIR-V.
  cl_version version = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, nullptr), CL_SUCCESS);
  EXPECT_EQ(version, static_cast<cl_version>(CL_MAKE_VERSION(3, 0, 0)));
  EXPECT_NE(clBuildProgram(source("kernel void k() {}").get(), 0, nullptr, "-cl-std=CL3.1", nullptr, nullptr),
            CL_SUCCESS);
}

TEST_F(IlAbsence, IsAnErrorOfItsOwn) {
  const unsigned word = 0x07230203;
  cl_int code = 1;
  EXPECT_EQ(clCreateProgramWithIL(context_.get(), &word, sizeof word, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(clCreateProgramWithIL(nullptr, &word, sizeof word, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  const auto program = source("");
  EXPECT_EQ(clSetProgramSpecializationConstant(program.get(), 0, sizeof word, &word), CL_INVALID_OPERATION);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 0, sizeof word, &word), CL_INVALID_PROGRAM);
}

TEST_F(IlAbsence, TakesNothingFromOtherPrograms) {
  cl_int value = 41;
  cl_int code = 1;
  const auto made = kernel(built("kernel void k(global int* x) { *x += 1; }"), "k");
  const MemPtr memory(
      clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem argument = memory.get();
  ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof argument, &argument), CL_SUCCESS);
  run(made, 1);
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 42);
}

}  // namespace
}  // namespace lanewise::test
