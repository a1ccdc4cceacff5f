// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations of sub-groups against a reference that knows nothing of vectors: every scalar type, every size, partial
/// last sub-groups, rows that are no multiple of the size, divergence.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tests/kernels/groups.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

std::string extensions() {
  std::string text;
  for (const char* name : {"extended_types", "non_uniform_vote", "ballot", "non_uniform_arithmetic", "shuffle",
                           "shuffle_relative", "clustered_reduce", "rotate"})
    text += std::string("#pragma OPENCL EXTENSION cl_khr_subgroup_") + name + " : enable\n";
  return text;
}

/// `kernel` with the size that it requires; 0: the compiler's choice.
std::string kernel(unsigned size) {
  return size == 0 ? "kernel" : "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) kernel";
}

std::vector<Range> ranges() {
  return {Range(192, 96),
          Range(150, 75),
          Range(70, 35, 9),
          Range(5, 5),
          Range(2, {40, 6, 1}, {20, 3, 1}),
          Range(3, {6, 10, 6}, {3, 5, 3}, {2, 0, 1}),
          Range(2, {32, 7, 1}, {16, 3, 1})};  // the last row of groups is smaller
}

/// The work-items of one sub-group, as global linear ids, in order.
using Members = std::vector<std::size_t>;

std::vector<Members> sub_groups(const Range& r, unsigned size) {
  std::vector<Members> all;
  for (const Group& g : groups_of(r))
    for (auto first = g.members.begin(); first != g.members.end();) {
      const auto count = std::min<std::ptrdiff_t>(size, g.members.end() - first);
      all.emplace_back(first, first + count);
      first += count;
    }
  return all;
}

std::uint32_t random_word(std::size_t i) {
  return static_cast<std::uint32_t>(random_number(i) >> 32U);
}

/// Small whole numbers: sums of floats are exact in any order.
template <class T>
std::vector<T> values(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t r = random_word(i);
    v[i] = std::is_integral_v<T> ? static_cast<T>(r ^ (std::uint64_t{r} << 29U)) : static_cast<T>(r % 41) - T{17};
  }
  return v;
}

template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  constexpr const char* kNames[4][2] = {{"uchar", "char"}, {"ushort", "short"}, {"uint", "int"}, {"ulong", "long"}};
  constexpr unsigned kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return kNames[kLog][std::is_signed_v<T> ? 1 : 0];
}

/// Whether a work-item takes the first of the two paths where the kernel diverges.
bool is_odd(std::size_t i) {
  return random_word(i) % 3 == 1;
}

template <class T>
class SubGroupOps : public ::testing::Test {
 protected:
  static constexpr unsigned kResults = 11;

  static std::string source(unsigned size, const std::string& o) {
    const std::string t = type_name<T>();
    return extensions() + kernel(size) + " void k(global const " + t + "* in, global " + t +
           "* out, global const uint* odd, global uint* size, uint n) {\n"
           "const size_t i = get_global_linear_id();\n"
           "if (i == 0) *size = get_max_sub_group_size();\n"
           "const " +
           t +
           " v = in[i];\n"
           "out[i] = sub_group_reduce_" +
           o +
           "(v);\n"
           "out[i + n] = sub_group_scan_inclusive_" +
           o +
           "(v);\n"
           "out[i + 2 * n] = sub_group_scan_exclusive_" +
           o +
           "(v);\n"
           "out[i + 3 * n] = sub_group_clustered_reduce_" +
           o +
           "(v, 2);\n"
           "out[i + 4 * n] = sub_group_clustered_reduce_" +
           o +
           "(v, 4);\n"
           "if (odd[i]) {\n"
           "  out[i + 5 * n] = sub_group_non_uniform_reduce_" +
           o +
           "(v);\n"
           "  out[i + 6 * n] = sub_group_non_uniform_scan_inclusive_" +
           o +
           "(v);\n"
           "} else {\n"
           "  out[i + 5 * n] = sub_group_non_uniform_scan_exclusive_" +
           o +
           "(v);\n"
           "  out[i + 6 * n] = sub_group_clustered_reduce_" +
           o +
           "(v, 4);\n"
           "}\n"
           "for (uint k = 0; k < 3 + odd[i] * 2; ++k)\n"
           "  out[i + (7 + (k & 3)) * n] = sub_group_non_uniform_reduce_" +
           o + "((" + t +
           ")(v + k));\n"
           "}\n";
  }

