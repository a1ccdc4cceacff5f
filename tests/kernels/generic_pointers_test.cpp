// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointers to the generic address space (__opencl_c_generic_address_space): data decides where they point, so that the
/// compiler cannot know it, and private variables are in each of the places that they may have.
#include <array>
#include <cmath>
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 96;
constexpr std::size_t kGroup = 32;

/// Which space each work-item uses: 0 global, 1 local, 2 private.
std::vector<int> choices() {
  std::vector<int> chosen(kItems);
  for (std::size_t i = 0; i < kItems; ++i) chosen[i] = static_cast<int>((i * 7 + i / 5) % 3);
  return chosen;
}

/// The result of `classify` in the kernels below for a pointer to that space.
int expected_class(int space) {
  static constexpr std::array<int, 3> kClasses = {0b10'001, 0b01'010, 0b10'100};
  return kClasses.at(static_cast<std::size_t>(space));
}

const char* const kClassify = R"(
  int classify(const int* p) {
    return (to_global(p) == p ? 1 : 0) | (to_local(p) == p ? 2 : 0) | (to_private(p) == p ? 4 : 0) |
           (get_fence(p) == CLK_LOCAL_MEM_FENCE ? 8 : 0) | (get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 16 : 0);
  }
)";

TEST(GenericPointers, OneFunctionForAllSpaces) {
  std::vector<int> in(kItems);
  std::iota(in.begin(), in.end(), 3);
  std::vector<int> out(kItems * 3);
  run(R"(
    int sum(const int* p, int n) { int s = 0; for (int k = 0; k < n; ++k) s += p[k]; return s; }
    void put(int* p, int v) { *p = v; }
    kernel void k(global int* in, global int* out, local int* tile) {
      int i = get_global_id(0), l = get_local_id(0);
      int own[4];
      for (int k = 0; k < 4; ++k) put(&own[k], in[i] * k);
      put(&tile[l], in[i]);
      barrier(CLK_LOCAL_MEM_FENCE);
      put(&out[3 * i], sum(own, 4));
      put(&out[3 * i + 1], sum(in, l));
      put(&out[3 * i + 2], sum(tile, l + 1));
    })",
      "k", Range(kItems, kGroup), {buffer(in), buffer(out), local(kGroup * sizeof(int))});
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::size_t first = i / kGroup * kGroup;
    EXPECT_EQ(out[3 * i], in[i] * 6);
    EXPECT_EQ(out[3 * i + 1], std::accumulate(in.begin(), in.begin() + static_cast<long>(i - first), 0));
    EXPECT_EQ(out[3 * i + 2],
              std::accumulate(in.begin() + static_cast<long>(first), in.begin() + static_cast<long>(i) + 1, 0));
  }
}

/// Each work-item adds to a cell of a space of its own; the cells of the other spaces stay as they were.
/// `body` may use `int *space, *cells, *out` in global and `int *tile` in local memory.
void check_chosen(const std::string& body) {
  std::vector<int> space = choices();
  std::vector<int> cells(kItems);
  std::iota(cells.begin(), cells.end(), 100);
  std::vector<int> out(kItems * 4);
  run(std::string(kClassify) +
          "kernel void k(global int* space, global int* cells, global int* out, local int* tile) {" + body + "}",
      "k", Range(kItems, kGroup), {buffer(space), buffer(cells), buffer(out), local(kGroup * sizeof(int))});
  for (std::size_t i = 0; i < kItems; ++i) {
    const int n = static_cast<int>(i);
    EXPECT_EQ(out[4 * i], expected_class(space[i])) << "item " << i << ", space " << space[i];
    EXPECT_EQ(out[4 * i + 1], 100 + n + (space[i] == 0 ? 1 : 0)) << "global, item " << i << ", space " << space[i];
    EXPECT_EQ(out[4 * i + 2], 200 + n + (space[i] == 1 ? 1 : 0)) << "local, item " << i << ", space " << space[i];
    EXPECT_EQ(out[4 * i + 3], 300 + n + (space[i] == 2 ? 1 : 0)) << "private, item " << i << ", space " << space[i];
  }
}

TEST(GenericPointers, ChosenByData) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own = 300 + i;
    tile[l] = 200 + i;
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : &own;
    *p += 1;
    out[4 * i] = classify(p);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own;
  )");
}

