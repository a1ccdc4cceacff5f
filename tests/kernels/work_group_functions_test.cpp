// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Collective functions of work-groups against a reference that takes the work-items of a group one by one: every type
/// and operation, groups of one and of sizes that are no multiple of a vector, smaller last groups, loops, branches.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "tests/kernels/groups.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

std::vector<Range> ranges() {
  return {Range(3, 1),
          Range(15, 5),
          Range(64, 16, 7),
          Range(150, 64),  // the last group is smaller
          Range(75, 75),
          Range(2, {40, 6, 1}, {20, 3, 1}),
          Range(2, {50, 7, 1}, {16, 3, 1}),
          Range(3, {7, 10, 6}, {3, 5, 4}, {2, 0, 1})};
}

Ints random_ints(std::size_t n, int limit) {
  Ints v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(random_number(i) >> 33U) % limit;
  return v;
}

/// Whole numbers whose sums are exact in float and half; for a product mostly of magnitude one.
template <class T>
std::vector<T> values(std::size_t n, const std::string& op) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_number(i);
    if constexpr (std::is_integral_v<T>)
      v[i] = static_cast<T>(op == "and" ? r | r << 7U | r >> 9U : op == "mul" ? r | 1U : r);
    else if (op == "mul")
      v[i] = r % 16 == 0 ? T{2} : r % 3 == 0 ? T{-1} : T{1};
    else
      v[i] = static_cast<T>(r % 41) - T{17};
  }
  return v;
}

/// All functions of one operation in one kernel, which computes in `type`; C++ represents its values as T.
template <class T>
void check_operation(const std::string& type, const std::string& memory, const Operation<T>& op, const Range& r) {
  const std::string source =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global const M* in, global M* out, uint n) {\n"
      "  const size_t i = get_global_linear_id();\n"
      "  const T v = (T)in[i];\n"
      "  out[i] = (M)work_group_reduce_" +
      op.name +
      "(v);\n"
      "  const T before = work_group_scan_exclusive_" +
      op.name +
      "(v);\n"
      "  out[i + n] = (M)work_group_scan_inclusive_" +
      op.name +
      "(v);\n"
      "  out[i + 2 * n] = (M)before;\n"
      "}\n";
  const std::size_t n = items(r);
  std::vector<T> in = values<T>(n, op.name);
  std::vector<T> out(3 * n, T{0});
  std::vector<T> expected(out);
  for (const Group& g : groups_of(r)) {
    T sum = op.identity;
    for (const std::size_t i : g.members) {
      expected[i + 2 * n] = sum;
      sum = op.combine(sum, in[i]);
      expected[i + n] = sum;
    }
    for (const std::size_t i : g.members) expected[i] = sum;
  }
  run(source, "k", r, {buffer(in), buffer(out), value(static_cast<std::uint32_t>(n))},
      "-cl-std=CL3.0 -DT=" + type + " -DM=" + memory);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], expected[i]) << type << " " << op.name << ", local " << r.local[0] << "x" << r.local[1] << "x"
                                   << r.local[2] << ", result " << i / n << " of work-item " << i % n;
}

template <class T>
void check_type(const std::string& type, const std::string& memory = "") {
  for (const Operation<T>& op : operations<T>())
    for (std::size_t i = 0; i < ranges().size(); ++i) {
      // Each takes a second to compile there; the others use the same code.
      if (compares_widths() && i % 4 != 3) continue;
      check_operation(type, memory.empty() ? type : memory, op, ranges()[i]);
    }
}

TEST(WorkGroupFunctions, Int) {
  check_type<std::int32_t>("int");
}
TEST(WorkGroupFunctions, Uint) {
  check_type<std::uint32_t>("uint");
}
TEST(WorkGroupFunctions, Long) {
  check_type<std::int64_t>("long");
}
TEST(WorkGroupFunctions, Ulong) {
  check_type<std::uint64_t>("ulong");
}
TEST(WorkGroupFunctions, Float) {
  check_type<float>("float");
}
TEST(WorkGroupFunctions, Double) {
  check_type<double>("double");
}
TEST(WorkGroupFunctions, Half) {
  check_type<float>("half", "float");
}