  /// `who` of a sub-group's members, combined from the identity.
  static T combined(const Operation<T>& op, const Members& who, const std::vector<T>& in, T plus = T{0}) {
    T sum = op.identity;
    for (const std::size_t i : who) sum = op.combine(sum, sum_of(in[i], plus));
    return sum;
  }

  static std::vector<T> expected(const Operation<T>& op, const Range& r, unsigned size, const std::vector<T>& in) {
    const std::size_t n = in.size();
    std::vector<T> out(kResults * n, T{0});
    for (const Members& members : sub_groups(r, size))
      for (std::size_t l = 0; l < members.size(); ++l) {
        const std::size_t i = members[l];
        const auto some = [&](auto chosen) {
          Members who;
          for (std::size_t m = 0; m < members.size(); ++m)
            if (chosen(m, members[m])) who.push_back(members[m]);
          return who;
        };
        const auto up_to = [&](bool itself, auto chosen) {
          return some([&](std::size_t m, std::size_t id) { return (m < l || (itself && m == l)) && chosen(id); });
        };
        const auto cluster = [&](std::size_t c, auto chosen) {
          return some([&](std::size_t m, std::size_t id) { return m / c == l / c && chosen(id); });
        };
        const auto all = [](std::size_t) { return true; };
        const auto alike = [&](std::size_t id) { return is_odd(id) == is_odd(i); };
        out[i] = combined(op, members, in);
        out[i + n] = combined(op, up_to(true, all), in);
        out[i + 2 * n] = combined(op, up_to(false, all), in);
        out[i + 3 * n] = combined(op, cluster(2, all), in);
        out[i + 4 * n] = combined(op, cluster(4, all), in);
        const Members same = some([&](std::size_t, std::size_t id) { return alike(id); });
        out[i + 5 * n] = is_odd(i) ? combined(op, same, in) : combined(op, up_to(false, alike), in);
        out[i + 6 * n] = is_odd(i) ? combined(op, up_to(true, alike), in) : combined(op, cluster(4, alike), in);
        for (unsigned k = 0; k < (is_odd(i) ? 5U : 3U); ++k) {
          const Members live = some([&](std::size_t, std::size_t id) { return k < 3 || is_odd(id); });
          out[i + (7 + (k & 3U)) * n] = combined(op, live, in, static_cast<T>(k));
        }
      }
    return out;
  }

  void check(unsigned size) {
    for (const Operation<T>& op : core_operations<T>())
      for (const Range& r : ranges()) {
        const std::size_t n = items(r);
        std::vector<T> in = values<T>(n);
        std::vector<T> out(kResults * n, T{0});
        Words odd(n);
        for (std::size_t i = 0; i < n; ++i) odd[i] = is_odd(i) ? 1 : 0;
        Words used{0};
        run(source(size, op.name), "k", r,
            {buffer(in), buffer(out), buffer(odd), buffer(used), value(static_cast<std::uint32_t>(n))});
        if (size != 0) {
          ASSERT_EQ(used[0], size);
        }
        ASSERT_GT(used[0], 0U);
        const std::vector<T> right = expected(op, r, used[0], in);
        for (std::size_t k = 0; k < out.size(); ++k)
          ASSERT_EQ(out[k], right[k]) << type_name<T>() << " " << op.name << ", size " << used[0] << ", local "
                                      << r.local[0] << "x" << r.local[1] << "x" << r.local[2] << ", result " << k / n
                                      << " of work-item " << k % n;
      }
  }
};

using Types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                               std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(SubGroupOps, Types);

TYPED_TEST(SubGroupOps, CombineAtChosenSize) {
  if (compares_widths()) GTEST_SKIP() << "the size follows the width";
  this->check(0);
}
TYPED_TEST(SubGroupOps, CombineAtRequiredSizes) {
  // Each costs a second or two of compiling there.
  const std::vector<unsigned> sizes = {8, 32, 4, 16, 64};
  for (std::size_t i = 0; i < (compares_widths() ? 2 : sizes.size()); ++i) this->check(sizes[i]);
}

