// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that the float functions share, without branches and tables, so that all code that inlines them can be widened.
//
// Polynomials use MAD, which is fused where the processor can do that and two operations elsewhere; FMA is used where a
// result must be exact, and costs a dozen operations at x86-64-v2. Coefficients are from tools/fit/polynomials.py.
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

#include "polynomial.h"

// x, which is not negative, with the sign of s.
LW_INLINE float lw_with_sign(float x, float s) { return LW_FLOAT(LW_BITS(x) | (LW_BITS(s) & (int)0x80000000)); }

// Clamps x to [low, high]; NaN stays NaN. One minimum and one maximum instruction, in this order of operands.
LW_INLINE float lw_bounded(float x, float low, float high) {
  const float below = x > high ? high : x;
  return below < low ? low : below;
}

// Adding this rounds |x| < 2^22 to an integer, which is then in the low bits of the sum.
#define LW_ROUNDER 0x1.8p23f

// Steps that differ between the ISA levels (math/steps.cl); inlined when the levels are made.
#define LW_STEP __attribute__((const))

// p x 2^n for a whole number n, |n| <= 252: one rounding, into subnormals and infinity too.
LW_STEP float __lw_step_scaled(float p, float n);
// For exponentials of x, which are 0 below and infinite above some range: x in a range in which the steps below are
// defined, or x; and p x 2^n for n = t - LW_ROUNDER, where it may be subnormal or infinite only if |x| >= far.
LW_STEP float __lw_step_exp_argument(float x, float low, float high);
LW_STEP float __lw_step_exp_scaled(float p, float t, float x, float far);
// p 2^(n - 1) for n = t - LW_ROUNDER, 0 <= n <= 131.
LW_STEP float __lw_step_half_scaled(float p, float t);
// A positive finite x = (1 + f) 2^e with 1 + f in [3/4, 3/2): f, exact; and e.
LW_STEP float __lw_step_fraction(float x);
LW_STEP float __lw_step_exponent(float x);
// Both, for logarithms: for other numbers the exponent is the logarithm, and the fraction finite or NaN.
LW_STEP float2 __lw_step_log_parts(float x);
// Those of 1 + x, for x > -1: the rounding error of 1 + x is added again.
LW_STEP float2 __lw_step_log1p_parts(float x);
// The same as for logarithms with 1 + f in [2/3, 4/3), or [3/4, 3/2) at x86-64-v4.
LW_STEP float2 __lw_step_short_log_parts(float x);
LW_STEP float __lw_step_rsqrt(float x);
// To 1 ULP, for normal numbers.
LW_STEP float __lw_step_sqrt(float x);
LW_STEP float __lw_step_native_rsqrt(float x);
// Both to 2^-11, also of subnormal numbers, zeros and infinities.
LW_STEP float __lw_step_half_rsqrt(float x);
LW_STEP float __lw_step_half_reciprocal(float x);
LW_STEP float __lw_step_minus_cube(float a, float r);  // a - r^3, where the two are near
LW_STEP float __lw_step_native_exp2(float x);
LW_STEP float __lw_step_short_exp2(float x);  // the same for subnormal results too
LW_STEP float __lw_step_minus_quarters(float x, float k);  // x - k pi/2
// x - n pi for |x| < 2^17 and n a multiple of 1/2.
LW_STEP float __lw_step_minus_pi(float x, float n);
LW_STEP int __lw_step_odd_sign(float k);  // the sign bit where the whole number k is odd
// x y - p, where p is x y rounded: exact but for underflow.
LW_STEP float __lw_step_product_rest(float x, float y, float p);
// 1 / x to 2^-11 or better.
LW_STEP float __lw_step_reciprocal(float x);
// 1 / x to 2^-14 or better, for x that are not zero or infinite.
LW_STEP float __lw_step_near_reciprocal(float x);
// log2|x|, log2(x) and log(x) for programs that allow less accurate functions: an error of 2^-22 of the result or 2^-24,
// whichever is larger.
LW_STEP float __lw_step_short_log2(float x);
LW_STEP float __lw_step_checked_log2(float x);
LW_STEP float __lw_step_short_log(float x);

// log2|x| to 2^-30 relative, as a sum of two numbers, the second of which is below half an ULP of the first: multiplied
// by an exponent it still gives the power to 2 ULP. NaN for 0, infinity and NaN.
LW_STEP float2 __lw_step_log2_pair(float x);

// 2^(high + low) for |high| < 160 and |low| < 2^-8, to half an ULP and 2^-4 of one.
LW_STEP float __lw_step_exp2_pair(float high, float low);

