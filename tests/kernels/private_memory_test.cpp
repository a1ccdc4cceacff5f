// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private variables and values that live across barriers, arguments by value, local pointers.
#include <algorithm>
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

/// Rows and columns are counted in vectors, and places in memory by pointers: only what all work-items have in common is
/// kept, the rest is computed again after each barrier.
TEST(PrivateMemory, CountersInVectorsAndPointersAcrossBarriers) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, int rows, int step, int few) {
      local int t[24];
      in += get_global_size(0) * rows;  // rows before it are there
      const int l = get_local_id(0), size = get_local_size(0), width = get_global_size(0);
      int2 place = (int2)(get_global_id(0) - 1, 2);
      int4 all = (int4)(l, 1, rows, l * 3);
      uchar2 odd = (uchar2)(l, l + 1);
      global const int* from = in + get_global_id(0);
      global int* to = out + get_global_id(0);
      int sum = 0;
      for (int r = 0; r < rows - (get_group_id(0) == 1 ? few : 0); ++r) {
        const int inside = place.x >= 0 && place.y < rows ? in[place.y * width + place.x] : -1;
        t[l] = *from + inside * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(l + 1) % size] + all.x + all.y * 2 + all.z * 3 + all.w * 4 + odd.x + odd.y * 2;
        *to = sum + place.x;
        place.y += step;
        all += (int4)(1, step, -2, 3);
        odd = (uchar2)(odd.y + 1, odd.x);
        from += width * step;
        to += width;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })";
  constexpr int kWidth = 60, kSize = 24, kRows = 6, kFew = 2;
  for (const int step : {1, -1}) {
    Ints in(2 * std::size_t{kRows} * kWidth), out(std::size_t{kRows} * kWidth), expected(out.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 1009);
    const auto at = [&](int row, int x) { return in[static_cast<std::size_t>((kRows + row) * kWidth + x)]; };
    for (int left = 0; left < kWidth; left += kSize) {
      const int size = std::min(kSize, kWidth - left);
      Ints sums(static_cast<std::size_t>(size));
      for (int r = 0; r < kRows - (left == kSize ? kFew : 0); ++r) {
        Ints t;
        for (int x = left; x < left + size; ++x) {
          const int y = 2 + r * step;
          t.push_back(at(r * step, x) + (x > 0 && y < kRows ? at(y, x - 1) : -1) * 3);
        }
        for (int l = 0; l < size; ++l) {
          const int even = (l + r / 2 + r % 2 * 2) & 255, odd = (l + 1 + r / 2 - r % 2) & 255;
          int& sum = sums[static_cast<std::size_t>(l)];
          sum += t[static_cast<std::size_t>((l + 1) % size)] + l + r + (1 + r * step) * 2 + (kRows - 2 * r) * 3 +
                 (l * 3 + r * 3) * 4 + even + odd * 2;
          expected[static_cast<std::size_t>(r * kWidth + left + l)] = sum + left + l - 1;
        }
      }
    }
    run(source, "k", Range(kWidth, kSize), {buffer(in), buffer(out), value(kRows), value(step), value(kFew)});
    EXPECT_EQ(out, expected);
  }
}

/// Elements of all work-items lie side by side: whole vectors, their components, elements that are filled or chosen by
/// data. Groups have rows, and are cut off at the borders of the range.
TEST(PrivateMemory, VectorsAndTheirComponentsAcrossBarriers) {
  const char* source = R"(
    kernel void k(global const int* index, global int* out) {
      local int t[12];
      const int l = get_local_linear_id(), size = get_local_size(0) * get_local_size(1);
      const int g = get_global_id(0) + get_global_id(1) * get_global_size(0);
      int4 a[5];
      short few[8] = {0};
      int many[40] = {0};
      uchar bytes[7];
      for (int i = 0; i < 5; ++i) a[i] = (int4)(g, i, g * i, 7);
      for (int i = 0; i < 7; ++i) bytes[i] = (uchar)(g + i);
      for (int r = 0; r < 4; ++r) {
        a[r].y += r + 10;
        a[index[g]].w = r;
        few[(index[g] + r) & 7] += (short)r;
        many[(index[g] * 7 + r) % 40] += g;
        t[l] = a[r + 1].x + bytes[r];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[r + 1].z += t[(l + 1) % size];
        bytes[(index[g] + r) & 3] += (uchar)t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int sum = 0;
      for (int i = 0; i < 5; ++i) sum = sum * 3 + a[i].x + a[i].y * 5 + a[i].z * 7 + a[i].w * 11;
      for (int i = 0; i < 8; ++i) sum = sum * 3 + few[i];
      for (int i = 0; i < 40; ++i) sum = sum * 3 + many[i];
      for (int i = 0; i < 7; ++i) sum = sum * 3 + bytes[i];
      out[g] = sum;
    })";
  constexpr std::size_t kWidth = 10, kHeight = 5, kX = 4, kY = 3;
  struct Item {
    std::size_t g = 0;
    unsigned a[5][4]{}, few[8]{}, many[40]{};
    unsigned char bytes[7]{};
  };
  Ints index(kWidth * kHeight), out(index.size()), expected(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int>(i * 3 % 5);
  const auto group = [&](std::size_t left, std::size_t top) {
    std::vector<Item> items;
    for (std::size_t y = top; y < std::min(top + kY, kHeight); ++y)
      for (std::size_t x = left; x < std::min(left + kX, kWidth); ++x) {
        Item& item = items.emplace_back();
        item.g = y * kWidth + x;
        const auto g = static_cast<unsigned>(item.g);
        for (unsigned i = 0; i < 5; ++i) item.a[i][0] = g, item.a[i][1] = i, item.a[i][2] = g * i, item.a[i][3] = 7;
        for (unsigned i = 0; i < 7; ++i) item.bytes[i] = static_cast<unsigned char>(g + i);
      }
    for (unsigned r = 0; r < 4; ++r) {
      std::vector<unsigned> t;
      for (Item& item : items) {
        const auto at = static_cast<unsigned>(index[item.g]);
        item.a[r][1] += r + 10;
        item.a[at][3] = r;
        item.few[(at + r) & 7] += r;
        item.many[(at * 7 + r) % 40] += static_cast<unsigned>(item.g);
        t.push_back(item.a[r + 1][0] + item.bytes[r]);
      }
      for (std::size_t l = 0; l < items.size(); ++l) {
        items[l].a[r + 1][2] += t[(l + 1) % items.size()];
        unsigned char& byte = items[l].bytes[(static_cast<unsigned>(index[items[l].g]) + r) & 3];
        byte = static_cast<unsigned char>(byte + t[l]);
      }
    }
    for (const Item& item : items) {
      unsigned sum = 0;
      for (const auto& a : item.a) sum = sum * 3 + a[0] + a[1] * 5 + a[2] * 7 + a[3] * 11;
      for (const unsigned v : item.few) sum = sum * 3 + v;
      for (const unsigned v : item.many) sum = sum * 3 + v;
      for (const unsigned char v : item.bytes) sum = sum * 3 + v;
      expected[item.g] = static_cast<int>(sum);
    }
  };
  for (std::size_t y = 0; y < kHeight; y += kY)
    for (std::size_t x = 0; x < kWidth; x += kX) group(x, y);
  run(source, "k", Range(2, {kWidth, kHeight, 1}, {kX, kY, 1}), {buffer(index), buffer(out)});
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
