// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithms of float.
#include "float_math.h"

LW float log(float x) {
  const float2 parts = __lw_step_log_parts(x);
  const float f = parts.s0, e = parts.s1;
  return MAD(e, LW_LN2_HIGH, f + MAD(e, LW_LN2_LOW, lw_log1p_rest(f)));
}

LW float __lw_relaxed_log(float x) { return __lw_step_short_log(x); }
LW float __lw_relaxed_log10(float x) { return __lw_step_short_log(x) * 0x1.bcb7b2p-2f; }
LW float __lw_relaxed_log2(float x) { return __lw_step_checked_log2(x); }

// x = (1 + f) 2^e - 1: the same steps, but the rounding error of 1 + x is added again.
LW float log1p(float x) {
  const float2 parts = __lw_step_log1p_parts(x);
  const float f = parts.s0, e = parts.s1;
  float y = MAD(e, LW_LN2_HIGH, f + MAD(e, LW_LN2_LOW, lw_log1p_rest(f)));
  if (__builtin_expect(!((x > -1.0f) & (x < 0x1p127f)), 0)) {
    const float outside = x == -1 ? -INFINITY : x < -1 ? __builtin_nanf("") : x;
    y = x > -1 && x < INFINITY ? y : outside;
  }
  return ABS(x) < 0x1p-25f ? x : y;
}

// log2(1 + f) = f + (log2(e) - 1) f + f^2 P(f): the first term is exact.
LW float log2(float x) {
  const float2 parts = __lw_step_log_parts(x);
  const float f = parts.s0, e = parts.s1;
  const float p = POLYNOMIAL(f, -0x1.111a82p-4f, 0x1.38fdb6p-3f, -0x1.85cd06p-3f, 0x1.ab7702p-3f, -0x1.ebbce6p-3f,
      0x1.2754c2p-2f, -0x1.715558p-2f, 0x1.ec7110p-2f, -0x1.715476p-1f);
  const float rest = MAD(f, 0x1.c551dap-2f, f * f * p);
  return e + (f + rest);
}

LW float log10(float x) {
  const float2 parts = __lw_step_log_parts(x);
  const float f = parts.s0, e = parts.s1;
  const float p = POLYNOMIAL(f, -0x1.4b700ap-6f, 0x1.79feacp-5f, -0x1.d542c2p-5f, 0x1.0137f6p-4f, -0x1.280a76p-4f,
      0x1.639fc0p-4f, -0x1.bcb91ep-4f, 0x1.287ab4p-3f, -0x1.bcb7b0p-3f);
  // log10(e) and log10(2), each in two parts; e times the high part is exact.
  const float rest = MAD(e, 0x1.3509f8p-18f, MAD(f, 0x1.7b1526p-14f, f * f * p));
  return MAD(e, 0x1.344p-2f, MAD(f, 0x1.bcap-2f, rest));
}
