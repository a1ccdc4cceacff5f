// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of the shapes that users of OpenCL on CPUs reported as miscompiled or endless: FFT passes, hashes with
/// rotating schedules, prefix sums, median filters, partly active groups. Written from the descriptions.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

std::uint32_t next(std::uint32_t& state) {
  state = state * 1664525U + 1013904223U;
  return state ^ (state >> 13U);
}

// --- FFT: stages of a Stockham transform in local memory, twiddles computed, both halves of a buffer in turn ---------

constexpr const char* kStockham = R"(
  void pass(local float2* from, local float2* to, uint l, uint stride, uint n) {
    const uint m = n / 2;
    const uint q = l % stride;
    const float angle = -3.14159265358979f * (float)(l - q) / (float)m;
    const float2 w = (float2)(cos(angle), sin(angle));
    const float2 a = from[l], b = from[l + m];
    const float2 d = a - b;
    to[2 * l - q] = a + b;
    to[2 * l - q + stride] = (float2)(d.x * w.x - d.y * w.y, d.x * w.y + d.y * w.x);
  }
  kernel void k(global float2* x, uint n) {
    local float2 buffer[2][128];
    const uint l = get_local_id(0), m = n / 2;
    x += get_group_id(0) * n;
    buffer[0][l] = x[l];
    buffer[0][l + m] = x[l + m];
    uint now = 0;
    for (uint stride = 1; stride < n; stride *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      pass(buffer[now], buffer[1 - now], l, stride, n);
      now = 1 - now;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = buffer[now][l];
    x[l + m] = buffer[now][l + m];
  })";

TEST(Reported, StockhamTransform) {
  using Complex = std::complex<float>;
  for (const std::uint32_t n : {8U, 32U, 128U}) {
    std::vector<Complex> x(std::size_t{2} * n);
    std::uint32_t state = n;
    for (Complex& c : x)
      c = {static_cast<float>(next(state) % 200) / 100.0F, static_cast<float>(next(state) % 200) / 100.0F};
    std::vector<std::complex<double>> expected(x.size());
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t f = 0; f < n; ++f)
        for (std::size_t i = 0; i < n; ++i)
          expected[g * n + f] +=
              std::complex<double>(x[g * n + i]) * std::polar(1.0, -2 * M_PI * static_cast<double>(f * i % n) / n);
    run(kStockham, "k", Range(n, n / 2), {buffer(x), value(n)});
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(std::abs(std::complex<double>(x[i]) - expected[i]), 0, 1e-4 * n) << n << ", " << i;
  }
}

// --- The butterfly around one barrier that was wrong only with optimisation ------------------------------------------

TEST(Reported, ButterflyAroundOneBarrier) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out) {
      local int t[32];
      const int l = get_local_id(0);
      int a = in[2 * l], b = in[2 * l + 1];
      t[l] = a + b;
      t[l + 16] = a - b;
      barrier(CLK_LOCAL_MEM_FENCE);
      a = t[l ^ 1] + t[(l ^ 1) + 16];
      b = t[l] - t[l + 16];
      out[l] = a;
      out[l + 16] = b;
    })";
  std::vector<int> in(32);
  std::iota(in.begin(), in.end(), 5);
  std::vector<int> out(32, 0);
  run(source, "k", Range(16, 16), {buffer(in), buffer(out)});
  for (std::size_t l = 0; l < 16; ++l) {
    EXPECT_EQ(out[l], 2 * in[2 * (l ^ 1U)]);
    EXPECT_EQ(out[l + 16], 2 * in[2 * l + 1]);
  }
}

// --- SHA-512: a schedule of sixteen words that turns, 64-bit rotations, a table in constant memory -------------------

constexpr const char* kSha512 = R"(
  constant ulong K[16] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
    0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694};
  ulong turn(ulong v, uint n) { return rotate(v, (ulong)(64 - n)); }
  kernel void k(global const ulong* message, global ulong* state, uint rounds) {
    const size_t g = get_global_id(0);
    ulong w[16], s[8];
    for (int i = 0; i < 16; ++i) w[i] = message[g * 16 + i];
    for (int i = 0; i < 8; ++i) s[i] = state[g * 8 + i];
    for (uint r = 0; r < rounds + g % 3; ++r) {
      if (r >= 16) {
        const ulong a = w[(r + 1) & 15], b = w[(r + 14) & 15];
        w[r & 15] += (turn(a, 1) ^ turn(a, 8) ^ (a >> 7)) + w[(r + 9) & 15] + (turn(b, 19) ^ turn(b, 61) ^ (b >> 6));
      }
      const ulong e = s[4], a = s[0];
      const ulong t1 = s[7] + (turn(e, 14) ^ turn(e, 18) ^ turn(e, 41)) + bitselect(s[6], s[5], e) + K[r & 15] + w[r & 15];
      const ulong t2 = (turn(a, 28) ^ turn(a, 34) ^ turn(a, 39)) + bitselect(a, s[2], a ^ s[1]);
      for (int i = 7; i > 0; --i) s[i] = s[i - 1];
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) state[g * 8 + i] += s[i];
  })";

