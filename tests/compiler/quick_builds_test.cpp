// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Measures that keep the first build of a kernel short and must not change its results: large bodies have one form, in
/// which every vector has a mask; lanes that are rarely not consecutive use hardware gathers; rows are not blocked
/// where they do not differ; tails that seldom run are brief.
#include <algorithm>

#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Indices that wrap around a power of two, uniform and divergent branches, uniform and divergent loops. `steps` times
/// about 25 instructions.
std::string mixed(unsigned steps, const std::string& element = "uint") {
  std::string text = "kernel void k(global const " + element + "* a, global " + element +
                     "* b, int n, int mask) {\n"
                     "  int i = (int)(get_global_id(0) - get_global_offset(0));\n"
                     "  uint x = a[i & mask], y = i;\n  if (x % 61 == 60) return;\n";
  for (unsigned s = 0; s < steps; ++s) {
    const std::string c = std::to_string(s * 37 + 5);
    text += "  x += a[(i + " + c + ") & mask] ^ y;\n";
    text += "  if ((x & 7) == " + std::to_string(s % 8) + ") { y += x >> 3; b[(i + " + c + ") & mask] = y; }\n";
    text += "  else y ^= a[(x >> 5) & mask];\n";
    text += "  for (int j = 0; j < n; ++j) y = y * 5 + a[(i + j) & mask];\n";
    text += "  while ((y & 12) == 4) y = y * 3 + 1;\n";
  }
  return text + "  b[i & mask] = x + y;\n}\n";
}

Words result(const abi::Reply& reply, const Range& range) {
  Words a(512);
  Words b(512);
  for (std::uint32_t i = 0; i < a.size(); ++i) a[i] = i * 2654435761U >> 5U;
  run_direct(reply, "k", range, {buffer(a), buffer(b), value(3), value(511)}, nullptr);
  return b;
}