TEST(GenericPointers, PrivateVariableAcrossBarrier) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own[2] = {300 + i, 0};
    tile[l] = 200 + i;
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : own;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p += 1;
    out[4 * i] = classify(p);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own[space[i] >> 4];
  )");
}

/// The variable is written behind the barrier, but its address is chosen in front of it.
TEST(GenericPointers, AddressAcrossBarrier) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own[4];
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : own + space[i] - 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = 200 + i;
    for (int k = 0; k < 4; ++k) own[k] = 300 + i;
    *p += 1;
    out[4 * i] = classify(p);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own[space[i] >> 4];
  )");
}

TEST(GenericPointers, PrivateArrayTooLargeForTheStack) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own[10000];
    for (int k = 0; k < 10000; ++k) own[k] = 300 + i;
    tile[l] = 200 + i;
    int at = (i * 977) % 10000;
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : own + at;
    *p += 1;
    out[4 * i] = classify(p);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own[at];
  )");
}

TEST(GenericPointers, StaticLocalMemoryAndArgumentsByValue) {
  std::vector<int> space = choices();
  std::vector<int> out(kItems * 2);
  struct Pair {
    int a, b;
  };
  run(std::string(kClassify) + R"(
    struct pair { int a, b; };
    kernel void k(global int* space, global int* out, struct pair pair) {
      local int tile[32];
      int i = get_global_id(0), l = get_local_id(0);
      tile[l] = i;
      out[2 * i + 1] = -1;
      int* p = space[i] == 0 ? (int*)&out[2 * i + 1] : space[i] == 1 ? (int*)&tile[l] : space[i] == 2 ? &pair.b : &pair.a;
      int before = *p;
      *p = before + 1;
      out[2 * i] = classify(p);
      out[2 * i + 1] = before + pair.b;
    })",
      "k", Range(kItems, kGroup), {buffer(space), buffer(out), value(Pair{4, 50})});
  for (std::size_t i = 0; i < kItems; ++i) {
    const int before = space[i] == 0 ? -1 : space[i] == 1 ? static_cast<int>(i) : 50;
    EXPECT_EQ(out[2 * i], expected_class(space[i])) << "item " << i;
    EXPECT_EQ(out[2 * i + 1], before + 50 + (space[i] == 2 ? 1 : 0)) << "item " << i;
  }
}

TEST(GenericPointers, InStructsUnionsAndArrays) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own = 300 + i;
    tile[l] = 200 + i;
    struct { int padding; union { int* i; float* f; } u; } s;
    int* all[3] = {&cells[i], &tile[l], &own};
    s.u.i = all[space[i]];
    int** pp = space[i] == 1 ? &s.u.i : &all[space[i]];
    **pp += 1;
    float* f = s.u.f;
    out[4 * i] = classify((int*)f);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own;
  )");
}

TEST(GenericPointers, WalkedInDivergentLoops) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own[8];
    for (int k = 0; k < 8; ++k) own[k] = 300 + i;
    tile[l] = 200 + i;
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : own;
    int last = 0;
    for (int k = 0; k <= i % 5; ++k) {
      if (to_private(p)) p = own + k;
      last = k;
    }
    *p += 1;
    out[4 * i] = classify(p);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own[last];
  )");
}

TEST(GenericPointers, InSubGroups) {
  check_chosen(R"(
    int i = get_global_id(0), l = get_local_id(0), own[2] = {300 + i, 300 + i};
    tile[l] = 200 + i;
    int* p = space[i] == 0 ? (int*)&cells[i] : space[i] == 1 ? (int*)&tile[l] : own + (i & 1);
    *p += sub_group_any(1) ? 1 : 2;
    out[4 * i] = classify(p);
    out[4 * i + 1] = cells[i];
    out[4 * i + 2] = tile[l];
    out[4 * i + 3] = own[i & 1];
  )");
}

