// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private variables and values that live across barriers, arguments by value, local pointers.
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

TEST(PrivateMemory, ArrayLivesAcrossBarriers) {
  const char* source = R"(
    kernel void k(global const int* index, global int* out) {
      local int t[16];
      const int l = get_local_id(0), g = get_global_id(0);
      int a[9];
      for (int i = 0; i < 9; ++i) a[i] = g * 10 + i;
      for (int r = 0; r < 3; ++r) {
        t[l] = a[index[g]];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[(index[g] + r) % 9] += t[(l + 1) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int sum = 0;
      for (int i = 0; i < 9; ++i) sum = sum * 3 + a[i];
      out[g] = sum;
    })";
  Ints index(48), out(48), expected(48);
  for (std::size_t i = 0; i < 48; ++i) index[i] = static_cast<int>(i * 5 % 9);
  for (std::size_t g = 0; g < 48; g += 16) {
    std::vector<Ints> a(16, Ints(9));
    for (std::size_t l = 0; l < 16; ++l) std::iota(a[l].begin(), a[l].end(), static_cast<int>(g + l) * 10);
    for (int r = 0; r < 3; ++r) {
      Ints t(16);
      for (std::size_t l = 0; l < 16; ++l) t[l] = a[l][static_cast<std::size_t>(index[g + l])];
      for (std::size_t l = 0; l < 16; ++l) a[l][static_cast<std::size_t>((index[g + l] + r) % 9)] += t[(l + 1) % 16];
    }
    for (std::size_t l = 0; l < 16; ++l)
      for (int v : a[l]) expected[g + l] = expected[g + l] * 3 + v;
  }
  run(source, "k", Range(48, 16), {buffer(index), buffer(out)});
  EXPECT_EQ(out, expected);
}

TEST(PrivateMemory, LargeArrayWithoutBarrier) {
  const char* source = R"(
    kernel void k(global int* out, int n) {
      int a[10000];
      const int g = get_global_id(0);
      for (int i = 0; i < n; ++i) a[i] = i ^ g;
      int sum = 0;
      for (int i = 0; i < n; ++i) sum += a[(i * 7 + g) % n];
      out[g] = sum;
    })";
  Ints out(8), expected(8);
  for (int g = 0; g < 8; ++g)
    for (int i = 0; i < 10000; ++i) expected[static_cast<std::size_t>(g)] += ((i * 7 + g) % 10000) ^ g;
  run(source, "k", Range(8, 4), {buffer(out), value(10000)});
  EXPECT_EQ(out, expected);
}

TEST(PrivateMemory, PointerThroughMemoryAcrossABarrier) {
  const char* source = R"(
    typedef struct { int* p; int v[4]; } Box;
    kernel void k(global int* out) {
      local int t[8];
      const int l = get_local_id(0);
      Box b;
      for (int i = 0; i < 4; ++i) b.v[i] = l * 4 + i;
      b.p = &b.v[l % 4];
      t[l] = *b.p;
      barrier(CLK_LOCAL_MEM_FENCE);
      *b.p += t[(l + 1) % 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = b.v[0] + 10 * b.v[1] + 100 * b.v[2] + 1000 * b.v[3];
    })";
  Ints out(16), expected(16);
  for (int g = 0; g < 16; ++g) {
    const int l = g % 8, next = (l + 1) % 8;
    int v[4] = {l * 4, l * 4 + 1, l * 4 + 2, l * 4 + 3};
    v[l % 4] += next * 4 + next % 4;
    expected[static_cast<std::size_t>(g)] = v[0] + 10 * v[1] + 100 * v[2] + 1000 * v[3];
  }
  run(source, "k", Range(16, 8), {buffer(out)});
  EXPECT_EQ(out, expected);
}

TEST(PrivateMemory, LocalPointersInStructs) {
  const char* source = R"(
    typedef struct { local int* from; local int* to; int n; } Pass;
    void step(Pass* p, size_t l) {
      p->to[l] = p->from[(l + 1) % p->n] + 1;
      local int* swap = p->from; p->from = p->to; p->to = swap;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    kernel void k(global int* x, local int* dynamic) {
      local int fixed[16];
      const size_t l = get_local_id(0);
      Pass p = {fixed, dynamic, get_local_size(0)};
      fixed[l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 5; ++i) step(&p, l);
      x[get_global_id(0)] = p.from[l];
    })";
  Ints x(48), expected(48);
  std::iota(x.begin(), x.end(), 0);
  for (std::size_t i = 0; i < 48; ++i) expected[i] = x[i / 16 * 16 + (i + 5) % 16] + 5;
  run(source, "k", Range(48, 16), {buffer(x), local(16 * sizeof(int))});
  EXPECT_EQ(x, expected);
}

