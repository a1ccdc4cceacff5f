// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// References for the functions of work-groups and sub-groups: the work-items of a group, and operations on their values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {

/// The work-items of one group, as global linear ids, in the order of their linear local ids.
struct Group {
  std::vector<std::size_t> members;
  std::array<std::size_t, 3> local;

  [[nodiscard]] std::size_t at(std::size_t x, std::size_t y = 0, std::size_t z = 0) const {
    return members[(z * local[1] + y) * local[0] + x];
  }
};

inline std::vector<Group> groups_of(const Range& r) {
  std::vector<Group> all;
  std::array<std::size_t, 3> first{};
  for (first[2] = 0; first[2] < r.global[2]; first[2] += r.local[2])
    for (first[1] = 0; first[1] < r.global[1]; first[1] += r.local[1])
      for (first[0] = 0; first[0] < r.global[0]; first[0] += r.local[0]) {
        Group g{};
        for (unsigned d = 0; d < 3; ++d) g.local[d] = std::min(r.local[d], r.global[d] - first[d]);
        for (std::size_t z = 0; z < g.local[2]; ++z)
          for (std::size_t y = 0; y < g.local[1]; ++y)
            for (std::size_t x = 0; x < g.local[0]; ++x)
              g.members.push_back(((first[2] + z) * r.global[1] + first[1] + y) * r.global[0] + first[0] + x);
        all.push_back(g);
      }
  return all;
}

inline std::size_t items(const Range& r) {
  return r.global[0] * r.global[1] * r.global[2];
}

inline std::uint64_t random_number(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  return x ^ (x >> 27U);
}

/// The sum as the device computes it: integers wrap.
template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}

template <class T>
struct Operation {
  std::string name;
  T identity;
  std::function<T(T, T)> combine;
};

/// The operations that both have in every version.
template <class T>
std::vector<Operation<T>> core_operations() {
  using Limits = std::numeric_limits<T>;
  const T largest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T smallest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return {{"add", T{0}, sum_of<T>},
          {"min", largest, [](T a, T b) { return std::min(a, b); }},
          {"max", smallest, [](T a, T b) { return std::max(a, b); }}};
}

/// All operations of work-groups.
template <class T>
std::vector<Operation<T>> operations() {
  std::vector<Operation<T>> list = core_operations<T>();
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::uint64_t;
    const auto on_bits = [&](const char* name, T identity, auto combine) {
      list.push_back({name, identity, [combine](T a, T b) {
                        return static_cast<T>(combine(static_cast<Bits>(a), static_cast<Bits>(b)));
                      }});
    };
    on_bits("mul", T{1}, [](Bits a, Bits b) { return a * b; });
    on_bits("and", static_cast<T>(~Bits{0}), [](Bits a, Bits b) { return a & b; });
    on_bits("or", T{0}, [](Bits a, Bits b) { return a | b; });
    on_bits("xor", T{0}, [](Bits a, Bits b) { return a ^ b; });
  } else {
    list.push_back({"mul", T{1}, [](T a, T b) { return a * b; }});
  }
  return list;
}

}  // namespace lanewise::test
