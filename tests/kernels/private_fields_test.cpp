// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private arrays of which one part is used in a loop and behind it: every work-item has its own, also where the part's
/// address is computed once for both places. What a kernel gives is compared with the same without optimisation.
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Floats = std::vector<float>;
constexpr int kItems = 200;
constexpr int kGroup = 50;
constexpr int kRoom = 64;  ///< elements that are read behind those of the last work-item

struct Case {
  const char* name;
  const char* types;  ///< in front of the kernel
  const char* body;   ///< gives `out` a value; n and m are 29 and 13
};

/// The loops of the first ones are left by all work-items together, those of the others one by one.
constexpr Case kCases[] = {
    {"InUniformLoop", "", R"(float d[2][8]; int i = 0;
      do { d[1][i & 7] = in[id] + i; d[0][(i + m) & 7] = i; } while (++i < n);
      out[id] = d[1][0] + d[1][m & 7] + d[0][n & 7];)"},
    {"StoredBySome", "", R"(float d[3][8]; int i = 0;
      do {
        d[0][i & 7] = d[1][i & 7] = d[2][i & 7] = i;
        if (in[id + (i & 31)] > 50.0f) d[1][(i * 3) & 7] = in[id];
      } while (++i < n);
      out[id] = d[1][0] + d[1][m & 7] + d[0][n & 7] + d[2][m & 7];)"},
    {"InDivergentLoop", "", R"(float d[2][8]; int i = 0;
      do { d[1][i & 7] = in[id] + i; d[0][(i + m) & 7] = i; } while (++i < id % 7 + 8);
      out[id] = d[1][0] + d[1][m & 7] + d[0][n & 7];)"},
    {"LeftEarly", "", R"(float d[2][8]; int i = 0;
      do {
        d[1][i & 7] = i;
        d[0][(i * 3) & 7] = in[id + (i & 31)];
        if (i > 7 && in[id + (i & 31)] > 90.0f) break;
        d[0][(i * 5) & 7] = i;
      } while (++i < n);
      out[id] = d[1][0] + d[1][m & 7] + d[0][n & 7];)"},
    {"OfAStructure", "typedef struct { float head[4]; float tail[4]; int count; } Row;", R"(Row s; int i = 0;
      do {
        s.head[i & 3] = in[id + i];
        s.tail[(i * m) & 3] = in[id + i] * i;
        s.count = i * m;
      } while (++i < 4 + l % 9);
      out[id] = s.tail[0] + s.count;)"},
    {"OfBytes", "", R"(char d[4][16]; int i = 0;
      do { d[2][i & 15] = i + l; d[1][i & 15] = d[2][0] + 1; } while (++i < 16 + id % 21);
      out[id] = d[2][0] + d[1][3] * 3 + d[2][n & 15];)"},
    {"OfVectors", "", R"(float4 d[2][4]; int i = 0;
      do { d[0][i & 3] = (float4)(in[id], i, m, n); d[1][i & 3] = d[0][i & 3] * in[id + i]; } while (++i < 4 + l % 3);
      out[id] = d[1][0].x + d[1][n & 3].y;)"},
    {"OfTwoVariables", "", R"(float d[2][8]; int e[2][4]; int i = 0;
      do {
        d[1][i & 7] = in[id + i];
        e[1][i & 3] = i * l;
        e[0][i & 3] = i;
        d[0][i & 7] = l;
      } while (++i < 8 + l % 5);
      out[id] = d[1][0] + e[1][0] + d[1][n & 7] * e[1][m & 3];)"},
    {"InNestedLoops", "", R"(float d[2][8]; int i = 0;
      do {
        int j = 0;
        do d[1][(i + j) & 7] = in[id + i + j]; while (++j < 8 + m % 7);
      } while (++i < 2 + l % 5);
      out[id] = d[1][0] + d[1][n & 7];)"},
    {"BetweenBarriers", "", R"(local float t[50]; float d[2][8]; int i = 0;
      t[l] = in[id];
      barrier(CLK_LOCAL_MEM_FENCE);
      do { d[1][i & 7] = t[(l + i) % 50]; d[0][i & 7] = i; } while (++i < 8 + l % 5);
      const float v = d[1][0] + d[1][n & 7] + d[0][m & 7];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      i = 0;
      do { d[1][i & 7] = t[(l + i + 1) % 50]; d[0][i & 7] = i; } while (++i < n);
      out[id] = d[1][0] + d[1][m & 7] + v + d[0][0];)"},
};

class PrivateFields : public testing::TestWithParam<Case> {};

TEST_P(PrivateFields, AreTheWorkItemsOwn) {
  const Case& c = GetParam();
  const std::string source = std::string(c.types) +
                             "\nkernel void k(global const float* in, global float* out, int n, int m) {\n"
                             "const int l = get_local_id(0), id = get_global_id(0);\n" +
                             c.body + "\n}";
  Floats in(kItems + kRoom);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101);
  const auto result = [&](const char* options) {
    Floats out(kItems);
    run(source, "k", Range(kItems, kGroup), {buffer(in), buffer(out), value(29), value(13)}, options);
    return out;
  };
  EXPECT_EQ(result("-cl-std=CL3.0"), result("-cl-std=CL3.0 -cl-opt-disable"));
}

INSTANTIATE_TEST_SUITE_P(All, PrivateFields, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

/// `v` as an index of `size` elements, mirrored at both ends.
int reflected(int v, int size) {
  do v = v < 0 ? -v : 2 * size - 2 - v;
  while (v >= size || v < 0);
  return v;
}

/// Rows at which all work-items of a group are, and columns of their own, as filters of images find them beyond an edge.
TEST(PrivateFields, OfReflectedRowsAndColumns) {
  const char* source = R"(
    #define INTO(v, size) do { if (v < 0) v = -v; else v = size - 1 - (v - size) - 1; } while (v >= size || v < 0)
    kernel void k(global float* out, int n, int m) {
      const int column = get_local_id(0), g = get_group_id(0);
      float d[3][4];
      for (int i = 0; i < 4; ++i) {
        int r = g * 2 - 1 + i, c = column - 1;
        INTO(r, m);
        INTO(c, n);
        int p = g * 2 - 1 + i, q = column - 1;
        INTO(p, m);
        INTO(q, n);
        const float v = r * n + c, w = p * n + q;
        d[0][i] = v;
        d[1][i] = w;
        d[2][i] = w * w;
      }
      out[get_global_id(0)] = d[2][0];
    })";
  Floats out(256), expected(256);
  for (int i = 0; i < 256; ++i) {
    const int place = reflected(i / 64 * 2 - 1, 50) * 20 + reflected(i % 64 - 1, 20);
    expected[static_cast<std::size_t>(i)] = static_cast<float>(place * place);
  }
  run(source, "k", Range(256, 64), {buffer(out), value(20), value(50)});
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace lanewise::test
