// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that work-items begin or end at numbers of their own, with bounds around the size of a row and at the ends of
/// the numbers' ranges: hot code does what all work-items do in a loop without masks (lanes/prepare/common_iterations.h).
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 200;
constexpr std::size_t kLocal = 100;

/// The factor makes the order visible, and the counter after the loop when a work-item has left it.
const char* const kSource = R"(
  kernel void begins(global const uint* a, global uint* out, T start, T n, T step) {
    T i = start + (T)get_global_id(0);
    uint s = 1;
    for (; i < n; i += step) s = s * 3 + a[(uint)i & 255];
    out[get_global_id(0)] = s ^ (uint)i;
  }
  kernel void begins_before(global const uint* a, global uint* out, T start, T n, T step) {
    T i = start + (T)get_global_id(0);
    ulong s = 1;
    for (; i + 2 < n; i += step) s = s * 3 + (ulong)i;
    out[get_global_id(0)] = (uint)(s >> 32);
  }
  kernel void begins_disjoint(global const uint* a, global uint* out, T start, T n, T step) {
    uint x = get_global_id(0), s = 1;
    if (x & 1)
      for (T i = start + (T)((x - 1) | ((uint)step & 1)); i < n; i += step) s = s * 3 + (uint)i;
    out[x] = s;
  }
  kernel void begins_limited(global const uint* a, global uint* out, T start, T n, T step) {
    T i = start + (T)get_global_id(0) * 3;
    uint s = 1;
    for (int k = 0; k < 5; k++) {
      if (i > n) break;
      s = s * 3 + a[(uint)i & 255];
      i += step;
    }
    out[get_global_id(0)] = s ^ (uint)i;
  }
  kernel void ends(global const uint* a, global uint* out, T start, T n, T step) {
    T end = n + (T)get_global_id(0);
    uint s = 1;
    for (T i = start; i <= end; i += step) s = s * 3 + a[((uint)i + (uint)get_local_id(0)) & 255];
    out[get_global_id(0)] = s;
  }
  kernel void ends_limited(global const uint* a, global uint* out, T start, T n, T step) {
    T end = n + (T)get_global_id(0);
    uint s = 1;
    T i = start;
    for (int k = 0; k < 90; k++) {
      if (i > end) break;
      s = s * 3 + a[((uint)i + (uint)get_local_id(0)) & 255];
      i += step;
    }
    out[get_global_id(0)] = s;
  }
  kernel void writes(global const uint* a, global uint* out, T start, T n, T step) {
    for (T i = start + (T)get_global_id(0); i + 2 < n; i += step)
      if (a[(uint)i & 255] % 3 != 0) out[(uint)i & 255] += a[(uint)i & 255] * 7;
  }
  kernel void asks_at_end(global const uint* a, global uint* out, T start, T n, T step) {
    T i = start + (T)get_global_id(0);
    uint s = 1, last = 0;
    if (i < n) do {
        last = a[(uint)i & 255];
        s = s * 3 + last;
        i += step;
      } while (i < n);
    out[get_global_id(0)] = s ^ (uint)i ^ last << 20;
  }
  kernel void has_a_first(global const uint* a, global uint* out, T start, T n, T step) {
    T i = start + (T)get_global_id(0), before;
    uint s = 1;
    do {
      s = s * 3 + a[(uint)i & 255];
      before = i;
      i += step;
    } while (i < n);
    out[get_global_id(0)] = s ^ (uint)before;
  }
  // What a work-item has in local memory becomes a variable, and then the loop asks at its end.
  kernel void chooses(global const uint* a, global uint* out, T start, T n, T step) {
    local uint kept[100];
    kept[get_local_id(0)] = 1;
    T i = start + (T)get_global_id(0);
    while (i < n) {
      kept[get_local_id(0)] = kept[get_local_id(0)] * 3 + a[(uint)i & 255];
      if (i + 70 < n) kept[get_local_id(0)] ^= a[(uint)(i + 70) & 255] << 8;
      i += step;
    }
    out[get_global_id(0)] = kept[get_local_id(0)] ^ (uint)i;
  }
  kernel void chooses_often(global const uint* a, global uint* out, T start, T n, T step) {
    uint s = 1;
    for (T i = start + (T)get_global_id(0); i < n; i += step) {
      if (i + 70 < n) s = s * 3 + a[(uint)(i + 70) & 255];
      else s ^= (uint)i;
      if (i + 90 >= n) s += 5;
      if (3 * step > i) s *= 7;
      if (i != n - 1) s += a[(uint)i & 255];
    }
    out[get_global_id(0)] = s;
  }
  kernel void chooses_twice(global const uint* a, global uint* out, T start, T n, T step) {
    const T few = 5 * step;
    uint s = 1;
    for (T i = start + (T)get_global_id(0); i < n; i += step) {
      const T far = i + 70;
      s ^= a[(uint)i & 255];
      if (far < n) {
        s = s * 3 + a[(uint)far & 255];
        if (far < few) s = s * 5 + a[(uint)far & 127];
      }
    }
    out[get_global_id(0)] = s;
  }
  kernel void shares_row(global const uint* a, global uint* out, T start, T n, T step) {
    local uint sums[100];
    uint s = 0;
    for (T i = start + (T)get_local_id(0); i < n; i += (T)get_local_size(0)) s += a[(uint)i & 255];
    sums[get_local_id(0)] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = 0;
    for (uint k = 0; k <= get_local_id(0); k++) all = all * 5 + sums[k];
    out[get_global_id(0)] = all;
  })";

