// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that inlining would copy thousands of times: all calls in a kernel share one body
/// (compiler/kernel/shared_calls.h). The results are those of ordinary calls, wherever the calls are.
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

Words words(std::size_t n) {
  Words v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::uint32_t>(i * 2654435761U) >> 3U;
  return v;
}

/// `depth` functions, each of which calls the one below twice; `second`: the condition of the second call.
std::string tower(const std::string& leaf, unsigned depth, const std::string& parameters, const std::string& passed,
                  const std::string& second = "true") {
  std::string text = leaf;
  for (unsigned d = 1; d <= depth; ++d) {
    const std::string below = "f" + std::to_string(d - 1);
    text += "uint f" + std::to_string(d) + "(uint x" + parameters + ") {\n  uint y = " + below + "(x + " +
            std::to_string(d) + "u" + passed + ");\n  if (!(" + second + ")) return y;\n  return " + below +
            "(y ^ (x >> " + std::to_string(d % 7 + 1) + ")" + passed + ") + x;\n}\n";
  }
  return text;
}

constexpr const char* kLeaf = "uint f0(uint x) { return x * 3u + (uint)get_global_id(0); }\n";

std::uint32_t called(std::uint32_t x, std::uint32_t id, unsigned depth, std::uint32_t mask) {
  if (depth == 0) return x * 3 + id;
  const std::uint32_t y = called(x + depth, id, depth - 1, mask);
  if (mask != 0 && (y & mask) == 0) return y;
  return called(y ^ (x >> (depth % 7 + 1)), id, depth - 1, mask) + x;
}

TEST(SharedFunctions, CallWhoAsksForIds) {
  Words data = words(150);
  Words expected = data;
  for (std::uint32_t i = 0; i < data.size(); ++i) expected[i] = called(data[i], i, 12, 0);
  run(tower(kLeaf, 12, "", "") + "kernel void k(global uint* a) { size_t i = get_global_id(0); a[i] = f12(a[i]); }\n",
      "k", Range(data.size(), 37), {buffer(data)});
  EXPECT_EQ(data, expected);
}

TEST(SharedFunctions, WorkItemsMayCallFromDifferentPlaces) {
  Words data = words(70);
  Words expected = data;
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    std::uint32_t x = data[i];
    if (x % 3 == 0) {
      x = called(x, i, 12, 7) + 1;
    } else if (x % 3 == 1) {
      for (std::uint32_t j = 0; j < x % 4; ++j) x += called(x + j, i, 11, 7) ^ called(j, i, 12, 7);
    } else {
      expected[i] = x;
      continue;
    }
    expected[i] = x + called(x, i, 12, 7);
  }
  run(tower(kLeaf, 12, "", "", "(y & 7u) != 0") +
          "kernel void k(global uint* a) {\n  size_t i = get_global_id(0);\n  uint x = a[i];\n"
          "  if (x % 3 == 0) x = f12(x) + 1;\n"
          "  else if (x % 3 == 1) { uint n = x % 4; for (uint j = 0; j < x % 4; ++j) x += f11(x + j) ^ f12(j); }\n"
          "  else return;\n  a[i] = x + f12(x);\n}\n",
      "k", Range(data.size(), 16), {buffer(data)});
  EXPECT_EQ(data, expected);
}

TEST(SharedFunctions, MayBeDeep) {
  Words data = words(33);
  Words expected = data;
  for (std::uint32_t i = 0; i < data.size(); ++i) expected[i] = called(data[i], i, 20, 1);
  run(tower(kLeaf, 20, "", "", "(y & 1u) != 0") +
          "kernel void k(global uint* a) { size_t i = get_global_id(0); a[i] = f20(a[i]); }\n",
      "k", Range(data.size(), 11), {buffer(data)});
  EXPECT_EQ(data, expected);
}

/// The reference for a whole group: the result for `x` of `depth` levels of calls, the last of which has barriers.
Words with_barriers(const Words& x, unsigned depth) {
  const std::size_t n = x.size();
  Words y(n);
  if (depth == 0) {
    for (std::size_t l = 0; l < n; ++l) y[l] = x[l] + x[(l + 1) % n] * 5;
    return y;
  }
  for (std::size_t l = 0; l < n; ++l) y[l] = x[l] + depth;
  y = with_barriers(y, depth - 1);
  for (std::size_t l = 0; l < n; ++l) y[l] ^= x[l] >> (depth % 7 + 1);
  y = with_barriers(y, depth - 1);
  for (std::size_t l = 0; l < n; ++l) y[l] += x[l];
  return y;
}

constexpr const char* kBarrierLeaf =
    "uint f0(uint x, local uint* s) {\n  size_t l = get_local_id(0), n = get_local_size(0);\n  s[l] = x;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n  x += s[(l + 1) % n] * 5;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  return x;\n}\n";

class SharedBarriers : public ::testing::TestWithParam<unsigned> {};

TEST_P(SharedBarriers, AreReachedByAllWorkItemsTogether) {
  Words data = words(50);
  Words expected;
  for (std::size_t first = 0; first < data.size(); first += 25) {
    const auto begin = data.begin() + static_cast<long>(first);
    const Words group = with_barriers(Words(begin, begin + 25), GetParam());
    expected.insert(expected.end(), group.begin(), group.end());
  }
  run(tower(kBarrierLeaf, GetParam(), ", local uint* s", ", s") +
          "kernel void k(global uint* a, local uint* s) {\n  size_t i = get_global_id(0);\n  a[i] = f" +
          std::to_string(GetParam()) + "(a[i], s);\n}\n",
      "k", Range(data.size(), 25), {buffer(data), local(25 * sizeof(std::uint32_t))});
  EXPECT_EQ(data, expected);
}

