// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events of kernels that enqueue: user events, markers, wait lists, failures, times, and what a full queue says (OpenCL C
/// 6.15.18, API 5.15).
#include <CL/cl_ext.h>

#include <fstream>
#include <string>

#include "tests/api/device_queue_fixture.h"

namespace lanewise::test {
namespace {

class DeviceEventsOfKernels : public DeviceQueueFixture {
 protected:
  cl_ulong time(cl_event event, cl_profiling_info what) const {
    cl_ulong value = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, what, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
};

TEST_F(DeviceEventsOfKernels, WaitListsAndMarkers) {
  const auto queue = device_queue(kDefault);
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      ndrange_t one = ndrange_1D(1);
      clk_event_t gate = create_user_event(), e[3];
      int bad = !is_valid_event(gate);
      bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &gate, &e[0], ^{ o[0] = 1; });
      bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &e[0], &e[1], ^{ o[1] = o[0] + 1; });
      bad |= enqueue_marker(q, 2, e, &e[2]);
      bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 3, e, NULL, ^{ o[2] = o[1] + 1; });
      retain_event(e[0]);
      release_event(e[0]);
      bad |= !is_valid_event(e[0]);
      o[3] = o[0] + o[1] + o[2];  // none has begun
      set_user_event_status(gate, CL_COMPLETE);
      for (int i = 0; i < 3; ++i) release_event(e[i]);
      release_event(gate);
      bad |= is_valid_event(e[0]) || is_valid_event(gate) || is_valid_event(CLK_NULL_EVENT);
      o[4] = bad;
    })",
                             5);
  EXPECT_EQ(out, (std::vector<cl_int>{1, 2, 3, 0, 0}));
}

TEST_F(DeviceEventsOfKernels, BlocksHandThemOn) {
  const auto queue = device_queue(kDefault);
  // The event is set by a child; what waits for it has been enqueued by its parent.
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t gate = create_user_event(), e;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), 1, &gate, &e, ^{ atomic_add(&o[0], o[1]); });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        o[1] = 5; set_user_event_status(gate, CL_COMPLETE); release_event(gate);
        clk_event_t mine = e;
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &mine, NULL, ^{ o[2] = o[0]; });
        release_event(e);
      });
    })",
                             3);
  EXPECT_EQ(out, (std::vector<cl_int>{40, 5, 40}));
}

TEST_F(DeviceEventsOfKernels, FailuresReachTheHost) {
  const auto queue = device_queue(kDefault);
  const auto p = program(R"(
    kernel void k(global int* o) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{ o[0] = 1; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[1] = 1; });
      set_user_event_status(gate, -7);
      set_user_event_status(gate, CL_COMPLETE);
      release_event(gate);
    }
    kernel void forgets(global int* o) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{ o[0] = 1; });
      release_event(gate);
    }
    kernel void keeps(global int* o) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{ o[0] = 1; });
    }
    kernel void keep_several(global int* o) {
      queue_t q = get_default_queue();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        clk_event_t gates[3], e, m;
        for (int i = 0; i < 3; ++i) gates[i] = create_user_event();
        set_user_event_status(gates[1], CL_COMPLETE);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 2, gates, &e, ^{ o[0] = 1; });
        enqueue_marker(q, 1, &e, &m);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(9), 1, &m, NULL, ^{ o[0] = 1; });
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gates[2], NULL, ^{ o[0] = 1; });
      });
    }
    kernel void deep(global int* o) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          clk_event_t gate = create_user_event();
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{ o[0] = 1; });
          set_user_event_status(gate, -9);
        });
      });
    })");
  const auto out = buffer(2 * sizeof(cl_int));
  const cl_int zeros[2] = {0, 0};
  const auto on = this->queue();
  for (const char* name : {"k", "forgets", "keeps", "keep_several", "deep"}) {
    ASSERT_EQ(clEnqueueWriteBuffer(on.get(), out.get(), CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(run_status(p, name, out), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << name;
    EXPECT_EQ(read<cl_int>(out, 2), (std::vector<cl_int>{0, std::string(name) == "k" ? 1 : 0})) << name;
  }
}

TEST_F(DeviceEventsOfKernels, WhatIsNoEvent) {
  const auto queue = device_queue(kDefault);
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t none = CLK_NULL_EVENT, gone = create_user_event(), made;
      release_event(gone);
      o[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &none, NULL, ^{ o[9] = 1; });
      o[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gone, NULL, ^{ o[9] = 1; });
      o[2] = enqueue_marker(q, 1, &gone, &made);
      retain_event(gone); release_event(gone); set_user_event_status(gone, CL_COMPLETE); release_event(none);
      o[3] = is_valid_event(gone);
    })",
                             10, 1, 0, "-g");
  EXPECT_EQ(out, (std::vector<cl_int>{-57, -57, -57, 0, 0, 0, 0, 0, 0, 0}));
}

