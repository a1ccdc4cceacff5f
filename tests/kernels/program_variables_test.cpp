// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables of a program in the global address space (__opencl_c_program_scope_global_variables): initial values, and
/// changes by one kernel. What kernels and programs share is tested in tests/api/program_variables_test.cpp.
#include <cmath>
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 96;
constexpr std::size_t kGroup = 32;

std::vector<int> run_ints(const std::string& source, std::size_t outputs, std::size_t items = 1,
                          std::size_t group = 1) {
  std::vector<int> out(outputs);
  run(source, "k", Range(items, group), {buffer(out)});
  return out;
}

/// More elements than an instruction of SPIR-V has words.
TEST(ProgramVariables, TablesMayBeLong) {
  constexpr std::size_t kElements = 70001;
  std::string source = "constant short table[] = {";
  for (std::size_t i = 0; i < kElements; ++i) source += std::to_string(i * 13 % 9973) + ",";
  source += "}; kernel void k(global int* o) { size_t i = get_global_id(0); o[i] = table[i] + 1; }";
  const auto out = run_ints(source, kElements, kElements);
  for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(out[i], i * 13 % 9973 + 1) << i;
}

TEST(ProgramVariables, BeginAsTheirInitialisersSay) {
  const auto out = run_ints(R"(
    global char c = -3;
    ushort s = 65000;
    long l = -5000000000L;
    float f = 1.5f;
    double d = -2.25;
    int3 v = (int3)(7, 8, 9);
    uchar16 wide = (uchar16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    bool yes = true;
    global int zero;
    int table[2][3] = {{1, 2, 3}, {4, 5}};
    struct inner { char tag; short x[2]; };
    struct outer { struct inner i; double y; union { int n; float f; } u; } s1 = {{'a', {-1, 2}}, 0.5, {77}};
    kernel void k(global int* o) {
      o[0] = c; o[1] = s; o[2] = l == -5000000000L; o[3] = f * 2; o[4] = d * 4; o[5] = v.x + 10 * v.y + 100 * v.z;
      o[6] = wide.s0 + 100 * wide.sf; o[7] = yes; o[8] = zero; o[9] = table[0][2] * 1000 + table[1][1] * 10 + table[1][2];
      o[10] = s1.i.tag; o[11] = s1.i.x[0] + 10 * s1.i.x[1]; o[12] = s1.y * 2; o[13] = s1.u.n;
    })",
                            14);
  const std::vector<int> expected = {-3, 65000, 1, 3, -9, 987, 1601, 1, 0, 3050, 'a', 19, 1, 77};
  EXPECT_EQ(out, expected);
}

TEST(ProgramVariables, PointToEachOther) {
  const auto out = run_ints(R"(
    struct node { int value; global struct node* next; };
    extern global struct node first;
    global struct node third = {30, 0}, second = {20, &third}, first = {10, &second};
    int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    global int* global middle = &numbers[3];
    global int* constant fixed = numbers + 5;
    constant int secret = 99;
    constant int* global to_constant = &secret;
    int* generic_pointer = &numbers[7];
    global int* global* global both = &middle;
    global char* global text_end = (global char*)numbers + sizeof numbers;
    constant char* global text = "xyz";
    constant char* constant words[2] = {"one", "two"};
    ulong address = (ulong)&numbers[2];
    kernel void k(global int* o) {
      int n = 0;
      for (global struct node* p = &first; p; p = p->next) o[n++] = p->value;
      o[n++] = *middle; o[n++] = *fixed; o[n++] = *to_constant; o[n++] = *generic_pointer; o[n++] = **both;
      o[n++] = text_end - (global char*)middle; o[n++] = text[1]; o[n++] = words[1][0];
      o[n++] = *(global int*)address; o[n++] = to_constant == &secret;
    })",
                            13);
  const std::vector<int> expected = {10, 20, 30, 3, 5, 99, 7, 3, 20, 'y', 't', 2, 1};
  EXPECT_EQ(out, expected);
}

TEST(ProgramVariables, AreOneForAllWorkItems) {
  std::vector<int> out(kItems);
  run(R"(
    global int sums[96];
    global atomic_int count = 5;
    kernel void k(global int* o) {
      int i = get_global_id(0);
      sums[(i * 5) % 96] += i;
      atomic_fetch_add_explicit(&count, 2, memory_order_relaxed, memory_scope_device);
      barrier(CLK_GLOBAL_MEM_FENCE);
      int n = get_local_size(0), first = i - get_local_id(0);
      o[i] = sums[((first + (get_local_id(0) + 1) % n) * 5) % 96];
    })",
      "k", Range(kItems, kGroup), {buffer(out)});
  for (std::size_t i = 0; i < kItems; ++i)
    EXPECT_EQ(out[i], static_cast<int>(i / kGroup * kGroup + (i + 1) % kGroup)) << i;
}

TEST(ProgramVariables, CountAcrossWorkItems) {
  std::vector<int> seen(kItems);
  run(R"(
    global atomic_int count = 5;
    kernel void k(global int* seen) {
      int at = atomic_fetch_add_explicit(&count, 2, memory_order_relaxed, memory_scope_device);
      seen[(at - 5) / 2] += 1;
    })",
      "k", Range(kItems, kGroup), {buffer(seen)});
  EXPECT_EQ(seen, std::vector<int>(kItems, 1));
}

