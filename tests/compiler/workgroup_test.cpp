// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The work-group lowering from source to running code, without a runtime: the cases of tests/kernels, and cases that
/// need a worker made by hand.
#include <chrono>

#include "tests/compiler/direct_harness.h"

// The same kernels run here through the direct harness.
#include "tests/kernels/algorithms_test.cpp"
#include "tests/kernels/barriers_test.cpp"
#include "tests/kernels/private_memory_test.cpp"
#include "tests/kernels/work_items_test.cpp"

namespace lanewise::test {
namespace {

const abi::KernelInfo& info_of(const abi::Reply& reply, const std::string& name) {
  static const abi::KernelInfo kNone;
  for (const abi::KernelInfo& k : reply.kernels)
    if (k.name == name) return k;
  ADD_FAILURE() << "no kernel " << name;
  return kNone;
}

TEST(Workgroup, PrintPacksRecords) {
  const abi::Reply reply = build(R"(
    kernel void k(global const float* f) {
      const size_t g = get_global_id(0);
      if (g == 5) {
        const int n = printf("%d %s %v4f %ld %p %c %%\n", 7, "text", (float4)(1, 2, 3, 4), 1L << 40, f, 'x');
        printf("%d", n);
      }
    })");
  ASSERT_EQ(reply.status, 0) << reply.log;
  EXPECT_TRUE(info_of(reply, "k").uses_print);
  std::vector<float> f(1);
  Observed seen;
  run_direct(reply, "k", Range(8, 2), {buffer(f)}, &seen);
  ASSERT_EQ(seen.prints.size(), 2U);
  const Observed::Print& p = seen.prints[0];
  EXPECT_EQ(p.group, 2U);
  EXPECT_EQ(p.format, "%d %s %v4f %ld %p %c %%\n");
  EXPECT_EQ(p.count, 6U);
  const auto header = [&](std::size_t at) {
    return std::vector<int>{p.records[at], p.records[at + 1], p.records[at + 2], p.records[at + 3]};
  };
  ASSERT_EQ(p.records.size(), 8U + 12U + 20U + 12U + 12U + 8U);
  EXPECT_EQ(header(0), (std::vector<int>{'i', 4, 1, 0}));
  EXPECT_EQ(header(8), (std::vector<int>{'s', 8, 1, 0}));
  const char* text = nullptr;
  std::memcpy(&text, &p.records[12], sizeof text);
  EXPECT_NE(text, nullptr);
  EXPECT_EQ(header(20), (std::vector<int>{'f', 4, 4, 0}));
  float last = 0;
  std::memcpy(&last, &p.records[36], sizeof last);
  EXPECT_EQ(last, 4.0F);
  EXPECT_EQ(header(40), (std::vector<int>{'i', 8, 1, 0}));
  EXPECT_EQ(header(52), (std::vector<int>{'p', 8, 1, 0}));
  EXPECT_EQ(header(64), (std::vector<int>{'i', 4, 1, 0}));
  EXPECT_EQ(seen.prints[1].count, 1U);
}

TEST(Workgroup, DivergentBarriersAreReported) {
  const char* source = R"(kernel void k(global int* x, int n) {
  local int t[8];
  const int l = get_local_id(0);
  if (l < n)
    barrier(CLK_LOCAL_MEM_FENCE);
  else
    barrier(CLK_GLOBAL_MEM_FENCE);
  x[get_global_id(0)] = l;
})";
  const abi::Reply reply = build(source, "-cl-std=CL3.0 -g", true);
  ASSERT_EQ(reply.status, 0) << reply.log;
  std::vector<int> x(16);
  Observed fine;
  run_direct(reply, "k", Range(16, 8), {buffer(x), value(8)}, &fine);
  EXPECT_TRUE(fine.divergent.empty());
  Observed seen;
  run_direct(reply, "k", Range(16, 8), {buffer(x), value(3)}, &seen);
  ASSERT_EQ(seen.divergent.size(), 2U);  // once per group
  EXPECT_EQ(seen.divergent[1].group, 1U);
  EXPECT_NE(seen.divergent[0].site.find(":7"), std::string::npos) << seen.divergent[0].site;
}

TEST(Workgroup, KeepsOnlyWhatVariesAcrossBarriers) {
  const abi::Reply reply = build(R"(
    kernel void k(global int* x, int n) {
      local int t[16];
      const int l = get_local_id(0), g = get_global_id(0);
      for (int i = 0; i < n; ++i) {
        t[l] = x[g] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        x[g] = t[(l + 1) & 15];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })");
  ASSERT_EQ(reply.status, 0) << reply.log;
  const abi::KernelInfo& info = info_of(reply, "k");
  EXPECT_TRUE(info.has_barrier);
  EXPECT_EQ(info.item_bytes, 0U);  // ids are computed again, the counter is uniform
  EXPECT_EQ(info.local_bytes, 64U);
}

TEST(Workgroup, LargePrivateArraysLeaveTheStack) {
  const abi::Reply reply = build(R"(
    kernel void k(global int* x, int n) {
      int a[8192];
      for (int i = 0; i < n; ++i) a[i] = i;
      x[get_global_id(0)] = a[x[get_global_id(0)]];
    })");
  ASSERT_EQ(reply.status, 0) << reply.log;
  const abi::KernelInfo& info = info_of(reply, "k");
  EXPECT_FALSE(info.has_barrier);
  EXPECT_EQ(info.group_bytes, 32768U);
  EXPECT_EQ(info.item_bytes, 0U);
}

TEST(Workgroup, ManyBarriersCompileFast) {
  // The compile time may grow with the program, not with its square: the bound is generous for slow machines.
  std::string conditional =
      "kernel void k(global int* x, global const int* on) { local int t[16]; int v = x[get_global_id(0)];";
  for (int i = 0; i < 300; ++i)
    conditional += "if (on[" + std::to_string(i) + "]) { t[get_local_id(0)] = v; barrier(1); v = t[" +
                   std::to_string(i % 16) + "]; barrier(1); }\n";
  conditional += " x[get_global_id(0)] = v; }";
  const auto begin = std::chrono::steady_clock::now();
  const abi::Reply reply = build(conditional);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  ASSERT_EQ(reply.status, 0) << reply.log;
  EXPECT_LT(seconds.count(), 20.0);
}

TEST(Workgroup, RecursionIsRefused) {
  const abi::Reply reply = build(R"(
    int f(int n) { barrier(1); return n > 0 ? f(n - 1) + 1 : 0; }
    kernel void k(global int* x) { x[0] = f(3); })");
  EXPECT_NE(reply.status, 0);
  EXPECT_NE(reply.log.find("recursi"), std::string::npos) << reply.log;
}

}  // namespace
}  // namespace lanewise::test
