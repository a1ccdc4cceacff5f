// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that enqueue kernels (OpenCL C 6.15.18): blocks, what they capture, ranges, local memory, flags, nesting. Run in
/// all modes of the driver (tests/CMakeLists.txt).
#include <numeric>

#include "tests/api/device_queue_fixture.h"

namespace lanewise::test {
namespace {

class DeviceEnqueue : public DeviceQueueFixture {
 protected:
  void SetUp() override {
    DeviceQueueFixture::SetUp();
    default_ = device_queue(kDefault);
  }
  void TearDown() override { default_.reset(); }

  QueuePtr default_;
};

TEST_F(DeviceEnqueue, OneBlock) {
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      int factor = 3;
      o[100] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100),
                              ^{ o[get_global_id(0)] = (int)get_global_id(0) * factor + 1; });
    })",
                             101);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(out[i], 3 * i + 1);
  EXPECT_EQ(out[100], 0);
}

TEST_F(DeviceEnqueue, EachWorkItemEnqueues) {
  constexpr std::size_t kItems = 64;
  const auto out = result_of(R"(
    void add(global int* o, int i, float3 v) { o[i] += (int)(v.x + v.y + v.z); }
    kernel void k(global int* o) {
      int i = get_global_id(0);
      float3 v = (float3)(i, 2, 3);
      void (^block)(void) = ^{ add(o, i, v); };
      v = 0;  // captured as it was
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), block) != CLK_SUCCESS) o[i] = -1;
    })",
                             kItems, kItems, 16);
  for (int i = 0; i < static_cast<int>(kItems); ++i) EXPECT_EQ(out[i], i + 5);
}

TEST_F(DeviceEnqueue, CapturesOfAllKinds) {
  const auto out = result_of(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    typedef struct { char tag; long x[3]; double16 wide; } record;
    constant int table[4] = {4, 5, 6, 7};
    global int stored = 11;
    kernel void k(global int* o) {
      char c = -3; ushort s = 65000; long l = 1L << 40; float f = 1.5f; double d = -2.25; half h = 4.5h; bool yes = true;
      int3 v = (int3)(7, 8, 9); uchar16 bytes = 200; ulong16 longs = (ulong16)(5);
      record r = {'a', {1, 2, 3}, (double16)(0.5)};
      constant int* t = table; global int* p = &stored; int* g = p;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{
        if (get_global_id(0) != 1) return;
        o[0] = c; o[1] = s; o[2] = l == 1L << 40; o[3] = f * 2; o[4] = d * 4; o[5] = h * 2; o[6] = yes;
        o[7] = v.x + 10 * v.y + 100 * v.z; o[8] = bytes.sf; o[9] = longs.s7;
        o[10] = r.tag; o[11] = r.x[0] + r.x[1] + r.x[2]; o[12] = r.wide.sa * 2; o[13] = t[2]; o[14] = *p; o[15] = *g;
        o[16] = r.wide.sf == 0.5; stored = 12;
      });
    })",
                             17);
  EXPECT_EQ(out, (std::vector<cl_int>{-3, 65000, 1, 3, -9, 9, 1, 987, 200, 5, 'a', 6, 1, 6, 11, 11, 1}));
}

