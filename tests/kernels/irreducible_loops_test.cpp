// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops with several entries (compiler/base/irreducible_loops.h).
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// The loop of the kernel below.
std::uint32_t walked(std::uint32_t x, std::uint32_t limit) {
  std::uint32_t i = x & 7U;
  bool at_second = (x & 1U) != 0;
  std::uint32_t v = 100;
  for (;;) {
    if (!at_second) {
      if (i > limit) return i;
      const std::uint32_t j = i + 1;
      v = j;
      at_second = j % 5 != 0;
      i = j;
      if (!at_second) continue;
    }
    const std::uint32_t k = v * 3 + 1;
    if (k >= 7 * limit) return k + x;
    i = k;
    at_second = false;
  }
}

/// A block of the loop branches to both of its entries, and each of them has a value from there.
TEST(IrreducibleLoops, KeepTheValuesOfTheirEntries) {
  std::vector<std::uint32_t> data(200);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint32_t>(i * 2654435761U) >> 7U;
  for (const std::uint32_t limit : {0U, 3U, 40U, 1000U}) {
    std::vector<std::uint32_t> result = data;
    std::vector<std::uint32_t> expected = data;
    for (std::uint32_t& x : expected) x = walked(x, limit);
    run(R"(
      kernel void k(global uint* a, uint limit) {
        uint x = a[get_global_id(0)], i = x & 7, v = 100, j, k, r;
        if (x & 1) goto second;
      first:
        if (i > limit) { r = i; goto end; }
        j = i + 1;
        v = j;
        i = j;
        if (j % 5 != 0) goto second;
        goto first;
      second:
        k = v * 3 + 1;
        if (k < 7 * limit) { i = k; goto first; }
        r = k + x;
      end:
        a[get_global_id(0)] = r;
      })",
        "k", Range(result.size(), 50), {buffer(result), value(limit)});
    EXPECT_EQ(result, expected) << "limit " << limit;
  }
}

}  // namespace
}  // namespace lanewise::test