template <class T>
const char* name_of() {
  if constexpr (std::is_same_v<T, std::int32_t>) return "int";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint";
  if constexpr (std::is_same_v<T, std::int64_t>) return "long";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "ulong";
}

/// Numbers that wrap. Kernels are only given signed ones that do not.
template <class T>
T sum(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

template <class T>
struct Case {
  T start;
  T n;
  T step;
};

using Words = std::vector<std::uint32_t>;

std::uint32_t at(const Words& a, std::uint64_t i) {
  return a[i & 255];
}

template <class T>
Words begins(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    T i = sum(c.start, static_cast<T>(x));
    for (; i < c.n; i = sum(i, c.step)) s = s * 3 + at(a, static_cast<std::uint64_t>(i));
    out.push_back(s ^ static_cast<std::uint32_t>(i));
  }
  return out;
}

template <class T>
Words begins_before(const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint64_t s = 1;
    for (T i = sum(c.start, static_cast<T>(x)); sum(i, T(2)) < c.n; i = sum(i, c.step)) s = s * 3 + i;
    out.push_back(static_cast<std::uint32_t>(s >> 32U));
  }
  return out;
}

template <class T>
Words begins_disjoint(const Case<T>& c) {
  Words out(kItems, 1);
  for (std::size_t x = 1; x < kItems; x += 2)
    for (T i = sum(c.start, static_cast<T>((x - 1) | (static_cast<std::size_t>(c.step) & 1U))); i < c.n;
         i = sum(i, c.step))
      out[x] = out[x] * 3 + static_cast<std::uint32_t>(i);
  return out;
}

template <class T>
Words begins_limited(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    T i = sum(c.start, static_cast<T>(3 * x));
    for (int k = 0; k < 5 && i <= c.n; ++k, i = sum(i, c.step)) s = s * 3 + at(a, static_cast<std::uint64_t>(i));
    out.push_back(s ^ static_cast<std::uint32_t>(i));
  }
  return out;
}

template <class T>
Words ends(const Words& a, const Case<T>& c, int most) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    T i = c.start;
    for (int k = 0; k < most && i <= sum(c.n, static_cast<T>(x)); ++k, i = sum(i, c.step))
      s = s * 3 + at(a, static_cast<std::uint64_t>(i) + x % kLocal);
    out.push_back(s);
  }
  return out;
}

/// @param once  the first iteration is done in any case
template <class T>
Words asks_at_end(const Words& a, const Case<T>& c, bool once) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1, last = 0;
    T i = sum(c.start, static_cast<T>(x)), before = i;
    for (bool stays = once || i < c.n; stays; stays = i < c.n) {
      last = at(a, static_cast<std::uint64_t>(i));
      s = s * 3 + last;
      before = i;
      i = sum(i, c.step);
    }
    out.push_back(once ? s ^ static_cast<std::uint32_t>(before) : s ^ static_cast<std::uint32_t>(i) ^ last << 20U);
  }
  return out;
}

