// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Neighbours of a work-item whose index stays at the edge, is reflected there, or goes on at the other one: lanes are
/// consecutive but for some vectors (compiler/lanes/analysis/bent_lines.h).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Index = std::int64_t;
struct Edge {
  const char* index;  ///< of `x`, in a row of `w`
  std::function<Index(Index, Index)> of;
};

const Edge kEdges[] = {
    {"x == 0 ? x : x - 1", [](Index x, Index) { return x == 0 ? x : x - 1; }},
    {"x > 0 ? x - 1 : 0", [](Index x, Index) { return x > 0 ? x - 1 : 0; }},
    {"x == w - 1 ? x : x + 1", [](Index x, Index w) { return x == w - 1 ? x : x + 1; }},
    {"x < w - 1 ? x + 1 : x", [](Index x, Index w) { return x < w - 1 ? x + 1 : x; }},
    {"x - (x > 2 && x < w - 3)", [](Index x, Index w) { return x - (x > 2 && x < w - 3 ? 1 : 0); }},
    {"x + (x < w - 1)", [](Index x, Index w) { return x + (x < w - 1 ? 1 : 0); }},
    {"x + 1 == w ? 0 : x + 1", [](Index x, Index w) { return x + 1 == w ? 0 : x + 1; }},
    {"x == 0 ? w - 1 : x - 1", [](Index x, Index w) { return x == 0 ? w - 1 : x - 1; }},
    {"x >= 3 ? x - 3 : 2 - x", [](Index x, Index) { return x >= 3 ? x - 3 : 2 - x; }},
    {"x + 2 >= w ? 2 * w - 3 - x : x + 2", [](Index x, Index w) { return x + 2 >= w ? 2 * w - 3 - x : x + 2; }},
    {"(TYPE)sub_sat((uint)x, 2u)", [](Index x, Index) { return std::max<Index>(x - 2, 0); }},
    {"min((TYPE)(x + 1), (TYPE)(w - 1))", [](Index x, Index w) { return std::min(x + 1, w - 1); }},
    {"(TYPE)abs((int)x - 1)", [](Index x, Index) { return std::abs(x - 1); }},
    // A number of the row's contents: lanes are anywhere.
    {"(x + (a[y * w + x] > 1e6f)) % w", [](Index x, Index) { return x; }},
};

constexpr Index kRows = 5;

void check(const Edge& edge, const std::string& type, Index width) {
  std::vector<float> in(static_cast<std::size_t>(width * kRows)), out(in.size()), expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 1009);
  for (Index y = 0; y < kRows; ++y)
    for (Index x = 0; x < width; ++x)
      expected[static_cast<std::size_t>(y * width + x)] =
          in[static_cast<std::size_t>(y * width + edge.of(x, width))] * 2 + in[static_cast<std::size_t>(y * width + x)];
  run("#define TYPE " + type +
          "\nkernel void k(global const float* a, global float* out, int columns) { const TYPE w = columns;"
          " const TYPE x = get_global_id(0), y = get_global_id(1); if (x >= w) return;"
          " out[y * w + x] = a[y * w + (" +
          edge.index + ")] * 2 + a[y * w + x]; }",
      "k", Range(2, {64, kRows, 1}, {32, 1, 1}), {buffer(in), buffer(out), value(static_cast<int>(width))});
  EXPECT_EQ(out, expected) << edge.index << " of " << type << ", " << width;
}

TEST(Edges, OfInt) {
  for (const Edge& edge : kEdges)
    for (const Index width : {3, 35, 64}) check(edge, "int", width);
}

TEST(Edges, OfUint) {
  for (const Edge& edge : kEdges)
    for (const Index width : {3, 35, 64}) check(edge, "uint", width);
}

TEST(Edges, OfSize) {
  for (const Edge& edge : kEdges)
    for (const Index width : {3, 35, 64}) check(edge, "size_t", width);
}

}  // namespace
}  // namespace lanewise::test