TEST(GenericPointers, NullAndComparisons) {
  std::vector<int> space = choices();
  std::vector<int> out(kItems);
  run(R"(
    kernel void k(global int* space, global int* out) {
      int i = get_global_id(0), own = 0;
      int* none = space[i] > 5 ? &own : 0;
      int* p = space[i] == 0 ? (int*)&out[i] : &own;
      int r = (to_global(none) == 0) + (to_local(none) == 0) + (to_private(none) == 0);
      r += (p == &out[i] ? 10 : 0) + (p == &own ? 20 : 0) + (p != none ? 40 : 0);
      global int* g = (global int*)p;
      if (space[i] == 0) r += (g == &out[i] ? 100 : 0);
      out[i] = r + (g - to_global(p) == 0 ? 1000 : 0);
    })",
      "k", Range(kItems, kGroup), {buffer(space), buffer(out)});
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(out[i], space[i] == 0 ? 1153 : 63) << "item " << i;
}

/// Every built-in with a result through a pointer, by a generic pointer and by one to private memory.
TEST(GenericPointers, KeptAcrossABarrierByTheRestOfAGroup) {
  constexpr std::size_t kLocal = 67, kAll = 3 * kLocal;
  std::vector<double> a(kAll), b(kAll), out(kAll);
  std::iota(a.begin(), a.end(), 0.5);
  std::iota(b.begin(), b.end(), 1000.5);
  run(R"(
    kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global double* a, global double* b, global double* out) {
      size_t i = get_global_id(0);
      double* chosen = (a[i] > 100.0) ? (double*)(a + i) : (double*)(b + i);
      if (get_sub_group_local_id() > 7) return;
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[i] = *chosen;
    })",
      "k", Range(kAll, kLocal), {buffer(a), buffer(b), buffer(out)});
  for (std::size_t i = 0; i < kAll; ++i) EXPECT_EQ(out[i], a[i] > 100.0 ? a[i] : b[i]) << i;
}

TEST(GenericPointers, MathFunctions) {
  std::vector<int> space = choices();
  std::vector<float> in(kItems);
  for (std::size_t i = 0; i < kItems; ++i) in[i] = static_cast<float>(i) * 0.37F - 11.0F;
  std::vector<float> chosen(kItems * 12);
  std::vector<float> plain(kItems * 12);
  run(R"(
    kernel void k(global int* space, global float* in, global float* chosen, global float* plain) {
      local float4 floats[32];
      local int4 ints[32];
      int i = get_global_id(0), l = get_local_id(0);
      float4 own; int4 own_int;
      float x = in[i];
      global float* g = chosen + 12 * i;
      float* f = space[i] == 0 ? (float*)(g + 11) : space[i] == 1 ? (float*)&floats[l] : (float*)&own;
      int* n = space[i] == 0 ? (int*)(g + 11) : space[i] == 1 ? (int*)&ints[l] : (int*)&own_int;
      float4* v = space[i] == 1 ? (float4*)&floats[l] : &own;
      g[0] = fract(x, f) + *f;
      g[1] = modf(x, f) * *f;
      g[2] = frexp(x, n) * *n;
      g[3] = sincos(x, f) - *f;
      g[4] = remquo(x, 1.5f, n) + *n;
      g[5] = lgamma_r(x, n) + *n;
      float4 r = fract((float4)(x, x + 1, x + 2, -x), v) + *v;
      g[6] = r.x + r.y + r.z + r.w;
      g[11] = 0;
      global float* q = plain + 12 * i;
      float pf; int pn; float4 pv;
      q[0] = fract(x, &pf) + pf;
      q[1] = modf(x, &pf) * pf;
      q[2] = frexp(x, &pn) * pn;
      q[3] = sincos(x, &pf) - pf;
      q[4] = remquo(x, 1.5f, &pn) + pn;
      q[5] = lgamma_r(x, &pn) + pn;
      r = fract((float4)(x, x + 1, x + 2, -x), &pv) + pv;
      q[6] = r.x + r.y + r.z + r.w;
    })",
      "k", Range(kItems, kGroup), {buffer(space), buffer(in), buffer(chosen), buffer(plain)},
      "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
  for (std::size_t i = 0; i < kItems; ++i) {
    float whole = 0;
    EXPECT_FLOAT_EQ(plain[12 * i + 1], std::modf(in[i], &whole) * std::trunc(in[i])) << "item " << i;
    for (std::size_t o = 0; o < 12; ++o)
      EXPECT_FLOAT_EQ(chosen[12 * i + o], plain[12 * i + o]) << "item " << i << ", function " << o;
  }
}

