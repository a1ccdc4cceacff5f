// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_intel_global_variable_access: variables of programs by their names. From SPIR-V: tests/spirv/global_variables_test.cpp.
#include <cstring>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class GlobalVariables : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
#define FIND(member, name)                                                                                 \
  member = reinterpret_cast<decltype(member)>(clGetExtensionFunctionAddressForPlatform(platform_, #name)); \
  ASSERT_NE(member, nullptr) << #name
    FIND(read_, clEnqueueReadGlobalVariableINTEL);
    FIND(write_, clEnqueueWriteGlobalVariableINTEL);
    FIND(pointer_, clGetDeviceGlobalVariablePointerINTEL);
#undef FIND
    program_ = built(R"(
      global int number = 123;
      global int table[4] = {1, 2, 3, 4};
      const global int fixed = 9;
      static global int hidden = 5;
      global int unused = 77;
      kernel void take(global int* out) { out[0] = number; out[1] = table[2]; out[2] = fixed + hidden; number += 1; }
    )",
                     "-cl-std=CL2.0");
    queue_ = queue();
  }

  cl_int read(const char* name, void* to, size_t size, size_t offset = 0) const {
    return read_(queue_.get(), program_.get(), name, CL_TRUE, size, offset, to, 0, nullptr, nullptr);
  }
  cl_int write(const char* name, const void* from, size_t size, size_t offset = 0) const {
    return write_(queue_.get(), program_.get(), name, CL_TRUE, size, offset, from, 0, nullptr, nullptr);
  }
  [[nodiscard]] std::vector<cl_int> taken() const {
    const MemPtr out = buffer(12);
    const auto take = kernel(program_, "take");
    cl_mem handle = out.get();
    EXPECT_EQ(clSetKernelArg(take.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    ProgramFixture::run(take, 1);
    return ProgramFixture::read<cl_int>(out, 3);
  }

  decltype(&clEnqueueReadGlobalVariableINTEL) read_ = nullptr;
  decltype(&clEnqueueWriteGlobalVariableINTEL) write_ = nullptr;
  decltype(&clGetDeviceGlobalVariablePointerINTEL) pointer_ = nullptr;
  ProgramPtr program_;
  QueuePtr queue_;
};

TEST_F(GlobalVariables, AreReadWithTheirInitialValues) {
  cl_int number = 0;
  std::vector<cl_int> table(4), end(2);
  ASSERT_EQ(read("number", &number, sizeof number), CL_SUCCESS);
  ASSERT_EQ(read("table", table.data(), 16), CL_SUCCESS);
  ASSERT_EQ(read("table", end.data(), 8, 8), CL_SUCCESS);
  EXPECT_EQ(number, 123);
  EXPECT_EQ(table, (std::vector<cl_int>{1, 2, 3, 4}));
  EXPECT_EQ(end, (std::vector<cl_int>{3, 4}));
  ASSERT_EQ(read("unused", &number, sizeof number), CL_SUCCESS);
  EXPECT_EQ(number, 77);
  ASSERT_EQ(read("fixed", &number, sizeof number), CL_SUCCESS);
  EXPECT_EQ(number, 9);
}

TEST_F(GlobalVariables, KernelsSeeWhatIsWrittenAndTheOtherWayRound) {
  cl_int number = 500, part[2] = {30, 40};
  ASSERT_EQ(write("number", &number, sizeof number), CL_SUCCESS);
  ASSERT_EQ(write("table", part, sizeof part, 8), CL_SUCCESS);
  EXPECT_EQ(taken(), (std::vector<cl_int>{500, 30, 14}));
  ASSERT_EQ(read("number", &number, sizeof number), CL_SUCCESS);
  EXPECT_EQ(number, 501);
}

TEST_F(GlobalVariables, PointersAreToTheSameMemory) {
  size_t size = 0;
  void* address = nullptr;
  ASSERT_EQ(pointer_(device_, program_.get(), "table", &size, &address), CL_SUCCESS);
  EXPECT_EQ(size, 16U);
  auto* table = static_cast<cl_int*>(address);
  EXPECT_EQ(table[3], 4);
  table[2] = 99;
  EXPECT_EQ(taken(), (std::vector<cl_int>{123, 99, 14}));
  void* again = nullptr;
  ASSERT_EQ(pointer_(device_, program_.get(), "table", nullptr, &again), CL_SUCCESS);
  EXPECT_EQ(again, address);
}

TEST_F(GlobalVariables, CommandsHaveTypesAndWait) {
  cl_int code = 1, one = 1, two = 2, got = 0;
  cl_event start = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_event written = nullptr, was_read = nullptr;
  ASSERT_EQ(write_(queue_.get(), program_.get(), "number", CL_FALSE, 4, 0, &one, 1, &start, &written), CL_SUCCESS);
  ASSERT_EQ(read_(queue_.get(), program_.get(), "number", CL_FALSE, 4, 0, &got, 1, &written, &was_read), CL_SUCCESS);
  one = two;  // the memory is read when the command runs
  ASSERT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(got, two);
  const auto type_of = [](cl_event event) {
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    return type;
  };
  EXPECT_EQ(type_of(written), static_cast<cl_command_type>(CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL));
  EXPECT_EQ(type_of(was_read), static_cast<cl_command_type>(CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL));
  for (cl_event event : {start, written, was_read}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

/// A command keeps the storage, also of a program that has gone meanwhile.
TEST_F(GlobalVariables, OutliveTheirProgramInACommand) {
  cl_int code = 1, got = 0;
  cl_event start = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(read_(queue_.get(), program_.get(), "number", CL_FALSE, 4, 0, &got, 1, &start, nullptr), CL_SUCCESS);
  program_.reset();
  ASSERT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(got, 123);
  EXPECT_EQ(clReleaseEvent(start), CL_SUCCESS);
}

TEST_F(GlobalVariables, AreNewAfterABuildAndThereInBinaries) {
  cl_int number = 1;
  ASSERT_EQ(write("number", &number, sizeof number), CL_SUCCESS);
  const auto bytes = binary(program_);
  ASSERT_EQ(clBuildProgram(program_.get(), 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(read("number", &number, sizeof number), CL_SUCCESS);
  EXPECT_EQ(number, 123);
  program_ = from_binary(bytes);
  ASSERT_EQ(clBuildProgram(program_.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(read("number", &number, sizeof number), CL_SUCCESS);
  EXPECT_EQ(number, 123);
}

TEST_F(GlobalVariables, OfLinkedProgramsAreFoundInEach) {
  const auto a = compiled("global int first = 1;", "-cl-std=CL3.0");
  const auto b =
      compiled("extern global int first; global int second = 2; kernel void k() { second += first; }", "-cl-std=CL3.0");
  program_ = linked({a.get(), b.get()});
  cl_int first = 0, second = 0;
  ASSERT_EQ(read("first", &first, 4), CL_SUCCESS);
  ASSERT_EQ(read("second", &second, 4), CL_SUCCESS);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

TEST_F(GlobalVariables, ErrorsOfCommands) {
  cl_int value = 0;
  const auto unbuilt = source("global int number;");
  const auto other = new_context();
  cl_int code = 1;
  const QueuePtr elsewhere(clCreateCommandQueue(other.get(), device_, 0, &code));
  const auto read = [&](cl_command_queue queue, cl_program program, const char* name, size_t size, size_t offset,
                        void* to, cl_uint waits = 0) {
    return read_(queue, program, name, CL_TRUE, size, offset, to, waits, nullptr, nullptr);
  };
  EXPECT_EQ(read(nullptr, program_.get(), "number", 4, 0, &value), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(read(queue_.get(), nullptr, "number", 4, 0, &value), CL_INVALID_PROGRAM);
  EXPECT_EQ(read(elsewhere.get(), program_.get(), "number", 4, 0, &value), CL_INVALID_CONTEXT);
  EXPECT_EQ(read(queue_.get(), unbuilt.get(), "number", 4, 0, &value), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(read(queue_.get(), program_.get(), nullptr, 4, 0, &value), CL_INVALID_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "number", 4, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "number", 5, 0, &value), CL_INVALID_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "number", 4, 1, &value), CL_INVALID_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "number", 1, ~size_t{0}, &value), CL_INVALID_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "nobody", 4, 0, &value), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(read(queue_.get(), program_.get(), "hidden", 4, 0, &value), CL_INVALID_ARG_VALUE) << "static";
  EXPECT_EQ(read(queue_.get(), program_.get(), "number", 4, 0, &value, 1), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(write("fixed", &value, 4), CL_INVALID_OPERATION);
  EXPECT_EQ(write("nobody", &value, 4), CL_INVALID_ARG_VALUE);
}

TEST_F(GlobalVariables, ErrorsOfPointers) {
  size_t size = 0;
  void* address = nullptr;
  const auto unbuilt = source("global int number;");
  EXPECT_EQ(pointer_(nullptr, program_.get(), "number", &size, &address), CL_INVALID_DEVICE);
  EXPECT_EQ(pointer_(device_, nullptr, "number", &size, &address), CL_INVALID_PROGRAM);
  EXPECT_EQ(pointer_(device_, program_.get(), nullptr, &size, &address), CL_INVALID_VALUE);
  EXPECT_EQ(pointer_(device_, program_.get(), "number", &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(pointer_(device_, program_.get(), "nobody", &size, &address), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(pointer_(device_, unbuilt.get(), "number", &size, &address), CL_INVALID_PROGRAM_EXECUTABLE);
}

}  // namespace
}  // namespace lanewise::test