TEST(QuickBuilds, LargeBodiesHaveOneFormAndTheSameResults) {
  const std::string source = mixed(16);
  const Range ranges[] = {{512, 64}, {251, 37}, {100, 5}, {75, 1, 2}, {131, 37, (std::size_t{1} << 31U) - 50}};
  for (const Isa isa : runnable_levels()) {
    const abi::Reply scalar = build_vectors(source, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    for (const unsigned width : {0U, 4U, 8U, 16U}) {
      const abi::Reply reply = build_vectors(source, width, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      if (width != 0) EXPECT_NE(reply.log.find("all masked"), std::string::npos) << isa.name() << reply.log;
      for (const Range& range : ranges)
        EXPECT_TRUE(result(reply, range) == result(scalar, range))
            << "width " << width << ", " << isa.name() << ", " << range.global[0] << " items";
    }
  }
}

/// The processor has no masked forms of accesses to bytes; the last vector makes them lane by lane.
TEST(QuickBuilds, LargeBodiesWithAccessesToBytesHaveOneFormToo) {
  const std::string source = mixed(16, "uchar");
  const Range ranges[] = {{512, 64}, {251, 37}, {75, 1, 2}};
  for (const Isa isa : runnable_levels()) {
    const abi::Reply scalar = build_vectors(source, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    const abi::Reply reply = build_vectors(source, 0, isa);
    ASSERT_EQ(reply.status, 0) << reply.log;
    EXPECT_EQ(reply.log.find("all masked") != std::string::npos, isa.has_masked_moves()) << isa.name() << reply.log;
    for (const Range& range : ranges)
      EXPECT_TRUE(result(reply, range) == result(scalar, range)) << isa.name() << ", " << range.global[0] << " items";
  }
}

/// Arithmetic between few accesses, of scalars and of vectors, to consecutive places.
std::string computing(const std::string& type) {
  std::string text = "kernel void k(global const " + type + "* a, global " + type + "* b, int n, int mask) {\n" +
                     "  size_t i = get_global_id(0) - get_global_offset(0);\n  " + type + " x = a[i];\n";
  for (unsigned s = 0; s < 60; ++s) text += "  x = x * " + std::to_string(2 * s + 3) + " + 1; x ^= x >> 7;\n";
  return text + "  b[i] = x;\n  if (n == 4) b[i] += a[i] * x;\n}\n";
}

TEST(QuickBuilds, ArithmeticHasOneFormAtEveryLevel) {
  const Range ranges[] = {{128, 64}, {126, 37}, {100, 5}, {1, 1}, {75, 25, (std::size_t{1} << 31U) - 50}};
  for (const char* type : {"uint", "uint4", "ulong"}) {
    const std::string source = computing(type);
    for (const Isa isa : runnable_levels()) {
      const abi::Reply scalar = build_vectors(source, 1, isa);
      ASSERT_EQ(scalar.status, 0) << scalar.log;
      for (const unsigned width : {0U, 4U, 8U}) {
        const abi::Reply reply = build_vectors(source, width, isa);
        ASSERT_EQ(reply.status, 0) << reply.log;
        if (std::string_view(type) != "ulong" || width != 0)
          EXPECT_NE(reply.log.find("all masked"), std::string::npos) << type << isa.name() << reply.log;
        for (const Range& range : ranges)
          EXPECT_TRUE(result(reply, range) == result(scalar, range))
              << type << ", width " << width << ", " << isa.name() << ", " << range.global[0] << " items";
      }
    }
  }
}

TEST(QuickBuilds, SmallBodiesHaveFullVectors) {
  const abi::Reply reply = build_vectors(mixed(1), 8, IsaLevel::x86_64_v3);
  EXPECT_NE(reply.log.find("masked tail"), std::string::npos) << reply.log;
}

TEST(QuickBuilds, BodiesWithStridesHaveFullVectors) {
  const auto log = [](const char* store) {
    std::string text =
        "kernel void k(global uint* a, global uint* b) {\n  int i = get_global_id(0);\n  uint x = a[i];\n";
    for (unsigned n = 0; n < 100; ++n) text += "  x = x * " + std::to_string(2 * n + 3) + "u + 1u; x ^= x >> 7;\n";
    return build_vectors(text + store + " = x;\n}\n", 8, IsaLevel::x86_64_v3).log;
  };
  EXPECT_NE(log("b[i]").find("all masked"), std::string::npos) << log("b[i]");
  EXPECT_NE(log("b[i * 3]").find("masked tail"), std::string::npos) << log("b[i * 3]");
}

/// Where groups run as one row, tails are few, and their loops are not unrolled.
TEST(QuickBuilds, TailsOfLongRowsKeepTheirLoops) {
  const auto masked_loads = [](const std::string& result) {
    abi::Build q = build_of(
        "kernel void k(global const float* a, global float* b) {\n"
        "  int i = get_global_id(0); float s = 0;\n"
        "  for (int j = 0; j < 5; ++j) s += a[i + j] * (j + 1);\n  b[i] = " +
        result + ";\n}");
    q.code.isa = Isa(IsaLevel::x86_64_v3);
    const std::string text = form(q, "optimised");
    unsigned count = 0;
    const std::string call = "= call <8 x float> @llvm.masked.load";
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(masked_loads("s"), 1U);
  EXPECT_EQ(masked_loads("s + get_local_id(0)"), 5U);
}

/// A kernel has the reduction of large arguments with each of its sines.
TEST(QuickBuilds, LargeArgumentsOfSinesTakeNoNumbersOf128Bits) {
  for (const char* result : {"sin(x)", "cos(x)", "tan(x)", "sincos(x, &y) + y"}) {
    abi::Build q = build_of(
        std::string("kernel void k(global double* a) {\n  int i = get_global_id(0); double x = a[i], y; a[i] = ") +
        result + ";\n}");
    for (const IsaLevel level : {IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
      q.code.isa = Isa(level);
      const std::string text = form(q, "optimised");
      EXPECT_NE(text.find("x double>"), std::string::npos) << result;
      EXPECT_EQ(text.find("x i128>"), std::string::npos) << result;
    }
  }
}

/// Functions whose copies would be too large stay calls, under masks and without: of numbers, a small vector, a truth
/// value, a pointer, and what is the same for all lanes; with a result and without one.
std::string calls() {
  std::string mix;
  for (unsigned k = 0; k < 100; ++k)
    mix += "  x = (x ^ (x >> " + std::to_string(k % 13 + 3) + ")) * " + std::to_string(2 * k + 12345) + "u + y;\n";
  std::string text = "uint f(uint x, uint y, uint2 v) {\n" + mix + "  return x + v.y; }\n";
  text += "uint2 g(uint x, uint y, bool b) {\n" + mix + "  return (uint2)(x, b ? y : 3u); }\n";
  text += "void h(uint x, uint y, global uint* p) {\n" + mix + "  *p += x; }\n";
  text +=
      "kernel void k(global const uint* a, global uint* b, int n, int mask) {\n"
      "  int i = (int)(get_global_id(0) - get_global_offset(0));\n  uint x = a[i & mask]; uint2 v = (uint2)(x, i);\n";
  for (unsigned k = 0; k < 12; ++k) {
    const std::string bit = std::to_string(1U << (k % 5));
    text += "  if (x & " + bit + ") x += f(x, n, v);\n  else v = g(x, i, x & 64);\n";
    text += "  x ^= f(v.x, x, v) + g(n, x, i & " + bit + ").y;\n  if (v.x & 32) h(x, n, b + (i & mask));\n";
  }
  return text + "  b[i & mask] += x + v.x;\n}\n";
}

TEST(QuickBuilds, CallsOfAllLanesGiveTheSameResults) {
  for (const Isa isa : {runnable_levels().front(), runnable_levels().back()}) {
    const abi::Reply scalar = build_vectors(calls(), 1, isa);
    const abi::Reply reply = build_vectors(calls(), 0, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    ASSERT_EQ(reply.status, 0) << reply.log;
    for (const Range& range : {Range{512, 64}, Range{251, 37}, Range{100, 5}})
      EXPECT_TRUE(result(reply, range) == result(scalar, range)) << isa.name() << ", " << range.global[0] << " items";
  }
  abi::Build q = build_of(calls());
  q.code.isa = Isa(IsaLevel::x86_64_v4);
  EXPECT_TRUE(contains(form(q, "lowered"), "lane.loop"));
}

TEST(QuickBuilds, RowsThatDoNotDifferAreNotDoneTogether) {
  const auto log = [](const char* y) {
    return build_vectors(std::string("kernel void k(global const float* a, global float* b, int n) {\n"
                                     "  int x = get_global_id(0), y = ") +
                             y +
                             "; float s = 0;\n"
                             "  for (int i = 0; i < n; ++i) s += a[y * n + i] * a[i * n + x];\n  b[y * n + x] = s;\n}",
                         0, IsaLevel::x86_64_v3)
        .log;
  };
  EXPECT_NE(log("get_global_id(1)").find("blocks of "), std::string::npos) << log("get_global_id(1)");
  for (const char* several : {"blocks of 2 x", "blocks of 4 x", "blocks of 8 x"})
    EXPECT_EQ(log("7").find(several), std::string::npos) << log("7");
}

}  // namespace
}  // namespace lanewise::test
