// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose counter begins at an id and has a constant bound, a power of two: its upper bits are tested, and its lower
/// ones are added by `or` to a base that has none of them, or some.
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

struct Loop {
  unsigned bound;     ///< of the counter
  unsigned distance;  ///< of the elements of one work-group from those of the next
  std::size_t local;
  const char* type;  ///< of the counter
};

/// Every element of a group's part is touched once; where parts overlap, by several groups.
void expect_sums(const Loop& loop) {
  const std::string bound = std::to_string(loop.bound);
  const std::string type = loop.type;
  const std::string source =
      "kernel void k(global const uint* in, global uint* out, global uint* counts) {\n"
      "  const " +
      type + " first = get_group_id(0) * " + std::to_string(loop.distance) +
      ";\n"
      "  uint sum = 0;\n"
      "  for (" +
      type + " k = get_local_id(0); k < " + bound +
      "; k += get_local_size(0)) {\n"
      "    sum += in[first + k] ^ k;\n"
      "    atomic_inc(&counts[first + k]);\n"
      "  }\n"
      "  out[get_global_id(0)] = sum;\n"
      "}\n";
  constexpr std::size_t kGroups = 3;
  std::vector<std::uint32_t> in(kGroups * loop.distance + loop.bound), out(kGroups * loop.local), want(out.size());
  std::vector<std::uint32_t> counts(in.size()), wanted_counts(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
  run(source, "k", Range(out.size(), loop.local), {buffer(in), buffer(out), buffer(counts)});
  for (std::size_t group = 0; group < kGroups; ++group)
    for (std::size_t k = 0; k < loop.bound; ++k) {
      want[group * loop.local + k % loop.local] += in[group * loop.distance + k] ^ static_cast<std::uint32_t>(k);
      ++wanted_counts[group * loop.distance + k];
    }
  EXPECT_EQ(out, want);
  EXPECT_EQ(counts, wanted_counts);
}

TEST(Counters, BoundedByPowersOfTwo) {
  for (const char* type : {"uint", "int", "size_t"})
    for (const std::size_t local : {1, 7, 64, 100})
      for (const unsigned bound : {256U, 1024U, 65536U}) {
        SCOPED_TRACE(std::string(type) + " below " + std::to_string(bound) + " in steps of " + std::to_string(local));
        expect_sums({bound, bound, local, type});
      }
}

TEST(Counters, BasesWithLowerBits) {
  for (const unsigned distance : {1000U, 512U, 1536U, 1U})
    for (const std::size_t local : {7, 64}) expect_sums({1024, distance, local, "uint"});
}

/// A narrow index to which a size_t is added: it wraps, in the middle of a vector too, and in the midst of the loop.
template <class Index>
void expect_wrapped_sums(const std::string& type, std::size_t local) {
  SCOPED_TRACE(type + " in steps of " + std::to_string(local));
  const std::string source = "kernel void k(global const uint* middle, global uint* out, uint first) {\n  " + type +
                             " i = first + get_global_id(0);\n"
                             "  middle += 32768;\n"
                             "  uint sum = 0;\n"
                             "  for (int n = 0; n < 5; ++n) {\n"
                             "    sum = sum * 3 + middle[i]; i += get_local_size(0);\n"
                             "    sum = sum * 3 + middle[i]; i += get_local_size(0);\n"
                             "    sum = sum * 3 + middle[i]; i += get_local_size(0);\n"
                             "  }\n"
                             "  out[get_global_id(0)] = sum ^ (uint)i;\n"
                             "}\n";
  std::vector<std::uint32_t> in(32768 + 65536), out(3 * local), want(out.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
  for (const std::uint32_t first : {0U, 100U, 32700U, 65500U}) {
    run(source, "k", Range(out.size(), local), {buffer(in), buffer(out), value(first)});
    for (std::size_t id = 0; id < out.size(); ++id) {
      auto i = static_cast<Index>(first + id);
      std::uint32_t sum = 0;
      for (int n = 0; n < 15; ++n) {
        const std::ptrdiff_t at = std::ptrdiff_t{32768} + i;
        sum = sum * 3 + in[static_cast<std::size_t>(at)];
        i = static_cast<Index>(i + local);
      }
      want[id] = sum ^ static_cast<std::uint32_t>(i);
    }
    EXPECT_EQ(out, want) << "from " << first;
  }
}

TEST(Counters, NarrowOnesWrap) {
  for (const std::size_t local : {7, 64, 100}) {
    expect_wrapped_sums<std::uint8_t>("uchar", local);
    expect_wrapped_sums<std::int8_t>("char", local);
    expect_wrapped_sums<std::uint16_t>("ushort", local);
    expect_wrapped_sums<std::int16_t>("short", local);
  }
}

/// A loop that LLVM may vectorise where lanes do not: eight bits of one index do not wrap, four of the other do.
TEST(Counters, DifferentNumbersOfLowerBits) {
  const char* source = R"(
    kernel void k(global const int* restrict in, global int* restrict a, global int* restrict b, uint n) {
      for (uint i = 0; i < n; ++i) {
        a[i & 255] = in[i] * 3;
        b[i & 15] = in[i] - i;
      }
    })";
  for (const int n : {1, 5, 64, 200, 1000}) {
    std::vector<int> in(1000), a(256, -1), b(300, -1);
    std::iota(in.begin(), in.end(), 100);
    std::vector<int> wanted_a = a, wanted_b = b;
    for (int i = 0; i < n; ++i) {
      wanted_a[static_cast<std::size_t>(i % 256)] = in[static_cast<std::size_t>(i)] * 3;
      wanted_b[static_cast<std::size_t>(i % 16)] = in[static_cast<std::size_t>(i)] - i;
    }
    run(source, "k", Range(1, 1), {buffer(in), buffer(a), buffer(b), value(n)});
    EXPECT_EQ(a, wanted_a) << n;
    EXPECT_EQ(b, wanted_b) << n;
  }
}

}  // namespace
}  // namespace lanewise::test
