// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `restrict` pointers in kernels whose work-items exchange values: each sees what others have written before a barrier.
#include <numeric>
#include <string>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

Ints iota(std::size_t n) {
  Ints v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

/// Each work-item writes its own element, then that of its neighbour, and reads both after barriers.
const std::string kExchange = R"({
  const int l = get_local_id(0);
  int s = p[l];
  p[l] = s + 1;
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  s += p[l ^ 1];
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  p[l ^ 1] = 7;
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  out[l] = s + p[l];
})";

Ints exchanged(std::size_t n) {
  Ints out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<int>(i + (i ^ 1U)) + 1 + 7;
  return out;
}

TEST(Restrict, GlobalPointersAcrossBarriers) {
  Ints p = iota(32);
  Ints out(32);
  run("kernel void k(global int* restrict p, global int* restrict out)" + kExchange, "k", Range(32, 32),
      {buffer(p), buffer(out)});
  EXPECT_EQ(out, exchanged(32));
}

TEST(Restrict, ParametersOfFunctionsAcrossBarriers) {
  Ints p = iota(32);
  Ints out(32);
  run("void f(global int* restrict p, global int* restrict out)" + kExchange +
          "kernel void k(global int* p, global int* out) { f(p, out); }",
      "k", Range(32, 32), {buffer(p), buffer(out)});
  EXPECT_EQ(out, exchanged(32));
}

TEST(Restrict, LocalPointersAcrossBarriers) {
  Ints in = iota(32);
  Ints out(32);
  run("kernel void k(local int* restrict p, global int* restrict out, global const int* in) {"
      "  p[get_local_id(0)] = in[get_local_id(0)];" +
          kExchange + "}",
      "k", Range(32, 32), {local(32 * sizeof(int)), buffer(out), buffer(in)});
  EXPECT_EQ(out, exchanged(32));
}

/// The work-item that counts in the loop, and those that look on.
TEST(Restrict, LoopsWithBarriers) {
  Ints p(1);
  Ints out(32);
  run(R"(kernel void k(global int* restrict p, global int* restrict out) {
    const int l = get_local_id(0);
    int s = 0;
    for (int i = 0; i < 5; ++i) {
      if (l == i) *p += i + 1;
      barrier(CLK_GLOBAL_MEM_FENCE);
      s += *p;
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[l] = s;
  })",
      "k", Range(32, 32), {buffer(p), buffer(out)});
  EXPECT_EQ(p, Ints(1, 15));
  EXPECT_EQ(out, Ints(32, 1 + 3 + 6 + 10 + 15));
}

}  // namespace
}  // namespace lanewise::test
