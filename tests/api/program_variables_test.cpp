// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables of a program in the global address space, as several kernels, programs and devices see them.
#include <array>
#include <chrono>
#include <thread>

#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

/// Two kernels with one variable; `step` is part of the variable's first value.
std::string counter(int first) {
  return "global int count = " + std::to_string(first) + ", seen[64];\n" + R"(
    kernel void add(int n) { if (get_global_id(0) == 0) count += n; seen[get_global_id(0)] = get_global_id(0); }
    kernel void get(global int* out) {
      if (get_global_id(0) == 0) out[0] = count;
      out[1 + get_global_id(0)] = seen[get_global_id(0)];
    })";
}

class ProgramVariables : public ProgramFixture {
 protected:
  static constexpr std::size_t kItems = 64;

  [[nodiscard]] ProgramPtr built3(const std::string& text) const { return built(text, "-cl-std=CL3.0"); }

  void add(const ProgramPtr& program, cl_int n) const {
    const auto made = kernel(program, "add");
    ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof n, &n), CL_SUCCESS);
    run(made, kItems, 16);
  }
  [[nodiscard]] std::vector<cl_int> get(const ProgramPtr& program) const {
    const auto made = kernel(program, "get");
    const auto out = buffer((kItems + 1) * sizeof(cl_int));
    const cl_mem memory = out.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof memory, &memory), CL_SUCCESS);
    run(made, kItems, 16);
    return read<cl_int>(out, kItems + 1);
  }
  [[nodiscard]] cl_int count(const ProgramPtr& program) const { return get(program).front(); }
  [[nodiscard]] std::size_t total_size(const ProgramPtr& program) const {
    std::size_t bytes = 1;
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes,
                                    &bytes, nullptr),
              CL_SUCCESS);
    return bytes;
  }
};

TEST_F(ProgramVariables, KeepTheirValuesFromKernelToKernel) {
  const auto program = built3(counter(5));
  EXPECT_EQ(get(program), [] {
    std::vector<cl_int> expected(kItems + 1);
    expected[0] = 5;
    return expected;
  }());
  add(program, 2);
  add(program, 3);
  const auto values = get(program);
  EXPECT_EQ(values[0], 10);
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(values[i + 1], static_cast<cl_int>(i));
}

TEST_F(ProgramVariables, ABuildMakesThemAnew) {
  const auto program = built3(counter(5));
  add(program, 2);
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(count(program), 5);
}

/// Two programs of the same source, so that they share code and its file.
TEST_F(ProgramVariables, ProgramsShareNothing) {
  const auto first = built3(counter(5)), second = built3(counter(5));
  add(first, 2);
  add(second, 30);
  EXPECT_EQ(count(first), 7);
  EXPECT_EQ(count(second), 35);
}

TEST_F(ProgramVariables, OfProgramsCompiledApart) {
  const auto defines = compiled(
      "global int count = 3; static int own = 100; int first(void) { return own++; }"
      "global int* global where = &count;",
      "-cl-std=CL3.0");
  const auto uses = compiled(
      "extern global int count; extern global int* global where; static int own = 200; int first(void);\n"
      "kernel void add(int n) { if (get_global_id(0) == 0) { *where += n; own += first(); } }\n"
      "kernel void get(global int* out) { if (get_global_id(0) == 0) { out[0] = count; out[1] = own; } }",
      "-cl-std=CL3.0");
  const auto program = linked({defines.get(), uses.get()});
  add(program, 4);
  add(program, 4);
  EXPECT_EQ(get(program)[0], 11);
  EXPECT_EQ(get(program)[1], 200 + 100 + 101);
  const auto library = linked({defines.get()}, "-create-library");
  const auto other = linked({uses.get(), library.get()});
  add(other, 1);
  EXPECT_EQ(get(other)[0], 4);
  EXPECT_EQ(get(other)[1], 300);
  EXPECT_EQ(get(program)[0], 11);
  linked({uses.get()}, nullptr, CL_LINK_PROGRAM_FAILURE);
}

TEST_F(ProgramVariables, OfProgramsFromBinaries) {
  const auto original = built3(counter(5));
  add(original, 2);
  const auto program = from_binary(binary(original));
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(count(program), 5);
  add(program, 40);
  EXPECT_EQ(count(program), 45);
  EXPECT_EQ(count(original), 7);
  EXPECT_EQ(total_size(program), total_size(original));
}

/// They live as long as a command uses them, even after the program is released.
TEST_F(ProgramVariables, OutliveTheProgramWhileKernelsRun) {
  const auto on = queue();
  const auto out = buffer((kItems + 1) * sizeof(cl_int));
  cl_int code = 1;
  cl_event start = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  {
    const auto program = built3(counter(5));
    add(program, 2);
    const auto made = kernel(program, "get");
    const cl_mem memory = out.get();
    ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof memory, &memory), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), made.get(), 1, nullptr, &kItems, nullptr, 1, &start, nullptr),
              CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
  clReleaseEvent(start);
  EXPECT_EQ(read<cl_int>(out, 1)[0], 7);
}

