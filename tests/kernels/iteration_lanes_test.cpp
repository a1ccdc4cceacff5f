// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Groups of one work-item with loops whose iterations work on memory of their own, and add up: hot code runs the
/// iterations as lanes (compiler/lanes/prepare/iterations.h). Sums have the same order, and so the same bits, and what
/// depends on an iteration before is computed after it.
#include <cstdint>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kGroups = 3;

const char* const kSource = R"(
  #pragma OPENCL FP_CONTRACT OFF
  typedef struct { T x, y, force, other, size; } Particle;
  // As tiles of particles are: fields of structures, of which some are read and some are added to.
  kernel void tile(global const T* in, global T* out, T most) {
    SPACE Particle p[COUNT];
    SPACE int number[COUNT];
    const size_t first = get_group_id(0) * COUNT;
    for (int j = 0; j < COUNT; ++j) {
      p[j].x = in[first + j];
      p[j].y = in[first + j] * 3 + j;
      p[j].force = p[j].other = j;
      p[j].size = 1 + j;
      number[j] = (j * 7) % COUNT;
    }
    T4 sum = (T4)(-0.0f, 0, 0, 5);
    T all = 0;
    for (int i = 0; i < COUNT; ++i) {
      uint bits = 0x5A5A00FFu + i;
      T4 mine = (T4)(p[i].x, p[i].y, i, 0);
      for (int j = 0; j < COUNT; ++j) {
        T dx = p[j].x - mine.x, dy = p[j].y - mine.y;
        T square = dx * dx + dy * dy;
        if (square < most && (bits & 1) && number[j] != i) {
          T scale = p[j].size / (1 + square);
          sum.xyz -= (T4)(dx, dy, scale, 0).xyz * scale;
          p[j].force += dx * scale;
          p[j].other -= scale;
          all += scale;
        }
        bits = NEXT;
      }
      p[i].x = sum.x;
    }
    for (int j = 0; j < COUNT; ++j) out[first + j] = p[j].force + p[j].other * 7 + p[j].x;
    out[get_num_groups(0) * COUNT + get_group_id(0)] = all + sum.x + sum.y + sum.z + sum.w;
  }
  // Each iteration reads what the one before has stored.
  kernel void chain(global const T* in, global T* out, T most) {
    SPACE T p[COUNT + 1];
    const size_t first = get_group_id(0) * COUNT;
    p[0] = 1;
    T sum = 0;
    for (int j = 0; j < COUNT; ++j) {
      p[j + 1] = p[j] * (T)0.5 + in[first + j];
      if (p[j + 1] < most) sum += p[j];
    }
    for (int j = 0; j < COUNT; ++j) out[first + j] = p[j + 1];
    out[get_num_groups(0) * COUNT + get_group_id(0)] = sum;
  }
  // The sum so far decides, and is stored.
  kernel void seen(global const T* in, global T* out, T most) {
    const size_t first = get_group_id(0) * COUNT;
    T sum = 0;
    for (int j = 0; j < COUNT; ++j) {
      if (sum < most) sum += in[first + j];
      out[first + j] = sum;
    }
    out[get_num_groups(0) * COUNT + get_group_id(0)] = sum;
  })";

struct Case {
  std::size_t count = 32;
  const char* next = "bits >> 1";
  const char* space = "local";
};

std::uint32_t next_of(const Case& c, std::uint32_t bits) {
  return std::string(c.next) == "bits >> 1" ? bits >> 1U : bits * 5 + 1;
}

template <class T>
std::vector<T> tile(const Case& c, const std::vector<T>& in, T most) {
  struct Particle {
    T x, y, force, other, size;
  };
  const std::size_t n = c.count;
  std::vector<T> out(kGroups * (n + 1));
  for (std::size_t g = 0; g < kGroups; ++g) {
    std::vector<Particle> p(n);
    for (std::size_t j = 0; j < n; ++j) {
      const T x = in[g * n + j], number = static_cast<T>(j);
      p[j] = {x, x * 3 + number, number, number, 1 + number};
    }
    T sum[3] = {-T(0), 0, 0};
    T all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      auto bits = static_cast<std::uint32_t>(0x5A5A00FFU + i);
      const T x = p[i].x, y = p[i].y;
      for (std::size_t j = 0; j < n; ++j, bits = next_of(c, bits)) {
        const T dx = p[j].x - x, dy = p[j].y - y;
        const T square = dx * dx + dy * dy;
        if (!(square < most) || (bits & 1U) == 0 || (j * 7) % n == i) continue;
        const T scale = p[j].size / (1 + square);
        const T added[3] = {dx * scale, dy * scale, scale * scale};
        for (unsigned d = 0; d < 3; ++d) sum[d] -= added[d];
        p[j].force += added[0];
        p[j].other -= scale;
        all += scale;
      }
      p[i].x = sum[0];
    }
    for (std::size_t j = 0; j < n; ++j) out[g * n + j] = p[j].force + p[j].other * 7 + p[j].x;
    out[kGroups * n + g] = all + sum[0] + sum[1] + sum[2] + 5;
  }
  return out;
}

template <class T>
std::vector<T> chain(const Case& c, const std::vector<T>& in, T most) {
  std::vector<T> out(kGroups * (c.count + 1));
  for (std::size_t g = 0; g < kGroups; ++g) {
    T last = 1, sum = 0;
    for (std::size_t j = 0; j < c.count; ++j) {
      const T now = last * T(0.5) + in[g * c.count + j];
      if (now < most) sum += last;
      out[g * c.count + j] = last = now;
    }
    out[kGroups * c.count + g] = sum;
  }
  return out;
}

template <class T>
std::vector<T> seen(const Case& c, const std::vector<T>& in, T most) {
  std::vector<T> out(kGroups * (c.count + 1));
  for (std::size_t g = 0; g < kGroups; ++g) {
    T sum = 0;
    for (std::size_t j = 0; j < c.count; ++j) {
      if (sum < most) sum += in[g * c.count + j];
      out[g * c.count + j] = sum;
    }
    out[kGroups * c.count + g] = sum;
  }
  return out;
}

template <class T>
class IterationLanes : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(IterationLanes, Types);

TYPED_TEST(IterationLanes, HaveTheBitsOfOneAfterTheOther) {
  using T = TypeParam;
  const std::string type = sizeof(T) == 4 ? "float" : "double";
  for (const Case& c : {Case{},
                        {.count = 8},
                        {.count = 30, .space = "private"},
                        {.count = 67, .next = "bits * 5 + 1"},
                        {.count = 7},
                        {.count = 32, .next = "bits * 5 + 1"},
                        {.count = 300, .next = "bits * 5 + 1"}}) {
    SCOPED_TRACE(std::to_string(c.count) + ' ' + c.next);
    const std::string source = "#define T " + type + "\n#define T4 " + type + "4\n#define COUNT " +
                               std::to_string(c.count) + "\n#define NEXT " + c.next + "\n#define SPACE " + c.space +
                               "\n" + kSource;
    std::vector<T> in(kGroups * c.count);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>((i * 37 + 11) % 101) / 16 - 3;
    const T most = 20;
    const Range range(kGroups, 1);
    std::vector<T> out(kGroups * (c.count + 1));
    run(source, "tile", range, {buffer(in), buffer(out), value(most)});
    EXPECT_EQ(out, tile(c, in, most));
    run(source, "chain", range, {buffer(in), buffer(out), value(most)});
    EXPECT_EQ(out, chain(c, in, most));
    run(source, "seen", range, {buffer(in), buffer(out), value(most)});
    EXPECT_EQ(out, seen(c, in, most));
  }
}

}  // namespace
}  // namespace lanewise::test