/// The same rounds; as in the kernel, the constants of the first sixteen repeat.
void rounds_of_sha512(std::uint64_t* w, std::uint64_t* state, std::uint32_t rounds) {
  static constexpr std::uint64_t kTable[16] = {
      0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
      0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
      0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
      0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694};
  const auto turn = [](std::uint64_t v, unsigned n) { return v >> n | v << (64 - n); };
  std::uint64_t s[8];
  std::copy(state, state + 8, s);
  for (std::uint32_t r = 0; r < rounds; ++r) {
    if (r >= 16) {
      const std::uint64_t a = w[(r + 1) & 15], b = w[(r + 14) & 15];
      w[r & 15] += (turn(a, 1) ^ turn(a, 8) ^ (a >> 7)) + w[(r + 9) & 15] + (turn(b, 19) ^ turn(b, 61) ^ (b >> 6));
    }
    const std::uint64_t e = s[4], a = s[0];
    const std::uint64_t t1 =
        s[7] + (turn(e, 14) ^ turn(e, 18) ^ turn(e, 41)) + ((e & s[5]) ^ (~e & s[6])) + kTable[r & 15] + w[r & 15];
    const std::uint64_t t2 = (turn(a, 28) ^ turn(a, 34) ^ turn(a, 39)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    std::copy_backward(s, s + 7, s + 8);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

TEST(Reported, HashWithATurningSchedule) {
  constexpr std::size_t kItems = 37;
  std::vector<std::uint64_t> message(kItems * 16), state(kItems * 8);
  std::uint32_t random = 7;
  for (auto* list : {&message, &state})
    for (std::uint64_t& v : *list) v = std::uint64_t{next(random)} << 32 | next(random);
  std::vector<std::uint64_t> expected(state), schedule(message);
  for (std::size_t g = 0; g < kItems; ++g)
    rounds_of_sha512(&schedule[g * 16], &expected[g * 8], static_cast<std::uint32_t>(80 + g % 3));
  run(kSha512, "k", Range(kItems, 19), {buffer(message), buffer(state), value(std::uint32_t{80})});
  EXPECT_EQ(state, expected);
}

// --- Prefix sum of all groups: barriers in loops, items without an element take part in them -------------------------

TEST(Reported, PrefixSumWithInactiveItems) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, int n, local int* t) {
      const int l = get_local_id(0), size = get_local_size(0), g = get_global_id(0);
      int sum = g < n ? in[g] : 0;
      t[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      int distance = 1;
      while (distance < size) {
        int other = 0;
        if (l >= distance) other = t[l - distance];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= distance) t[l] = sum = sum + other;
        barrier(CLK_LOCAL_MEM_FENCE);
        distance <<= 1;
      }
      if (g < n) out[g] = sum;
      if (l == size - 1) out[n + get_group_id(0)] = sum;
    })";
  for (const std::size_t local : {1U, 5U, 32U, 61U}) {
    constexpr std::size_t kItems = 100;
    const std::size_t groups = (kItems + local - 1) / local;
    std::vector<int> in(kItems);
    std::uint32_t state = 3;
    for (int& v : in) v = static_cast<int>(next(state) % 1000) - 300;
    std::vector<int> out(kItems + groups, 0), expected(out);
    for (std::size_t i = 0; i < kItems; ++i) {
      expected[i] = (i % local == 0 ? 0 : expected[i - 1]) + in[i];
      expected[kItems + i / local] = expected[i];
    }
    run(source, "k", Range(groups * local, local),
        {buffer(in), buffer(out), value(static_cast<int>(kItems)), test::local(local * sizeof(int))});
    EXPECT_EQ(out, expected) << local;
  }
}

// --- A median filter: a window sorted in private memory, the tile with its rim in local memory -----------------------

