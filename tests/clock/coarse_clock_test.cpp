// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Profiling (API 5.15) on a machine with a coarse clock, which does not advance while many commands run: each of them
/// must still end later than it starts. The clock is the function below, which the driver finds before that of libc.
#include <CL/cl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <vector>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_MONOTONIC) time->tv_nsec -= time->tv_nsec % 1'000'000;
  return result;
}

namespace lanewise::test {
namespace {

class CoarseClock : public testing::TestWithParam<cl_command_queue_properties> {
 protected:
  void SetUp() override {
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE | GetParam(), nullptr);
    buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  }
  void TearDown() override {
    clReleaseMemObject(buffer_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  /// Takes the event of a command, waits for it and looks at its times.
  void check(const char* command, cl_event event) {
    ASSERT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    std::vector<cl_ulong> times;
    for (const cl_profiling_info param : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                          CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
      cl_ulong time = 0;
      EXPECT_EQ(clGetEventProfilingInfo(event, param, sizeof time, &time, nullptr), CL_SUCCESS);
      times.push_back(time);
    }
    EXPECT_LE(times[0], times[1]) << command;
    EXPECT_LE(times[1], times[2]) << command;
    EXPECT_LT(times[2], times[3]) << command;
    cl_ulong complete = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete, &complete, nullptr),
              CL_SUCCESS);
    EXPECT_GE(complete, times[3]) << command;
    clReleaseEvent(event);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem buffer_ = nullptr;
};

TEST_P(CoarseClock, EachCommandTakesTime) {
  for (int i = 0; i < 20; ++i) {
    cl_event event = nullptr;
    clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event);
    check("marker", event);
    clEnqueueBarrierWithWaitList(queue_, 0, nullptr, &event);
    check("barrier", event);
    void* mapped = clEnqueueMapBuffer(queue_, buffer_, CL_FALSE, CL_MAP_READ, 0, 64, 0, nullptr, &event, nullptr);
    check("map", event);
    clEnqueueUnmapMemObject(queue_, buffer_, mapped, 0, nullptr, &event);
    check("unmap", event);
    const cl_int zero = 0;
    clEnqueueFillBuffer(queue_, buffer_, &zero, sizeof zero, 0, 64, 0, nullptr, &event);
    check("fill", event);
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, CoarseClock, testing::Values(0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));

}  // namespace
}  // namespace lanewise::test
