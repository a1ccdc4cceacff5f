// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whole algorithms in local memory, as users' programs have them, with barriers.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

Ints noise(std::size_t n, unsigned seed = 1) {
  Ints v(n);
  for (int& x : v) {
    seed = seed * 1664525U + 1013904223U;
    x = static_cast<int>(seed >> 16U) - 20000;
  }
  return v;
}

TEST(Algorithms, ReductionTree) {
  const char* source = R"(
    kernel void k(global const int* in, global int* sums, local int* t) {
      const size_t l = get_local_id(0);
      t[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) sums[get_group_id(0)] = t[0];
    })";
  Ints in = noise(1024), sums(8), expected(8);
  for (std::size_t g = 0; g < 8; ++g)
    expected[g] =
        std::accumulate(in.begin() + static_cast<long>(g * 128), in.begin() + static_cast<long>(g * 128 + 128), 0);
  run(source, "k", Range(1024, 128), {buffer(in), buffer(sums), local(128 * sizeof(int))});
  EXPECT_EQ(sums, expected);
}

/// Many work-items of a group count into one local word: none may be lost, whether they are lanes of a vector or not.
TEST(Algorithms, HistogramInLocalMemory) {
  const char* source = R"(
    kernel void count(global const uint* data, global uint* bins, global uint* tickets) {
      local uint mine[4];
      local uint next;
      const uint lid = get_local_id(0);
      if (lid < 4) mine[lid] = 0;
      if (lid == 0) next = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&mine[data[get_global_id(0)] & 3]);
      atomic_max(&mine[3], 0u);
      tickets[get_global_id(0)] = atomic_add(&next, 1u);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lid < 4) atomic_add(&bins[lid], mine[lid]);
    })";
  constexpr std::size_t count = 4096;
  constexpr std::size_t group = 128;
  std::vector<std::uint32_t> data(count);
  std::vector<std::uint32_t> bins(4, 0);
  std::vector<std::uint32_t> tickets(count, 0);
  std::vector<std::uint32_t> expected(4, 0);
  for (std::size_t i = 0; i < count; ++i) {
    data[i] = static_cast<std::uint32_t>(i / 5 + i % 3);
    ++expected[data[i] & 3];
  }
  run(source, "count", Range(count, group), {buffer(data), buffer(bins), buffer(tickets)});
  EXPECT_EQ(bins, expected);
  // Every work-item of a group drew a number of its own.
  for (std::size_t g = 0; g < count; g += group) {
    std::vector<bool> seen(group, false);
    for (std::size_t i = g; i < g + group; ++i) {
      ASSERT_LT(tickets[i], group);
      EXPECT_FALSE(seen[tickets[i]]);
      seen[tickets[i]] = true;
    }
  }
}

TEST(Algorithms, InclusiveScan) {
  const char* source = R"(
    kernel void k(global int* x, local int* a, local int* b) {
      const int l = get_local_id(0), s = get_local_size(0);
      a[l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int d = 1; d < s; d *= 2) {
        b[l] = l >= d ? a[l] + a[l - d] : a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int* c = a; a = b; b = c;
      }
      x[get_global_id(0)] = a[l];
    })";
  for (std::size_t size : {1U, 7U, 64U, 100U}) {
    Ints x = noise(size * 3), expected(x);
    for (std::size_t g = 0; g < 3; ++g) {
      auto first = expected.begin() + static_cast<long>(g * size);
      std::partial_sum(first, first + static_cast<long>(size), first);
    }
    run(source, "k", Range(size * 3, size), {buffer(x), local(size * sizeof(int)), local(size * sizeof(int))});
    EXPECT_EQ(x, expected) << size;
  }
}

TEST(Algorithms, ScanWithPartialLastGroup) {
  const char* source = R"(
    kernel void k(global int* x) {
      local int t[2][64];
      const int l = get_local_id(0), s = get_local_size(0);
      int from = 0;
      t[0][l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int d = 1; d < s; d *= 2) {
        t[1 - from][l] = l >= d ? t[from][l] + t[from][l - d] : t[from][l];
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = t[from][l];
    })";
  for (std::size_t n : {130U, 65U, 63U, 1U}) {
    Ints x = noise(n), expected(x);
    for (std::size_t first = 0; first < n; first += 64) {
      auto begin = expected.begin() + static_cast<long>(first);
      std::partial_sum(begin, expected.begin() + static_cast<long>(std::min(n, first + 64)), begin);
    }
    run(source, "k", Range(n, 64), {buffer(x)});
    EXPECT_EQ(x, expected) << n;
  }
}