INSTANTIATE_TEST_SUITE_P(Depths, SharedBarriers, ::testing::Values(3U, 7U, 10U));

TEST(SharedFunctions, WithBarriersMayBeCalledInLoopsAndBranches) {
  Words data = words(64);
  Words expected = data;
  for (std::size_t first = 0; first < data.size(); first += 16) {
    const auto begin = expected.begin() + static_cast<long>(first);
    Words group(begin, begin + 16);
    for (unsigned j = 0; j < 3; ++j) {
      const Words from = group;
      group = with_barriers(group, j == 1 ? 7 : 8);
      for (std::size_t l = 0; l < 16; ++l) group[l] += from[l] * (j + 3);
    }
    std::copy(group.begin(), group.end(), begin);
  }
  run(tower(kBarrierLeaf, 8, ", local uint* s", ", s") +
          "kernel void k(global uint* a, local uint* s, uint n) {\n  size_t i = get_global_id(0);\n  uint x = a[i];\n"
          "  for (uint j = 0; j < n; ++j) {\n    uint old = x;\n"
          "    if (j == 1) x = f7(x, s); else x = f8(x, s);\n    x += old * (j + 3);\n  }\n  a[i] = x;\n}\n",
      "k", Range(data.size(), 16), {buffer(data), local(16 * sizeof(std::uint32_t)), value(std::uint32_t{3})});
  EXPECT_EQ(data, expected);
}

struct Pair {
  std::uint32_t a = 0, b = 0;
};

/// Results through pointers to private variables of the caller, and structures by value.
void through_pointers(Pair p, std::uint32_t* out, std::uint32_t id, unsigned depth) {
  if (depth == 0) {
    *out += p.a * 5 + (p.b ^ id);
    return;
  }
  std::uint32_t table[4] = {p.a, p.b, depth, 1};
  through_pointers({p.b + depth, p.a}, &table[p.a & 3], id, depth - 1);
  through_pointers({table[0], table[1] ^ table[3]}, out, id, depth - 1);
  *out += table[2];
}

TEST(SharedFunctions, TakePointersToPrivateVariables) {
  for (const bool barriers : {false, true}) {
    const unsigned depth = barriers ? 8 : 11;
    const std::string wait = barriers ? " barrier(CLK_LOCAL_MEM_FENCE);" : "";
    std::string text = "struct pair { uint a, b; };\nvoid f0(struct pair p, uint* out) {" + wait +
                       " *out += p.a * 5 + (p.b ^ (uint)get_global_id(0)); }\n";
    for (unsigned d = 1; d <= depth; ++d) {
      const std::string below = "f" + std::to_string(d - 1);
      text += "void f" + std::to_string(d) + "(struct pair p, uint* out) {\n  uint t[4] = {p.a, p.b, " +
              std::to_string(d) + ", 1};\n  struct pair q = {p.b + " + std::to_string(d) + ", p.a};\n  " + below +
              "(q, &t[p.a & 3]);\n  struct pair r = {t[0], t[1] ^ t[3]};\n  " + below +
              "(r, out);\n  *out += t[2];\n}\n";
    }
    text +=
        "kernel void k(global uint* a) {\n  size_t i = get_global_id(0);\n  struct pair p = {a[i], 7};\n  uint x = 1;\n"
        "  f" +
        std::to_string(depth) + "(p, &x);\n  a[i] = x;\n}\n";
    Words data = words(40);
    Words expected = data;
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      std::uint32_t x = 1;
      through_pointers({data[i], 7}, &x, i, depth);
      expected[i] = x;
    }
    run(text, "k", Range(data.size(), 20), {buffer(data)});
    EXPECT_EQ(data, expected) << (barriers ? "with barriers" : "without barriers");
  }
}

TEST(SharedFunctions, WithoutOptimisationAndWithDebugInformation) {
  for (const char* option : {"-cl-std=CL3.0 -cl-opt-disable", "-cl-std=CL3.0 -g", "-cl-std=CL3.0 -g -cl-opt-disable"}) {
    Words data = words(30);
    Words expected = data;
    for (std::uint32_t i = 0; i < data.size(); ++i) expected[i] = called(data[i], i, 12, 0);
    run(tower(kLeaf, 12, "", "") + "kernel void k(global uint* a) { size_t i = get_global_id(0); a[i] = f12(a[i]); }\n",
        "k", Range(data.size(), 10), {buffer(data)}, option);
    EXPECT_EQ(data, expected) << option;
    Words group = words(12);
    const Words waited = with_barriers(group, 7);
    run(tower(kBarrierLeaf, 7, ", local uint* s", ", s") +
            "kernel void k(global uint* a, local uint* s) { size_t i = get_global_id(0); a[i] = f7(a[i], s); }\n",
        "k", Range(12, 12), {buffer(group), local(12 * sizeof(std::uint32_t))}, option);
    EXPECT_EQ(group, waited) << option;
  }
}

}  // namespace
}  // namespace lanewise::test
