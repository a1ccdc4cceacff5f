// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_ext_float_atomics for half, float and double: add, subtract, minimum, maximum, load, store and exchange on global,
/// local and generic pointers. Many work-items meet at few addresses; values are such that sums are exact in any order.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 150;  ///< the last group is smaller
constexpr std::size_t kGroup = 64;
constexpr std::size_t kCells = 6;  ///< add, subtract, minimum, maximum, exchange; the last is left as it was

/// Work-items of a group work on cells of the group, in global or local memory. `apart`: on two sets of cells.
std::string source(const std::string& type, bool in_local, bool generic, bool apart) {
  const std::string cells = std::to_string(2 * kCells);
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global const " + type +
                     "* values, global atomic_" + type + "* cells, global " + type +
                     "* olds) {\n  const size_t i = get_global_id(0), l = get_local_id(0);\n  const " + type +
                     " v = values[i];\n  global atomic_" + type + "* mine = cells + get_group_id(0) * " + cells + ";\n";
  if (in_local)
    text += "  local atomic_" + type + " copy[" + cells + "];\n  if (l < " + cells +
            ") atomic_store_explicit(copy + l, atomic_load(mine + l), memory_order_relaxed);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  text += std::string("  ") +
          (generic    ? ""
           : in_local ? "local"
                      : "global") +
          " atomic_" + type + "* p = " + (in_local ? "copy" : "mine") +
          (apart ? " + l % 2 * " + std::to_string(kCells) : "") + ";\n";
  text +=
      "  olds[5 * i] = atomic_fetch_add(p, v);\n"
      "  olds[5 * i + 1] = atomic_fetch_sub_explicit(p + 1, v, memory_order_relaxed);\n"
      "  olds[5 * i + 2] = atomic_fetch_min_explicit(p + 2, v, memory_order_acq_rel, memory_scope_device);\n"
      "  olds[5 * i + 3] = atomic_fetch_max(p + 3, v);\n"
      "  olds[5 * i + 4] = atomic_exchange(p + 4, v);\n";
  if (in_local)
    text +=
        "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (l < " + cells + ") atomic_store(mine + l, atomic_load(copy + l));\n";
  return text + "}\n";
}

/// Integers of few bits, as numbers of the type.
template <class T>
T number(int v) {
  if constexpr (sizeof(T) > 2) {
    return static_cast<T>(v);
  } else {  // half
    if (v == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(v), &exponent);
    return static_cast<T>((v < 0 ? 0x8000 : 0) | ((exponent + 14) << 10) |
                          (static_cast<int>(std::ldexp(fraction, 11)) - 1024));
  }
}

template <class T>
int value_of(T x) {
  if constexpr (sizeof(T) > 2) {
    return static_cast<int>(x);
  } else {
    if ((x & 0x7fff) == 0) return 0;
    const double magnitude = std::ldexp(1024 + (x & 0x3ff), ((x >> 10) & 31) - 25);
    return static_cast<int>((x & 0x8000) != 0 ? -magnitude : magnitude);
  }
}

template <class T>
class Cells {
 public:
  Cells(std::size_t sets, std::string options)
      : sets_(sets), options_(std::move(options)), values_(kItems), cells_(std::size_t{6} * kCells), olds_(5 * kItems) {
    std::mt19937 random(3);
    for (T& v : values_) v = number<T>(static_cast<int>(random() % 15) - 7);
    for (T& v : cells_) v = number<T>(static_cast<int>(random() % 5) - 2);
    begin_ = cells_;
  }

  void run_on(const std::string& type, bool in_local, bool generic) {
    run(source(type, in_local, generic, sets_ == 2), "k", Range(kItems, kGroup),
        {buffer(values_), buffer(cells_), buffer(olds_)}, options_);
    for (std::size_t group = 0; group < 3; ++group)
      for (std::size_t set = 0; set < sets_; ++set) {
        SCOPED_TRACE(type + (in_local ? " local" : " global") + (generic ? ", generic " : " ") + options_);
        expect_chain(group, set, 0, [](int a, int b) { return a + b; });
        expect_chain(group, set, 1, [](int a, int b) { return a - b; });
        expect_chain(group, set, 2, [](int a, int b) { return std::min(a, b); });
        expect_chain(group, set, 3, [](int a, int b) { return std::max(a, b); });
        expect_chain(group, set, 4, [](int, int b) { return b; });
        const std::size_t untouched = (group * 2 + set) * kCells + 5;
        ASSERT_EQ(value_of(cells_[untouched]), value_of(begin_[untouched]));
      }
  }