TEST(Algorithms, BitonicSort) {
  const char* source = R"(
    kernel void k(global int* x, local int* t) {
      const uint l = get_local_id(0), s = get_local_size(0);
      t[l] = x[get_global_id(0)];
      for (uint size = 2; size <= s; size <<= 1)
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          const uint p = l ^ stride;
          if (p > l) {
            const int a = t[l], b = t[p];
            const bool up = (l & size) == 0;
            if ((a > b) == up) { t[l] = b; t[p] = a; }
          }
        }
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = t[l];
    })";
  Ints x = noise(512), expected(x);
  for (std::size_t g = 0; g < 512; g += 128)
    std::sort(expected.begin() + static_cast<long>(g), expected.begin() + static_cast<long>(g + 128));
  run(source, "k", Range(512, 128), {buffer(x), local(128 * sizeof(int))});
  EXPECT_EQ(x, expected);
}

TEST(Algorithms, ButterflyExchange) {
  // The shape of an FFT pass: registers to local memory, barrier, registers from other places, barrier.
  const char* source = R"(
    void butterfly(float2* a, float2* b) { const float2 t = *a; *a = t + *b; *b = t - *b; }
    kernel void k(global float2* x) {
      local float re[64], im[64];
      const uint l = get_local_id(0);
      float2 r[4];
      for (int i = 0; i < 4; ++i) r[i] = x[get_group_id(0) * 64 + l + 16 * i];
      butterfly(&r[0], &r[2]);
      butterfly(&r[1], &r[3]);
      r[3] = (float2)(r[3].y, -r[3].x);
      butterfly(&r[0], &r[1]);
      butterfly(&r[2], &r[3]);
      for (int i = 0; i < 4; ++i) { re[l * 4 + i] = r[i].x; im[l * 4 + i] = r[i].y; }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 4; ++i) r[i] = (float2)(re[l + 16 * i], im[l + 16 * i]);
      barrier(CLK_LOCAL_MEM_FENCE);
      butterfly(&r[0], &r[2]);
      butterfly(&r[1], &r[3]);
      for (int i = 0; i < 4; ++i) re[(l * 4 + i) ^ 1] = r[i].x - r[i].y;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 4; ++i) x[get_group_id(0) * 64 + l + 16 * i] = (float2)(re[l + 16 * i], r[i].x);
    })";
  using Complex = std::complex<float>;
  std::vector<Complex> x(128);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = Complex(static_cast<float>(i % 11), static_cast<float>(i % 7) - 3.0F);
  std::vector<Complex> expected(x);
  const auto butterfly = [](Complex& a, Complex& b) {
    const Complex t = a;
    a = t + b;
    b = t - b;
  };
  for (std::size_t g = 0; g < 128; g += 64) {
    std::vector<Complex> mid(64), last(64);
    std::vector<float> crossed(64);
    for (std::size_t l = 0; l < 16; ++l) {
      Complex r[4];
      for (std::size_t i = 0; i < 4; ++i) r[i] = expected[g + l + 16 * i];
      butterfly(r[0], r[2]);
      butterfly(r[1], r[3]);
      r[3] = Complex(r[3].imag(), -r[3].real());
      butterfly(r[0], r[1]);
      butterfly(r[2], r[3]);
      for (std::size_t i = 0; i < 4; ++i) mid[l * 4 + i] = r[i];
    }
    for (std::size_t l = 0; l < 16; ++l) {
      Complex r[4];
      for (std::size_t i = 0; i < 4; ++i) r[i] = mid[l + 16 * i];
      butterfly(r[0], r[2]);
      butterfly(r[1], r[3]);
      for (std::size_t i = 0; i < 4; ++i) crossed[(l * 4 + i) ^ 1U] = r[i].real() - r[i].imag();
      for (std::size_t i = 0; i < 4; ++i) last[l + 16 * i] = r[i];
    }
    for (std::size_t i = 0; i < 64; ++i) expected[g + i] = Complex(crossed[i], last[i].real());
  }
  run(source, "k", Range(32, 16), {buffer(x)});
  EXPECT_EQ(x, expected);
}

TEST(Algorithms, ValueComputedBeforeAndUsedAfter) {
  // One runtime takes the exponential from another work-item.
  const char* source = R"(
    kernel void k(global const float* in, global float* out) {
      local float t[32];
      const size_t l = get_local_id(0), g = get_global_id(0);
      const float e = exp(-fabs(in[g]));
      t[l] = in[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      const float other = t[31 - l];
      out[g] = other > 0.0f ? e : e + other;
    })";
  std::vector<float> in(128), out(128);
  for (std::size_t i = 0; i < 128; ++i) in[i] = 0.05F * static_cast<float>(i * 37 % 128) - 3.0F;
  run(source, "k", Range(128, 32), {buffer(in), buffer(out)});
  for (std::size_t i = 0; i < 128; ++i) {
    const float e = std::exp(-std::fabs(in[i]));
    const float other = in[i / 32 * 32 + 31 - i % 32];
    EXPECT_NEAR(out[i], other > 0.0F ? e : e + other, 1e-5F) << i;
  }
}

