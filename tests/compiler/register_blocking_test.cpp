// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several rows and vectors of work-items in one iteration: results are those of the scalar form, byte for byte,
/// whether blocks fill the range or not; and blocks are made where they should be.
#include <string>

#include "tests/compiler/direct_harness.h"

namespace lanewise::test {
namespace {

struct Case {
  const char* name;
  const char* body;
  bool blocked = true;
};

constexpr const char* kPrologue = R"(
  #define X get_global_id(0)
  #define Y get_global_id(1)
)";

const Case kCases[] = {
    {"product", R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint s = 0;
       for (int i = 0; i < n; ++i) s += a[y * n + i] * a[i * n + x]; b[y * 48 + x] = s; })"},
    {"float_product",
     R"(kernel void k(global const uint* a, global float* b, int n) { const int x = X, y = Y; float s = 0;
       for (int i = 0; i < n; ++i) s = fma((float)(a[y * n + i] & 255), (float)(a[i * n + x] & 255), s);
       b[y * 48 + x] = s; })"},
    {"chain", R"(kernel void k(global const uint* a, global float* b, int n) { const int x = X, y = Y;
       float s = (float)(a[y * 48 + x] & 7); for (int i = 0; i < n; ++i) s = fma(s, 0.5f, 1.0f); b[y * 48 + x] = s; })"},
    {"two_levels", R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint s = x;
       for (int i = 0; i < 5; ++i) { for (int j = 0; j < n; ++j) s += a[y + i] ^ a[x + j]; s = s * 3 + y; }
       b[y * 48 + x] = s; })"},
    {"uniform_branch",
     R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint s = 0;
       for (int i = 0; i < n; ++i) { if (a[i] & 1) s += a[y + i] * a[x + i]; else s ^= a[x]; } b[y * 48 + x] = s; })"},
    {"own_stores", R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y;
       b[y * 48 + x] = 0; for (int i = 0; i < n; ++i) b[y * 48 + x] += a[y * n + i] * a[i * n + x]; })"},
    {"private_array", R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint t[8];
       for (int i = 0; i < 8; ++i) t[i] = a[y * 8 + i] + x;
       for (int i = 0; i < n; ++i) t[i & 7] += t[(a[i] + i) & 7] * a[x + i];
       uint s = 0; for (int i = 0; i < 8; ++i) s = s * 5 + t[i]; b[y * 48 + x] = s; })",
     false},
    {"barriers",
     R"(kernel void k(global const uint* a, global uint* b, int n) { local uint t[64]; const int x = X, y = Y;
       const int l = get_local_linear_id(); uint s = 0;
       for (int j = 0; j < 3; ++j) { t[l & 63] = a[j]; barrier(CLK_LOCAL_MEM_FENCE);
         for (int i = 0; i < n; ++i) s += t[0] * a[y * n + i] + a[i + x]; barrier(CLK_LOCAL_MEM_FENCE); }
       b[y * 48 + x] = s; })"},
    {"atomics", R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint s = 0;
       for (int i = 0; i < n; ++i) { s += a[y + i] * a[x + i]; atomic_add(&b[4000], a[i]); } b[y * 48 + x] = s; })",
     false},
    {"branch_by_row",
     R"(kernel void k(global const uint* a, global uint* b, int n) { const int x = X, y = Y; uint s = 0;
       for (int i = 0; i < (y & 3) + n; ++i) s += a[y + i] * a[x + i]; b[y * 48 + x] = s; })",
     false},
};

std::vector<std::uint32_t> result(const abi::Reply& reply, const Range& range) {
  std::vector<std::uint32_t> a(8192);
  std::vector<std::uint32_t> b(4096);
  for (std::uint32_t i = 0; i < a.size(); ++i) a[i] = i * 2654435761U >> 7U;
  run_direct(reply, "k", range, {buffer(a), buffer(b), value(19)}, nullptr);
  return b;
}

class RegisterBlocking : public testing::TestWithParam<Case> {};

TEST_P(RegisterBlocking, EqualsScalar) {
  const Case& c = GetParam();
  const std::string source = std::string(kPrologue) + c.body;
  const Range ranges[] = {Range(2, {48, 8, 1}, {48, 8, 1}), Range(2, {48, 14, 1}, {24, 7, 1}),
                          Range(2, {45, 9, 1}, {45, 3, 1}), Range(3, {40, 4, 2}, {40, 4, 2}, {3, 1, 0})};
  for (const Isa isa : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3}) {
    const abi::Reply scalar = build_vectors(source, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    for (const unsigned width : {0U, 4U}) {
      const abi::Reply reply = build_vectors(source, width, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      if (c.blocked && isa.level() == IsaLevel::x86_64_v3)
        EXPECT_NE(reply.log.find("blocks of"), std::string::npos) << reply.log;
      for (const Range& range : ranges)
        EXPECT_TRUE(result(reply, range) == result(scalar, range))
            << c.name << ", width " << width << ", " << isa.name() << ", " << range.global[0] << " by "
            << range.global[1];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RegisterBlocking, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanewise::test