TEST_F(DeviceEnqueue, RangesOfAllShapes) {
  const auto out = result_of(R"(
    void note(global int* o) {
      o[0] = get_work_dim();
      for (int d = 0; d < 3; ++d) {
        o[1 + d] = get_global_size(d); o[4 + d] = get_enqueued_local_size(d); o[7 + d] = get_global_offset(d);
        o[10 + d] = get_num_groups(d);
      }
      atomic_inc(&o[13]);
    }
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      const size_t o2[2] = {1, 2}, g2[2] = {12, 6}, l2[2] = {4, 3};
      const size_t o3[3] = {3, 2, 1}, g3[3] = {6, 5, 4}, l3[3] = {3, 5, 2};
      int bad = 0;
      bad |= enqueue_kernel(q, 0, ndrange_1D(7), ^{ note(o); });
      bad |= enqueue_kernel(q, 0, ndrange_1D(12, 4), ^{ note(o + 16); });
      bad |= enqueue_kernel(q, 0, ndrange_1D(5, 10, 3), ^{ note(o + 32); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(g2), ^{ note(o + 48); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(g2, l2), ^{ note(o + 64); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(o2, g2, l2), ^{ note(o + 80); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(g3), ^{ note(o + 96); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(g3, l3), ^{ note(o + 112); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(o3, g3, l3), ^{ note(o + 128); });
      o[15] = bad;
    })",
                             144);
  const auto expect = [&](int block, const std::vector<cl_int>& wanted, bool local) {
    std::vector<cl_int> got(out.begin() + 16 * block, out.begin() + 16 * block + 14);
    if (!local) std::fill(got.begin() + 4, got.begin() + 7, 0), std::fill(got.begin() + 10, got.begin() + 13, 0);
    EXPECT_EQ(got, wanted) << block;
  };
  EXPECT_EQ(out[15], 0);
  expect(0, {1, 7, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}, false);
  expect(1, {1, 12, 1, 1, 4, 1, 1, 0, 0, 0, 3, 1, 1, 12}, true);
  expect(2, {1, 10, 1, 1, 3, 1, 1, 5, 0, 0, 4, 1, 1, 10}, true);
  expect(3, {2, 12, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 72}, false);
  expect(4, {2, 12, 6, 1, 4, 3, 1, 0, 0, 0, 3, 2, 1, 72}, true);
  expect(5, {2, 12, 6, 1, 4, 3, 1, 1, 2, 0, 3, 2, 1, 72}, true);
  expect(6, {3, 6, 5, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 120}, false);
  expect(7, {3, 6, 5, 4, 3, 5, 2, 0, 0, 0, 2, 1, 2, 120}, true);
  expect(8, {3, 6, 5, 4, 3, 5, 2, 3, 2, 1, 2, 1, 2, 120}, true);
}

TEST_F(DeviceEnqueue, LocalMemory) {
  const auto out = result_of(R"(
    void sum(global int* o, local int* a, local double4* b, local char* c) {
      const int i = get_local_id(0), n = get_local_size(0);
      a[i] = i; b[i] = (double4)(i); c[i] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i != 0) return;
      int total = 0;
      for (int j = 0; j < n; ++j) total += a[j] + (int)b[j].w + c[j];
      o[get_group_id(0)] = total;
    }
    kernel void k(global int* o) {
      const int n = 32;
      o[4] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4 * n, n),
        ^(local void* a, local void* b, local void* c) { sum(o, a, b, c); },
        (uint)(n * sizeof(int)), (uint)(n * sizeof(double4)), (uint)n);
      clk_event_t event;
      o[6] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2, 2), 0, NULL, &event,
        ^(local void* a) { local int* x = a; x[get_local_id(0)] = 5; barrier(CLK_LOCAL_MEM_FENCE); o[5] = x[0] + x[1]; },
        (ulong)(2 * sizeof(int)));
      release_event(event);
    })",
                             7);
  constexpr cl_int kSum = 2 * (31 * 32 / 2) + 32;
  EXPECT_EQ(out, (std::vector<cl_int>{kSum, kSum, kSum, kSum, 0, 10, 0}));
}

TEST_F(DeviceEnqueue, WaitsForTheWholeKernel) {
  constexpr std::size_t kItems = 4096;
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      const int n = get_global_size(0), i = get_global_id(0);
      if (i == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          int all = 0;
          for (int j = 0; j < n; ++j) all += o[j] == j + 1;
          o[n] = all;
        });
      for (volatile int spin = 0; spin < 200; ++spin) {}
      o[i] = i + 1;
    })",
                             kItems + 1, kItems, 16);
  EXPECT_EQ(out[kItems], static_cast<cl_int>(kItems));
}

TEST_F(DeviceEnqueue, WaitsForItsWorkGroup) {
  constexpr std::size_t kItems = 1024;
  constexpr std::size_t kGroup = 16;
  const auto out = result_of(R"(
    kernel void k(global int* o) {
      const int n = get_global_size(0), i = get_global_id(0), g = get_group_id(0), size = get_local_size(0);
      if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
          int all = 0;
          for (int j = 0; j < size; ++j) all += o[g * size + j] == g * size + j + 1;
          o[n + g] = all;
        });
      o[i] = i + 1;
    })",
                             kItems + kItems / kGroup, kItems, kGroup);
  for (std::size_t g = 0; g < kItems / kGroup; ++g) EXPECT_EQ(out[kItems + g], static_cast<cl_int>(kGroup)) << g;
}

