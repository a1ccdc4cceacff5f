// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The atomic functions of cl_khr_{global,local}_int32_{base,extended}_atomics and
/// cl_khr_int64_{base,extended}_atomics: many work-items, among them all lanes of a vector, meet at few addresses, and
/// no operation may be lost.
#include <algorithm>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 192;  ///< in groups of 64
constexpr std::size_t kGroup = 64;
constexpr std::size_t kCells = 3;        ///< neighbouring work-items work on different cells, every third on the same
constexpr std::size_t kOperations = 11;  ///< in the order of `source`, each on cells of its own

/// One kernel with every function. `cells` of local memory begin as what global memory holds and are added up there by
/// group, so that both address spaces have one form of the result: kOperations x kCells values for each group.
std::string source(const std::string& type, bool wide, bool in_local) {
  const std::string prefix = wide ? "atom_" : "atomic_";
  const std::string space = in_local ? "local " : "global ";
  std::string text = "kernel void k(global const " + type + "* values, global " + type + "* cells, global " + type +
                     "* olds, global " + type + "* counted) {\n" +
                     "  const size_t i = get_global_id(0), g = get_group_id(0), l = get_local_id(0);\n" + "  global " +
                     type + "* mine = cells + g * " + std::to_string(kOperations * kCells) + ";\n";
  if (in_local) {
    text += "  local " + type + " copy[" + std::to_string(kOperations * kCells) + "];\n";
    text += "  if (l < " + std::to_string(kOperations * kCells) + ") copy[l] = mine[l];\n";
    text += "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  text += "  " + space + type + "* p = " + (in_local ? "copy" : "mine") + " + l % " + std::to_string(kCells) + ";\n";
  text += "  const " + type + " v = values[i];\n";
  const auto cell = [](std::size_t operation) { return "p + " + std::to_string(operation * kCells); };
  const std::string with_value[] = {"add", "sub", "min", "max", "and", "or", "xor", "xchg"};
  for (std::size_t o = 0; o < 8; ++o)
    text += "  olds[" + std::to_string(kOperations) + " * i + " + std::to_string(o) + "] = " + prefix + with_value[o] +
            "(" + cell(o) + ", v);\n";
  text += "  olds[" + std::to_string(kOperations) + " * i + 8] = " + prefix + "inc(" + cell(8) + ");\n";
  text += "  olds[" + std::to_string(kOperations) + " * i + 9] = " + prefix + "dec(" + cell(9) + ");\n";
  // A counter by compare and exchange: each work-item tries until it is the one that adds.
  text += "  " + type + " seen = " + prefix + "add(" + cell(10) + ", 0), before;\n";
  text += "  while ((before = " + prefix + "cmpxchg(" + cell(10) + ", seen, seen + 1)) != seen) seen = before;\n";
  text += "  olds[" + std::to_string(kOperations) + " * i + 10] = seen;\n";
  if (in_local) {
    text += "  barrier(CLK_LOCAL_MEM_FENCE);\n";
    text += "  if (l < " + std::to_string(kOperations * kCells) + ") mine[l] = copy[l];\n";
  }
  return text + "  counted[i] = 1;\n}\n";
}

template <class T>
class Cells {
 public:
  Cells() : values_(kItems), cells_(kItems / kGroup * kOperations * kCells), olds_(kItems * kOperations), ran_(kItems) {
    std::mt19937_64 random(5);
    for (T& v : values_) v = static_cast<T>(random());
    for (T& v : cells_) v = static_cast<T>(random());
    begin_ = cells_;
  }

  void run_on(const std::string& type, bool in_local) {
    run(source(type, sizeof(T) == 8, in_local), "k", Range(kItems, kGroup),
        {buffer(values_), buffer(cells_), buffer(olds_), buffer(ran_)});
    ASSERT_EQ(std::count(ran_.begin(), ran_.end(), T{1}), static_cast<std::ptrdiff_t>(kItems));
    for (std::size_t group = 0; group < kItems / kGroup; ++group)
      for (std::size_t cell = 0; cell < kCells; ++cell) check(group, cell);
  }

 private:
  /// The end value of one operation that does not depend on the order of the work-items.
  template <class Combine>
  void expect_end(std::size_t group, std::size_t cell, std::size_t operation, Combine combine) {
    const std::size_t at = (group * kOperations + operation) * kCells + cell;
    T expected = begin_[at];
    for (std::size_t l = cell; l < kGroup; l += kCells) expected = combine(expected, values_[group * kGroup + l]);
    ASSERT_EQ(cells_[at], expected) << "operation " << operation << ", group " << group << ", cell " << cell;
  }

  /// The old values that the work-items got, with the final value, are together the start value and all values that
  /// they stored: `stored` of a work-item's old value and argument.
  template <class Stored>
  void expect_chain(std::size_t group, std::size_t cell, std::size_t operation, Stored stored) {
    const std::size_t at = (group * kOperations + operation) * kCells + cell;
    std::vector<T> found{cells_[at]}, made{begin_[at]};
    for (std::size_t l = cell; l < kGroup; l += kCells) {
      const std::size_t i = group * kGroup + l;
      found.push_back(olds_[i * kOperations + operation]);
      made.push_back(stored(olds_[i * kOperations + operation], values_[i]));
    }
    std::sort(found.begin(), found.end());
    std::sort(made.begin(), made.end());
    ASSERT_EQ(found, made) << "operation " << operation << ", group " << group << ", cell " << cell;
  }

  template <class Combine>
  void expect_both(std::size_t group, std::size_t cell, std::size_t operation, Combine combine) {
    expect_end(group, cell, operation, combine);
    expect_chain(group, cell, operation, combine);
  }

  void check(std::size_t group, std::size_t cell) {
    // Unsigned arithmetic: atomics wrap around (OpenCL C 6.15.12).
    using Unsigned = std::make_unsigned_t<T>;
    const auto wrap = [](auto operation) {
      return [operation](T a, T b) { return static_cast<T>(operation(Unsigned(a), Unsigned(b))); };
    };
    expect_both(group, cell, 0, wrap([](Unsigned a, Unsigned b) { return a + b; }));
    expect_both(group, cell, 1, wrap([](Unsigned a, Unsigned b) { return a - b; }));
    expect_both(group, cell, 2, [](T a, T b) { return std::min(a, b); });
    expect_both(group, cell, 3, [](T a, T b) { return std::max(a, b); });
    expect_both(group, cell, 4, wrap([](Unsigned a, Unsigned b) { return a & b; }));
    expect_both(group, cell, 5, wrap([](Unsigned a, Unsigned b) { return a | b; }));
    expect_both(group, cell, 6, wrap([](Unsigned a, Unsigned b) { return a ^ b; }));
    expect_chain(group, cell, 7, [](T, T b) { return b; });
    expect_both(group, cell, 8, wrap([](Unsigned a, Unsigned) { return a + 1; }));
    expect_both(group, cell, 9, wrap([](Unsigned a, Unsigned) { return a - 1; }));
    expect_both(group, cell, 10, wrap([](Unsigned a, Unsigned) { return a + 1; }));
  }

  std::vector<T> values_, cells_, olds_, ran_, begin_;
};

TEST(Atomics, Global32) {
  Cells<std::int32_t>().run_on("int", false);
  Cells<std::uint32_t>().run_on("uint", false);
}

TEST(Atomics, Local32) {
  Cells<std::int32_t>().run_on("int", true);
  Cells<std::uint32_t>().run_on("uint", true);
}

TEST(Atomics, Global64) {
  Cells<std::int64_t>().run_on("long", false);
  Cells<std::uint64_t>().run_on("ulong", false);
}

TEST(Atomics, Local64) {
  Cells<std::int64_t>().run_on("long", true);
  Cells<std::uint64_t>().run_on("ulong", true);
}

/// atomic_xchg has a form for float, too.
TEST(Atomics, ExchangeOfFloats) {
  std::vector<float> cell{0.5F}, olds(kGroup);
  run("kernel void k(global float* cell, global float* olds) {"
      "  olds[get_global_id(0)] = atomic_xchg(cell, 1.25f * get_global_id(0)); }",
      "k", Range(kGroup, kGroup), {buffer(cell), buffer(olds)});
  std::vector<float> expected{0.5F};
  for (std::size_t i = 0; i < kGroup; ++i) expected.push_back(1.25F * static_cast<float>(i));
  olds.push_back(cell[0]);
  std::sort(olds.begin(), olds.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(olds, expected);
}

}  // namespace
}  // namespace lanewise::test
