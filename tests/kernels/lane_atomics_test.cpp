// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomics where all work-items of a vector use one address, known when compiled or only at run time, and cases close
/// to that: some work-items are inactive, one uses another address. No operation may be lost, and the results must be
/// those of the operations in some order.
#include <algorithm>
#include <random>
#include <utility>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 1000;
constexpr std::size_t kGroup = 100;
constexpr std::size_t kCells = 5;
constexpr const char* kOperations[] = {"add", "sub", "min", "max", "and", "or", "xor", "xchg", "inc", "dec"};
constexpr std::size_t kCount = std::size(kOperations);

struct Case {
  const char* type;
  bool fixed_address = false;  ///< else where[i], which is the same for most work-items in a row
  bool same_value = false;     ///< else values[i]
  bool used = false;           ///< the results are
  bool in_local = false;
  bool scattered = false;  ///< neighbours in where[] differ
};

/// Cells of an operation follow each other; those in local memory are added up by group, each group in its own.
std::string source(const Case& c) {
  const std::string type = c.type;
  const std::string all = std::to_string(kCount * kCells);
  std::string text = "kernel void k(global const " + type +
                     "* values, global const int* where, global const int* active, global " + type +
                     "* cells, global " + type + "* olds, " + type + " same) {\n" +
                     "  const size_t i = get_global_id(0), l = get_local_id(0);\n  " + "const " + type +
                     " v = " + (c.same_value ? "same" : "values[i]") + ";\n  global " + type +
                     "* mine = cells + get_group_id(0) * " + all + ";\n";
  if (c.in_local)
    text += "  local " + type + " copy[" + all + "];\n  if (l < " + all + ") copy[l] = mine[l];\n" +
            "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  text += std::string(c.in_local ? "  local " : "  global ") + type + "* p = " + (c.in_local ? "copy" : "mine") +
          (c.fixed_address ? "" : " + where[i]") + ";\n  if (active[i]) {\n";
  const std::string prefix = type.find("long") == std::string::npos ? "atomic_" : "atom_";
  for (std::size_t o = 0; o < kCount; ++o) {
    const std::string value = o < 8 ? ", v" : "";
    text += "    " +
            (c.used ? "olds[i * " + std::to_string(kCount) + " + " + std::to_string(o) + "] = " : std::string()) +
            prefix + kOperations[o] + "(p + " + std::to_string(o * kCells) + value + ");\n";
  }
  text += "  }\n";
  if (c.in_local) text += "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (l < " + all + ") mine[l] = copy[l];\n";
  return text + "}\n";
}

template <class T>
T stored(std::size_t operation, T old, T v) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (operation) {
    case 0:
      return static_cast<T>(Unsigned(old) + Unsigned(v));
    case 1:
      return static_cast<T>(Unsigned(old) - Unsigned(v));
    case 2:
      return std::min(old, v);
    case 3:
      return std::max(old, v);
    case 4:
      return old & v;
    case 5:
      return old | v;
    case 6:
      return old ^ v;
    case 7:
      return v;
    case 8:
      return static_cast<T>(Unsigned(old) + 1);
    default:
      return static_cast<T>(Unsigned(old) - 1);
  }
}

enum class Who { all, third, few, nobody };

template <class T>
class Meeting {
 public:
  Meeting(const Case& c, Who who) : case_(c), values_(kItems), where_(kItems), active_(kItems), same_(T(7)) {
    std::mt19937_64 random(11);
    for (std::size_t i = 0; i < kItems; ++i) {
      values_[i] = static_cast<T>(random());
      where_[i] = i % 71 == 70 ? 4 : static_cast<int>(i / (c.scattered ? 1 : 60) % 4);
      active_[i] = who == Who::all || (who == Who::third && i % 3 == 1) || (who == Who::few && i % 40 == 17);
    }
    cells_.resize(kItems / kGroup * kCount * kCells);
    for (T& cell : cells_) cell = static_cast<T>(random());
    begin_ = cells_;
    olds_.resize(kItems * kCount);
  }

  void run_and_check() {
    run(source(case_), "k", Range(kItems, kGroup),
        {buffer(values_), buffer(where_), buffer(active_), buffer(cells_), buffer(olds_), value(same_)});
    for (std::size_t group = 0; group < kItems / kGroup; ++group)
      for (std::size_t operation = 0; operation < kCount; ++operation)
        for (std::size_t cell = 0; cell < kCells; ++cell) check(group, operation, cell);
  }