TEST(WorkGroupFunctions, Predicates) {
  const std::string source = R"(
    kernel void k(global const int* in, global int* out, uint n) {
      const size_t i = get_global_linear_id();
      const int p = in[i];
      out[i] = work_group_all(p) != 0;
      out[i + n] = work_group_any(p) != 0;
      out[i + 2 * n] = work_group_reduce_logical_and(p) != 0;
      out[i + 3 * n] = work_group_reduce_logical_or(p) != 0;
      out[i + 4 * n] = work_group_reduce_logical_xor(p) != 0;
      out[i + 5 * n] = work_group_scan_inclusive_logical_and(p) != 0;
      out[i + 6 * n] = work_group_scan_exclusive_logical_and(p) != 0;
      out[i + 7 * n] = work_group_scan_inclusive_logical_or(p) != 0;
      out[i + 8 * n] = work_group_scan_exclusive_logical_or(p) != 0;
      out[i + 9 * n] = work_group_scan_inclusive_logical_xor(p) != 0;
      out[i + 10 * n] = work_group_scan_exclusive_logical_xor(p) != 0;
    })";
  for (const Range& r : ranges())
    for (const std::uint64_t rare : {0U, 1U, 2U, 30U}) {  // of which value there is one in so many, else the other
      for (const bool rare_one : {false, true}) {
        const std::size_t n = items(r);
        Ints in(n);
        Ints out(11 * n, -1);
        Ints expected(out);
        for (std::size_t i = 0; i < n; ++i)
          in[i] = (rare != 0 && random_number(i) % rare == 0) == rare_one ? 0x100 << i % 5 : 0;
        for (const Group& g : groups_of(r)) {
          bool all = true, any = false, odd = false;
          for (const std::size_t i : g.members) {
            const bool p = in[i] != 0;
            expected[i + 6 * n] = all ? 1 : 0;
            expected[i + 8 * n] = any ? 1 : 0;
            expected[i + 10 * n] = odd ? 1 : 0;
            all = all && p, any = any || p, odd = odd != p;
            expected[i + 5 * n] = all ? 1 : 0;
            expected[i + 7 * n] = any ? 1 : 0;
            expected[i + 9 * n] = odd ? 1 : 0;
          }
          for (const std::size_t i : g.members) {
            expected[i] = expected[i + 2 * n] = all ? 1 : 0;
            expected[i + n] = expected[i + 3 * n] = any ? 1 : 0;
            expected[i + 4 * n] = odd ? 1 : 0;
          }
        }
        run(source, "k", r, {buffer(in), buffer(out), value(static_cast<std::uint32_t>(n))});
        ASSERT_EQ(out, expected) << "local " << r.local[0] << "x" << r.local[1] << ", one of " << rare;
      }
    }
}

/// Indices that are constants, arguments, computed, and read from memory, where the compiler cannot see that they are
/// uniform.
template <class T>
void check_broadcast(const std::string& type, const std::string& memory, const Range& r) {
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const M* in, global M* out, global const uint* where, uint n) {
      const size_t i = get_global_linear_id();
      const T v = (T)in[i];
      const size_t x = get_local_size(0) - 1, y = get_local_size(1) - 1, z = get_local_size(2) - 1;
      if (get_work_dim() == 1) {
        out[i] = (M)work_group_broadcast(v, 0);
        out[i + n] = (M)work_group_broadcast(v, x);
        out[i + 2 * n] = (M)work_group_broadcast(v, where[0]);
      } else if (get_work_dim() == 2) {
        out[i] = (M)work_group_broadcast(v, 0, 0);
        out[i + n] = (M)work_group_broadcast(v, x, y);
        out[i + 2 * n] = (M)work_group_broadcast(v, where[0], where[1]);
      } else {
        out[i] = (M)work_group_broadcast(v, 0, 0, 0);
        out[i + n] = (M)work_group_broadcast(v, x, y, z);
        out[i + 2 * n] = (M)work_group_broadcast(v, where[0], where[1], where[2]);
      }
    })";
  const std::size_t n = items(r);
  std::vector<T> in = values<T>(n, "");
  std::vector<T> out(3 * n, T{0});
  std::vector<T> expected(out);
  const std::vector<Group> groups = groups_of(r);
  std::vector<std::uint32_t> where(3);
  for (unsigned d = 0; d < 3; ++d) {
    std::size_t smallest = r.local[d];
    for (const Group& g : groups) smallest = std::min(smallest, g.local[d]);
    where[d] = static_cast<std::uint32_t>(smallest / 2);
  }
  for (const Group& g : groups)
    for (const std::size_t i : g.members) {
      expected[i] = in[g.at(0)];
      expected[i + n] = in[g.members.back()];
      expected[i + 2 * n] = in[g.at(where[0], where[1], where[2])];
    }
  run(source, "k", r, {buffer(in), buffer(out), buffer(where), value(static_cast<std::uint32_t>(n))},
      "-cl-std=CL3.0 -DT=" + type + " -DM=" + memory);
  ASSERT_EQ(out, expected) << type << ", local " << r.local[0] << "x" << r.local[1] << "x" << r.local[2];
}

