// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of the bits of three operands, as trees of random operations (target/x86/ternary_logic.h).
#include <cstdint>
#include <random>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// An expression in OpenCL C, and its values for the eight combinations of bits of x, y and z.
struct Expression {
  std::string text;
  std::uint8_t table;
};

Expression random_expression(std::mt19937& random, unsigned operations) {
  if (operations == 0) {
    constexpr std::uint8_t kTables[] = {0xf0, 0xcc, 0xaa};
    const unsigned k = random() % 3;
    return {std::string(1, "xyz"[k]), kTables[k]};
  }
  const unsigned left = random() % operations;
  const Expression a = random_expression(random, left), b = random_expression(random, operations - 1 - left);
  switch (random() % 4) {
    case 0:
      return {"(" + a.text + " & " + b.text + ")", static_cast<std::uint8_t>(a.table & b.table)};
    case 1:
      return {"(" + a.text + " | " + b.text + ")", static_cast<std::uint8_t>(a.table | b.table)};
    case 2:
      return {"(" + a.text + " ^ " + b.text + ")", static_cast<std::uint8_t>(a.table ^ b.table)};
    default:
      return {"~" + a.text, static_cast<std::uint8_t>(~a.table)};
  }
}

template <class T>
void expect_functions(const std::string& type) {
  constexpr std::size_t kItems = 200, kFunctions = 16;
  std::mt19937 random(7);
  std::vector<Expression> functions;
  std::string source = "typedef " + type +
                       " T;\nkernel void k(global const T* in, global T* out) {\n  size_t i = get_global_id(0);\n"
                       "  T x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];\n";
  for (std::size_t k = 0; k < kFunctions; ++k) {
    functions.push_back(random_expression(random, 3 + static_cast<unsigned>(k % 7)));
    source +=
        "  out[i * " + std::to_string(kFunctions) + " + " + std::to_string(k) + "] = " + functions.back().text + ";\n";
  }
  std::vector<T> in(3 * kItems), out(kItems * kFunctions);
  for (T& v : in) v = static_cast<T>(random() * std::uint64_t{0x9e3779b97f4a7c15});
  run(source + "}\n", "k", Range(kItems, 50), {buffer(in), buffer(out)});
  for (std::size_t i = 0; i < kItems; ++i)
    for (std::size_t k = 0; k < kFunctions; ++k) {
      T wanted = 0;
      for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit) {
        const auto of = [&](std::size_t n) { return static_cast<unsigned>(in[3 * i + n] >> bit & 1); };
        const unsigned row = of(0) << 2 | of(1) << 1 | of(2);
        wanted = static_cast<T>(wanted | static_cast<T>(functions[k].table >> row & 1) << bit);
      }
      ASSERT_EQ(out[i * kFunctions + k], wanted) << functions[k].text << " of work-item " << i;
    }
}

TEST(Logic, FunctionsOfThreeOperands) {
  expect_functions<std::uint32_t>("uint");
  expect_functions<std::uint64_t>("ulong");
}

}  // namespace
}  // namespace lanewise::test