TEST(PrivateMemory, UniformCounterIsNotUpdatedTwice) {
  const char* source = R"(
    kernel void k(global int* out, int n) {
      local int t[32];
      const size_t l = get_local_id(0);
      int i = 0, steps = 1, sum = 0;
      while (i < n) {
        t[l] = i * 100 + steps;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[31 - l];
        i += steps;
        steps += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = sum + i * 1000000;
    })";
  Ints out(64);
  int sum = 0, i = 0;
  for (int steps = 1; i < 20; i += steps, ++steps) sum += i * 100 + steps;
  run(source, "k", Range(64, 32), {buffer(out), value(20)});
  EXPECT_EQ(out, Ints(64, sum + i * 1000000));
}

TEST(PrivateMemory, ValuesOfEveryKindLiveAcross) {
  const char* source = R"(
    kernel void k(global const float4* f, global const double* d, global const char* c, global float* out) {
      local float t[8];
      const size_t g = get_global_id(0), l = get_local_id(0);
      const float4 fv = f[g];
      const double dv = d[g];
      const char3 cv = (char3)(c[g * 3], c[g * 3 + 1], c[g * 3 + 2]);
      const bool b = fv.x > 2.0f;
      const long big = (long)g << 40;
      const short8 s = (short8)((short)g) + (short8)(0, 1, 2, 3, 4, 5, 6, 7);
      t[l] = fv.y;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float r = t[7 - l] + (float)dv + fv.z * 2.0f + fv.w + cv.x + cv.y * 2 + cv.z * 3;
      out[g] = r + (b ? 1000.0f : 0.0f) + (float)(big >> 40) + s.s3 + s.s7;
    })";
  std::vector<float> f(64);
  std::vector<double> d(16);
  std::vector<signed char> c(64);
  for (std::size_t i = 0; i < 64; ++i) f[i] = static_cast<float>(i % 9), c[i] = static_cast<signed char>(i % 5);
  for (std::size_t i = 0; i < 16; ++i) d[i] = static_cast<double>(i) * 0.5;
  std::vector<float> out(16), expected(16);
  for (std::size_t g = 0; g < 16; ++g) {
    const std::size_t mirror = g / 8 * 8 + 7 - g % 8;
    const float e = static_cast<float>(c[g * 3] + c[g * 3 + 1] * 2 + c[g * 3 + 2] * 3);
    expected[g] = f[mirror * 4 + 1] + static_cast<float>(d[g]) + f[g * 4 + 2] * 2 + f[g * 4 + 3] + e +
                  (f[g * 4] > 2.0F ? 1000.0F : 0.0F) + static_cast<float>(g) + static_cast<float>(g + 3 + g + 7);
  }
  run(source, "k", Range(16, 8), {buffer(f), buffer(d), buffer(c), buffer(out)});
  EXPECT_EQ(out, expected);
}

struct Parameters {
  int scale;
  float shift[3];
  long base;
};

TEST(PrivateMemory, StructArguments) {
  const char* source = R"(
    typedef struct { int scale; float shift[3]; long base; } Parameters;
    kernel void reads(global float* out, Parameters p, char tag) {
      const size_t g = get_global_id(0);
      out[g] = g * p.scale + p.shift[g % 3] + p.base + tag;
    }
    kernel void writes(global float* out, Parameters p, char tag) {
      const size_t g = get_global_id(0);
      p.scale += get_local_id(0);
      p.shift[g % 3] *= 2.0f;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = g * p.scale + p.shift[0] + p.shift[1] + p.shift[2] + p.base + tag;
    })";
  const Parameters p{3, {0.5F, 1.5F, 2.5F}, 100};
  const signed char tag = -7;
  std::vector<float> out(24), expected(24);
  for (std::size_t g = 0; g < 24; ++g) expected[g] = static_cast<float>(g) * 3 + p.shift[g % 3] + 93;
  run(source, "reads", Range(24, 8), {buffer(out), value(p), value(tag)});
  EXPECT_EQ(out, expected);
  for (std::size_t g = 0; g < 24; ++g) expected[g] = static_cast<float>(g * (3 + g % 8)) + 4.5F + p.shift[g % 3] + 93;
  run(source, "writes", Range(24, 8), {buffer(out), value(p), value(tag)});
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace lanewise::test
