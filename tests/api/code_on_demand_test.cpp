// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs whose kernels get their code when it is wanted: an application sees only that commands wait for it.
#include <CL/cl_ext.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

/// Several kernels of some size. `salt` makes a program that is in no cache.
std::string kernels(unsigned salt) {
  std::string text = "constant uint salt = " + std::to_string(salt) + "u;\n";
  for (int k = 0; k < 6; ++k) {
    const std::string name = std::to_string(k);
    text += "kernel void mix" + name + "(global uint* x, uint by) { uint v = x[get_global_id(0)] + salt - salt;\n";
    for (int n = 0; n < 60; ++n)
      text += "  v = rotate(v, " + std::to_string(n % 31 + 1) + "u) ^ (v * " + std::to_string(2 * n + k) + "u);\n";
    text += "  x[get_global_id(0)] = (v & 0u) + x[get_global_id(0)] * 2u + by; }\n";
  }
  text +=
      "kernel void rows(global uint* x, local uint* given) {\n"
      "  local uint own[64];\n"
      "  own[get_local_id(0)] = x[get_global_id(0)];\n"
      "  given[get_local_id(0)] = 100u;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  x[get_global_id(0)] = own[get_local_size(0) - 1 - get_local_id(0)] + given[get_local_id(0) ^ 1u];\n"
      "}\n"
      "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global uint* x) { x[get_global_id(0)] = 7u; "
      "}\n";
  return text;
}

unsigned next_salt() {
  static unsigned salt = static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count());
  return ++salt;
}

class CodeOnDemand : public ProgramFixture {
 protected:
  static constexpr std::size_t kItems = 256;

  void SetUp() override {
    ProgramFixture::SetUp();
    queue_ = queue();
    program_ = built(kernels(next_salt()));
    x_ = numbers();
  }

  [[nodiscard]] MemPtr numbers() const {
    std::vector<cl_uint> values(kItems);
    std::iota(values.begin(), values.end(), 0U);
    cl_int code = 1;
    MemPtr made(clCreateBuffer(context_.get(), CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_uint), values.data(), &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  [[nodiscard]] KernelPtr mix(unsigned number, cl_uint by = 0) const {
    auto made = kernel(program_, ("mix" + std::to_string(number)).c_str());
    const cl_mem x = x_.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof x, &x), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 1, sizeof by, &by), CL_SUCCESS);
    return made;
  }
  cl_int launch(const KernelPtr& what, std::size_t local = 0, cl_event* event = nullptr,
                cl_event after = nullptr) const {
    const std::size_t items = kItems;
    return clEnqueueNDRangeKernel(queue_.get(), what.get(), 1, nullptr, &items, local != 0 ? &local : nullptr,
                                  after != nullptr ? 1 : 0, after != nullptr ? &after : nullptr, event);
  }

  QueuePtr queue_;
  ProgramPtr program_;
  MemPtr x_;
};

TEST_F(CodeOnDemand, CommandsRunInTheirOrder) {
  const auto second = mix(1, 3);
  const auto first = mix(0, 1);
  ASSERT_EQ(launch(first), CL_SUCCESS);
  ASSERT_EQ(launch(second), CL_SUCCESS);
  ASSERT_EQ(launch(first), CL_SUCCESS);
  const auto values = read<cl_uint>(x_, kItems);  // on another queue: nothing has to have run
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  const auto ended = read<cl_uint>(x_, kItems);
  for (cl_uint i = 0; i < kItems; ++i) ASSERT_EQ(ended[i], ((i * 2 + 1) * 2 + 3) * 2 + 1);
}

/// A look into the cache must not keep a thread from making what the cache lacks.
TEST_F(CodeOnDemand, LaunchesInARowAllGetTheCode) {
  for (int round = 0; round < 20; ++round) {
    program_ = built(kernels(next_salt()));
    for (unsigned number = 0; number < 6; ++number) {
      const auto k = mix(number);
      for (int i = 0; i < 30; ++i) ASSERT_EQ(launch(k), CL_SUCCESS);  // the thread begins meanwhile
      ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    }
  }
}

TEST_F(CodeOnDemand, ALaunchHasTheArgumentsOfItsEnqueue) {
  const auto k = mix(2, 5);
  cl_event event = nullptr;
  ASSERT_EQ(launch(k, 0, &event), CL_SUCCESS);
  const cl_uint other = 1000;
  EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof other, &other), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(x_, kItems)[9], 23U);
}