/// Values that move between work-items, as bits; votes and ballots.
class SubGroups : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (GetParam() == 0 && compares_widths()) GTEST_SKIP() << "the size follows the width";
  }

  static std::string moves(unsigned size, const std::string& t) {
    return extensions() + kernel(size) + " void k(global const " + t + "* in, global " + t +
           "* out, global const uint* pick, global uint* size, uint n) {\n"
           "const size_t i = get_global_linear_id();\n"
           "const uint l = get_sub_group_local_id(), s = get_sub_group_size();\n"
           "if (i == 0) *size = get_max_sub_group_size();\n"
           "const " +
           t +
           " v = in[i];\n"
           "out[i] = sub_group_broadcast(v, s - 1);\n"
           "out[i + n] = sub_group_shuffle(v, pick[i] % s);\n"
           "out[i + 2 * n] = (l ^ 1) < s ? sub_group_shuffle_xor(v, 1) : v;\n"
           "out[i + 3 * n] = l >= 3 ? sub_group_shuffle_up(v, 3) : v;\n"
           "out[i + 4 * n] = l + 2 < s ? sub_group_shuffle_down(v, 2) : v;\n"
           "out[i + 5 * n] = s == get_max_sub_group_size() ? sub_group_rotate(v, 5) : v;\n"
           "out[i + 6 * n] = s % 4 == 0 ? sub_group_clustered_rotate(v, 3, 4) : v;\n"
           "if (pick[i] & 1) out[i + 7 * n] = sub_group_broadcast_first(v);\n"
           "else out[i + 7 * n] = sub_group_non_uniform_broadcast(v, l);\n"
           "}\n";
  }

  template <class T>
  void check_moves(const std::string& t) {
    for (const Range& r : ranges()) {
      const std::size_t n = items(r);
      std::vector<T> in = values<T>(n);
      std::vector<T> out(8 * n, T{0});
      Words pick(n);
      for (std::size_t i = 0; i < n; ++i) pick[i] = random_word(i + 1000);
      Words used{0};
      run(moves(GetParam(), t), "k", r,
          {buffer(in), buffer(out), buffer(pick), buffer(used), value(static_cast<std::uint32_t>(n))});
      for (const Members& m : sub_groups(r, used[0]))
        for (std::size_t l = 0; l < m.size(); ++l) {
          const std::size_t i = m[l];
          const std::size_t s = m.size();
          EXPECT_EQ(out[i], in[m[s - 1]]) << t;
          EXPECT_EQ(out[i + n], in[m[pick[i] % s]]) << t;
          EXPECT_EQ(out[i + 2 * n], in[m[(l ^ 1U) < s ? l ^ 1U : l]]) << t;
          EXPECT_EQ(out[i + 3 * n], in[m[l >= 3 ? l - 3 : l]]) << t;
          EXPECT_EQ(out[i + 4 * n], in[m[l + 2 < s ? l + 2 : l]]) << t;
          EXPECT_EQ(out[i + 5 * n], in[m[s == used[0] ? (l + 5) % s : l]]) << t;
          EXPECT_EQ(out[i + 6 * n], in[m[s % 4 == 0 ? l / 4 * 4 + (l + 3) % 4 : l]]) << t;
          if ((pick[i] & 1U) == 0) continue;  // an index that differs between work-items has no defined result
          const auto first = std::find_if(m.begin(), m.end(), [&](std::size_t id) { return (pick[id] & 1U) != 0; });
          EXPECT_EQ(out[i + 7 * n], in[*first]) << t;
          if (HasFailure()) FAIL() << "work-item " << i << ", size " << used[0];
        }
    }
  }
};

TEST_P(SubGroups, Move) {
  check_moves<std::uint8_t>("uchar");
  check_moves<std::int16_t>("short");
  check_moves<std::int32_t>("int");
  check_moves<std::uint64_t>("ulong");
  check_moves<float>("float");
  check_moves<double>("double");
}