TEST(ProgramVariables, InFunctions) {
  const auto out = run_ints(R"(
    int next(void) { static int n = 10; return n += 5; }
    int other(void) { static global int n = 1; n *= 3; return n; }
    constant int* table(void) { static constant int t[3] = {4, 5, 6}; return t; }
    kernel void k(global int* o) {
      static int calls;
      for (int i = 0; i < 4; ++i) { o[i] = next() + other(); ++calls; }
      o[4] = calls; o[5] = table()[2];
    })",
                            6);
  const std::vector<int> expected = {18, 29, 52, 111, 4, 6};
  EXPECT_EQ(out, expected);
}

TEST(ProgramVariables, ConstantsAreValuesAndHaveAddresses) {
  std::vector<int> out(kItems);
  run(R"(
    const int small[4] = {1, 20, 300, 4000};
    global const int other[4] = {5, 6, 7, 8};
    const float half_of[3] = {0.5f, 1.5f, 2.5f};
    const int* const chosen[2] = {small, other};
    int at(const int* table, int i) { return table[i & 3]; }
    kernel void k(global int* o) {
      int i = get_global_id(0);
      const int* p = i % 3 ? small : other;
      o[i] = at(small, i) + at(other, i >> 2) + p[i & 3] + (int)(half_of[i % 3] * 2) + chosen[i & 1][2] +
             (chosen[0] == small ? 0 : 1000000);
    })",
      "k", Range(kItems, kGroup), {buffer(out)});
  const int small[] = {1, 20, 300, 4000};
  const int other[] = {5, 6, 7, 8};
  for (std::size_t i = 0; i < kItems; ++i) {
    const int* p = i % 3 != 0 ? small : other;
    const int halves = static_cast<int>(2 * (i % 3) + 1);
    EXPECT_EQ(out[i], small[i & 3] + other[(i >> 2) & 3] + p[i & 3] + halves + ((i & 1) != 0 ? other : small)[2]) << i;
  }
}

TEST(ProgramVariables, AreGlobalMemoryToGenericPointers) {
  std::vector<int> out(kItems);
  run(R"(
    int variable[96];
    int where(int* p) {
      return (to_global(p) == p ? 1 : 0) | (to_local(p) == p ? 2 : 0) | (to_private(p) == p ? 4 : 0) |
             (get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 8 : 0);
    }
    int* global kept;
    kernel void k(global int* o) {
      int i = get_global_id(0), own = 3;
      int* p = i % 2 ? (int*)&variable[i] : &own;
      *p += i;
      if (i == 0) kept = &variable[5];
      o[i] = where(p) + 100 * variable[i];
      if (i == 0) o[i] = where(kept);
    })",
      "k", Range(kItems, kGroup), {buffer(out)});
  for (std::size_t i = 0; i < kItems; ++i)
    EXPECT_EQ(out[i], i == 0 ? 9 : i % 2 != 0 ? 9 + 100 * static_cast<int>(i) : 12) << i;
}

/// Variables far larger than the code model of an image permits.
TEST(ProgramVariables, LargeOnesAndTheirNeighbours) {
  const auto out = run_ints(R"(
    char before = 1;
    global int large[40 * 1000 * 1000];
    char behind = 2;
    struct page { char bytes[4096]; } __attribute__((aligned(4096)));
    global struct page page;
    kernel void k(global int* o) {
      large[0] = 3; large[39999999] = 4;
      o[0] = before; o[1] = behind; o[2] = large[0] + large[39999999] + large[20000000];
      o[3] = ((ulong)&page) % 4096;
    })",
                            4);
  EXPECT_EQ(out, (std::vector<int>{1, 2, 7, 0}));
}

TEST(ProgramVariables, WithLocalMemoryAndBarriersInFunctions) {
  std::vector<int> out(kItems);
  run(R"(
    global int history[96];
    void exchange(local int* tile, int l) {
      static int rounds;
      tile[l] += history[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      history[get_global_id(0)] = tile[(l + 1) % 32];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_global_id(0) == 0) ++rounds;
    }
    kernel void k(global int* o) {
      local int tile[32];
      int l = get_local_id(0);
      tile[l] = l;
      for (int r = 0; r < 3; ++r) exchange(tile, l);
      o[get_global_id(0)] = history[get_global_id(0)];
    })",
      "k", Range(kItems, kGroup), {buffer(out)});
  std::vector<int> tile(kGroup), history(kGroup);
  std::iota(tile.begin(), tile.end(), 0);
  for (int r = 0; r < 3; ++r) {
    for (std::size_t l = 0; l < kGroup; ++l) tile[l] += history[l];
    for (std::size_t l = 0; l < kGroup; ++l) history[l] = tile[(l + 1) % kGroup];
  }
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(out[i], history[i % kGroup]) << i;
}

/// Variables in the constant address space keep working.
TEST(ProgramVariables, ConstantAddressSpace) {
  const auto out = run_ints(R"(
    constant int a = 4;
    constant int* constant pa = &a;
    constant struct { constant int* p; int n; } s = {&a, 6};
    kernel void k(global int* o) { o[0] = a; o[1] = *pa; o[2] = *s.p + s.n; o[3] = pa == s.p; })",
                            4);
  EXPECT_EQ(out, (std::vector<int>{4, 4, 10, 1}));
}

}  // namespace
}  // namespace lanewise::test