 private:
  void check(std::size_t group, std::size_t operation, std::size_t cell) {
    const std::size_t at = (group * kCount + operation) * kCells + cell;
    std::vector<T> found{cells_[at]}, made{begin_[at]};
    T end = begin_[at];
    for (std::size_t i = group * kGroup; i < (group + 1) * kGroup; ++i) {
      const std::size_t mine = case_.fixed_address ? 0 : static_cast<std::size_t>(where_[i]);
      if (active_[i] == 0 || mine != cell) continue;
      const T v = case_.same_value ? same_ : values_[i];
      const T old = olds_[i * kCount + operation];
      found.push_back(old);
      made.push_back(stored(operation, old, v));
      end = stored(operation, end, v);
    }
    const char* name = kOperations[operation];
    if (operation != 7) {  // xchg: any of them may be the last
      ASSERT_EQ(cells_[at], end) << name << ", group " << group << ", cell " << cell;
    }
    if (!case_.used) return;
    std::sort(found.begin(), found.end());
    std::sort(made.begin(), made.end());
    ASSERT_EQ(found, made) << name << ", group " << group << ", cell " << cell;
  }

  Case case_;
  std::vector<T> values_;
  std::vector<int> where_, active_;
  std::vector<T> cells_, begin_, olds_;
  T same_;
};

template <class T>
void expect_all(const Case& c) {
  for (const Who who : {Who::all, Who::third, Who::few, Who::nobody}) Meeting<T>(c, who).run_and_check();
}

TEST(LaneAtomics, OneAddress) {
  expect_all<std::int32_t>({.type = "int", .fixed_address = true, .used = true});
  expect_all<std::uint64_t>({.type = "ulong", .fixed_address = true, .same_value = true, .used = true});
}

TEST(LaneAtomics, OneAddressWhereResultsAreNotUsed) {
  expect_all<std::uint32_t>({.type = "uint", .fixed_address = true});
  expect_all<std::int32_t>({.type = "int", .fixed_address = true, .same_value = true});
}

TEST(LaneAtomics, MostlyOneAddress) {
  expect_all<std::int64_t>({.type = "long", .used = true});
  expect_all<std::uint32_t>({.type = "uint", .same_value = true});
}

TEST(LaneAtomics, LocalMemory) {
  expect_all<std::int32_t>({.type = "int", .used = true, .in_local = true});
  expect_all<std::uint32_t>(
      {.type = "uint", .fixed_address = true, .same_value = true, .used = true, .in_local = true});
}

/// Lanes that run in a loop, with values of their own and the same one.
TEST(LaneAtomics, ManyAddressesWhereResultsAreNotUsed) {
  for (const bool in_local : {false, true}) {
    expect_all<std::int32_t>({.type = "int", .in_local = in_local, .scattered = true});
    expect_all<std::uint64_t>({.type = "ulong", .in_local = in_local, .scattered = true});
    expect_all<std::uint32_t>({.type = "uint", .same_value = true, .in_local = in_local, .scattered = true});
  }
}

/// Each work-item gets its place in an array from one counter; no place may be given twice.
TEST(LaneAtomics, Compaction) {
  const char* source = R"(
    kernel void k(global const int* x, global int* kept, global uint* count) {
      const size_t i = get_global_id(0);
      const int v = x[i];
      if (v > 0) kept[atomic_inc(count)] = v;
    })";
  std::vector<int> x(kItems), kept(kItems);
  std::vector<std::uint32_t> count(1);
  std::mt19937 random(2);
  for (int& v : x) v = static_cast<int>(random() % 200) - 120;
  run(source, "k", Range(kItems, kGroup), {buffer(x), buffer(kept), buffer(count)});
  std::vector<int> expected;
  std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int v) { return v > 0; });
  ASSERT_EQ(count[0], expected.size());
  kept.resize(expected.size());
  std::sort(kept.begin(), kept.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(kept, expected);
}