TEST_P(SubGroups, BroadcastVectors) {
  const std::string source = extensions() + kernel(GetParam()) + R"( void k(global const short* in, global short* out,
        global float* floats) {
      const size_t i = get_global_linear_id();
      const uint last = get_sub_group_size() - 1;
      vstore3(sub_group_broadcast(vload3(i, in), last), i, out);
      const float16 f = convert_float16((ushort16)(i)) + (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      vstore16(sub_group_broadcast(f, last), i, floats);
    })";
  const Range r(40, 40);
  std::vector<std::int16_t> in = values<std::int16_t>(120);
  std::vector<std::int16_t> out(120, 0);
  std::vector<float> floats(640, 0);
  run(source, "k", r, {buffer(in), buffer(out), buffer(floats)});
  // The size is known from the last work-item from which the first one got its value.
  const auto size = static_cast<unsigned>(floats[0]) + 1;
  if (GetParam() != 0 && GetParam() < 40) {
    EXPECT_EQ(size, GetParam());
  }
  for (const Members& m : sub_groups(r, size))
    for (const std::size_t i : m)
      for (std::size_t c = 0; c < 16; ++c) {
        if (c < 3) {
          EXPECT_EQ(out[3 * i + c], in[3 * m.back() + c]);
        }
        EXPECT_EQ(floats[16 * i + c], static_cast<float>(m.back() + c));
      }
}

TEST_P(SubGroups, Queries) {
  const std::string source = kernel(GetParam()) + R"( void k(global uint* out) {
      const size_t i = 8 * get_global_linear_id();
      out[i] = get_sub_group_id();
      out[i + 1] = get_sub_group_local_id();
      out[i + 2] = get_sub_group_size();
      out[i + 3] = get_max_sub_group_size();
      out[i + 4] = get_num_sub_groups();
      out[i + 5] = get_enqueued_num_sub_groups();
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      barrier(CLK_LOCAL_MEM_FENCE);
      sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
      out[i + 6] = get_sub_group_id();
      out[i + 7] = get_sub_group_local_id();
    })";
  for (const Range& r : ranges()) {
    Words out(8 * items(r), 0);
    run(source, "k", r, {buffer(out)});
    const unsigned size = out[3];
    if (GetParam() != 0) {
      ASSERT_EQ(size, GetParam());
    }
    std::size_t group = ~std::size_t{0};
    std::uint32_t number = 0;
    for (const Members& m : sub_groups(r, size)) {
      std::size_t place[3] = {m[0] % r.global[0], m[0] / r.global[0] % r.global[1], m[0] / r.global[0] / r.global[1]};
      std::size_t full = 1;
      std::size_t own = 1;
      std::size_t this_group = 0;
      for (unsigned d = 3; d-- > 0;) {
        const std::size_t g = place[d] / r.local[d];
        this_group = this_group * 1000 + g;
        full *= r.local[d];
        own *= std::min(r.local[d], r.global[d] - g * r.local[d]);
      }
      number = this_group == group ? number + 1 : 0;
      group = this_group;
      for (std::uint32_t l = 0; l < m.size(); ++l) {
        const std::uint32_t* o = &out[8 * m[l]];
        const auto count = [&](std::size_t n) { return static_cast<std::uint32_t>((n + size - 1) / size); };
        const Words expected = {number, l, static_cast<std::uint32_t>(m.size()), size, count(own), count(full),
                                number, l};
        ASSERT_EQ(Words(o, o + 8), expected) << "work-item " << m[l] << ", local size " << r.local[0];
      }
    }
  }
}

