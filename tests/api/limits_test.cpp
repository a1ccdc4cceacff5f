// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program may ask for at most: each limit that the device reports is one that works. Those of images are in
/// images/limits_test.cpp.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "tests/api/device_queue_fixture.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

class Limits : public DeviceQueueFixture {};

/// Values that live across a barrier, and local memory of every work-item.
TEST_F(Limits, WorkGroupsOfTheLargestSize) {
  const auto most = device_value<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  EXPECT_EQ(most, 4096U);
  const auto sizes = device_list<size_t>(device_, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  EXPECT_EQ(sizes, std::vector<size_t>(3, most));
  const auto made = program(R"(
    kernel void reverse(global int* out) {
      local int all[4096];
      const int l = get_local_linear_id(), g = get_global_linear_id(), n = get_local_size(0) * get_local_size(1) *
          get_local_size(2);
      all[l] = g * 3;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = all[n - 1 - l] + get_group_id(0) * 1000000 + l % 7;
    })");
  const auto items = 2 * most;
  const auto out = buffer(items * sizeof(cl_int));
  ASSERT_EQ(run_status(made, "reverse", out, items, most), CL_COMPLETE);
  const auto got = read<cl_int>(out, items);
  for (size_t i = 0; i < items; ++i) {
    const size_t group = i / most, l = i % most;
    ASSERT_EQ(got[i], static_cast<cl_int>((group * most + most - 1 - l) * 3 + group * 1000000 + l % 7)) << i;
  }
  const auto function = kernel(made, "reverse");
  const cl_mem handle = out.get();
  ASSERT_EQ(clSetKernelArg(function.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const auto on = queue();
  const size_t larger = 2 * most;
  EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), function.get(), 1, nullptr, &larger, &larger, 0, nullptr, nullptr),
            CL_INVALID_WORK_ITEM_SIZE);
  const size_t two[2] = {most, 2};
  EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), function.get(), 2, nullptr, two, two, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
}

/// With LANEWISE_LOCAL_MEMORY another size.
TEST_F(Limits, LocalMemoryOfTheLargestSize) {
  const auto most = device_value<cl_ulong>(device_, CL_DEVICE_LOCAL_MEM_SIZE);
  const char* given = std::getenv("LANEWISE_LOCAL_MEMORY");
  EXPECT_EQ(most, cl_ulong{given == nullptr ? 256U : 1024U} << 10U);
  const auto made = program(R"(
    kernel void turn(global int* out, local int* all, int n) {
      for (int i = get_local_id(0); i < n; i += get_local_size(0)) all[i] = i * 5;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[i] = all[n - 1 - i];
    })");
  const auto count = static_cast<cl_int>(most / sizeof(cl_int));
  const auto out = buffer(most);
  const auto turn = kernel(made, "turn");
  const cl_mem handle = out.get();
  ASSERT_EQ(clSetKernelArg(turn.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(turn.get(), 1, most, nullptr), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(turn.get(), 2, sizeof count, &count), CL_SUCCESS);
  run(turn, 256, 256);
  const auto got = read<cl_int>(out, static_cast<size_t>(count));
  for (cl_int i = 0; i < count; ++i) ASSERT_EQ(got[static_cast<size_t>(i)], (count - 1 - i) * 5) << i;
  const auto on = queue();
  const size_t items = 256;
  ASSERT_EQ(clSetKernelArg(turn.get(), 1, most + 1, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), turn.get(), 1, nullptr, &items, &items, 0, nullptr, nullptr),
            CL_OUT_OF_RESOURCES);
}

/// All that fits is there when the launch has ended, in the order of the work-groups.
TEST_F(Limits, PrintsOfTheLargestSize) {
  const auto most = device_value<size_t>(device_, CL_DEVICE_PRINTF_BUFFER_SIZE);
  EXPECT_EQ(most, size_t{16} << 20U);
  constexpr size_t kLine = 1024;
  const auto made =
      program(R"(kernel void say(global int* none) { printf("%07d %1015s\n", (int)get_global_id(0), "end"); })");
  const auto out = buffer(4);
  const size_t items = most / kLine - 1;
  testing::internal::CaptureStdout();
  const cl_int status = run_status(made, "say", out, items);
  const std::string text = testing::internal::GetCapturedStdout();
  ASSERT_EQ(status, CL_COMPLETE);
  ASSERT_EQ(text.size(), items * kLine);
  for (size_t i = 0; i < items; ++i) ASSERT_EQ(std::stoul(text.substr(i * kLine, 7)), i);
}

TEST_F(Limits, QueuesOnTheDeviceOfTheLargestSize) {
  const auto most = device_value<cl_uint>(device_, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  EXPECT_EQ(most, ~cl_uint{0});
  const auto keeper = device_queue(kDefault, most);
  ASSERT_NE(keeper, nullptr);
  cl_uint size = 0;
  ASSERT_EQ(clGetCommandQueueInfo(keeper.get(), CL_QUEUE_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_EQ(size, most);
  EXPECT_EQ(result_of("kernel void k(global int* out) {\n"
                      "  void (^block)(void) = ^{ atomic_inc((volatile global int*)out); };\n"
                      "  for (int i = 0; i < 100; ++i)\n"
                      "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10), block);\n"
                      "}\n",
                      1),
            (std::vector<cl_int>{1000}));
}

/// Many reservations of one work-item, all of them active at once.
TEST_F(Limits, AsManyReservationsAsThereAre) {
  const auto most = device_value<cl_uint>(device_, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS);
  EXPECT_EQ(most, 131071U);
  const auto made = program(R"(
    kernel void put(global int* got, write_only pipe int out) {
      reserve_id_t all[131071];
      int valid = 0;
      for (int i = 0; i < 131071; ++i) { all[i] = reserve_write_pipe(out, 1); valid += is_valid_reserve_id(all[i]); }
      for (int i = 131070; i >= 0; --i) { write_pipe(out, all[i], 0, &i); commit_write_pipe(out, all[i]); }
      got[0] = valid;
    }
    kernel void get(global int* got, read_only pipe int in) {
      int wrong = 0, value = -1;
      for (int i = 0; i < 131071; ++i) wrong += read_pipe(in, &value) != 0 || value != i;
      got[1] = wrong;
    })");
  cl_int code = 1;
  const MemPtr ring(clCreatePipe(context_.get(), 0, sizeof(cl_int), most, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto got = buffer(8);
  for (const char* name : {"put", "get"}) {
    const auto function = kernel(made, name);
    const cl_mem handles[] = {got.get(), ring.get()};
    for (cl_uint i = 0; i < 2; ++i)
      ASSERT_EQ(clSetKernelArg(function.get(), i, sizeof handles[i], &handles[i]), CL_SUCCESS);
    run(function, 1);
  }
  EXPECT_EQ(read<cl_int>(got, 2), (std::vector<cl_int>{131071, 0}));
}

}  // namespace
}  // namespace lanewise::test
