// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithms of float.
#include "float_math.h"

LW float log(float x) {
  float e;
  const float f = lw_log_parts(x, &e);
  const float y = MAD(e, LW_LN2_HIGH, f + MAD(e, LW_LN2_LOW, lw_log1p_rest(f)));
  return lw_log_edges(x, y);
}

// x = (1 + f) 2^e - 1: the same steps, but what 1 + x would round away is kept.
LW float log1p(float x) {
  const int bits = LW_BITS(x + 1.0f) - LW_BITS(0x1.555556p-1f);
  const int shift = bits & (int)0xff800000;
  const float down = LW_FLOAT(LW_BITS(4.0f) - shift);  // 2^-e itself is subnormal for the largest x
  const float f = MAD(x * 0.25f, down, MAD(down, 0.25f, -1.0f));
  const float e = (float)(shift >> 23);
  const float y = MAD(e, LW_LN2_HIGH, f + MAD(e, LW_LN2_LOW, lw_log1p_rest(f)));
  const float outside = x == -1 ? -INFINITY : x < -1 ? __builtin_nanf("") : x;
  return x > -1 && x < INFINITY && ABS(x) > 0x1p-25f ? y : outside;
}

// log2(1 + f) = f + (log2(e) - 1) f + f^2 P(f): the first term is exact.
LW float log2(float x) {
  float e;
  const float f = lw_log_parts(x, &e);
  float p = MAD(-0x1.89de32p-3f, f, 0x1.9d64d8p-3f);
  p = MAD(p, f, -0x1.64ad58p-3f);
  p = MAD(p, f, 0x1.9dc6f0p-3f);
  p = MAD(p, f, -0x1.ed2348p-3f);
  p = MAD(p, f, 0x1.279e88p-2f);
  p = MAD(p, f, -0x1.715272p-2f);
  p = MAD(p, f, 0x1.ec702ap-2f);
  p = MAD(p, f, -0x1.715478p-1f);
  const float rest = MAD(f, 0x1.c551dap-2f, f * f * p);
  return lw_log_edges(x, e + (f + rest));
}

LW float log10(float x) {
  float e;
  const float f = lw_log_parts(x, &e);
  float p = MAD(-0x1.d6d896p-5f, f, 0x1.f18082p-5f);
  p = MAD(p, f, -0x1.ae8884p-5f);
  p = MAD(p, f, 0x1.f24c9cp-5f);
  p = MAD(p, f, -0x1.28d744p-4f);
  p = MAD(p, f, 0x1.63f57ap-4f);
  p = MAD(p, f, -0x1.bcb5f0p-4f);
  p = MAD(p, f, 0x1.287a32p-3f);
  p = MAD(p, f, -0x1.bcb7b2p-3f);
  // log10(e) and log10(2), each in two parts; e times the upper is exact.
  const float rest = MAD(e, 0x1.3509f8p-18f, MAD(f, 0x1.7b1526p-14f, f * f * p));
  const float y = MAD(e, 0x1.344p-2f, MAD(f, 0x1.bcap-2f, rest));
  return lw_log_edges(x, y);
}