std::uint64_t bits_below(std::uint64_t n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

TEST_P(SubGroups, VotesAndBallots) {
  const std::string source = extensions() + kernel(GetParam()) + R"( void k(global const uint* p, global uint* out) {
      const size_t i = 24 * get_global_linear_id();
      const uint v = p[get_global_linear_id()];
      global uint* o = out + i;
      o[0] = get_max_sub_group_size();
      const uint4 b = sub_group_ballot(v & 1);
      o[1] = b.x; o[2] = b.y; o[3] = b.z | b.w;
      o[4] = sub_group_all(v & 3) != 0;
      o[5] = sub_group_any(v & 64) != 0;
      o[6] = sub_group_inverse_ballot(b) != 0;
      o[7] = sub_group_ballot_bit_extract(b, v % get_sub_group_size()) != 0;
      o[8] = sub_group_ballot_bit_count((uint4)(~0u));
      o[9] = sub_group_ballot_inclusive_scan(b);
      o[10] = sub_group_ballot_exclusive_scan(b);
      if (b.x | b.y) { o[11] = sub_group_ballot_find_lsb(b); o[12] = sub_group_ballot_find_msb(b); }
      const uint4 ge = get_sub_group_ge_mask(), gt = get_sub_group_gt_mask(), le = get_sub_group_le_mask();
      const uint4 lt = get_sub_group_lt_mask(), eq = get_sub_group_eq_mask();
      o[13] = ge.x ^ gt.x ^ eq.x; o[14] = le.y ^ lt.y ^ eq.y;  // all zero
      o[15] = ge.x; o[16] = ge.y; o[17] = lt.x; o[18] = lt.y;
      if (v & 2) {
        o[19] = sub_group_elect() != 0;
        o[20] = sub_group_non_uniform_all(v & 5) != 0;
        o[21] = sub_group_non_uniform_any(v & 8) != 0;
        o[22] = sub_group_non_uniform_all_equal(v & 2) != 0;
        o[23] = sub_group_non_uniform_scan_exclusive_logical_xor(v & 1) != 0;
      } else {
        o[19] = sub_group_non_uniform_reduce_logical_and(v & 5) != 0;
        o[20] = sub_group_non_uniform_reduce_logical_or(v & 8) != 0;
        o[21] = sub_group_clustered_reduce_logical_xor(v & 1, 4) != 0;
        o[22] = sub_group_non_uniform_scan_inclusive_logical_or(v & 1) != 0;
        o[23] = sub_group_non_uniform_all_equal(v) != 0;
      }
    })";
  for (const Range& r : ranges()) {
    const std::size_t n = items(r);
    Words p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = random_word(i) % 23 == 0 ? 0 : random_word(i) | (i / 16 % 2);
    Words out(24 * n, 0);
    run(source, "k", r, {buffer(p), buffer(out)});
    const unsigned size = out[0];
    for (const Members& m : sub_groups(r, size)) {
      const auto ballot = [&](auto chosen) {
        std::uint64_t bits = 0;
        for (std::size_t l = 0; l < m.size(); ++l) bits |= std::uint64_t{chosen(p[m[l]]) ? 1U : 0U} << l;
        return bits;
      };
      const std::uint64_t b = ballot([](std::uint32_t v) { return (v & 1U) != 0; });
      const auto count = [](std::uint64_t bits) { return static_cast<std::uint32_t>(__builtin_popcountll(bits)); };
      for (std::size_t l = 0; l < m.size(); ++l) {
        const std::uint32_t v = p[m[l]];
        const bool high = (v & 2U) != 0;
        const std::uint64_t active = ballot([&](std::uint32_t w) { return ((w & 2U) != 0) == high; });
        const std::uint64_t five = ballot([](std::uint32_t w) { return (w & 5U) != 0; });
        const std::uint64_t eight = ballot([](std::uint32_t w) { return (w & 8U) != 0; });
        const std::uint64_t same = ballot([&](std::uint32_t w) { return w == v; });
        const std::uint64_t below = bits_below(l);
        const std::uint64_t ge = ~below & bits_below(size);
        const std::uint64_t cluster = std::uint64_t{15} << (l / 4 * 4);
        const bool every_five = (five & active) == active;
        const bool some_eight = (eight & active) != 0;
        Words e(24, 0);
        e[0] = size;
        e[1] = static_cast<std::uint32_t>(b);
        e[2] = static_cast<std::uint32_t>(b >> 32U);
        e[4] = ballot([](std::uint32_t w) { return (w & 3U) != 0; }) == bits_below(m.size());
        e[5] = ballot([](std::uint32_t w) { return (w & 64U) != 0; }) != 0;
        e[6] = b >> l & 1U;
        e[7] = b >> v % m.size() & 1U;
        e[8] = size;
        e[9] = count(b & bits_below(l + 1));
        e[10] = count(b & below);
        if (b != 0) {
          e[11] = static_cast<std::uint32_t>(__builtin_ctzll(b));
          e[12] = static_cast<std::uint32_t>(63 - __builtin_clzll(b));
        }
        e[15] = static_cast<std::uint32_t>(ge);
        e[16] = static_cast<std::uint32_t>(ge >> 32U);
        e[17] = static_cast<std::uint32_t>(below);
        e[18] = static_cast<std::uint32_t>(below >> 32U);
        if (high) {
          e[19] = (active & below) == 0;
          e[20] = every_five;
          e[21] = some_eight;
          e[22] = 1;
          e[23] = count(b & active & below) & 1U;
        } else {
          e[19] = every_five;
          e[20] = some_eight;
          e[21] = count(b & active & cluster) & 1U;
          e[22] = (b & active & bits_below(l + 1)) != 0;
          e[23] = (same & active) == active;
        }
        const std::uint32_t* o = &out[24 * m[l]];
        ASSERT_EQ(Words(o, o + 24), e) << "work-item " << m[l] << ", size " << size << ", local " << r.local[0];
      }
    }
  }
}