constexpr const char* kMedian = R"(
  void order(float* a, float* b) { const float low = fmin(*a, *b), high = fmax(*a, *b); *a = low; *b = high; }
  kernel void k(global const float* in, global float* out, int width, int height) {
    local float tile[8 + 4][8 + 4];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x0 = get_group_id(0) * 8 - 2, y0 = get_group_id(1) * 8 - 2;
    for (int i = ly * 8 + lx; i < 12 * 12; i += 64) {
      const int x = clamp(x0 + i % 12, 0, width - 1), y = clamp(y0 + i / 12, 0, height - 1);
      tile[i / 12][i % 12] = in[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float w[25];
    int n = 0;
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x) {
        const float v = tile[ly + y][lx + x];
        if (v >= 0) w[n++] = v;  // negative: no pixel
      }
    bool moved = true;
    for (int end = n - 1; moved && end > 0; --end) {
      moved = false;
      for (int i = 0; i < end; ++i)
        if (w[i] > w[i + 1]) { order(&w[i], &w[i + 1]); moved = true; }
    }
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    out[y * width + x] = n == 0 ? -1.0f : w[n / 2];
  })";

TEST(Reported, MedianFilterWithMissingPixels) {
  constexpr int kWidth = 21, kHeight = 13;
  std::vector<float> in(std::size_t{kWidth} * kHeight), out(in.size(), 0.0F), expected(in.size());
  std::uint32_t state = 11;
  for (float& v : in) v = next(state) % 5 == 0 ? -1.0F : static_cast<float>(next(state) % 1000);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      std::vector<float> window;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const int at = std::clamp(y + dy, 0, kHeight - 1) * kWidth + std::clamp(x + dx, 0, kWidth - 1);
          if (in[static_cast<std::size_t>(at)] >= 0) window.push_back(in[static_cast<std::size_t>(at)]);
        }
      std::sort(window.begin(), window.end());
      expected[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)] =
          window.empty() ? -1.0F : window[window.size() / 2];
    }
  run(kMedian, "k", Range(2, {24, 16, 1}, {8, 8, 1}), {buffer(in), buffer(out), value(kWidth), value(kHeight)});
  EXPECT_EQ(out, expected);
}

// --- A merge by binary search: loops of different length, results scattered ------------------------------------------

TEST(Reported, MergeByRanks) {
  const char* source = R"(
    uint rank(global const int* v, uint begin, uint end, int x, bool upper) {
      while (begin < end) {
        const uint middle = (begin + end) / 2;
        if (v[middle] < x || (upper && v[middle] == x)) begin = middle + 1; else end = middle;
      }
      return begin;
    }
    kernel void k(global const int* in, global int* out, uint run, uint n) {
      const uint g = get_global_id(0);
      if (g >= n) return;
      const uint pair = g / (2 * run) * (2 * run);
      const uint middle = min(pair + run, n), end = min(pair + 2 * run, n);
      const bool first = g < middle;
      const uint other = first ? rank(in, middle, end, in[g], false) - middle : rank(in, pair, middle, in[g], true) - pair;
      out[pair + (first ? g - pair : g - middle) + other] = in[g];
    })";
  constexpr std::uint32_t kCount = 150;
  std::vector<int> values(kCount);
  std::uint32_t state = 23;
  for (int& v : values) v = static_cast<int>(next(state) % 40);
  std::vector<int> expected(values), other(kCount, 0);
  std::sort(expected.begin(), expected.end());
  for (std::uint32_t run_length = 1; run_length < kCount; run_length *= 2) {
    run(source, "k", Range(192, 32), {buffer(values), buffer(other), value(run_length), value(kCount)});
    values.swap(other);
  }
  EXPECT_EQ(values, expected);
}

// --- A barrier under a condition that all items agree on, though it is read from memory that an item wrote -----------

TEST(Reported, BarrierThatLooksDivergent) {
  const char* source = R"(
    kernel void k(global const int* steps, global int* out) {
      local int todo, t[48];
      const int l = get_local_id(0), q = get_group_id(0);
      if (l == 5) todo = steps[q];
      t[l] = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (;;) {
        const int left = todo;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (left <= 0) break;
        const int v = t[(l + left) % 48];
        if (left & 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          t[l] = v + 1;
        }
        if (l == left % 48) todo = left - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[q * 48 + l] = t[l];
    })";
  std::vector<int> steps = {0, 1, 7, 20};
  std::vector<int> out(steps.size() * 48, -1), expected(out);
  for (std::size_t q = 0; q < steps.size(); ++q) {
    std::vector<int> t(48);
    std::iota(t.begin(), t.end(), 0);
    for (int left = steps[q]; left > 0; --left) {
      if (left % 2 == 0) continue;
      std::vector<int> moved(48);
      for (std::size_t l = 0; l < 48; ++l) moved[l] = t[(l + static_cast<std::size_t>(left)) % 48] + 1;
      t = moved;
    }
    std::copy(t.begin(), t.end(), expected.begin() + static_cast<std::ptrdiff_t>(q * 48));
  }
  run(source, "k", Range(steps.size() * 48, 48), {buffer(steps), buffer(out)});
  EXPECT_EQ(out, expected);
}

