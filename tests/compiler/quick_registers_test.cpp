// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// First code of large kernels, whose values get registers quickly (compiler/object/quick_registers.h): the same
/// results as with LLVM's allocation, where many more values live than there are registers, across loops, branches and
/// calls, in vectors and one by one.
#include "compiler/base/effort.h"
#include "compiler/base/transformations.h"
#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr unsigned kValues = 48;
constexpr unsigned kLoops = 5;

/// Many values that live through a loop of many branches. `rounds` times some 250 instructions.
/// @param changed  what a value becomes behind a branch
std::string many_values(unsigned rounds, const std::string& changed) {
  const auto x = [](unsigned n) { return "x" + std::to_string(n % kValues); };
  std::string text =
      "__attribute__((noinline)) uint mixed(uint a, uint b) { return (a ^ (b >> 3)) * 2654435761u + (a & b); }\n"
      "kernel void k(global const uint* in, global uint* out, int n) {\n  int i = get_global_id(0);\n";
  for (unsigned v = 0; v < kValues; ++v)
    text += "  uint " + x(v) + " = in[(i + " + std::to_string(v * 7) + ") & 255];\n";
  text += "  for (int j = 0; j < n; ++j) {\n";
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned v = 0; v < kValues; ++v) {
      text += "    " + x(v) + " = " + x(v) + " * 5u + " + x(v + r + 1) + " + " + std::to_string(r) + ";\n";
      if ((v + r) % 6 == 0) text += "    if (" + x(v + 3) + " & " + std::to_string(1 + v) + ") " + x(v + 5) + changed;
    }
  text += "  }\n  uint sum = 0;\n";
  for (unsigned v = 0; v < kValues; ++v) text += "  sum = sum * 31u + " + x(v) + ";\n";
  return text + "  out[i] = sum;\n}\n";
}

/// What a work-item of that kernel stores. `changed` becomes a value behind a branch: its old one is the argument, and
/// x1 and x2.
std::uint32_t expected(const Words& in, std::size_t i, unsigned rounds,
                       std::uint32_t (*changed)(std::uint32_t, std::uint32_t, std::uint32_t)) {
  std::uint32_t x[kValues];
  for (unsigned v = 0; v < kValues; ++v) x[v] = in[(i + v * 7) & 255];
  for (unsigned j = 0; j < kLoops; ++j)
    for (unsigned r = 0; r < rounds; ++r)
      for (unsigned v = 0; v < kValues; ++v) {
        x[v] = x[v] * 5 + x[(v + r + 1) % kValues] + r;
        if ((v + r) % 6 != 0 || (x[(v + 3) % kValues] & (1 + v)) == 0) continue;
        std::uint32_t& value = x[(v + 5) % kValues];
        value = changed(value, x[1], x[2]);
      }
  std::uint32_t sum = 0;
  for (const std::uint32_t value : x) sum = sum * 31 + value;
  return sum;
}

std::uint64_t values_on_the_stack() {
  return transformation_counts[static_cast<std::size_t>(Transformation::quick_registers)].getValue();
}

struct Change {
  const char* text;
  std::uint32_t (*value)(std::uint32_t, std::uint32_t, std::uint32_t);
};

constexpr Change kChanges[] = {
    {" ^= 0x9e3779b9u;\n", [](std::uint32_t x, std::uint32_t, std::uint32_t) { return x ^ 0x9e3779b9U; }},
    {" = mixed(x1, x2);\n",
     [](std::uint32_t, std::uint32_t a, std::uint32_t b) { return (a ^ (b >> 3U)) * 2654435761U + (a & b); }}};

void check(const Change& change, unsigned width, Isa isa) {
  constexpr unsigned kRounds = 40;  // enough for Effort::reduced
  SCOPED_TRACE(isa.name() + ", width " + std::to_string(width) + change.text);
  const auto before = values_on_the_stack();
  const abi::Reply reply = build_vectors(many_values(kRounds, change.text), width, isa);
  ASSERT_EQ(reply.status, 0) << reply.log;
  EXPECT_GT(reply.kernels.at(0).instructions.code, kSearchedInstructions);
  EXPECT_GT(values_on_the_stack(), before);
  Words in(256);
  Words out(256);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761U >> 3U;
  run_direct(reply, "k", {256, 64}, {buffer(in), buffer(out), value(kLoops)}, nullptr);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], expected(in, i, kRounds, change.value)) << i;
}

TEST(QuickRegisters, GiveTheSameResults) {
  for (const Isa isa : runnable_levels()) check(kChanges[0], 0, isa);
  check(kChanges[0], 1, runnable_levels().back());
  check(kChanges[1], 0, runnable_levels().back());
}

TEST(QuickRegisters, AreForLargeKernelsOnly) {
  const auto before = values_on_the_stack();
  const abi::Reply reply = build_vectors(many_values(1, " ^= 7u;\n"), 0, runnable_levels().back());
  ASSERT_EQ(reply.status, 0) << reply.log;
  EXPECT_LE(reply.kernels.at(0).instructions.code, kSearchedInstructions);
  EXPECT_EQ(values_on_the_stack(), before);
}

}  // namespace
}  // namespace lanewise::test
