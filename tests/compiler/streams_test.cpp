// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hot code that walks through more arrays than a processor's prefetchers follow has several vectors side by side,
/// other code one; results are those of the scalar form.
#include <functional>
#include <string>

#include "tests/compiler/direct_harness.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

constexpr unsigned kRow = 64;  ///< elements of an array
constexpr unsigned kMostArrays = 80;

/// `count` statements, one for each array, in a kernel of floats `a` and `b`.
std::string arrays(unsigned count, const std::function<std::string(unsigned)>& statement,
                   const std::string& after = "") {
  std::string body;
  for (unsigned k = 0; k < count; ++k) body += "  " + statement(k) + "\n";
  return "kernel void k(global const float* a, global float* b, int n) {\n  const size_t i = get_global_id(0);\n" +
         body + after + "}\n";
}

std::string at(const std::string& array, unsigned k) {
  return array + "[" + std::to_string(k * kRow) + " + i]";
}

std::string product(unsigned k) {
  return at("b", k) + " *= " + at("a", k % 7) + ";";
}

struct Case {
  const char* name;
  std::string source;
  bool several;  ///< 32 work-items in a vector with AVX2
};

const Case kCases[] = {
    {"many", arrays(70, product), true},
    {"few", arrays(40, product), false},
    {"computing",
     arrays(70,
            [](unsigned k) {
              const std::string x = at("a", k);
              return at("b", k) + " = " + x + " > 0.5f ? (" + x + " + 1.5f) * (2.5f - " + x + ") * (" + x +
                     " + 3.0f) : (" + x + " - 3.0f) * 5.0f + (" + x + " - 0.25f) * (" + x + " - 7.0f);";
            }),
     false},
    {"dividing", arrays(70, [](unsigned k) { return at("b", k) + " /= " + at("a", k % 7) + ";"; }), false},
    {"gathering", arrays(70, product, "  b[4480 + ((int)a[i] & 63)] = 1;\n"), false},
    {"many_alive",
     arrays(
         70, [](unsigned k) { return "const float v" + std::to_string(k) + " = " + at("a", k) + ";"; },
         [] {
           std::string stores;
           for (unsigned k = 0; k < 70; ++k)
             stores += "  " + at("b", k) + " = v" + std::to_string(k) + " - v" + std::to_string(69 - k) + ";\n";
           return stores;
         }()),
     false},
    {"looping", arrays(70, product, "  for (int k = 0; k < n; ++k) b[k * 64 + i] += a[k * 64 + i];\n"), false},
};

class Streams : public testing::TestWithParam<Case> {};

TEST_P(Streams, TakeSeveralVectors) {
  const Case& c = GetParam();
  const auto result = [](const abi::Reply& reply) {
    std::vector<float> a(kRow * kMostArrays);
    std::vector<float> b(kRow * kMostArrays);
    for (unsigned i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 61) + 1;
    for (unsigned i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 53);
    run_direct(reply, "k", Range(1, {kRow, 1, 1}, {kRow, 1, 1}), {buffer(a), buffer(b), value(3)}, nullptr);
    return b;
  };
  const abi::Reply scalar = build_vectors(c.source, 1, IsaLevel::x86_64_v3);
  ASSERT_EQ(scalar.status, 0) << scalar.log;
  abi::Specialise q = specialise(scalar, "k", {kRow, 1, 1});
  q.code.isa = IsaLevel::x86_64_v3;
  const abi::Reply hot = run_request(q);
  ASSERT_EQ(hot.status, 0) << hot.log;
  EXPECT_TRUE(result(hot) == result(scalar));
  const std::string ir = form(q, "lowered");
  EXPECT_EQ(contains(ir, "<32 x float>"), c.several);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Streams, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanewise::test