 private:
  /// The old values that the work-items got, with the final value, are together the start value and all values that
  /// they stored.
  template <class Stored>
  void expect_chain(std::size_t group, std::size_t set, std::size_t operation, Stored stored) {
    const std::size_t at = (group * 2 + set) * kCells + operation;
    std::vector<int> found{value_of(cells_[at])}, made{value_of(begin_[at])};
    for (std::size_t i = group * kGroup; i < std::min((group + 1) * kGroup, kItems); ++i) {
      if (i % kGroup % sets_ != set) continue;
      found.push_back(value_of(olds_[5 * i + operation]));
      made.push_back(stored(value_of(olds_[5 * i + operation]), value_of(values_[i])));
    }
    std::sort(found.begin(), found.end());
    std::sort(made.begin(), made.end());
    ASSERT_EQ(found, made) << "operation " << operation << ", group " << group << ", set " << set;
  }

  std::size_t sets_;
  std::string options_;
  std::vector<T> values_, cells_, olds_, begin_;
};

template <class T>
void expect_all_spaces(const std::string& type) {
  for (const std::size_t sets : {1U, 2U})
    for (const bool in_local : {false, true})
      for (const bool generic : {false, true})
        for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-unsafe-math-optimizations"})
          Cells<T>(sets, options).run_on(type, in_local, generic);
}

TEST(FloatAtomics, Half) {
  expect_all_spaces<std::uint16_t>("half");
}

TEST(FloatAtomics, Float) {
  expect_all_spaces<float>("float");
}

TEST(FloatAtomics, Double) {
  expect_all_spaces<double>("double");
}

/// Each addition rounds by itself: the sum is that of one work-item after the other, in some order. The values are
/// equal, so that the order does not matter; a sum that is rounded only once would differ.
TEST(FloatAtomics, EachAdditionRounds) {
  const char* kernels[] = {
      "kernel void k(global atomic_float* sum) { atomic_fetch_add(sum, 0.75f); }",
      "kernel void k(global atomic_float* sum) { atomic_fetch_sub_explicit(sum, -0.75f, memory_order_relaxed); }",
      "kernel void k(global float* sum) {"
      "  local atomic_float s; if (get_local_id(0) == 0) atomic_init(&s, *sum); barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_fetch_add(&s, 0.75f); barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) *sum = atomic_load(&s); "
      "}"};
  for (const char* kernel : kernels) {
    std::vector<float> sum{16777216.0F};  // 2^24: each addition of 0.75 is rounded away, two together would not be
    run(kernel, "k", Range(kGroup, kGroup), {buffer(sum)});
    EXPECT_EQ(sum[0], 16777216.0F) << kernel;
  }
}

/// As in fmin and fmax, a number wins against a NaN; the sign of zero is kept where nothing is added.
TEST(FloatAtomics, SpecialValues) {
  const char* source = R"(
    kernel void k(global atomic_float* cells) {
      const size_t i = get_global_id(0);
      atomic_fetch_min(cells, i % 3 == 0 ? NAN : 5.0f + i);
      atomic_fetch_max(cells + 1, i % 3 == 0 ? NAN : 5.0f + i);
      atomic_fetch_min(cells + 2, NAN);
      atomic_fetch_max(cells + 3, i == 7 ? INFINITY : -INFINITY);
      if (i > 1000) atomic_fetch_add(cells + 4, 1.0f);
      if (i == 3) atomic_fetch_add(cells + 5, -0.0f);
      atomic_fetch_add(cells + 6, i == 20 ? INFINITY : 1.0f);
    })";
  std::vector<float> cells{NAN, NAN, NAN, 0.0F, -0.0F, -0.0F, 0.0F};
  run(source, "k", Range(kItems, kGroup), {buffer(cells)});
  EXPECT_EQ(cells[0], 6.0F);
  EXPECT_EQ(cells[1], 5.0F + 149);
  EXPECT_TRUE(std::isnan(cells[2]));
  EXPECT_EQ(cells[3], INFINITY);
  EXPECT_TRUE(std::signbit(cells[4]) && cells[4] == 0);
  EXPECT_TRUE(std::signbit(cells[5]) && cells[5] == 0);
  EXPECT_EQ(cells[6], INFINITY);
}

}  // namespace
}  // namespace lanewise::test