TEST(Algorithms, TransposeInTwoDimensions) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, int w, int h) {
      local int tile[8][9];
      const size_t x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
      tile[ly][lx] = in[y * w + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[(get_group_id(0) * 8 + ly) * h + get_group_id(1) * 8 + lx] = tile[lx][ly];
    })";
  const int w = 24, h = 16;
  Ints in(24 * 16), out(24 * 16), expected(24 * 16);
  std::iota(in.begin(), in.end(), 0);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) expected[static_cast<std::size_t>(x * h + y)] = in[static_cast<std::size_t>(y * w + x)];
  run(source, "k", Range(2, {24, 16, 1}, {8, 8, 1}), {buffer(in), buffer(out), value(w), value(h)});
  EXPECT_EQ(out, expected);
}

TEST(Algorithms, MatrixMultiplyWithTiles) {
  const char* source = R"(
    kernel void k(global const float* a, global const float* b, global float* c, int n) {
      local float ta[8][8], tb[8][8];
      const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
      float sum = 0.0f;
      for (int t = 0; t < n; t += 8) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8; ++i) sum += ta[ly][i] * tb[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[y * n + x] = sum;
    })";
  const int n = 32;
  std::vector<float> a(1024), b(1024), c(1024), expected(1024);
  for (std::size_t i = 0; i < 1024; ++i)
    a[i] = static_cast<float>(i % 13) - 6.0F, b[i] = static_cast<float>(i % 7) - 3.0F;
  for (std::size_t y = 0; y < 32; ++y)
    for (std::size_t x = 0; x < 32; ++x)
      for (std::size_t i = 0; i < 32; ++i) expected[y * 32 + x] += a[y * 32 + i] * b[i * 32 + x];
  run(source, "k", Range(2, {32, 32, 1}, {8, 8, 1}), {buffer(a), buffer(b), buffer(c), value(n)});
  EXPECT_EQ(c, expected);
}

TEST(Algorithms, MedianByRepeatedSelection) {
  // Barriers in a data-dependent loop whose condition is made by all items together.
  const char* source = R"(
    kernel void k(global const int* in, global int* out) {
      local int data[33], low, high, count;
      const int l = get_local_id(0), s = get_local_size(0);
      data[l] = in[get_global_id(0)];
      if (l == 0) { low = -32768; high = 65536; }
      barrier(CLK_LOCAL_MEM_FENCE);
      while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (l == 0) count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (data[l] < middle) atomic_inc(&count);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) { if (count <= s / 2) low = middle; else high = middle; }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) out[get_group_id(0)] = low;
    })";
  Ints in = noise(33 * 4), out(4), expected(4);
  for (std::size_t g = 0; g < 4; ++g) {
    Ints part(in.begin() + static_cast<long>(g * 33), in.begin() + static_cast<long>(g * 33 + 33));
    std::sort(part.begin(), part.end());
    expected[g] = part[16];
  }
  run(source, "k", Range(33 * 4, 33), {buffer(in), buffer(out)});
  EXPECT_EQ(out, expected);
}

/// `f` over the first 1, 2, 3 ... elements, by one work-item: loops that are left to LLVM's vectoriser, of every length.
template <class T>
void expect_reductions(const std::string& type, const std::string& f, const std::vector<T>& x) {
  const std::string source = "kernel void k(global const " + type + "* x, global " + type + "* out, int most) {\n" +
                             "  for (int n = 1; n <= most; ++n) {\n    " + type + " m = x[0];\n" +
                             "    for (int i = 0; i < n; ++i) m = " + f + "(m, x[i]);\n    out[n - 1] = m;\n  }\n}\n";
  std::vector<T> in = x, out(x.size()), expected(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    const T before = n == 0 ? x[0] : expected[n - 1];
    expected[n] = f == "fmax" ? std::fmax(before, x[n]) : std::fmin(before, x[n]);
  }
  const int most = static_cast<int>(x.size());
  run(source, "k", Range(1, 1), {buffer(in), buffer(out), value(most)});
  EXPECT_EQ(out, expected) << type << " " << f;
}

TEST(Algorithms, MinimaAndMaximaOfEveryLength) {
  const auto numbers = [](auto one, bool gaps) {
    std::vector<decltype(one)> x;
    const Ints all = noise(150);
    for (std::size_t i = 0; i < all.size(); ++i)
      x.push_back(gaps && i % 5 == 3 ? NAN : static_cast<decltype(one)>(all[i] / 4));
    // New extremes at the very end of many lengths.
    for (std::size_t i = 7; i < x.size(); i += 11)
      x[i] = static_cast<decltype(one)>((i % 2 == 0 ? 1 : -1) * 30000 * int(i));
    return x;
  };
  for (const bool gaps : {false, true})
    for (const char* f : {"fmin", "fmax"}) {
      expect_reductions("float", f, numbers(0.0F, gaps));
      expect_reductions("double", f, numbers(0.0, gaps));
    }
}

}  // namespace
}  // namespace lanewise::test