/// Clang 22 makes invalid code of comparisons of either type, and crashes where CLK_NULL_QUEUE is one side.
TEST_F(DeviceEventsOfKernels, AreCompared) {
  const auto queue = device_queue(kDefault);
  const auto out = result_of(R"(
    bool same(queue_t a, queue_t b) { return a == b; }
    kernel void k(global int* o) {
      int i = get_global_id(0);
      queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;
      clk_event_t e = create_user_event(), f = create_user_event(), g = i % 2 ? e : f;
      o[i] = (q == CLK_NULL_QUEUE) + (q != get_default_queue()) * 2 + !same(CLK_NULL_QUEUE, none) * 4 + (i % 2 ? q == none : none != CLK_NULL_QUEUE) * 8 +
             (e == f) * 16 + (g != (i % 2 ? e : f)) * 32 + (CLK_NULL_EVENT == e) * 64 + !(q != none && e != CLK_NULL_EVENT) * 128;
      release_event(e);
      release_event(f);
    })",
                             32, 32, 8);
  EXPECT_EQ(out, std::vector<cl_int>(32, 0));
}

/// Clang 22 takes the queue for a pointer here, and crashes (frontend/null_queues.h).
TEST_F(DeviceEventsOfKernels, NumbersInPlaceOfNoQueue) {
  const auto queue = device_queue(kDefault);
  const auto out = result_of(R"(
    bool is_none(queue_t q) { return 0 == q; }
    kernel void k(global int* o) {
      int i = get_global_id(0);
      queue_t q = get_default_queue(), none = 0;
      o[i] = (q == 0) + (none != 0) * 2 + !is_none(none) * 4 + !is_none(NULL) * 8 + is_none(q) * 16 +
             (i % 2 ? none != NULL : q == NULL) * 32;
      none = 0;
      if (i == 3) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[32] = is_none(0) + (none == 0) * 2; });
    })",
                             33, 32, 8);
  std::vector<cl_int> expected(33, 0);
  expected[32] = 3;
  EXPECT_EQ(out, expected);
}

TEST_F(DeviceEventsOfKernels, Reasons) {
  const auto queue = device_queue(kDefault);
  const auto text = R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;
      const size_t sizes[2] = {4, 4}, parts[2] = {2, 0};
      o[0] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[9] = 1; });
      o[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 20, 1 << 20), ^{ o[9] = 1; });
      o[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(sizes, parts), ^{ o[9] = 1; });
      o[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* a) { o[9] = 1; }, 0u);
      o[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* a) { o[9] = 1; }, 1u << 31);
      o[5] = enqueue_kernel(q, (kernel_enqueue_flags_t)7, ndrange_1D(1), ^{ o[9] = 1; });
      o[6] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0), ^{ o[9] = 1; });
    })";
  EXPECT_EQ(result_of(text, 10, 1, 0, "-g"), (std::vector<cl_int>{-102, -160, -160, -51, -5, -101, 0, 0, 0, 0}));
  // Without -g there is one error for all.
  EXPECT_EQ(result_of(text, 10), (std::vector<cl_int>{-101, -101, -101, -101, -101, -101, 0, 0, 0, 0}));
}

TEST_F(DeviceEventsOfKernels, AFullQueue) {
  const auto queue = device_queue(kDefault, 16U << 10U);
  const auto text = R"(
    kernel void k(global int* o) {
      int taken = 0, status = 0;
      for (; taken < 1000 && status == 0; ++taken)
        status = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(&o[2]); });
      o[0] = taken - 1; o[1] = status;
    })";
  // Each time anew, because what has ended is given back.
  for (int round = 0; round < 3; ++round) {
    const auto out = result_of(text, 3, 1, 0, "-g");
    EXPECT_EQ(out[1], -161);
    EXPECT_GT(out[0], 2);
    EXPECT_LT(out[0], 100);
    EXPECT_EQ(out[2], out[0]);
  }
}

