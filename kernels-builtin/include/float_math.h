// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that the float functions share. No branches, no tables: whatever is inlined here can be widened.
//
// Polynomials use MAD, which is fused where the processor can and two operations elsewhere; FMA is used where a result
// must be exact, and costs a dozen operations at x86-64-v2. Coefficients are from math/fit_polynomials.py.
#pragma once

#include "define.h"

#define LW_BITS(x) __builtin_astype((x), int)
#define LW_FLOAT(x) __builtin_astype((x), float)
#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#define ABS(x) __builtin_elementwise_abs(x)
#define MAD(a, b, c) lw_mad(a, b, c)

LW_INLINE LW float lw_mad(float a, float b, float c) {
#pragma clang fp contract(on)
  return a * b + c;
}
LW_INLINE LW double lw_mad(double a, double b, double c) {
#pragma clang fp contract(on)
  return a * b + c;
}

// x with the sign of s flipped in: x is not negative.
LW_INLINE float lw_with_sign(float x, float s) { return LW_FLOAT(LW_BITS(x) | (LW_BITS(s) & (int)0x80000000)); }

// Into [low, high]; NaN stays NaN. One minimum and one maximum instruction, in this order of operands.
LW_INLINE float lw_bounded(float x, float low, float high) {
  const float below = x > high ? high : x;
  return below < low ? low : below;
}

// Adding this rounds |x| < 2^22 to an integer, which is then in the low bits of the sum.
#define LW_ROUNDER 0x1.8p23f

// p x 2^n for |n| <= 252, in two factors: one rounding, into subnormals and infinity too.
LW_INLINE float lw_scaled(float p, int n) {
  const int first = n >> 1;
  return p * LW_FLOAT((first + 127) << 23) * LW_FLOAT((n - first + 127) << 23);
}

// log(2) in two parts: multiples n x HIGH are exact for |n| < 2^9.
#define LW_LN2_HIGH 0x1.62e4p-1f
#define LW_LN2_LOW 0x1.7f7d1cp-20f

// e^(high + low) = e^r 2^n: the factor e^r in [0.7, 1.42], for |x| <= 150.
LW_INLINE float lw_exp_parts(float x, __private int* n) {
  const float t = MAD(x, 0x1.715476p+0f, LW_ROUNDER);
  const float k = t - LW_ROUNDER;
  *n = LW_BITS(t) - LW_BITS(LW_ROUNDER);
  const float r = MAD(k, -LW_LN2_LOW, MAD(k, -LW_LN2_HIGH, x));
  float p = MAD(0x1.6d6d00p-10f, r, 0x1.123c48p-7f);
  p = MAD(p, r, 0x1.5554ccp-5f);
  p = MAD(p, r, 0x1.55548ep-3f);
  p = MAD(p, r, 0.5f);
  return MAD(r * r, p, r) + 1.0f;
}

// 2^r for |r| <= 1/2.
LW_INLINE float lw_exp2_fraction(float r) {
  float p = MAD(0x1.4447b8p-13f, r, 0x1.5f0960p-10f);
  p = MAD(p, r, 0x1.3b2a28p-7f);
  p = MAD(p, r, 0x1.c6af7ap-5f);
  p = MAD(p, r, 0x1.ebfbe0p-3f);
  p = MAD(p, r, 0x1.62e430p-1f);
  return MAD(p, r, 1.0f);
}

// e^x - 1 as q 2^n + (2^n - 1), where q = e^r - 1; |x| <= 150.
LW_INLINE float lw_expm1_parts(float x, __private int* n) {
  const float t = MAD(x, 0x1.715476p+0f, LW_ROUNDER);
  const float k = t - LW_ROUNDER;
  *n = LW_BITS(t) - LW_BITS(LW_ROUNDER);
  const float r = MAD(k, -LW_LN2_LOW, MAD(k, -LW_LN2_HIGH, x));
  float p = MAD(0x1.a26274p-13f, r, 0x1.6d3f42p-10f);
  p = MAD(p, r, 0x1.110ff6p-7f);
  p = MAD(p, r, 0x1.5554f4p-5f);
  p = MAD(p, r, 0x1.555556p-3f);
  p = MAD(p, r, 0.5f);
  return MAD(r * r, p, r);
}

// e^x - 1 for -20 <= x <= 89 (infinite from where it overflows on).
LW_INLINE float lw_expm1_bounded(float x) {
  int n;
  const float q = lw_expm1_parts(x, &n);
  const float power = LW_FLOAT((n + 126) << 23);  // 2^n may be too large
  const float y = MAD(power, q, power - 0.5f);
  return n == 0 ? q : y + y;
}

// A positive finite x = (1 + f) 2^e with 1 + f in [2/3, 4/3); f is exact.
LW_INLINE float lw_log_parts(float x, __private float* e) {
  const bool tiny = x < 0x1p-126f;
  const int bits = LW_BITS(tiny ? x * 0x1p23f : x) - LW_BITS(0x1.555556p-1f);
  *e = (float)((bits >> 23) - (tiny ? 23 : 0));
  return LW_FLOAT((bits & 0x7fffff) + LW_BITS(0x1.555556p-1f)) - 1.0f;
}

// log(1 + f) - f for f as above.
LW_INLINE float lw_log1p_rest(float f) {
  float p = MAD(-0x1.0e2d9cp-3f, f, 0x1.1df0eep-3f);
  p = MAD(p, f, -0x1.f03ad2p-4f);
  p = MAD(p, f, 0x1.1ef232p-3f);
  p = MAD(p, f, -0x1.55b7f2p-3f);
  p = MAD(p, f, 0x1.99ce36p-3f);
  p = MAD(p, f, -0x1.fffe5ep-3f);
  p = MAD(p, f, 0x1.55550cp-2f);
  p = MAD(p, f, -0.5f);
  return f * f * p;
}

// What every logarithm says outside of the positive finite numbers.
LW_INLINE float lw_log_edges(float x, float inside) {
  const float outside = x == 0 ? -INFINITY : x < 0 ? __builtin_nanf("") : x;
  return x > 0 && x < INFINITY ? inside : outside;
}

// log2(a) to 2^-37 relative, in double: multiplied by an exponent it is still good to a fraction of a float's ULP.
// -INFINITY for 0; infinity and NaN stay.
LW_INLINE double lw_log2_wide(float a) {
  float e;
  const double f = lw_log_parts(a, &e);
  double p = MAD(-0x1.34608515674b5p-3, f, 0x1.432cb912313f8p-3);
  p = MAD(p, f, -0x1.c9a36818e1feap-4);
  p = MAD(p, f, 0x1.f9c2a0de27383p-4);
  p = MAD(p, f, -0x1.28fd171582b41p-3);
  p = MAD(p, f, 0x1.4986fe58cf350p-3);
  p = MAD(p, f, -0x1.71426fb93ce39p-3);
  p = MAD(p, f, 0x1.a60ad577460f4p-3);
  p = MAD(p, f, -0x1.ec710a2ea9fe9p-3);
  p = MAD(p, f, 0x1.2776e33e2f603p-2);
  p = MAD(p, f, -0x1.715475c3e389ap-2);
  p = MAD(p, f, 0x1.ec709d8d66c57p-2);
  p = MAD(p, f, -0x1.71547652ee4c3p-1);
  p = MAD(p, f, 0x1.71547652bc272p+0);
  const double y = MAD(p, f, (double)e);
  return a > 0 && a < INFINITY ? y : a == 0 ? -(double)INFINITY : (double)a;
}
