// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of double.
#include "double_math.h"

// 2^(high + low); NaN stays.
LW_INLINE double exp2_pair(double high, double low) {
  const double rounder = __lw_step_exp_rounder_d();
  const double bounded = lw_bounded_d(high, -1100.0, 1030.0);
  const double t = bounded + rounder;
  const double r = (bounded - (t - rounder)) + (bounded == high ? low : 0.0);
  return __lw_step_exp_tail_d(r * 0x1.62e42fefa39efp-1, t, 1.0);
}

// a^y for a = |x|; `undetermined` is set for 0^0, infinity^0 and 1^infinity (and NaN).
LW_INLINE double power(double a, double y, __private bool* undetermined) {
  const double2 l = __lw_step_log2_pair(a);
  const double t = y * l.s0;
  *undetermined = t != t;
  return exp2_pair(t, FMA(y, l.s0, -t) + y * l.s1);
}

LW_INLINE double negated(double x, bool negative) {
  return LW_DOUBLE(LW_LONG(x) | (negative ? (long)0x8000000000000000UL : 0));
}

LW double pow(double x, double y) {
  bool undetermined;
  double r = power(ABS(x), y, &undetermined);
  const bool whole = __builtin_elementwise_floor(y) == y;
  const bool odd = whole && __builtin_elementwise_floor(0.5 * y) != 0.5 * y;
  r = negated(undetermined ? 1.0 : r, LW_LONG(x) < 0 && odd);
  r = x < 0 && x > -INFINITY && !whole ? __builtin_nan("") : r;
  r = x != x || y != y ? x + y : r;
  return x == 1 || y == 0 ? 1.0 : r;
}

LW double powr(double x, double y) {
  bool undetermined;
  const double r = power(ABS(x), y, &undetermined);
  return x < 0 || undetermined ? __builtin_nan("") : r;
}

LW double pown(double x, int n) {
  bool undetermined;
  const double r = power(ABS(x), (double)n, &undetermined);
  return n == 0 ? 1.0 : negated(r, LW_LONG(x) < 0 && (n & 1));
}

LW double rootn(double x, int n) {
  const double2 l = __lw_step_log2_pair(ABS(x));
  const double y = (double)n, t = l.s0 / y;
  const double r = exp2_pair(t, (FMA(-t, y, l.s0) + l.s1) / y);
  return n == 0 || (x < 0 && !(n & 1)) ? __builtin_nan("") : negated(r, LW_LONG(x) < 0 && (n & 1));
}

// Scaled by a power of two so that no square overflows, and none that matters vanishes.
LW_INLINE double scaled_hypot(double a, double b) {
  const double high = b < a ? a : b, low = b < a ? b : a;
  const double down = high > 0x1p500 ? 0x1p-600 : high < 0x1p-500 ? 0x1p600 : 1.0;
  const double up = high > 0x1p500 ? 0x1p600 : high < 0x1p-500 ? 0x1p-600 : 1.0;
  const double h = high * down, l = low * down;
  const double r = __builtin_elementwise_sqrt(MAD(h, h, l * l)) * up;
  return a == INFINITY || b == INFINITY ? INFINITY : r;
}
LW double hypot(double x, double y) {
  const double square = MAD(x, x, y * y);
  double r = __lw_step_sqrt_d(square);
  if (__builtin_expect(!(square > 0x1p-900 && square < INFINITY), 0)) r = scaled_hypot(ABS(x), ABS(y));
  return r;
}

LW double rsqrt(double x) { return __lw_step_rsqrt_d(x); }

// A first a^(-1/3) of the fraction times one of the three powers 2^(-s/3), refined by the series of (1 - e)^(-1/3); then
// a step of Newton's for a^(1/3).
LW double cbrt(double x) {
  const double a = ABS(x);
  const double f = __lw_step_fraction_d(a), e = __lw_step_exponent_d(a);
  const double third = __builtin_elementwise_roundeven(e * 0x1.5555555555555p-2), s = MAD(third, -3.0, e);
  const double m = MAD(s, MAD(s, 0.25, 0.75), 1.0) * (f + 1.0);
  double r = MAD(-0x1.42533c4cb16e9p-4, f, 0x1.2f3ec2119b3b9p-3);
  r = MAD(r, f, -0x1.6b9c22e411865p-3);
  r = MAD(r, f, 0x1.c76ddc5fa6a74p-3);
  r = MAD(r, f, -0x1.553c873c9969cp-2);
  r = MAD(r, f, 0x1.ffffc8677943ap-1);
  r *= MAD(s, MAD(s, 0x1.b744985853524p-6, -0x1.dd68e9bbaedb3p-3), 1.0);
  const double error = MAD(-m * r, r * r, 1.0);
  r = MAD(r * error, MAD(error, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
  const double root = m * r * r;
  const double y = MAD(MAD(-root * root, root, m) * r * r, 0x1.5555555555555p-2, root);
  const double whole = lw_with_sign_d(__lw_step_scaled_d(y, third), x);
  return a > 0 && a < INFINITY ? whole : x;
}