TEST_F(CodeOnDemand, LocalMemoryLiesBehindThatOfTheKernel) {
  const auto rows = kernel(program_, "rows");
  const cl_mem x = x_.get();
  ASSERT_EQ(clSetKernelArg(rows.get(), 0, sizeof x, &x), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(rows.get(), 1, 64 * sizeof(cl_uint), nullptr), CL_SUCCESS);
  ASSERT_EQ(launch(rows, 64), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(rows.get(), 1, 4096, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  const auto values = read<cl_uint>(x_, kItems);
  for (cl_uint i = 0; i < kItems; ++i) ASSERT_EQ(values[i], i / 64 * 64 + 63 - i % 64 + 100);
}

TEST_F(CodeOnDemand, NothingNeedsToBeKeptForALaunch) {
  auto k = mix(3, 1);
  auto values = numbers();
  const cl_mem x = values.get();
  ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof x, &x), CL_SUCCESS);
  cl_event event = nullptr;
  ASSERT_EQ(launch(k, 16, &event), CL_SUCCESS);
  k.reset();
  values.reset();
  program_.reset();
  queue_.reset();
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(CodeOnDemand, AProgramMayBeBuiltAgainWhileItsKernelWaits) {
  auto k = mix(4, 1);
  cl_event event = nullptr;
  ASSERT_EQ(launch(k, 0, &event), CL_SUCCESS);
  k.reset();
  EXPECT_EQ(clBuildProgram(program_.get(), 0, nullptr, "-DAGAIN", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(x_, kItems)[7], 15U);
}

TEST_F(CodeOnDemand, ErrorsAreThoseOfTheEnqueue) {
  const auto fixed = kernel(program_, "fixed");
  const cl_mem x = x_.get();
  EXPECT_EQ(launch(fixed, 8), CL_INVALID_KERNEL_ARGS);
  ASSERT_EQ(clSetKernelArg(fixed.get(), 0, sizeof x, &x), CL_SUCCESS);
  EXPECT_EQ(launch(fixed, 16), CL_INVALID_WORK_GROUP_SIZE);
  const auto rows = kernel(program_, "rows");
  ASSERT_EQ(clSetKernelArg(rows.get(), 0, sizeof x, &x), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(rows.get(), 1, std::size_t{1} << 30, nullptr), CL_SUCCESS);
  EXPECT_EQ(launch(rows, 64), CL_OUT_OF_RESOURCES);
  const auto k = mix(5);
  EXPECT_EQ(launch(k, 1 << 20), CL_INVALID_WORK_ITEM_SIZE);
  cl_event not_an_event = nullptr;
  const std::size_t items = kItems;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_.get(), k.get(), 1, nullptr, &items, nullptr, 1, &not_an_event, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
}

TEST_F(CodeOnDemand, AFailedWaitListFailsTheCommand) {
  cl_int code = 1;
  cl_event user = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_event event = nullptr;
  ASSERT_EQ(launch(mix(0, 1), 0, &event, user), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(x_, kItems)[7], 7U);
}

TEST_F(CodeOnDemand, QueriesWaitForTheirKernel) {
  const auto rows = kernel(program_, "rows");
  cl_ulong bytes = 0;
  EXPECT_EQ(clGetKernelWorkGroupInfo(rows.get(), device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(bytes, 64 * sizeof(cl_uint));
  std::size_t items = 0;
  EXPECT_EQ(clGetKernelWorkGroupInfo(rows.get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, nullptr),
            CL_SUCCESS);
  EXPECT_GT(items, 64U);
}

TEST_F(CodeOnDemand, AllKernelsAtOnceFromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      cl_uint count = 0;
      EXPECT_EQ(clCreateKernelsInProgram(program_.get(), 0, nullptr, &count), CL_SUCCESS);
      std::vector<cl_kernel> all(count);
      EXPECT_EQ(clCreateKernelsInProgram(program_.get(), count, all.data(), nullptr), CL_SUCCESS);
      const auto own = queue();
      const auto values = numbers();
      const cl_mem x = values.get();
      const cl_uint by = 0;
      const std::size_t items = kItems;
      for (const cl_kernel k : all) {
        cl_uint arguments = 0;
        EXPECT_EQ(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 0, sizeof x, &x), CL_SUCCESS);
        if (arguments == 2 && clSetKernelArg(k, 1, sizeof by, &by) != CL_SUCCESS) continue;  // local memory
        EXPECT_EQ(clEnqueueNDRangeKernel(own.get(), k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
      }
      EXPECT_EQ(clFinish(own.get()), CL_SUCCESS);
      EXPECT_EQ(read<cl_uint>(values, kItems)[5], 7U) << "the last kernel is `fixed`";
      for (const cl_kernel k : all) EXPECT_EQ(clReleaseKernel(k), CL_SUCCESS);
    });
  for (std::thread& thread : threads) thread.join();
}

/// Code that was only asked for stands still beside kernels (runtime/code/asked_job.h), but not if it is wanted.
TEST_F(CodeOnDemand, CodeThatIsWantedIsMadeWhileAKernelRuns) {
  const auto waiting = built(
      "kernel void wait(global atomic_int* end) {\n"
      "  for (ulong i = 0; i < 20000000000ul; ++i) if (atomic_load(end) != 0) return;\n"
      "  atomic_store(end, 2);\n"
      "}",
      "-cl-std=CL3.0");
  auto* const end = static_cast<std::atomic<cl_int>*>(
      clSVMAlloc(context_.get(), CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 0));
  ASSERT_NE(end, nullptr);
  const auto wait = kernel(waiting, "wait");
  EXPECT_EQ(clSetKernelArgSVMPointer(wait.get(), 0, end), CL_SUCCESS);
  const auto other = queue();
  const auto run_wait = [&](cl_int state) {
    *end = state;
    const std::size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(other.get(), wait.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFlush(other.get()), CL_SUCCESS);
  };
  run_wait(1);
  ASSERT_EQ(clFinish(other.get()), CL_SUCCESS);  // its code is there
  std::vector<KernelPtr> asked;
  for (unsigned k = 0; k < 6; ++k) asked.push_back(mix(k, 1));
  run_wait(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  std::size_t size = 0;
  for (const KernelPtr& each : asked)
    EXPECT_EQ(clGetKernelWorkGroupInfo(each.get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr),
              CL_SUCCESS);
  EXPECT_EQ(end->exchange(1), 0) << "the kernel has given up";
  for (const KernelPtr& each : asked) EXPECT_EQ(launch(each), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(x_, kItems)[7], (7U << 6) + 63U);
  EXPECT_EQ(clFinish(other.get()), CL_SUCCESS);
  clSVMFree(context_.get(), end);
}

/// The launch comes before the thread has begun with what was only asked for, and after it: an application that looks at
/// its event all the time keeps such code standing.
TEST_F(CodeOnDemand, ALaunchThatIsLookedAtGetsItsCode) {
  for (unsigned round = 0; round < 40; ++round) {
    program_ = built(kernels(next_salt()));
    const auto first = mix(round % 3, 1);
    cl_event event = nullptr;
    ASSERT_EQ(launch(first, 0, &event), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue_.get()), CL_SUCCESS);
    cl_int status = CL_QUEUED;
    const auto until = time_limit(std::chrono::seconds(20));
    while (status > CL_COMPLETE && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    }
    EXPECT_EQ(status, CL_COMPLETE) << round;
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    if (status != CL_COMPLETE) return;
  }
}

TEST_F(CodeOnDemand, AnotherProgramTakesCodeFromTheCache) {
  const std::string source = kernels(next_salt());
  for (cl_uint run = 1; run <= 3; ++run) {
    program_ = built(source);
    x_ = numbers();
    ASSERT_EQ(launch(mix(0, run)), CL_SUCCESS);
    ASSERT_EQ(launch(mix(1, 0)), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    EXPECT_EQ(read<cl_uint>(x_, kItems)[7], 2 * (14 + run));
  }
}

TEST_F(CodeOnDemand, ABinaryHoldsTheWholeProgram) {
  const auto bytes = binary(program_);
  const auto loaded = from_binary(bytes);
  ASSERT_EQ(clBuildProgram(loaded.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(loaded);
  EXPECT_EQ(binary_type(loaded), static_cast<cl_program_binary_type>(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  program_ = from_binary(bytes);
  ASSERT_EQ(clBuildProgram(program_.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log(program_);
  ASSERT_EQ(launch(mix(5, 2)), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(x_, kItems)[7], 16U);
  EXPECT_EQ(binary(program_), bytes) << "a binary does not change while code is made";
}

TEST_F(CodeOnDemand, ATerminatedContextEndsItsCommands) {
  cl_context_properties terminable[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  cl_int code = 1;
  context_.reset(clCreateContext(terminable, 1, &device_, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  queue_ = queue();
  program_ = built(kernels(next_salt()));
  x_ = numbers();
  cl_event event = nullptr;
  ASSERT_EQ(launch(mix(0, 1), 0, &event), CL_SUCCESS);
  const auto terminate = reinterpret_cast<decltype(&clTerminateContextKHR)>(
      clGetExtensionFunctionAddressForPlatform(platform_, "clTerminateContextKHR"));
  ASSERT_NE(terminate, nullptr);
  ASSERT_EQ(terminate(context_.get()), CL_SUCCESS);
  (void)clWaitForEvents(1, &event);
  cl_int status = 1;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_LE(status, CL_COMPLETE);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
