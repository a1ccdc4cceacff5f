// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a test draws anew at each run, so that a few runs see everything in the time of a part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace lanewise::test {

/// LANEWISE_TEST_SEED, or else a random number. Prints it at the first call: with the same seed the program draws the
/// same again.
inline std::uint32_t drawn_seed() {
  static const std::uint32_t seed = [] {
    const char* text = std::getenv("LANEWISE_TEST_SEED");
    const auto chosen =
        text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : std::random_device()();
    std::fprintf(stderr, "LANEWISE_TEST_SEED=%u\n", chosen);
    return chosen;
  }();
  return seed;
}

/// Whether nothing is left to chance: LANEWISE_TEST_ALL is in the environment, as in `scripts/test --all`.
inline bool draws_all() {
  return std::getenv("LANEWISE_TEST_ALL") != nullptr;
}

/// `count` elements of the list, in their order, or the whole list where draws_all(). @param key  draws for itself
template <class T>
std::vector<T> drawn(std::vector<T> list, std::size_t count, const std::string& key) {
  if (draws_all() || list.size() <= count) return list;
  const std::string text = std::to_string(drawn_seed()) + " " + key;
  std::seed_seq seed(text.begin(), text.end());
  std::mt19937 random(seed);
  std::vector<std::size_t> places(list.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::shuffle(places.begin(), places.end(), random);
  places.resize(count);
  std::sort(places.begin(), places.end());
  std::vector<T> some;
  for (const std::size_t place : places) some.push_back(list[place]);
  return some;
}

}  // namespace lanewise::test