TEST(GenericPointers, VectorLoadsAndStores) {
  std::vector<int> space = choices();
  std::vector<int> in(kItems * 8);
  std::iota(in.begin(), in.end(), -200);
  std::vector<int> out(kItems * 8);
  run(R"(
    kernel void k(global int* space, global int* in, global int* out) {
      local int tile[32 * 8];
      int i = get_global_id(0), l = get_local_id(0), own[8];
      for (int k = 0; k < 8; ++k) tile[8 * l + k] = own[k] = in[8 * i + k];
      int* p = space[i] == 0 ? (int*)(in + 8 * i) : space[i] == 1 ? (int*)(tile + 8 * l) : own;
      vstore4(vload4(1, p) * 2, 0, p);
      vstore3(vload3(1, p) + 1, 1, p);
      vstore2(vload2(3, p) - 5, 3, p);
      vstore8(vload8(0, p) ^ 3, 0, p);
      half* h = (half*)p;
      vstore_half(vload_half(0, h), 1, h);
      vstore8(vload8(0, p), i, out);
    })",
      "k", Range(kItems, kGroup), {buffer(space), buffer(in), buffer(out)});
  for (std::size_t i = 0; i < kItems; ++i) {
    std::array<int, 8> v{};
    for (std::size_t k = 0; k < 8; ++k) v.at(k) = static_cast<int>(8 * i + k) - 200;
    for (std::size_t k = 0; k < 4; ++k) v.at(k) = v.at(k + 4) * 2;
    for (std::size_t k = 3; k < 6; ++k) v.at(k) += 1;
    for (std::size_t k = 6; k < 8; ++k) v.at(k) -= 5;
    for (int& e : v) e ^= 3;
    for (std::size_t k = 1; k < 8; ++k) EXPECT_EQ(out[8 * i + k], v.at(k)) << "item " << i << ", element " << k;
    const auto halves = static_cast<unsigned>(out[8 * i]);
    const auto low = static_cast<unsigned>(v[0]) & 0xffffU;
    EXPECT_EQ(halves & 0xffffU, low) << "item " << i;
    if ((low & 0x7fffU) <= 0x7c00U) {
      EXPECT_EQ(halves >> 16U, low) << "item " << i;  // not a NaN
    }
  }
}

TEST(GenericPointers, Atomics) {
  std::vector<int> space = choices();
  std::vector<int> counts(8);
  std::vector<int> out(kItems * 2);
  run(R"(
    kernel void k(global int* space, volatile global int* counts, global int* out) {
      local atomic_int tile[4];
      int i = get_global_id(0), l = get_local_id(0);
      if (l < 4) atomic_init(&tile[l], 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      volatile global atomic_int* c = (volatile global atomic_int*)counts;
      volatile atomic_int* p = space[i] == 0 ? (volatile atomic_int*)&c[0] : (volatile atomic_int*)&tile[0];
      atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_work_group);
      atomic_fetch_max_explicit(p + 1, i, memory_order_relaxed, memory_scope_work_group);
      atomic_fetch_or_explicit(p + 2, 1 << (i % 8), memory_order_relaxed, memory_scope_work_group);
      int own = 0;
      int* expected = space[i] == 2 ? &own : (int*)&out[2 * i];
      *expected = -1;
      out[2 * i + 1] = atomic_compare_exchange_strong_explicit(p + 3, expected, 7, memory_order_relaxed,
                                                               memory_order_relaxed, memory_scope_work_group);
      out[2 * i] = *expected;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 4) counts[4 + l] = atomic_load_explicit(&tile[l], memory_order_relaxed, memory_scope_work_group);
    })",
      "k", Range(kItems, kItems), {buffer(space), buffer(counts), buffer(out)});
  std::array<int, 8> expected{};
  for (std::size_t i = 0; i < kItems; ++i) {
    int* of_space = expected.data() + (space[i] == 0 ? 0 : 4);
    of_space[0] += 1;
    of_space[1] = static_cast<int>(i);
    of_space[2] |= 1 << (i % 8);
    EXPECT_EQ(out[2 * i], 0) << "item " << i;
    EXPECT_EQ(out[2 * i + 1], 0) << "item " << i;
  }
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(counts[c], expected.at(c)) << "counter " << c;
}

}  // namespace
}  // namespace lanewise::test