TEST(WorkGroupFunctions, Broadcast) {
  for (const Range& r : ranges()) {
    check_broadcast<std::int32_t>("int", "int", r);
    check_broadcast<std::uint32_t>("uint", "uint", r);
    check_broadcast<std::int64_t>("long", "long", r);
    check_broadcast<std::uint64_t>("ulong", "ulong", r);
    check_broadcast<float>("float", "float", r);
    check_broadcast<double>("double", "double", r);
    check_broadcast<float>("half", "float", r);
  }
}

/// The trip count is uniform in a group but read from memory; results are used in the next iteration.
TEST(WorkGroupFunctions, LoopWithTripCountPerGroup) {
  const std::string source = R"(
    int step(int v, int k) { return work_group_scan_inclusive_add(v & 15) + work_group_reduce_max(v % 100) - k; }
    kernel void k(global int* x, global const int* turns, global int* last) {
      const size_t i = get_global_id(0);
      int v = x[i], sum = -1;
      const int n = turns[get_group_id(0)];
      for (int k = 0; k < n; ++k) {
        v = step(v, k);
        sum = work_group_reduce_add(v);
        if (k & 1) v ^= sum;
      }
      x[i] = v;
      last[i] = sum;
    })";
  for (const std::size_t local : {1U, 7U, 32U, 45U}) {
    Ints x = random_ints(4 * local - local / 2, 10000);
    Ints turns = {3, 0, 5, 2};
    Ints last(x.size(), 0), expected(x), expected_last(x.size(), -1);
    for (std::size_t g = 0; g < 4; ++g) {
      const auto begin = expected.begin() + static_cast<long>(g * local);
      const auto end = g == 3 ? expected.end() : begin + static_cast<long>(local);
      for (int k = 0; k < turns[g]; ++k) {
        int most = std::numeric_limits<int>::min(), prefix = 0, sum = 0;
        for (auto v = begin; v != end; ++v) most = std::max(most, *v % 100);
        for (auto v = begin; v != end; ++v) {
          prefix += *v & 15;
          *v = prefix + most - k;
          sum += *v;
        }
        for (auto v = begin; v != end; ++v) {
          if ((k & 1) != 0) *v ^= sum;
          expected_last[static_cast<std::size_t>(v - expected.begin())] = sum;
        }
      }
    }
    run(source, "k", Range(x.size(), local), {buffer(x), buffer(turns), buffer(last)});
    EXPECT_EQ(x, expected) << local;
    EXPECT_EQ(last, expected_last) << local;
  }
}

/// The group decides together how often the loop runs, and whether the kernel ends early.
TEST(WorkGroupFunctions, ResultsDecideWhereTheGroupGoes) {
  const std::string source = R"(
    kernel void k(global int* x, global int* turns) {
      const size_t i = get_global_id(0);
      int v = x[i], n = 0;
      if (work_group_all(v < 50)) {
        x[i] = -v;
        return;
      }
      while (work_group_any(v > 100)) {
        v = v > 100 ? v / 3 : v + 1;
        ++n;
      }
      if (work_group_reduce_min(v) & 1)
        v = work_group_scan_exclusive_max(v);
      else
        v -= work_group_broadcast(v, 0);
      x[i] = v;
      turns[i] = n;
    })";
  constexpr std::size_t kLocal = 23, kGroups = 6;
  Ints x = random_ints(kGroups * kLocal, 700);
  for (std::size_t g = 0; g < kGroups; g += 3)
    for (std::size_t l = 0; l < kLocal; ++l) x[g * kLocal + l] %= 50;
  for (std::size_t l = 0; l < kLocal; ++l) x[kLocal + l] |= 1, x[2 * kLocal + l] = 2 + 6 * static_cast<int>(l % 9);
  Ints turns(x.size(), -1), expected(x), expected_turns(turns);
  for (std::size_t g = 0; g < kGroups; ++g) {
    int* const v = &expected[g * kLocal];
    int* const end = v + kLocal;
    if (std::all_of(v, end, [](int a) { return a < 50; })) {
      for (int* a = v; a != end; ++a) *a = -*a;
      continue;
    }
    int n = 0;
    for (; std::any_of(v, end, [](int a) { return a > 100; }); ++n)
      for (int* a = v; a != end; ++a) *a = *a > 100 ? *a / 3 : *a + 1;
    const bool odd = (*std::min_element(v, end) & 1) != 0;
    const int first = v[0];
    int most = std::numeric_limits<int>::min();
    for (int* a = v; a != end; ++a) {
      const int before = std::exchange(most, std::max(most, *a));
      *a = odd ? before : *a - first;
    }
    std::fill_n(&expected_turns[g * kLocal], kLocal, n);
  }
  run(source, "k", Range(x.size(), kLocal), {buffer(x), buffer(turns)});
  EXPECT_EQ(x, expected);
  EXPECT_EQ(turns, expected_turns);
}