template <class T>
Words chooses(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    T i = sum(c.start, static_cast<T>(x));
    for (; i < c.n; i = sum(i, c.step)) {
      s = s * 3 + at(a, static_cast<std::uint64_t>(i));
      if (const T far = sum(i, T(70)); far < c.n) s ^= at(a, static_cast<std::uint64_t>(far)) << 8U;
    }
    out.push_back(s ^ static_cast<std::uint32_t>(i));
  }
  return out;
}

template <class T>
Words chooses_often(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    for (T i = sum(c.start, static_cast<T>(x)); i < c.n; i = sum(i, c.step)) {
      if (const T far = sum(i, T(70)); far < c.n)
        s = s * 3 + at(a, static_cast<std::uint64_t>(far));
      else
        s ^= static_cast<std::uint32_t>(i);
      if (sum(i, T(90)) >= c.n) s += 5;
      if (static_cast<T>(3 * c.step) > i) s *= 7;
      if (i != static_cast<T>(c.n - 1)) s += at(a, static_cast<std::uint64_t>(i));
    }
    out.push_back(s);
  }
  return out;
}

template <class T>
Words chooses_twice(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t x = 0; x < kItems; ++x) {
    std::uint32_t s = 1;
    for (T i = sum(c.start, static_cast<T>(x)); i < c.n; i = sum(i, c.step)) {
      s ^= at(a, static_cast<std::uint64_t>(i));
      const T far = sum(i, T(70));
      if (far < c.n) s = s * 3 + at(a, static_cast<std::uint64_t>(far));
      if (far < c.n && far < static_cast<T>(5 * c.step)) s = s * 5 + at(a, static_cast<std::uint64_t>(far) & 127U);
    }
    out.push_back(s);
  }
  return out;
}

template <class T>
Words writes(const Words& a, const Case<T>& c) {
  Words out(256, 1);
  for (std::size_t x = 0; x < kItems; ++x)
    for (T i = sum(c.start, static_cast<T>(x)); sum(i, T(2)) < c.n; i = sum(i, c.step))
      if (at(a, static_cast<std::uint64_t>(i)) % 3 != 0)
        out[static_cast<std::uint64_t>(i) & 255] += at(a, static_cast<std::uint64_t>(i)) * 7;
  return out;
}

template <class T>
Words shares_row(const Words& a, const Case<T>& c) {
  Words out;
  for (std::size_t group = 0; group < kItems / kLocal; ++group) {
    std::uint32_t all = 0;
    for (std::size_t x = 0; x < kLocal; ++x) {
      std::uint32_t s = 0;
      for (T i = sum(c.start, static_cast<T>(x)); i < c.n; i = sum(i, static_cast<T>(kLocal)))
        s += at(a, static_cast<std::uint64_t>(i));
      out.push_back(all = all * 5 + s);
    }
  }
  return out;
}

template <class T>
class CommonIterations : public testing::Test {
 protected:
  CommonIterations() {
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = static_cast<std::uint32_t>((i * 37 + 11) % 101);
  }

  void expect(const char* kernel, const Case<T>& c, const Words& want) {
    const std::string source = "#define T " + std::string(name_of<T>()) + "\n" + kSource;
    Words out(want.size(), 1);
    run(source, kernel, Range(kItems, kLocal), {buffer(a_), buffer(out), value(c.start), value(c.n), value(c.step)});
    EXPECT_EQ(out, want) << kernel << " from " << c.start << " to " << c.n << " by " << c.step;
  }

  void expect_all(const Case<T>& c) {
    expect("asks_at_end", c, asks_at_end(a_, c, false));
    expect("has_a_first", c, asks_at_end(a_, c, true));
    expect("chooses", c, chooses(a_, c));
    expect("chooses_often", c, chooses_often(a_, c));
    expect("chooses_twice", c, chooses_twice(a_, c));
  }