TEST_F(ProgramVariables, OneMemoryForThreadsThatAskAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const auto program = built3(
        "global atomic_int n; kernel void add(int k) { atomic_fetch_add_explicit(&n, k, "
        "memory_order_relaxed, memory_scope_device); }\n"
        "kernel void get(global int* out) { out[0] = atomic_load_explicit(&n, "
        "memory_order_relaxed, memory_scope_device); }");
    std::array<std::thread, 4> threads;
    for (std::thread& thread : threads) thread = std::thread([&] { add(program, 1); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(count(program), static_cast<cl_int>(threads.size() * kItems));
  }
}

TEST_F(ProgramVariables, SizesAndLimits) {
  const auto largest = device_value<std::size_t>(device_, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
  EXPECT_GE(largest, std::size_t{64} * 1024);
  EXPECT_GT(device_value<std::size_t>(device_, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE), 0U);
  EXPECT_EQ(total_size(built3("kernel void k(global int* p) { *p = 1; }")), 0U);
  EXPECT_EQ(total_size(source("kernel void k() {}")), 0U);
  const auto some = total_size(built3("global int a[100]; global char b = 1; kernel void k() { a[0] = b; }"));
  EXPECT_GE(some, 401U);
  EXPECT_LT(some, 600U);
  for (const std::size_t bytes : {largest + 1, std::size_t{1} << 40U, std::size_t{1} << 62U}) {
    const auto program = source("char large[" + std::to_string(bytes) + "]; kernel void k() { large[0] = 1; }");
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE)
        << bytes;
    EXPECT_NE(log(program).find("error"), std::string::npos) << log(program);
    EXPECT_EQ(total_size(program), 0U);
  }
  // Each is allowed, all together are not.
  std::string many;
  const auto memory = device_value<cl_ulong>(device_, CL_DEVICE_GLOBAL_MEM_SIZE);
  for (std::size_t i = 0; i <= memory / largest; ++i)
    many += "char v" + std::to_string(i) + "[" + std::to_string(largest) + "];\n";
  const auto program = source(many + "kernel void k() { v0[0] = 1; }");
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(ProgramVariables, AreOfOpenCLC3) {
  const auto macro = built3(
      "#ifndef __opencl_c_program_scope_global_variables\n#error\n#endif\n"
      "int n; kernel void k() { n = 1; }");
  const auto older = source("global int n; kernel void k() { n = 1; }");
  EXPECT_EQ(clBuildProgram(older.get(), 0, nullptr, "-cl-std=CL1.2", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
}

/// OpenCL C 6.7.1: "They are not shared across devices and have distinct storage."
TEST_F(ProgramVariables, DevicesShareNothing) {
  const std::array<cl_device_partition_property, 3> one_each = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint made = 0;
  if (clCreateSubDevices(device_, one_each.data(), 0, nullptr, &made) != CL_SUCCESS || made < 2)
    GTEST_SKIP() << "one processor";
  std::vector<cl_device_id> parts(made);
  ASSERT_EQ(clCreateSubDevices(device_, one_each.data(), made, parts.data(), nullptr), CL_SUCCESS);
  std::array<cl_device_id, 3> devices = {device_, parts[0], parts[1]};
  cl_int code = 1;
  context_.reset(clCreateContext(nullptr, 3, devices.data(), nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  // Built for all, and for the parent alone, whose code the others then run.
  for (const cl_uint built_for : {3U, 1U}) {
    const auto program = source(counter(5));
    ASSERT_EQ(clBuildProgram(program.get(), built_for, devices.data(), "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    const auto add = kernel(program, "add"), get = kernel(program, "get");
    for (cl_int i = 0; i < 3; ++i) {
      const cl_int n = 10 * (i + 1);
      QueuePtr on(clCreateCommandQueue(context_.get(), devices[i], 0, &code));
      ASSERT_EQ(code, CL_SUCCESS);
      ASSERT_EQ(clSetKernelArg(add.get(), 0, sizeof n, &n), CL_SUCCESS);
      ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), add.get(), 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
                CL_SUCCESS);
      const auto out = buffer((kItems + 1) * sizeof(cl_int));
      const cl_mem memory = out.get();
      ASSERT_EQ(clSetKernelArg(get.get(), 0, sizeof memory, &memory), CL_SUCCESS);
      ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), get.get(), 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
                CL_SUCCESS);
      cl_int value = 0;
      ASSERT_EQ(clEnqueueReadBuffer(on.get(), out.get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(value, 5 + n) << "device " << i << ", built for " << built_for;
    }
  }
  context_.reset();
  for (cl_device_id part : parts) EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

/// Code for one local size, which is ready only after some launches, continues with the counts of the other code.
TEST_F(ProgramVariables, AreThoseOfTheSecondTier) {
  const auto program = built3(R"(
    global int sums[64];
    kernel void add(int n) { int s = 0; for (int i = 0; i < n; ++i) s += sums[i & 63] & 1; sums[get_global_id(0)] += 1 + (s >> 30); }
    kernel void get(global int* out) { out[1 + get_global_id(0)] = sums[get_global_id(0)]; if (get_global_id(0) == 0) out[0] = 0; })");
  cl_int launches = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
  for (; launches < 5 || std::chrono::steady_clock::now() < end; ++launches) add(program, 1000000);
  const auto values = get(program);
  for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(values[i + 1], launches);
}

}  // namespace
}  // namespace lanewise::test
