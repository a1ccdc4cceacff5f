// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that compute a long chain and then mostly go on: hot code runs two iterations side by side
/// (compiler/vectors/paired_iterations.h). Whether something is found never, now and then or always, in any of both, and
/// where the loop ends with the first of them, what is found is the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kLanes = 16;
constexpr unsigned kRounds = 64;

const char* const kSource = R"(
  #define ROUND(r) x = rotate(x ^ seed, (V)(7 + (r) % 5)) + (r) * 0x5A827999u;
  #define FOUR(r) ROUND(r) ROUND(r + 1) ROUND(r + 2) ROUND(r + 3)
  #define SIXTEEN(r) FOUR(r) FOUR(r + 4) FOUR(r + 8) FOUR(r + 12)
  V hash(V x, uint seed) {
    SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
    return x;
  }
  // All that has the wanted bits: how often, where first and last, and a sum that depends on the order.
  kernel void all_of_them(global const V* words, global uint* out, global const uint* n, uint mask) {
    uint g = get_global_id(0);
    words += BEGIN;
    uint count = 0, last = 77;
    out[g * 3 + 2] = 1;
    for (uint i = 0; i < *n; ++i) {
      if (NONE(hash(words[i], g) & mask)) continue;
      ++count;
      last = i;
      out[g * 3 + 2] = out[g * 3 + 2] * 3 + i;
    }
    out[g * 3] = count;
    out[g * 3 + 1] = last;
  }
  kernel void first(global const V* words, global uint* out, global const uint* n, uint mask) {
    uint g = get_global_id(0), i = 0, end = *n;
    words += BEGIN;
    for (; i < end; ++i)
      if (!NONE(hash(words[i], g) & mask)) break;
    out[g * 3] = i;
    out[g * 3 + 1] = out[g * 3 + 2] = 0;
  })";

std::uint32_t hash(std::uint32_t x, std::uint32_t seed) {
  for (std::uint32_t r = 0; r < kRounds; ++r) {
    const std::uint32_t by = 7 + r % 5;
    x ^= seed;
    x = (x << by | x >> (32 - by)) + r * 0x5A827999U;
  }
  return x;
}

/// What becomes that number.
std::uint32_t hashed_from(std::uint32_t x, std::uint32_t seed) {
  for (std::uint32_t r = kRounds; r-- > 0;) {
    const std::uint32_t by = 7 + r % 5;
    x -= r * 0x5A827999U;
    x = (x >> by | x << (32 - by)) ^ seed;
  }
  return x;
}

struct Case {
  std::uint32_t n;
  std::uint32_t mask;  ///< of bits that are all zero in what is not looked for
};

struct Form {
  const char* type;
  std::size_t lanes;
  const char* none;
  Range range;
};

/// @param row  of words for each work-item; 0: all have the same ones
std::vector<std::uint32_t> expected(const Form& form, const Case& c, const std::vector<std::uint32_t>& words,
                                    bool first, std::size_t row = 0) {
  const std::size_t items = form.range.global[0];
  std::vector<std::uint32_t> out(items * 3);
  for (std::uint32_t g = 0; g < items; ++g) {
    std::uint32_t count = 0, last = 77, order = 1, i = 0;
    for (; i < c.n; ++i) {
      const auto* word = &words[(g * row + i) * form.lanes];
      if (std::all_of(word, word + form.lanes, [&](std::uint32_t w) { return (hash(w, g) & c.mask) != c.mask; }))
        continue;
      if (first) break;
      ++count;
      last = i;
      order = order * 3 + i;
    }
    const std::uint32_t found[] = {first ? i : count, first ? 0 : last, first ? 0 : order};
    std::copy_n(found, 3, out.begin() + std::ptrdiff_t{g} * 3);
  }
  return out;
}

TEST(Searches, FindTheSameOneByOne) {
  const Form forms[] = {{"uint16", kLanes, "(!any((x) == (V)mask))", Range(5, 1)},
                        {"uint", 1, "((x) != mask)", Range(80, 40)}};
  std::vector<std::uint32_t> words(2100 * kLanes);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = hash(static_cast<std::uint32_t>(i), 99);
  for (const Form& form : forms) {
    const std::string source =
        std::string("#define BEGIN 0\n#define V ") + form.type + "\n#define NONE(x) " + form.none + '\n' + kSource;
    for (const Case& c : {Case{.n = 0, .mask = 1},
                          {.n = 1, .mask = 0},
                          {.n = 2, .mask = 0xFFFFFFFF},
                          {.n = 3, .mask = 0xFFFFFFFF},
                          {.n = 150, .mask = 0xFFFFFFFF},
                          {.n = 151, .mask = 0x3FF},
                          {.n = 600, .mask = 0xFFF},
                          {.n = 2100, .mask = 0x7FFF},
                          {.n = 64, .mask = 0x3},
                          {.n = 33, .mask = 0}}) {
      SCOPED_TRACE(std::string(form.type) + " n " + std::to_string(c.n) + " mask " + std::to_string(c.mask));
      std::vector<std::uint32_t> out(form.range.global[0] * 3);
      std::vector<std::uint32_t> n = {c.n};
      for (const bool first : {false, true}) {
        run(source, first ? "first" : "all_of_them", form.range,
            {buffer(words), buffer(out), buffer(n), value(c.mask)});
        EXPECT_EQ(out, expected(form, c, words, first)) << first;
      }
    }
  }
}

/// Every way in which up to ten iterations find something or not: one work-item for each.
TEST(Searches, FindInEveryOrder) {
  constexpr std::uint32_t kMost = 10;
  constexpr std::size_t kItems = std::size_t{1} << kMost;
  constexpr Case kAll{.n = 0, .mask = 0xFFFFFFFF};
  const Form form{"uint16", kLanes, "(!any((x) == (V)mask))", Range(kItems, 1)};
  std::vector<std::uint32_t> words(kItems * kMost * kLanes, 1);
  for (std::uint32_t g = 0; g < kItems; ++g)
    for (std::uint32_t i = 0; i < kMost; ++i) {
      const bool found = (g >> i & 1) != 0;
      words[(g * kMost + i) * kLanes + (g + i) % kLanes] = hashed_from(found ? kAll.mask : g, g);
    }
  const std::string source = "#define BEGIN (g * " + std::to_string(kMost) + ")\n#define V " + form.type +
                             "\n#define NONE(x) " + form.none + '\n' + kSource;
  for (std::uint32_t most = 0; most <= kMost; ++most) {
    std::vector<std::uint32_t> out(kItems * 3);
    std::vector<std::uint32_t> n = {most};
    for (const bool first : {false, true}) {
      run(source, first ? "first" : "all_of_them", form.range,
          {buffer(words), buffer(out), buffer(n), value(kAll.mask)});
      EXPECT_EQ(out, expected(form, {.n = most, .mask = kAll.mask}, words, first, kMost)) << most << ' ' << first;
    }
  }
}

}  // namespace
}  // namespace lanewise::test