/// Together with barriers, local memory and private arrays: elements that are kept move to the front of a group's part.
TEST(WorkGroupFunctions, Compaction) {
  const std::string source = R"(
    kernel void k(global const int* in, global int* out, global int* counts, local int* kept) {
      const size_t l = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * get_enqueued_local_size(0);
      int own[3], n = 0;
      for (int j = 0; j < 3; ++j) {
        const int v = in[3 * (first + l) + j];
        if (v % 3 != 0) own[n++] = v;
      }
      const int begin = work_group_scan_exclusive_add(n);
      const int count = work_group_reduce_add(n);
      work_group_reduce_add(begin);  // nobody wants to know
      for (int j = 0; j < n; ++j) kept[begin + j] = own[j];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int j = l; j < count; j += size) out[3 * first + j] = kept[count - 1 - j];
      if (l == size - 1) counts[get_group_id(0)] = count;
    })";
  for (const std::size_t local : {1U, 16U, 50U}) {
    constexpr std::size_t kItems = 130;
    Ints in = random_ints(3 * kItems, 1000);
    Ints out(3 * kItems, -1), expected(out), counts((kItems + local - 1) / local, -1), expected_counts;
    for (std::size_t first = 0; first < kItems; first += local) {
      Ints kept;
      for (std::size_t i = 3 * first; i < 3 * std::min(first + local, kItems); ++i)
        if (in[i] % 3 != 0) kept.push_back(in[i]);
      std::reverse_copy(kept.begin(), kept.end(), expected.begin() + static_cast<long>(3 * first));
      expected_counts.push_back(static_cast<int>(kept.size()));
    }
    run(source, "k", Range(kItems, local),
        {buffer(in), buffer(out), buffer(counts), test::local(3 * local * sizeof(int))});
    EXPECT_EQ(out, expected) << local;
    EXPECT_EQ(counts, expected_counts) << local;
  }
}

/// In kernels with sub-groups, whose loops have another form.
TEST(WorkGroupFunctions, BesideSubGroups) {
  const std::string source = R"(
    __attribute__((intel_reqd_sub_group_size(8))) kernel void k(global const int* in, global int* out, uint n) {
      const size_t i = get_global_linear_id();
      const int first = sub_group_broadcast(in[i], 0);
      out[i] = work_group_scan_inclusive_add(first);
      out[i + n] = sub_group_reduce_max(work_group_scan_exclusive_add(in[i]));
      out[i + 2 * n] = work_group_reduce_min(first + (int)get_sub_group_local_id());
    })";
  for (const Range& r : ranges()) {
    const std::size_t n = items(r);
    Ints in = random_ints(n, 5000);
    Ints out(3 * n, -1), expected(out);
    for (const Group& g : groups_of(r)) {
      int of_first = 0, sum = 0, least = std::numeric_limits<int>::max();
      for (std::size_t l = 0; l < g.members.size(); ++l) {
        const int first = in[g.members[l / 8 * 8]];
        expected[g.members[l]] = of_first += first;
        least = std::min(least, first + static_cast<int>(l % 8));
        // The largest sum in a sub-group is that of its last work-item.
        for (std::size_t m = l / 8 * 8; m <= l; ++m) expected[g.members[m] + n] = sum;
        sum += in[g.members[l]];
      }
      for (const std::size_t i : g.members) expected[i + 2 * n] = least;
    }
    run(source, "k", r, {buffer(in), buffer(out), value(static_cast<std::uint32_t>(n))});
    EXPECT_EQ(out, expected) << r.local[0] << "x" << r.local[1];
  }
}