// For logarithms: x, or a normal number in its place; `less` is what its exponent is too large by: infinite or NaN where
// the logarithm is, else less than 2^-20 off. The largest numbers take the branch too, or LLVM would make of the
// condition a test of the class of x, which is a dozen operations. It is one expression, so that the branch stays one
// block.
LW_INLINE float lw_normal(float x, __private float* less) {
  float normal = x, wrong = 0.0f;
  if (__builtin_expect(!((x >= 0x1p-126f) & (x < 0x1p127f)), 0)) {
    const bool small = x < 0x1p-126f;
    normal = small ? x * 0x1p23f : x;
    wrong = (small ? 23.0f : 0.0f) + (0x1p-149f / ABS(normal) - 0x1p-149f * normal);
    wrong = x < 0 ? __builtin_nanf("") : wrong;
  }
  *less = wrong;
  return normal;
}

// log(2) in two parts: multiples n x HIGH are exact for |n| < 2^9.
#define LW_LN2_HIGH 0x1.62e4p-1f
#define LW_LN2_LOW 0x1.7f7d1cp-20f

// e^x = e^r 2^n with n = t - LW_ROUNDER: the factor e^r in [0.7, 1.42], for |x| <= 150.
LW_INLINE float lw_exp_parts(float x, __private float* t) {
  *t = MAD(x, 0x1.715476p+0f, LW_ROUNDER);
  const float k = *t - LW_ROUNDER;
  const float r = MAD(k, -LW_LN2_LOW, MAD(k, -LW_LN2_HIGH, x));
  const float p = POLYNOMIAL(r, 0x1.6d6d00p-10f, 0x1.123c48p-7f, 0x1.5554ccp-5f, 0x1.55548ep-3f, 0.5f);
  return MAD(r * r, p, r) + 1.0f;
}

// 2^r for |r| <= 1/2.
LW_INLINE float lw_exp2_fraction(float r) {
  const float p = POLYNOMIAL(r, 0x1.4447b8p-13f, 0x1.5f0960p-10f, 0x1.3b2a28p-7f, 0x1.c6af7ap-5f, 0x1.ebfbe0p-3f,
      0x1.62e430p-1f);
  return MAD(p, r, 1.0f);
}

// e^x - 1 as q 2^n + (2^n - 1), where q = e^r - 1; |x| <= 150.
LW_INLINE float lw_expm1_parts(float x, __private int* n) {
  const float t = MAD(x, 0x1.715476p+0f, LW_ROUNDER);
  const float k = t - LW_ROUNDER;
  *n = LW_BITS(t) - LW_BITS(LW_ROUNDER);
  const float r = MAD(k, -LW_LN2_LOW, MAD(k, -LW_LN2_HIGH, x));
  const float p = POLYNOMIAL(r, 0x1.a26274p-13f, 0x1.6d3f42p-10f, 0x1.110ff6p-7f, 0x1.5554f4p-5f, 0x1.555556p-3f,
      0.5f);
  return MAD(r * r, p, r);
}

// e^x - 1 for -20 <= x <= 89 (infinity where it overflows).
LW_INLINE float lw_expm1_bounded(float x) {
  int n;
  const float q = lw_expm1_parts(x, &n);
  const float power = LW_FLOAT((n + 126) << 23);  // 2^n may be too large
  const float y = MAD(power, q, power - 0.5f);
  return n == 0 ? q : y + y;
}

// log(1 + f) - f for f as above.
LW_INLINE float lw_log1p_rest(float f) {
  const float p = POLYNOMIAL(f, -0x1.7a4174p-5f, 0x1.b17a3ep-4f, -0x1.0e0eeap-3f, 0x1.284b5cp-3f, -0x1.54dd50p-3f,
      0x1.996b00p-3f, -0x1.000082p-2f, 0x1.5555a2p-2f, -0.5f);
  return f * f * p;
}

// log2(a) to 2^-37 relative, for a positive finite a.
LW_INLINE double lw_log2_wide(float a) {
  const double f = __lw_step_fraction(a);
  const double p = POLYNOMIAL(f, -0x1.088c60ab4ea14p-5, 0x1.72e3a99d4cd5dp-4, -0x1.039c21d5f72dfp-3,
      0x1.17bb5e273cfb2p-3, -0x1.28718047277a0p-3, 0x1.4786a799e0086p-3, -0x1.712f2e6f7d002p-3, 0x1.a61ce64f06267p-3,
      -0x1.ec720c66a54bap-3, 0x1.2776bd0a74048p-2, -0x1.715473b67d990p-2, 0x1.ec709dcb8bff3p-2, -0x1.7154765404fb2p-1,
      0x1.71547652b7c20p+0);
  return MAD(p, f, (double)__lw_step_exponent(a));
}