// --- A lattice: private arrays with neighbours' indices, in place ----------------------------------------------------

TEST(Reported, LatticeStepWithPrivateArrays) {
  const char* source = R"(
    constant int dx[9] = {0, 1, -1, 0, 0, 1, -1, 1, -1};
    constant int dy[9] = {0, 0, 0, 1, -1, 1, -1, -1, 1};
    void neighbours(uint n, uint w, uint h, uint* j) {
      const uint x = n % w, y = n / w;
      for (int i = 0; i < 9; ++i) j[i] = (x + dx[i] + w) % w + (y + dy[i] + h) % h * w;
    }
    kernel void k(global const int* from, global int* to, uint w, uint h) {
      const uint n = get_global_id(0);
      if (n >= w * h) return;
      uint j[9];
      int f[9];
      neighbours(n, w, h, j);
      int rho = 0;
      for (int i = 0; i < 9; ++i) rho += f[i] = from[i * w * h + j[i]];
      const bool wall = rho % 11 == 0;
      for (int i = 1; i < 9; i += 2) {
        if (wall) { const int t = f[i]; f[i] = f[i + 1]; f[i + 1] = t; }
        else { f[i] += (rho - f[i]) / 4; f[i + 1] -= (rho - f[i]) / 4; }
      }
      for (int i = 0; i < 9; ++i) to[i * w * h + n] = f[i];
    })";
  constexpr std::uint32_t kWidth = 17, kHeight = 9, kCells = kWidth * kHeight;
  static constexpr int kDx[9] = {0, 1, -1, 0, 0, 1, -1, 1, -1};
  static constexpr int kDy[9] = {0, 0, 0, 1, -1, 1, -1, -1, 1};
  std::vector<int> from(std::size_t{9} * kCells), to(from.size(), 0), expected(from.size());
  std::uint32_t state = 5;
  for (int& v : from) v = static_cast<int>(next(state) % 2000) - 1000;
  for (std::uint32_t n = 0; n < kCells; ++n) {
    int f[9], rho = 0;
    for (std::uint32_t i = 0; i < 9; ++i) {
      const std::uint32_t x = (n % kWidth + kWidth + static_cast<std::uint32_t>(kDx[i])) % kWidth;
      const std::uint32_t y = (n / kWidth + kHeight + static_cast<std::uint32_t>(kDy[i])) % kHeight;
      rho += f[i] = from[i * kCells + x + y * kWidth];
    }
    for (std::uint32_t i = 1; i < 9; i += 2) {
      if (rho % 11 == 0) {
        std::swap(f[i], f[i + 1]);
      } else {
        f[i] += (rho - f[i]) / 4;
        f[i + 1] -= (rho - f[i]) / 4;
      }
    }
    for (std::uint32_t i = 0; i < 9; ++i) expected[i * kCells + n] = f[i];
  }
  run(source, "k", Range(192, 64), {buffer(from), buffer(to), value(kWidth), value(kHeight)});
  EXPECT_EQ(to, expected);
}

// --- bits of two numbers put together, or one of the numbers kept ----------------------------------------------------

