// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Filters that read clamped places: in the interior the clamps change nothing, which vectors test once for a loop
/// (compiler/vectors/range_tests.h), and at every edge they do. Hot code has the test in front of the loop (LANEWISE_TIER=2).
#include <algorithm>
#include <cstdint>
#include <utility>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

const char* const kSource = R"(
  kernel void signed_clamp(global const uint* in, global uint* out, int last, int reach) {
    int x = get_global_id(0);
    uint s = 1;
    for (int i = -reach; i <= reach; ++i) s = s * 3 + in[clamp(x + i, 0, last)];
    out[x] = s;
  }
  kernel void backwards(global const uint* in, global uint* out, int last, int reach) {
    int x = get_global_id(0);
    uint s = 1;
    for (int i = reach; i >= -reach; --i) s = s * 3 + in[clamp(x + i, 0, last)];
    out[x] = s;
  }
  kernel void one_side(global const uint* in, global uint* out, uint last, int reach) {
    uint x = get_global_id(0);
    uint s = 1;
    for (int i = 0; i < reach; ++i) s = s * 3 + in[min(x + 2 * i, last)];
    out[x] = s;
  }
  kernel void far_away(global const uint* in, global uint* out, int last, int reach) {
    int x = get_global_id(0), far = reach > 100 ? 0 : 0x7ffffff0;
    uint s = 1;
    for (int i = 0; i < 40; ++i) s = s * 3 + in[clamp((int)((uint)x + (uint)far + (uint)i), 0, last)];
    out[x] = s;
  })";

using Numbers = std::vector<std::uint32_t>;

template <class Place>
Numbers filtered(const Numbers& in, int from, int to, int step, Place&& place) {
  Numbers out;
  for (int x = 0; std::cmp_less(x, in.size()); ++x) {
    std::uint32_t s = 1;
    for (int i = from; step > 0 ? i < to : i > to; i += step) s = s * 3 + in[static_cast<std::size_t>(place(x, i))];
    out.push_back(s);
  }
  return out;
}

TEST(ClampedLoops, OfEverySize) {
  for (const int size : {1, 7, 16, 37, 200, 1000}) {
    const int last = size - 1;
    Numbers in(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
    const auto clamped = [&](long at) { return std::clamp(at, 0L, static_cast<long>(last)); };
    for (const int reach : {0, 1, 7, 60}) {
      const auto compare = [&](const char* kernel, const Numbers& want) {
        Numbers out(in.size());
        const std::size_t local = size == 1000 ? 250 : in.size();
        run(kSource, kernel, Range(in.size(), local), {buffer(in), buffer(out), value(last), value(reach)});
        EXPECT_EQ(out, want) << kernel << " of " << size << ", " << reach;
      };
      compare("signed_clamp", filtered(in, -reach, reach + 1, 1, [&](int x, int i) { return clamped(x + i); }));
      compare("backwards", filtered(in, reach, -reach - 1, -1, [&](int x, int i) { return clamped(x + i); }));
      compare("one_side", filtered(in, 0, reach, 1, [&](int x, int i) { return clamped(x + 2 * i); }));
      // Numbers wrap on their way.
      compare("far_away", filtered(in, 0, 40, 1, [&](int x, int i) {
                return clamped(
                    static_cast<std::int32_t>(static_cast<std::uint32_t>(x + 0x7ffffff0L) + static_cast<unsigned>(i)));
              }));
    }
  }
}

}  // namespace
}  // namespace lanewise::test
