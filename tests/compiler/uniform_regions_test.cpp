// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Uniform branches among blocks that run under a mask (compiler/lanes/analysis/divergence.h): all widths give what
/// scalar code gives, whichever way the branches go and however many lanes are active.
#include <numeric>

#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Launches k(a, b, how): work-item i begins with b[i] and changes it.
Words result(const abi::Reply& reply, std::uint32_t how, std::size_t items) {
  Words a(256);
  Words b(items + 8);
  for (std::uint32_t i = 0; i < a.size(); ++i) a[i] = i * 2654435761U >> 5U;
  for (std::uint32_t i = 0; i < b.size(); ++i) b[i] = i * 40503U >> 3U;
  run_direct(reply, "k", {items, 37}, {buffer(a), buffer(b), value(how)}, nullptr);
  return b;
}

void expect_same(const std::string& body) {
  const std::string source =
      "kernel void k(global const uint* a, global uint* b, uint how) {\n"
      "  const size_t i = get_global_id(0);\n  uint x = b[i];\n" +
      body + "  b[i] = x;\n}\n";
  for (const Isa isa : runnable_levels()) {
    const abi::Reply scalar = build_vectors(source, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    for (const unsigned width : {4U, 8U, 16U}) {
      const abi::Reply reply = build_vectors(source, width, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      EXPECT_NE(reply.log.find("width"), std::string::npos) << "no vectors: " << reply.log;
      for (const std::uint32_t how : {0U, 1U, 2U, 3U, 7U})
        for (const std::size_t items : {37U, 74U, 185U})
          EXPECT_TRUE(result(reply, how, items) == result(scalar, how, items))
              << "width " << width << ", " << isa.name() << ", how " << how << ", " << items << " items\n"
              << source;
    }
  }
}

/// A chain of formats, as reads of images have.
const char* const kFormats =
    "    if (how == 0) x += a[x & 255];\n"
    "    else if (how == 1) x ^= ((global const ushort*)a)[x & 511];\n"
    "    else if (how == 2) x = x * 3 + ((global const uchar*)a)[x & 1023];\n"
    "    else x -= 5;\n";

TEST(UniformRegions, BehindAVaryingCondition) {
  expect_same(std::string("  if (x & 4) {\n") + kFormats + "    x = x * 5 + 1;\n  }\n");
}

TEST(UniformRegions, BehindAConditionThatFewWorkItemsMeet) {
  expect_same(std::string("  if (x % 31 == 3) {\n") + kFormats + "    x = x * 5 + 1;\n  }\n");
}

TEST(UniformRegions, WhoseWaysMeetWhereTheOtherWorkItemsAre) {
  expect_same(std::string("  if (x & 4) {\n") + kFormats + "  }\n");
  expect_same(
      "  uint y = 9;\n  if (x & 4) {\n    if (how == 1) y = x * 3;\n    else if (how == 2) y = x + 8;\n  }\n  x ^= "
      "y;\n");
}

TEST(UniformRegions, OnBothSidesOfAVaryingCondition) {
  expect_same(std::string("  if (x & 4) {\n") + kFormats + "  } else {\n    x += 77;\n" + kFormats + "  }\n");
}

TEST(UniformRegions, WithinEachOther) {
  expect_same(
      "  if (x & 2) {\n"
      "    uint y = 0;\n"
      "    if (how & 1) {\n"
      "      if (how & 2) { y = a[x & 255]; if (how & 4) y ^= 99; }\n"
      "      else y = x / 3;\n"
      "    } else if (how & 2) y = x * x;\n"
      "    x += y * 7;\n"
      "  }\n");
}

TEST(UniformRegions, InDivergentLoops) {
  expect_same(std::string("  for (uint n = x % 13; n > 0; --n) {\n") + kFormats + "    if (x % 29 == 5) break;\n  }\n");
  expect_same(std::string("  uint n = 0;\n  do {\n    x = x * 3 + n;\n") + kFormats +
              "  } while ((x & 3) != 0 && ++n < 20);\n");
}

TEST(UniformRegions, InUniformLoopsBehindAVaryingCondition) {
  expect_same(std::string("  if (x & 8)\n    for (uint n = 0; n <= how; ++n) {\n      if (x & 1) {\n") + kFormats +
              "      }\n      x += n;\n    }\n");
}

TEST(UniformRegions, WithVaryingConditionsInThem) {
  expect_same(
      "  if (x & 2) {\n"
      "    if (how == 1) { if (x & 1) x += 5; else x = a[x & 255]; }\n"
      "    else if (how == 2) { while (x & 12) x = x * 3 + 1; }\n"
      "    else { x ^= 3; if (how == 7) x += a[(x + 1) & 255]; }\n"
      "  }\n");
}

TEST(UniformRegions, ThatWrite) {
  expect_same(
      "  if ((x & 3) == 1) {\n"
      "    if (how == 0) b[i] = 1;\n"
      "    else if (how == 1) ((global uchar*)b)[4 * i + 1] = 2;\n"
      "    else if (how == 2) ((global ushort*)b)[2 * i] = 3;\n"
      "    x = b[i] + 1;\n"
      "  }\n");
}

/// What a uniform condition comes from may exist only where some lane is active.
TEST(UniformRegions, WhoseConditionIsReadBehindTheVaryingOne) {
  expect_same(
      "  global const uint* from = how == 7 ? (global const uint*)0 : a;\n"
      "  if (x % 5 == 1 && how != 7) {\n"
      "    if (from[3] & 1) x = x * 3 + from[x & 255];\n"
      "    else x = x / 7 + from[(x + 9) & 255];\n"
      "  }\n");
}

/// A value that is the same in all lanes on each way is so behind them, and may be the index of an access.
TEST(UniformRegions, WithUniformResults) {
  expect_same(
      "  if (x & 2) {\n"
      "    uint at = 3;\n"
      "    if (how == 1) at = how * 17 + a[5] % 16;\n"
      "    else if (how == 2) at = a[6] % 99;\n"
      "    x += a[at];\n"
      "    if (at & 1) x ^= a[x & 255];\n"
      "  }\n");
}

/// In the first round of the analysis the inner condition looks uniform.
TEST(UniformRegions, WhoseConditionTurnsOutToVary) {
  expect_same(
      "  uint flag = how;\n"
      "  for (uint n = 0; n < 6; ++n) {\n"
      "    if (x & 4) {\n"
      "      if (flag & 1) x = x * 3 + 1; else x = a[x & 255] + n;\n"
      "      if ((x & 7) == 2) flag = x >> 4;\n"
      "    }\n"
      "    x += n;\n"
      "  }\n");
}

}  // namespace
}  // namespace lanewise::test