TEST_F(DeviceEnqueue, Nested) {
  // A tree: each work-item of each level enqueues three.
  const auto out = result_of(R"(
    void grow(global int* o, int level) {
      atomic_inc(&o[level]);
      if (level == 0) return;
      if (enqueue_kernel(get_default_queue(), level & 1 ? CLK_ENQUEUE_FLAGS_WAIT_KERNEL : CLK_ENQUEUE_FLAGS_NO_WAIT,
                         ndrange_1D(3), ^{ grow(o, level - 1); }) != CLK_SUCCESS)
        atomic_inc(&o[9]);
    }
    kernel void k(global int* o) { grow(o, 6); })",
                             10, 2);
  EXPECT_EQ(out, (std::vector<cl_int>{1458, 486, 162, 54, 18, 6, 2, 0, 0, 0}));
}

TEST_F(DeviceEnqueue, LongChain) {
  // Each kernel enqueues the next one, which waits for its end.
  const auto out = result_of(R"(
    void next(global int* o, int left) {
      o[0] += 1;
      if (left == 0) return;
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ next(o, left - 1); })
          != CLK_SUCCESS) o[1] = left;
    }
    kernel void k(global int* o) { next(o, 1500); })",
                             2);
  EXPECT_EQ(out, (std::vector<cl_int>{1501, 0}));
}

TEST_F(DeviceEnqueue, ManyFromManyWorkItems) {
  constexpr std::size_t kItems = 512;
  const auto text = R"(
    kernel void k(global int* o) {
      const int i = get_global_id(0);
      for (int j = 0; j < 4; ++j)
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ atomic_inc(&o[i]); })
            != CLK_SUCCESS) atomic_add(&o[i], 1000);
    })";
  EXPECT_EQ(result_of(text, kItems, kItems, 32), std::vector<cl_int>(kItems, 16));
}

TEST_F(DeviceEnqueue, BarriersAndSubGroups) {
  const auto out = result_of(R"(
    void body(global int* o, local int* x) {
      const int i = get_local_id(0);
      x[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      int sum = work_group_reduce_add(x[63 - i]);
      int part = sub_group_reduce_add(1);
      if (i == 0) { o[0] = sum; o[1] = part == (int)get_sub_group_size(); }
      if (i == 63) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ o[2] = o[0] + 1; });
    }
    kernel void k(global int* o) {
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (get_global_id(0) == 5)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64, 64), ^(local void* x) { body(o, x); },
                       (uint)(64 * sizeof(int)));
      barrier(CLK_GLOBAL_MEM_FENCE);
      o[3 + get_global_id(0)] = sub_group_reduce_add(1) == (int)get_sub_group_size();
    })",
                             3 + 16, 16, 16);
  EXPECT_EQ(out[0], 63 * 64 / 2);
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[2], out[0] + 1);
  EXPECT_EQ(std::vector<cl_int>(out.begin() + 3, out.end()), std::vector<cl_int>(16, 1));
}

TEST_F(DeviceEnqueue, BlocksWithoutEnqueue) {
  const auto out = result_of(R"(
    int (^constant doubled)(int) = ^(int x) { return 2 * x; };
    void (^constant empty)(void) = ^{};
    int outer(int x) { int (^f)(int) = ^(int y) { int (^g)(int) = ^(int z) { return z + x; }; return g(y) * 10; }; return f(1); }
    kernel void k(global int* o) {
      int shift = 7;
      int (^f)(int, char) = ^(int a, char b) { return a * b + shift; };
      shift = 0;
      o[0] = f(3, 4); o[1] = doubled(21); o[2] = outer(5); o[3] = ^int(int n) { return n - 1; }(9);
      o[4] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), empty);
    })",
                             5);
  EXPECT_EQ(out, (std::vector<cl_int>{19, 42, 60, 8, 0}));
}

TEST_F(DeviceEnqueue, Prints) {
  ::testing::internal::CaptureStdout();
  (void)result_of(R"(
    kernel void k(global int* o) {
      printf("parent\n");
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2, 1), ^{
        printf("child %d\n", (int)get_global_id(0)); });
    })",
                  1);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "parent\nchild 0\nchild 1\n");
}

}  // namespace
}  // namespace lanewise::test