  Words a_ = Words(256);
};

using Types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(CommonIterations, Types);

TYPED_TEST(CommonIterations, OfBoundsAroundRows) {
  for (const int n : {0, 1, 99, 100, 101, 116, 199, 200, 201, 400, 1009})
    for (const int step : {1, 7, 100, 200}) {
      const Case<TypeParam> c{0, static_cast<TypeParam>(n), static_cast<TypeParam>(step)};
      this->expect("begins", c, begins(this->a_, c));
      this->expect("begins_limited", c, begins_limited(this->a_, c));
      this->expect("ends", c, ends(this->a_, c, 2000));
      this->expect_all(c);
    }
}

/// A first number that is a sum only for the work-items that come to it: "or" of what shares no bits with theirs.
TYPED_TEST(CommonIterations, FromSumsOfSomeWorkItems) {
  for (const int n : {128, 400, 1000})
    for (const int step : {36, 37}) {
      const Case<TypeParam> c{0, static_cast<TypeParam>(n), static_cast<TypeParam>(step)};
      this->expect("begins_disjoint", c, begins_disjoint(c));
    }
}

/// No two work-items write to one place.
TYPED_TEST(CommonIterations, ThatWrite) {
  for (const int n : {0, 2, 100, 201, 202, 203, 254}) {
    const Case<TypeParam> c{0, static_cast<TypeParam>(n), 200};
    if (compares_widths() && n > 202) continue;
    this->expect("writes", c, writes(this->a_, c));
  }
}

TYPED_TEST(CommonIterations, ThatAGroupShares) {
  for (const int n : {0, 1, 50, 99, 100, 101, 5000}) {
    const Case<TypeParam> c{0, static_cast<TypeParam>(n), 0};
    this->expect("shares_row", c, shares_row(this->a_, c));
  }
}

/// The last numbers of a type, and the first ones: no sum wraps where the numbers are signed.
TYPED_TEST(CommonIterations, AtTheEndsOfTheRange) {
  constexpr auto kMost = std::numeric_limits<TypeParam>::max();
  constexpr auto kLeast = std::numeric_limits<TypeParam>::min();
  for (const int before : {0, 1, 50, 150}) {
    const Case<TypeParam> last{static_cast<TypeParam>(kMost - 2000), static_cast<TypeParam>(kMost - 400 - before), 100};
    this->expect("begins", last, begins(this->a_, last));
    this->expect("begins_limited", last, begins_limited(this->a_, last));
    this->expect("ends", last, ends(this->a_, last, 2000));
    this->expect_all(last);
    const Case<TypeParam> first{kLeast, static_cast<TypeParam>(kLeast + static_cast<TypeParam>(before)), 100};
    this->expect("begins", first, begins(this->a_, first));
    this->expect("begins_limited", first, begins_limited(this->a_, first));
    this->expect("ends", first, ends(this->a_, first, 2000));
    if constexpr (std::is_unsigned_v<TypeParam>) this->expect_all(first);
  }
}

/// Unsigned numbers that wrap: those that begin behind the end, and bounds that are small again.
TYPED_TEST(CommonIterations, ThatWrap) {
  if constexpr (std::is_unsigned_v<TypeParam>) {
    constexpr auto kMost = std::numeric_limits<TypeParam>::max();
    for (const unsigned before : {0U, 3U, 99U, 100U, 150U, 199U, 597U}) {
      const Case<TypeParam> c{static_cast<TypeParam>(kMost - before), 130, 40};
      this->expect("begins_limited", c, begins_limited(this->a_, c));
      const Case<TypeParam> full{static_cast<TypeParam>(kMost - before), kMost, 40};
      this->expect("begins_limited", full, begins_limited(this->a_, full));
      const Case<TypeParam> few{static_cast<TypeParam>(kMost - before % 4), 400, 37};
      this->expect("begins_before", few, begins_before(few));
      this->expect_all(few);
      const Case<TypeParam> end{5, static_cast<TypeParam>(kMost - before), 3};
      this->expect("ends_limited", end, ends(this->a_, end, 90));
    }
  }
}

}  // namespace
}  // namespace lanewise::test