/// The lane of a work-item is the same before and after a barrier, in loops and where work-items returned before.
TEST_P(SubGroups, AcrossBarriers) {
  const std::string source = kernel(GetParam()) + R"( void k(global const uint* in, global uint* out) {
      local uint sums[64];
      const uint i = get_global_id(0);
      uint v = in[i];
      for (uint round = 0; round < 3; ++round) {
        const uint sum = sub_group_reduce_add(v);
        if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint all = 0;
        for (uint s = 0; s < get_num_sub_groups(); ++s) all += sums[s];
        barrier(CLK_LOCAL_MEM_FENCE);
        v = v * 3 + all + sub_group_scan_inclusive_add(v);
      }
      out[i] = v;
      out[i + get_global_size(0)] = get_max_sub_group_size();
    })";
  const Range r(210, 60);
  Words in(210);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = random_word(i);
  Words out(420, 0);
  run(source, "k", r, {buffer(in), buffer(out)});
  const unsigned size = out[210];
  Words v = in;
  for (unsigned round = 0; round < 3; ++round) {
    Words next = v;
    for (std::size_t g = 0; g < 210; g += 60) {
      std::uint32_t all = 0;
      const std::size_t end = std::min<std::size_t>(g + 60, 210);
      for (std::size_t i = g; i < end; ++i) all += v[i];
      std::uint32_t scan = 0;
      for (std::size_t i = g; i < end; ++i) {
        if ((i - g) % size == 0) scan = 0;
        scan += v[i];
        next[i] = v[i] * 3 + all + scan;
      }
    }
    v = next;
  }
  out.resize(210);
  EXPECT_EQ(out, v);
}

/// What stays scalar in other kernels must be vectorised here: calls, large private arrays, switches, atomics in loops
/// that work-items leave at different times, printf.
TEST_P(SubGroups, NothingIsRefused) {
  const std::string source =
      kernel(GetParam()) + R"( void k(global const uint* in, global uint* out, global uint* sum) {
      uint table[900];
      const uint i = get_global_id(0);
      for (uint k = 0; k < 900; ++k) table[k] = in[i] + k * k;
      uint v = table[in[i] % 900];
      switch (in[i] % 5) {
        case 0: v += 3; break;
        case 1: v *= 7; break;
        case 3: v ^= 11; break;
        default: v -= 1;
      }
      uint old = *sum;
      uint seen;
      while ((seen = atomic_cmpxchg(sum, old, old + v)) != old) old = seen;
      if (v == 0x12345678) printf("never %u\n", v);
      out[i] = v + sub_group_scan_exclusive_add(1u) * 0 + (get_sub_group_local_id() < get_sub_group_size() ? 0 : 1);
    })";
  Words in(100);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = random_word(i) >> 3U;
  Words out(100, 0);
  Words sum{0};
  run(source, "k", Range(100, 50), {buffer(in), buffer(out), buffer(sum)});
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint32_t k = in[i] % 900;
    std::uint32_t v = in[i] + k * k;
    const std::uint32_t by_case[] = {v + 3, v * 7, v - 1, v ^ 11U, v - 1};
    v = by_case[in[i] % 5];
    all += v;
    EXPECT_EQ(out[i], v) << i;
  }
  EXPECT_EQ(sum[0], all);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SubGroups, ::testing::Values(0U, 4U, 8U, 16U, 32U, 64U),
                         [](const auto& size) { return "Size" + std::to_string(size.param); });

}  // namespace
}  // namespace lanewise::test