/// What programs without floating-point atomics write: sums by compare and exchange, in three forms, on addresses that
/// are the same for many work-items, and with results that are used.
TEST(LaneAtomics, ExchangeLoops) {
  const char* source = R"(
    float add1(volatile global float* p, float v) {
      union { uint bits; float number; } old, made;
      do {
        old.number = *p;
        made.number = old.number + v;
      } while (atomic_cmpxchg((volatile global uint*)p, old.bits, made.bits) != old.bits);
      return old.number;
    }
    float add2(volatile global float* p, float v) {
      uint seen = as_uint(*p), old;
      do {
        old = seen;
        seen = atomic_cmpxchg((volatile global uint*)p, old, as_uint(as_float(old) - v));
      } while (seen != old);
      return as_float(old);
    }
    int add3(global atomic_int* p, int v) {
      int old = atomic_load_explicit(p, memory_order_relaxed, memory_scope_device);
      while (!atomic_compare_exchange_strong_explicit(p, &old, max(old, v), memory_order_relaxed, memory_order_relaxed,
                                                      memory_scope_device));
      return old;
    }
    kernel void k(global const float* values, global const int* where, global float* cells, global float* olds,
                  global int* most) {
      const size_t i = get_global_id(0);
      olds[i] = add1(cells + where[i], values[i]);
      add2(cells + 5 + where[i], values[i]);
      if (i % 5 != 2) add3((global atomic_int*)most, (int)i);
    })";
  std::vector<float> values(kItems), cells(10), olds(kItems);
  std::vector<int> where(kItems), most(1);
  for (std::size_t i = 0; i < kItems; ++i) {
    values[i] = static_cast<float>(i % 9) - 3;
    where[i] = i % 71 == 70 ? 4 : static_cast<int>(i / 60 % 4);
  }
  run(source, "k", Range(kItems, kGroup), {buffer(values), buffer(where), buffer(cells), buffer(olds), buffer(most)});
  for (std::size_t cell = 0; cell < 5; ++cell) {
    std::vector<float> found{cells[cell]}, made{0};
    float sum = 0;
    for (std::size_t i = 0; i < kItems; ++i) {
      if (std::cmp_not_equal(where[i], cell)) continue;
      sum += values[i];
      found.push_back(olds[i]);
      made.push_back(olds[i] + values[i]);
    }
    std::sort(found.begin(), found.end());
    std::sort(made.begin(), made.end());
    EXPECT_EQ(found, made);
    EXPECT_EQ(cells[cell], sum);
    EXPECT_EQ(cells[5 + cell], -sum);
  }
  EXPECT_EQ(most[0], 999);
}

/// A sum that ends at a bound: the exchanges beyond it store what is there. Each work-item gets what it has found.
TEST(LaneAtomics, ExchangesOfWhatIsThere) {
  const char* source = R"(
    kernel void k(global const uint* values, volatile global uint* sums, global uint* olds) {
      const size_t i = get_global_id(0);
      volatile global uint* p = sums + i % 3;
      uint seen = *p, old;
      do {
        old = seen;
        seen = atomic_cmpxchg(p, old, min(old + values[i], 1000u));
      } while (seen != old);
      olds[i] = old;
    })";
  constexpr std::size_t kMany = 60000;
  std::vector<std::uint32_t> values(kMany), sums(3), olds(kMany);
  for (std::size_t i = 0; i < kMany; ++i) values[i] = i % 7 == 0 ? 0 : static_cast<std::uint32_t>(i % 4);
  run(source, "k", Range(kMany, kGroup), {buffer(values), buffer(sums), buffer(olds)});
  for (std::size_t cell = 0; cell < 3; ++cell) {
    ASSERT_EQ(sums[cell], 1000U);
    std::vector<std::uint32_t> found{sums[cell]}, made{0};
    for (std::size_t i = cell; i < kMany; i += 3) {
      found.push_back(olds[i]);
      made.push_back(std::min(olds[i] + values[i], 1000U));
    }
    std::sort(found.begin(), found.end());
    std::sort(made.begin(), made.end());
    EXPECT_EQ(found, made);
  }
}

/// Operations in loops, uniform and divergent ones, and a counter whose address changes with the loop.
TEST(LaneAtomics, InLoops) {
  const char* source = R"(
    kernel void k(global const int* n, global int* counts, global int* sums) {
      const size_t i = get_global_id(0);
      for (int t = 0; t < 8; ++t) atomic_add(counts + t, (int)(i % 4) + t);
      for (int t = 0; t < n[i]; ++t) atomic_inc(counts + 8 + t);
      for (int t = 0; t < n[i]; ++t) atomic_max(sums, (int)i * 8 + t);
    })";
  std::vector<int> n(kItems), counts(16), sums(1);
  for (std::size_t i = 0; i < kItems; ++i) n[i] = static_cast<int>(i * 7 % 6);
  run(source, "k", Range(kItems, kGroup), {buffer(n), buffer(counts), buffer(sums)});
  std::vector<int> expected(16);
  int most = 0;
  for (std::size_t i = 0; i < kItems; ++i) {
    for (int t = 0; t < 8; ++t) expected[static_cast<std::size_t>(t)] += static_cast<int>(i % 4) + t;
    for (int t = 0; t < n[i]; ++t) {
      ++expected[8 + static_cast<std::size_t>(t)];
      most = std::max(most, static_cast<int>(i) * 8 + t);
    }
  }
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(sums[0], most);
}

}  // namespace
}  // namespace lanewise::test