/// LLVM chose a wrong truth table for the masked vector instruction that does this (target/faults/bit_selects.h).
TEST(Reported, BitsOfTwoNumbersOrOneOfThem) {
  constexpr const char* source = R"(
    #define JOIN(T, to) \
      { \
        const T a = (T)x[i] * 0x100000001ul, b = (T)y[i] * 0x300000005ul; \
        to[i] = x[i] & 0x100 ? (a & ~(T)7) | (b & 7) : a; \
        to[n + i] = x[i] & 0x200 ? (a & ~(T)15) | (b & 15) : b; \
        to[2 * n + i] = x[i] & 0x400 ? a : (a & 31) | (b & ~(T)31); \
        to[3 * n + i] = x[i] & 0x800 ? b : (a & 63) | (b & ~(T)63); \
      }
    kernel void k(global const uint* x, global const uint* y, global uint* narrow, global ulong* wide, uint n) {
      const size_t i = get_global_id(0);
      JOIN(uint, narrow)
      JOIN(ulong, wide)
    })";
  constexpr std::size_t n = 150;
  std::vector<std::uint32_t> x(n), y(n), narrow(4 * n), expected_narrow(4 * n);
  std::vector<std::uint64_t> wide(4 * n), expected_wide(4 * n);
  std::uint32_t state = 138;
  const auto join = [](std::size_t i, std::uint32_t x, auto a, auto b, auto& to) {
    using T = decltype(a);
    const auto bits = [&](unsigned ones) { return static_cast<T>((a & ~T{ones}) | (b & ones)); };
    to[i] = (x & 0x100U) != 0 ? bits(7) : a;
    to[n + i] = (x & 0x200U) != 0 ? bits(15) : b;
    to[2 * n + i] = (x & 0x400U) != 0 ? a : static_cast<T>((a & 31U) | (b & ~T{31}));
    to[3 * n + i] = (x & 0x800U) != 0 ? b : static_cast<T>((a & 63U) | (b & ~T{63}));
  };
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = next(state);
    y[i] = next(state);
    join(i, x[i], x[i], y[i] * 5U, expected_narrow);
    join(i, x[i], x[i] * std::uint64_t{0x100000001}, y[i] * std::uint64_t{0x300000005}, expected_wide);
  }
  run(source, "k", Range(n, 50),
      {buffer(x), buffer(y), buffer(narrow), buffer(wide), value(static_cast<std::uint32_t>(n))});
  EXPECT_EQ(narrow, expected_narrow);
  EXPECT_EQ(wide, expected_wide);
}

// A neighbour in a cluster of four, where it is present; else the work-item's own number.
TEST(Reported, InvertedBitsOfTheNumberThatIsKept) {
  constexpr std::size_t kItems = 200;
  std::vector<std::uint32_t> size(kItems), index(kItems), expected(kItems);
  std::vector<float> data(kItems), chosen(kItems), expected_chosen(kItems);
  std::iota(data.begin(), data.end(), 0.25F);
  for (std::uint32_t i = 0; i < kItems; ++i) {
    size[i] = i % 7 < 4 ? i % 7 : 4;
    expected[i] = (i % 4 ^ 3) < size[i] ? i / 4 * 4 + (i % 4 ^ 3) : i;
    expected_chosen[i] = data[expected[i]];
  }
  run(R"(kernel void k(global const uint* size, global const float* data, global uint* index, global float* chosen) {
           const uint l = get_global_id(0), first = l - l % 4, lane = l % 4;
           const uint other = (lane ^ 3u) < size[l] ? first + (lane ^ 3u) : l;
           index[l] = other;
           chosen[l] = data[other];
         })",
      "k", Range(kItems, 50), {buffer(size), buffer(data), buffer(index), buffer(chosen)});
  EXPECT_EQ(index, expected);
  EXPECT_EQ(chosen, expected_chosen);
}

// --- A division that one iteration makes, with the same operands in all of them --------------------------------------

TEST(Reported, RemainderInOneIteration) {
  constexpr std::uint32_t kTable = 680;
  std::vector<double> a(kTable);
  std::iota(a.begin(), a.end(), 0.5);
  const std::string source = R"(
      kernel void loop(global const double* a, global double* b, uint x, uint y, uint k, uint n) {
        for (uint i = 0; i < n; ++i)
          if (i == k) b[0] = a[x % (y * 4)];
      }
      kernel void items(global const double* a, global double* b, uint x, uint y, uint k, uint n) {
        const uint l = get_local_linear_id();
        b[l] = l;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == k) b[n / 2] = a[x % (y * 4)];
        barrier(CLK_GLOBAL_MEM_FENCE);
        b[l + n] = b[l];
      })";
  const std::uint32_t x = 1'075'838'976;
  const double expected = a[x % kTable];
  for (std::uint32_t k = 0; k < 8; ++k) {
    std::vector<double> b(170, 0);
    run(source, "loop", Range(1, 1), {buffer(a), buffer(b), value(x), value(kTable / 4), value(k), value(17U)});
    EXPECT_EQ(b[0], expected) << "iteration " << k;
    run(source, "items", Range(2, {17, 5, 1}, {17, 5, 1}),
        {buffer(a), buffer(b), value(x), value(kTable / 4), value(k), value(85U)});
    EXPECT_EQ(b[85 + 42], expected) << "work-item " << k;
  }
}

}  // namespace
}  // namespace lanewise::test
