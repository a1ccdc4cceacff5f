// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Barriers wherever the language allows them: loops, conditionals, switches, helper functions, after early exits.
#include <numeric>
#include <utility>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

Ints iota(std::size_t n, int first = 0) {
  Ints v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

/// Each item adds its right neighbour's value, `rounds` times.
Ints neighbour_sums(const Ints& in, std::size_t local, const Ints& rounds_of_group) {
  Ints out = in;
  for (std::size_t first = 0; first < in.size(); first += local) {
    const std::size_t size = std::min(local, in.size() - first);
    for (int r = 0; r < rounds_of_group[first / local]; ++r) {
      Ints old(out.begin() + static_cast<long>(first), out.begin() + static_cast<long>(first + size));
      for (std::size_t l = 0; l < size; ++l) out[first + l] = old[l] + old[(l + 1) % size];
    }
  }
  return out;
}

TEST(Barriers, LoopWithUniformTripCount) {
  const char* source = R"(
    kernel void k(global int* x, local int* t, int n) {
      const size_t l = get_local_id(0), s = get_local_size(0);
      int acc = x[get_global_id(0)];
      for (int i = 0; i < n; ++i) {
        t[l] = acc;
        barrier(CLK_LOCAL_MEM_FENCE);
        acc += t[(l + 1) % s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = acc;
    })";
  for (int rounds : {0, 1, 7}) {
    Ints x = iota(96, 3);
    const Ints expected = neighbour_sums(x, 32, Ints(3, rounds));
    run(source, "k", Range(96, 32), {buffer(x), local(32 * sizeof(int)), value(rounds)});
    EXPECT_EQ(x, expected) << rounds;
  }
}

TEST(Barriers, LoopWithTripCountPerGroup) {
  const char* source = R"(
    kernel void k(global int* x, global const int* rounds) {
      local int t[32];
      const size_t l = get_local_id(0), s = get_local_size(0);
      int acc = x[get_global_id(0)];
      const int n = rounds[get_group_id(0)];
      for (int i = 0; i < n; ++i) {
        t[l] = acc;
        barrier(CLK_LOCAL_MEM_FENCE);
        acc += t[(l + 1) % s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = acc;
    })";
  Ints x = iota(160, 1);
  Ints rounds{3, 0, 5, 1, 2};
  const Ints expected = neighbour_sums(x, 32, rounds);
  run(source, "k", Range(160, 32), {buffer(x), buffer(rounds)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, TripCountFromLocalMemory) {
  const char* source = R"(
    kernel void k(global int* x, global const int* rounds) {
      local int t[32];
      local int n;
      const size_t l = get_local_id(0), s = get_local_size(0);
      if (l == 0) n = rounds[get_group_id(0)];
      int acc = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      while (n > 0) {
        t[l] = acc;
        barrier(CLK_LOCAL_MEM_FENCE);
        acc += t[(l + 1) % s];
        if (l == s - 1) --n;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = acc;
    })";
  Ints x = iota(128, 1);
  Ints rounds{3, 0, 4, 1};
  const Ints expected = neighbour_sums(x, 32, rounds);
  run(source, "k", Range(128, 32), {buffer(x), buffer(rounds)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, NestedLoops) {
  const char* source = R"(
    kernel void k(global int* x, int n, int m) {
      local int t[16];
      const size_t l = get_local_id(0), s = get_local_size(0);
      int acc = x[get_global_id(0)];
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i + m; ++j) {
          t[l] = acc + i * 100 + j;
          barrier(CLK_LOCAL_MEM_FENCE);
          acc = t[(l + 1) % s];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        acc += i;
        t[l] = acc;
        barrier(CLK_LOCAL_MEM_FENCE);
        acc ^= t[s - 1 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = acc;
    })";
  Ints x = iota(48, 5);
  Ints expected = x;
  const int n = 4, m = 2;
  for (std::size_t g = 0; g < 48; g += 16)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i + m; ++j) {
        Ints t(16);
        for (std::size_t l = 0; l < 16; ++l) t[l] = expected[g + l] + i * 100 + j;
        for (std::size_t l = 0; l < 16; ++l) expected[g + l] = t[(l + 1) % 16];
      }
      Ints t(16);
      for (std::size_t l = 0; l < 16; ++l) t[l] = expected[g + l] += i;
      for (std::size_t l = 0; l < 16; ++l) expected[g + l] ^= t[15 - l];
    }
  run(source, "k", Range(48, 16), {buffer(x), value(n), value(m)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, InConditional) {
  const char* source = R"(
    kernel void k(global int* x, global const int* choose) {
      local int t[32];
      const size_t l = get_local_id(0);
      int v = x[get_global_id(0)];
      if (choose[get_group_id(0)] > 1) {
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[31 - l] * 2;
      } else if (choose[get_group_id(0)] == 1) {
        t[l] = v + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[l ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v += t[0];
      } else {
        v = -v;
      }
      x[get_global_id(0)] = v;
    })";
  Ints x = iota(128);
  Ints choose{0, 1, 2, 1};
  Ints expected = x;
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t first = i / 32 * 32, l = i % 32;
    const int c = choose[i / 32];
    if (c > 1) expected[i] = x[first + 31 - l] * 2;
    if (c == 1) expected[i] = x[first + (l ^ 1)] + 1 + x[first + 1] + 1;
    if (c == 0) expected[i] = -x[i];
  }
  run(source, "k", Range(128, 32), {buffer(x), buffer(choose)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, AfterEarlyExit) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, int n) {
      local int t[32];
      const int g = get_global_id(0), l = get_local_id(0);
      t[l] = -1;
      if (g >= n) return;
      t[l] = in[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      const int other = t[l ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] += 100;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = other + t[l];
    })";
  for (int n : {64, 50, 49, 33, 32, 1, 0}) {
    Ints in = iota(64, 10), out(64, -7), expected(64, -7);
    for (int g = 0; g < n; ++g) {
      const int partner = g ^ 1;
      expected[static_cast<std::size_t>(g)] = (partner < n ? 10 + partner : -1) + 10 + g + 100;
    }
    run(source, "k", Range(64, 32), {buffer(in), buffer(out), value(n)});
    EXPECT_EQ(out, expected) << n;
  }
}

TEST(Barriers, ExitsInsideALoop) {
  // Item l leaves in round l; the others continue to meet at the barrier.
  const char* source = R"(
    kernel void k(global int* out, local int* t) {
      const int l = get_local_id(0), s = get_local_size(0);
      t[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < s; ++i) {
        if (i == l) { out[get_global_id(0)] = t[l] + 1000 * i; return; }
        if (l + 1 < s) t[l + 1] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })";
  Ints out(32, -1);
  Ints expected(32);
  for (int g = 0; g < 32; g += 16) {
    Ints t(16, 0);
    for (int i = 0; i < 16; ++i) {
      // The item that leaves reads a slot that its left neighbour no longer writes: no race.
      expected[std::size_t{0} + g + i] = t[static_cast<std::size_t>(i)] + 1000 * i;
      for (std::size_t l = i + 1U; l < 15; ++l) t[l + 1] += 1;
    }
  }
  run(source, "k", Range(32, 16), {buffer(out), local(16 * sizeof(int))});
  EXPECT_EQ(out, expected);
}

TEST(Barriers, ExitsOfRows) {
  // Row y of a group leaves in round y, the rows behind `n` at once; the others continue to meet at the barrier.
  const char* source = R"(
    kernel void k(global int* out, local int* t, int n) {
      const int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
      const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
      t[y * w + x] = 0;
      if (get_global_id(1) >= n) return;
      for (int i = 0; i < h; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == y) { out[at] = t[y * w + x] + 1000 * i; return; }
        barrier(CLK_LOCAL_MEM_FENCE);
        t[y * w + (x + 1) % w] += 1;
        if ((x + i) % 3 == 0) out[at] = -2;
      }
    })";
  for (const std::array<std::size_t, 3> local :
       {std::array<std::size_t, 3>{8, 4, 1}, {5, 2, 1}, {1, 4, 1}, {16, 1, 1}}) {
    const std::size_t width = 3 * local[0] + local[0] / 2;
    for (const int n : {11, 7, 0}) {
      Ints out(width * 11, -1);
      Ints expected(width * 11, -1);
      for (std::size_t row = 0; std::cmp_less(row, n); ++row)
        for (std::size_t x = 0; x < width; ++x) expected[row * width + x] = 1001 * static_cast<int>(row % local[1]);
      run(source, "k", Range(2, {width, 11, 1}, local), {buffer(out), lanewise::test::local(128), value(n)});
      EXPECT_EQ(out, expected) << local[0] << " x " << local[1] << ", " << n;
    }
  }
}

TEST(Barriers, InHelperFunctions) {
  const char* source = R"(
    int exchange(local int* t, int v, size_t l, size_t partner) {
      t[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int r = t[partner];
      barrier(CLK_LOCAL_MEM_FENCE);
      return r;
    }
    int twice(local int* t, int v) {
      const size_t l = get_local_id(0), s = get_local_size(0);
      v = exchange(t, v, l, (l + 1) % s);
      if (s > 4) v += exchange(t, v, l, (l + 3) % s);
      return v;
    }
    kernel void k(global int* x) {
      local int t[16];
      int v = x[get_global_id(0)];
      for (int i = 0; i < 3; ++i) v = twice(t, v) - i;
      x[get_global_id(0)] = v;
    })";
  Ints x = iota(32, 1);
  Ints expected = x;
  for (std::size_t g = 0; g < 32; g += 16)
    for (int i = 0; i < 3; ++i) {
      Ints a(16), b(16);
      for (std::size_t l = 0; l < 16; ++l) a[l] = expected[g + (l + 1) % 16];
      for (std::size_t l = 0; l < 16; ++l) b[l] = a[l] + a[(l + 3) % 16];
      for (std::size_t l = 0; l < 16; ++l) expected[g + l] = b[l] - i;
    }
  run(source, "k", Range(32, 16), {buffer(x)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, InASwitch) {
  const char* source = R"(
    kernel void k(global int* x, global const int* program, int steps) {
      local int t[16];
      const size_t l = get_local_id(0);
      int v = x[get_global_id(0)];
      for (int i = 0; i < steps; ++i) {
        switch (program[i]) {
          case 0: t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v = t[15 - l]; break;
          case 1: v += 1;  // falls through
          case 2: t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v = t[l ^ 1]; break;
          case 3: continue;
          default: t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v += t[0]; barrier(CLK_LOCAL_MEM_FENCE); v -= i;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = v;
    })";
  Ints program{0, 1, 3, 2, 9, 3, 1, 0, 9, 2};
  const int steps = static_cast<int>(program.size());
  Ints x = iota(48);
  Ints expected = x;
  for (std::size_t g = 0; g < 48; g += 16)
    for (int i = 0; i < steps; ++i) {
      Ints t(expected.begin() + static_cast<long>(g), expected.begin() + static_cast<long>(g + 16));
      for (std::size_t l = 0; l < 16; ++l) {
        int& v = expected[g + l];
        switch (program[static_cast<std::size_t>(i)]) {
          case 0:
            v = t[15 - l];
            break;
          case 1:
            v = t[l ^ 1] + 1;
            break;
          case 2:
            v = t[l ^ 1];
            break;
          case 3:
            break;
          default:
            v += t[0] - i;
        }
      }
    }
  run(source, "k", Range(48, 16), {buffer(x), buffer(program), value(steps)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, LoopLeftByBreak) {
  const char* source = R"(
    kernel void k(global int* x, int limit) {
      local int t[8];
      local int sum;
      const size_t l = get_local_id(0);
      int rounds = 0;
      for (;;) {
        t[l] = x[get_global_id(0)] + rounds;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) { int s = 0; for (int i = 0; i < 8; ++i) s += t[i]; sum = s; }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (sum > limit) break;
        ++rounds;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = rounds;
    })";
  Ints x = iota(32);
  Ints expected(32);
  for (std::size_t g = 0; g < 32; g += 8) {
    int sum = 0, rounds = 0;
    for (std::size_t l = 0; l < 8; ++l) sum += x[g + l];
    for (; sum <= 200; sum += 8) ++rounds;
    for (std::size_t l = 0; l < 8; ++l) expected[g + l] = rounds;
  }
  run(source, "k", Range(32, 8), {buffer(x), value(200)});
  EXPECT_EQ(x, expected);
}

/// `count` barriers one after the other, in program text.
std::string many(int count, const char* statement) {
  std::string body;
  for (int i = 0; i < count; ++i) body += statement;
  return "kernel void k(global int* x, int n) { local int t[16]; const size_t l = get_local_id(0);"
         "  int v = x[get_global_id(0)];" +
         body + " x[get_global_id(0)] = v; }";
}

TEST(Barriers, AHundredInARow) {
  Ints x = iota(32);
  Ints expected(32);
  for (std::size_t i = 0; i < 32; ++i) expected[i] = x[i / 16 * 16 + (i + 100) % 16];
  run(many(50, "t[l] = v; barrier(1); v = t[(l + 2) % 16]; barrier(1);\n"), "k", Range(32, 16), {buffer(x), value(0)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, AHundredConditionalOnes) {
  // Every continuation reaches every later barrier: copies would grow with the square.
  Ints x = iota(32);
  Ints expected(32);
  const int n = 20;
  for (std::size_t i = 0; i < 32; ++i) expected[i] = x[i / 16 * 16 + (i + std::size_t{2} * n) % 16] + 30;
  std::string source =
      "kernel void k(global int* x, global const int* on) { local int t[16]; const size_t l = get_local_id(0);"
      " int v = x[get_global_id(0)];";
  for (int i = 0; i < 50; ++i)
    source +=
        "if (on[" + std::to_string(i) + "]) { t[l] = v; barrier(1); v = t[(l + 2) % 16]; barrier(1); } else v += 1;\n";
  source += " x[get_global_id(0)] = v; }";
  Ints on(50, 0);
  for (std::size_t i = 0; i < 20; ++i) on[i * 2 + 3] = 1;
  run(source, "k", Range(32, 16), {buffer(x), buffer(on)});
  EXPECT_EQ(x, expected);
}

TEST(Barriers, KernelCallsKernel) {
  const char* source = R"(
    kernel void inner(global int* x, local int* t) {
      const size_t l = get_local_id(0);
      t[l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = t[get_local_size(0) - 1 - l];
    }
    kernel void outer(global int* x, local int* t) {
      inner(x, t);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      x[get_global_id(0)] += 1000;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      inner(x, t);
    })";
  Ints x = iota(24);
  Ints expected = iota(24, 1000);
  run(source, "outer", Range(24, 8), {buffer(x), local(8 * sizeof(int))});
  EXPECT_EQ(x, expected);
  Ints y = iota(8);
  run(source, "inner", Range(8, 8), {buffer(y), local(8 * sizeof(int))});
  EXPECT_EQ(y, (Ints{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(Barriers, WorkGroupBarrierForms) {
  const char* source = R"(
    kernel void k(global int* x) {
      local int t[16];
      const size_t l = get_local_id(0);
      t[l] = x[get_global_id(0)];
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      int v = t[15 - l];
      work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      t[l] = v + 1;
      work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      #ifdef __opencl_c_atomic_order_seq_cst
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
      #endif
      x[get_global_id(0)] = t[15 - l];
    })";
  Ints x = iota(32);
  run(source, "k", Range(32, 16), {buffer(x)});
  EXPECT_EQ(x, iota(32, 1));
}

// Tile indices from bits of the local id, and accumulators in a private array that lives across barriers.
TEST(Barriers, BlockedMatrixProduct) {
  const char* source = R"(
    kernel void k(global const int* a, global const int* b, global int* c, int n) {
      local int at[8][16], bt[8][16];
      int lx = get_local_id(0), ly = get_local_id(1), id = ly * get_local_size(0) + lx;
      int x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 16, sum[4][2];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) sum[i][j] = 0;
      for (int k0 = 0; k0 < n; k0 += 8) {
        for (int i = 0; i < 4; ++i) {
          int at_id = id + i * 32;
          at[at_id & 7][at_id >> 3] = a[(y0 + (at_id >> 3)) * n + k0 + (at_id & 7)];
          bt[at_id / 16][at_id % 16] = b[(k0 + at_id / 16) * n + x0 + at_id % 16];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k)
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 2; ++j) sum[i][j] += at[k][ly + i * 4] * bt[k][lx + j * 8];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) c[(y0 + ly + i * 4) * n + x0 + lx + j * 8] = sum[i][j];
    })";
  constexpr std::size_t n = 32;
  std::vector<int> a(n * n), b(n * n), out(n * n), expected(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<int>(i * 7 % 13) - 6;
    b[i] = static_cast<int>(i * 5 % 11) - 5;
  }
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t i = 0; i < n; ++i) expected[y * n + x] += a[y * n + i] * b[i * n + x];
  run(source, "k", Range(2, {16, 8, 1}, {8, 4, 1}), {buffer(a), buffer(b), buffer(out), value(static_cast<int>(n))});
  EXPECT_EQ(out, expected);
}

// Counters that begin at an id, up and down, of both widths; one wraps.
TEST(Barriers, CountersThatBeginAtIds) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, int step, int n) {
      local int t[24];
      int l = get_local_id(0), i = get_global_id(0) + 1;
      uint u = get_global_id(0) + 0xFFFFFFF0u;
      long w = get_global_id(0);
      int sum = 0;
      for (int r = 0; r < n; ++r, i += step, u += step, w -= step) {
        bool odd = in[i] & 1;
        t[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 3 + (odd ? t[(l + 1) % 24] : in[i + 1] + in[w + 512]) + (int)(u % 7);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = sum;
    })";
  constexpr int count = 72, step = 48, rounds = 5;
  std::vector<int> in(1024), out(count), expected(count);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761U >> 20U);
  for (int g = 0; g < count; ++g) {
    const auto l = static_cast<std::size_t>(g % 24);
    for (int r = 0; r < rounds; ++r) {
      const std::size_t i = std::size_t{1} + g + std::size_t{1} * r * step;
      const std::size_t neighbour = i - l + (l + 1) % 24;
      const std::size_t w = std::size_t{512} + g - std::size_t{1} * r * step;
      const std::uint32_t u = static_cast<std::uint32_t>(g + r * step) + 0xFFFFFFF0U;
      int& sum = expected[static_cast<std::size_t>(g)];
      const int term = (in[i] & 1) != 0 ? in[neighbour] : in[i + 1] + in[w];
      sum = static_cast<int>(static_cast<std::uint32_t>(sum) * 3U) + term + static_cast<int>(u % 7);
    }
  }
  run(source, "k", Range(count, 24), {buffer(in), buffer(out), value(step), value(rounds)});
  EXPECT_EQ(out, expected);
}

/// Rows of every length around the number of lanes: short ones run one by one, longer ones under a mask.
TEST(Barriers, RowsOfAnyLength) {
  const char* source = R"(
    kernel void k(global const int* in, global int* out, local int* t) {
      const int l = get_local_id(1) * get_local_size(0) + get_local_id(0), s = get_local_size(0) * get_local_size(1);
      const int g = get_global_id(1) * get_global_size(0) + get_global_id(0);
      t[l] = in[5 * g] / 3 + in[5 * g + 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[7 * g] = t[(l + 1) % s] * 10 + l;
    })";
  for (std::size_t columns = 1; columns <= 37; ++columns) {
    constexpr std::size_t kRows = 3;
    const std::size_t items = 2 * columns * kRows;
    const Ints in = iota(5 * items, 11);
    Ints out(7 * items, -1);
    Ints expected = out;
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t x = i % (2 * columns);
      const std::size_t y = i / (2 * columns);
      const std::size_t l = y * columns + x % columns;
      const std::size_t next = (l + 1) % (columns * kRows);
      const std::size_t other = next / columns * 2 * columns + x / columns * columns + next % columns;
      expected[7 * i] = (in[5 * other] / 3 + in[5 * other + 2]) * 10 + static_cast<int>(l);
    }
    Ints given = in;
    run(source, "k", Range(2, {2 * columns, kRows, 1}, {columns, kRows, 1}),
        {buffer(given), buffer(out), local(columns * kRows * sizeof(int))});
    EXPECT_EQ(out, expected) << columns;
  }
}

}  // namespace
}  // namespace lanewise::test
