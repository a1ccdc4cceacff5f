// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of float need: an exponent multiplies its error by up to 2^7, so it is carried in two floats.
// A step with two forms, as in steps.cl: by way of double, and by a table.
#include "float_math.h"

LW_OPERATION float __lw_op_getexp_f(float);
LW_OPERATION float __lw_op_mantissa_f(float);
LW_OPERATION float __lw_op_lookup_f(__constant const float*, uint);

LW_STEP float2 __lw_step_log2_pair(float x) {
  const float a = ABS(x);
  const double l = lw_log2_wide(a);
  const float high = (float)l;
  return (float2)(a > 0 && a < INFINITY ? high : __builtin_nanf(""), (float)(l - (double)high));
}

// 1 / c and log2(c), in two parts of which the first has 16 bits behind its point, for a c in each sixteenth of [1, 2).
// 1 / c has 5 bits, so that m / c - 1 is exact; the first c is 1 and the last one 2, so that nothing is lost around 1.
static __constant const float kInverse[16] = {
    1.0f,      0.90625f, 0.875f,   0.8125f,  0.78125f, 0.75f,    0.71875f, 0.6875f,
    0.65625f,  0.625f,   0.59375f, 0.59375f, 0.5625f,  0.53125f, 0.53125f, 0.5f};
static __constant const float kLog2High[16] = {
    0.0f,           0x1.22d8p-3f,   0x1.8a88p-3f,   0x1.32cp-2f,    0x1.6cbp-2f,    0x1.a9p-2f,
    0x1.e7ep-2f,    0x1.14c6p-1f,   0x1.3722p-1f,   0x1.5b2cp-1f,   0x1.8110p-1f,   0x1.8110p-1f,
    0x1.a9p-1f,     0x1.d338p-1f,   0x1.d338p-1f,   1.0f};
static __constant const float kLog2Low[16] = {
    0.0f,             0x1.6e155ap-18f,  0x1.80abfcp-19f,  -0x1.1c8f12p-22f, 0x1.ed0cbap-19f,  -0x1.a39fbep-20f,
    -0x1.40358ep-19f, -0x1.3e032ep-18f, 0x1.5db83ap-20f,  0x1.ed0cbap-20f,  -0x1.6b9026p-19f, -0x1.6b9026p-19f,
    -0x1.a39fbep-19f, 0x1.20a6dep-21f,  0x1.20a6dep-21f,  0.0f};

// With m = c (1 + r), -0.0372 < r <= 1/16: log2(m) = log2(c) + r L + r^2 P(r).
LW_STEP float2 __lw_step_log2_pair_v4(float x) {
  const float m = __lw_op_mantissa_f(x);
  const uint index = __builtin_astype(m, uint) >> 19;
  const float r = FMA(m, __lw_op_lookup_f(kInverse, index), -1.0f);
  float p = MAD(-0x1.cf6f2ap-3f, r, 0x1.27be70p-2f);
  p = MAD(p, r, -0x1.715b76p-2f);
  p = MAD(p, r, 0x1.ec709ap-2f);
  p = MAD(p, r, -0x1.715476p-1f);
  const float line = r * 0x1.715476p+0f;
  const float rest = FMA(r, 0x1.715476p+0f, -line) + MAD(r, 0x1.4ae0c0p-26f, __lw_op_lookup_f(kLog2Low, index));
  const float whole = __lw_op_getexp_f(x) + __lw_op_lookup_f(kLog2High, index);
  const float sum = whole + line;
  const float low = MAD(r * r, p, ((whole - sum) + line) + rest), high = sum + low;
  return (float2)(high, (sum - high) + low);
}