/// What is known of the whole group lives across the barriers that other functions are. It is stored by each work-item, in
/// a loop that must have vectors for there to be sub-groups.
TEST(WorkGroupFunctions, TruthValuesBesideSubGroups) {
  const std::string source = R"(
    __attribute__((intel_reqd_sub_group_size(8))) kernel void k(global const int* in, global int* out, int limit) {
      const size_t i = get_global_id(0);
      const bool some = work_group_any(in[i] > limit) != 0;
      const bool all = work_group_reduce_logical_and(in[i] > limit) != 0;
      const int before = work_group_scan_exclusive_logical_or(some);
      out[i] = some + 2 * all + 4 * before + 8 * (get_sub_group_local_id() == i % 8);
    })";
  constexpr std::size_t kItems = 96, kLocal = 24;
  std::vector<int> in(kItems), out(kItems);
  for (std::size_t i = 0; i < kItems; ++i) in[i] = i < kLocal ? 1 : i < 2 * kLocal ? 100 : static_cast<int>(i % 20);
  run(source, "k", Range(kItems, kLocal), {buffer(in), buffer(out), value(std::uint32_t{10})});
  for (std::size_t i = 0; i < kItems; ++i) {
    const int some = i < kLocal ? 0 : 1, all = i / kLocal == 1 ? 1 : 0;
    EXPECT_EQ(out[i], some + 2 * all + 4 * (i % kLocal != 0 ? some : 0) + 8) << i;
  }
}

/// Two branches on one condition with a broadcast between them: whoever makes one branch of them must not give each side
/// a broadcast of its own.
TEST(WorkGroupFunctions, BetweenBranchesOfOneCondition) {
  const std::string source = R"(
    kernel void k(global const int* in, global int* out, local int* all) {
      const size_t l = get_local_id(0), n = get_local_size(0);
      all[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      int v = all[0];
      if (l == 0)
        for (uint j = 1; j < n; ++j) v = max(v, all[j]);
      const int most = work_group_broadcast(v, 0);
      if (l == 0) out[get_group_id(0)] = most;
    })";
  constexpr std::size_t kItems = 320, kLocal = 32;
  const Ints in = random_ints(kItems, 1 << 20);
  Ints given = in, out(kItems / kLocal, -1), expected;
  for (auto first = in.begin(); first != in.end(); first += kLocal)
    expected.push_back(*std::max_element(first, first + kLocal));
  run(source, "k", Range(kItems, kLocal), {buffer(given), buffer(out), local(kLocal * sizeof(int))});
  EXPECT_EQ(out, expected);
}

/// Sums of floats depend on their order, which must not depend on how the kernel was compiled.
TEST(WorkGroupFunctions, RoundedSums) {
  const std::string source = R"(
    kernel void k(global const float* in, global float* out, uint n) {
      const size_t i = get_global_id(0);
      out[i] = work_group_reduce_add(in[i]);
      out[i + n] = work_group_scan_inclusive_add(in[i]);
      out[i + 2 * n] = work_group_scan_inclusive_mul(1.0f + in[i] * 0.01f);
    })";
  constexpr std::size_t kItems = 500, kLocal = 230;
  std::vector<float> in(kItems), out(3 * kItems, 0.0F);
  for (std::size_t i = 0; i < kItems; ++i) in[i] = static_cast<float>(random_number(i) >> 40U) * 0x1p-24F;
  run(source, "k", Range(kItems, kLocal), {buffer(in), buffer(out), value(static_cast<std::uint32_t>(kItems))});
  for (std::size_t first = 0; first < kItems; first += kLocal) {
    double sum = 0, product = 1;
    for (std::size_t i = first; i < std::min(first + kLocal, kItems); ++i) {
      sum += static_cast<double>(in[i]);
      product *= 1 + 0.01 * static_cast<double>(in[i]);
      EXPECT_NEAR(out[i + kItems], sum, 1e-5 * sum);
      EXPECT_NEAR(out[i + 2 * kItems], product, 1e-5 * product);
    }
    EXPECT_NEAR(out[first], sum, 1e-5 * sum);
  }
}

}  // namespace
}  // namespace lanewise::test
