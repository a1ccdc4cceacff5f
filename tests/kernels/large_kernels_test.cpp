// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of the sizes at which the compiler spends less time on each line (compiler/base/effort.h): the same
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

constexpr int kWrapped = 1023;  // a mask of indices

/// A kernel that reads consecutive lanes which wrap around, in a loop and behind a branch as well.
std::string wrapped_source(unsigned number) {
  const std::string n = std::to_string(number);
  std::string text = "kernel void k" + n +
                     "(global const int* in, global int* out, int mask, int count) {\n"
                     "  int i = get_global_id(0), x = " +
                     n + ";\n";
  for (unsigned k = 0; k < 12; ++k) {
    text += "  x = x * 5 + in[(i + " + std::to_string(37 * k) + ") & mask];\n";
    text += "  if ((x & 3) == 0) x += in[(i - " + std::to_string(k) + ") & mask];\n";
    text += "  for (int j = 0; j < count; ++j) x ^= in[(x + i + j) & mask] << j;\n";
  }
  return text + "  out[i] = x;\n}\n";
}

int wrapped_value(unsigned number, int i, unsigned count, const std::vector<int>& in) {
  const auto at = [&](unsigned index) { return static_cast<unsigned>(in[index & unsigned{kWrapped}]); };
  unsigned x = number;
  const auto own = static_cast<unsigned>(i);
  for (unsigned k = 0; k < 12; ++k) {
    x = x * 5 + at(own + 37 * k);
    if ((x & 3) == 0) x += at(own - k);
    for (unsigned j = 0; j < count; ++j) x ^= at(x + own + j) << j;
  }
  return static_cast<int>(x);
}

/// Whole vectors, part of one, and vectors with work-items of several rows.
class LargePrograms : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LargePrograms, GiveTheSameResults) {
  constexpr unsigned kCount = 3;
  std::string source;
  for (unsigned number = 0; number < 40; ++number) source += wrapped_source(number);
  std::vector<int> in(kWrapped + 1), out(1001), expected(1001);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761U >> 7);
  for (const unsigned number : {0U, 17U, 39U}) {
    for (std::size_t i = 0; i < out.size(); ++i) expected[i] = wrapped_value(number, static_cast<int>(i), kCount, in);
    std::fill(out.begin(), out.end(), 0);
    run(source, "k" + std::to_string(number), Range(out.size(), GetParam()),
        {buffer(in), buffer(out), value(kWrapped), value(kCount)});
    EXPECT_EQ(out, expected) << "k" << number;
  }
}

INSTANTIATE_TEST_SUITE_P(LocalSizes, LargePrograms, ::testing::Values(64U, 7U));

// 120, 400, 10,000 and 56,000 instructions: each effort once.
INSTANTIATE_TEST_SUITE_P(Steps, LargeKernels, ::testing::Values(30U, 100U, 2'500U, 14'000U));

}  // namespace
