// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of the sizes at which the compiler spends less time on each line (compiler/codegen/pipelines.h): the same
/// results, and a build in seconds. A build whose time grows with the square of the size would exceed the test's time
/// limit.
#include "tests/kernels/harness.h"

namespace {

using namespace lanewise::test;

/// One step of four instructions, which no optimiser can combine with the next one.
std::uint32_t step(std::uint32_t x, std::uint32_t n) {
  x = x * (1664525U + 2 * n) + n;
  x ^= x >> (n % 13 + 3);
  return n % 50 == 0 && x % 3 == 0 ? x + 7 : x;
}

std::string source_of(std::uint32_t steps) {
  std::string text = "kernel void k(global uint* data) {\n  size_t i = get_global_id(0);\n  uint x = data[i];\n";
  for (std::uint32_t n = 0; n < steps; ++n) {
    const std::string number = std::to_string(n);
    text += "  x = x * " + std::to_string(1664525U + 2 * n) + "u + " + number + "u;\n";
    text += "  x ^= x >> " + std::to_string(n % 13 + 3) + ";\n";
    if (n % 50 == 0) text += "  if (x % 3 == 0) { x += 7; data[i] = x; }\n";
  }
  return text + "  data[i] = x;\n}\n";
}

class LargeKernels : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(LargeKernels, GiveTheSameResults) {
  std::vector<std::uint32_t> data(1001), expected(1001);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    data[i] = expected[i] = i * 2654435761U;
    for (std::uint32_t n = 0; n < GetParam(); ++n) expected[i] = step(expected[i], n);
  }
  run(source_of(GetParam()), "k", Range(data.size(), 64), {buffer(data)});
  EXPECT_EQ(data, expected);
}

// 120, 400, 10,000 and 56,000 instructions: each effort once.
INSTANTIATE_TEST_SUITE_P(Steps, LargeKernels, ::testing::Values(30U, 100U, 2'500U, 14'000U));

}  // namespace