TEST_F(DeviceEventsOfKernels, TooManyEvents) {
  const auto queue = device_queue(kDefault);
  cl_uint most = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof most, &most, nullptr), CL_SUCCESS);
  const auto text = R"(
    kernel void k(global int* o) {
      int count = 0;
      clk_event_t last = create_user_event(), e = last;
      while (is_valid_event(e)) { ++count; last = e; e = create_user_event(); }
      o[0] = count;
      o[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e, ^{ o[3] = 1; });
      release_event(last);
      o[2] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e, ^{ o[4] = 1; });
    })";
  EXPECT_EQ(result_of(text, 5, 1, 0, "-g"), (std::vector<cl_int>{static_cast<cl_int>(most), -100, 0, 0, 1}));
}

TEST_F(DeviceEventsOfKernels, TimesOfChildren) {
  const auto queue = device_queue(kDefault | CL_QUEUE_PROFILING_ENABLE);
  const auto out = result_of(R"(
    void spin(global int* o) { for (volatile int i = 0; i < 100000; ++i) {} o[0] = 1; }
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t early = create_user_event(), e, done;
      global ulong* times = (global ulong*)(o + 4);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &early, &e, ^{
        spin(o);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ spin(o); });
      });
      capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);      // before it begins
      set_user_event_status(early, CL_COMPLETE);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{
        o[1] = times[0] > 10000 && times[1] > times[0];                               // written before this begins
        capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);  // after it has ended
        o[2] = times[2] == times[0] && times[3] == times[1];
      });
    })",
                             16);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[2], 1);
}

TEST_F(DeviceEventsOfKernels, EndAndCompleteOfTheParent) {
  const auto queue = device_queue(kDefault);
  const auto p = program(R"(
    kernel void k(global int* o, int children) {
      if (children)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          for (volatile int i = 0; i < 1000000; ++i) {} o[0] = 1; });
    })");
  const auto out = buffer(sizeof(cl_int));
  const auto on = profiling_queue();
  for (const cl_int children : {0, 1}) {
    const auto k = kernel(p, "k");
    cl_mem memory = out.get();
    ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof memory, &memory), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(k.get(), 1, sizeof children, &children), CL_SUCCESS);
    const std::size_t one = 1;
    cl_event made = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, 0, nullptr, &made), CL_SUCCESS);
    const EventPtr event(made);
    ASSERT_EQ(clWaitForEvents(1, &made), CL_SUCCESS);
    const cl_ulong end = time(made, CL_PROFILING_COMMAND_END);
    const cl_ulong complete = time(made, CL_PROFILING_COMMAND_COMPLETE);
    EXPECT_GT(end, time(made, CL_PROFILING_COMMAND_START));
    if (children == 0) {
      EXPECT_EQ(complete, end);
    } else {
      EXPECT_GT(complete, end + 100'000);
    }
  }
}

TEST_F(DeviceEventsOfKernels, MemoryOutlivesTheParent) {
  const auto queue = device_queue(kDefault);
  const auto p = program(R"(
    kernel void k(global int* big, global int* o) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        for (volatile int i = 0; i < 300000; ++i) {}
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1 << 20), ^{ big[get_global_id(0)] = 1; });
        o[0] = 1;
      });
    })");
  const auto out = buffer(sizeof(cl_int));
  const auto on = this->queue();
  for (int round = 0; round < 5; ++round) {
    auto big = buffer(std::size_t{4} << 20U);
    auto k = kernel(p, "k");
    cl_mem memory[] = {big.get(), out.get()};
    for (cl_uint i = 0; i < 2; ++i) ASSERT_EQ(clSetKernelArg(k.get(), i, sizeof(cl_mem), &memory[i]), CL_SUCCESS);
    const std::size_t one = 1;
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    big.reset();
    k.reset();
    EXPECT_EQ(clFlush(on.get()), CL_SUCCESS);
  }
  EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(out, 1), std::vector<cl_int>{1});
}

TEST_F(DeviceEventsOfKernels, QueriesOfBlocks) {
  const auto queue = device_queue(kDefault);
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      void (^plain)(void) = ^{ o[9] = get_global_id(0); };
      o[0] = get_kernel_work_group_size(plain);
      o[1] = get_kernel_preferred_work_group_size_multiple(plain);
      o[2] = get_kernel_work_group_size(^(local void* a) { o[9] = 1; });
      o[3] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(256, 64), plain);
      o[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(256, 64), plain);
      o[5] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1, 1), plain);
    })",
                             6);
  std::size_t most = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
  EXPECT_EQ(out[0], static_cast<cl_int>(most));
  EXPECT_GE(out[1], 1);
  EXPECT_EQ(out[2], static_cast<cl_int>(most));
  ASSERT_GE(out[3], 1);
  EXPECT_EQ(out[4], (64 + out[3] - 1) / out[3]);
  EXPECT_EQ(out[5], 1);
}

}  // namespace
}  // namespace lanewise::test
