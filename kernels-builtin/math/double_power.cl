// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of double.
#include "double_math.h"

// Whether 2^t is zero, infinite or NaN.
LW_INLINE bool beyond(double t) { return !(ABS(t) < 1100.0); }
// |x|^y where y log2|x| is `beyond`; NaN for 0^0, infinity^0, 1^infinity.
LW_INLINE double limit(double x, double y) {
  const double direction = y * (ABS(x) - 1.0);
  return direction > 0 ? INFINITY : direction < 0 ? 0.0 : __builtin_nan("");
}

// |x|^y from what the step says of it, without a branch.
LW_INLINE double any_power(double x, double y, double2 power) {
  const double outside = limit(x, y), inside = __lw_step_far_power_d(power);
  return beyond(power.s1) ? outside : inside;
}
LW_INLINE bool far(double2 power) { return !(ABS(power.s1) < __lw_step_power_limit_d()); }

LW_INLINE double negated(double x, bool negative) {
  return LW_DOUBLE(LW_LONG(x) ^ (negative ? (long)0x8000000000000000UL : 0));
}

// The result of pow from |x|^y, for negative x and for limits and NaN too.
LW_INLINE double pow_edges(double x, double y, double r) {
  const bool whole = __builtin_elementwise_floor(y) == y;
  const bool odd = whole & (__builtin_elementwise_floor(0.5 * y) != 0.5 * y);
  const double with_sign = negated(r != r ? 1.0 : r, (LW_LONG(x) < 0) & odd);
  const bool undefined = (x < 0) & (x > -INFINITY) & !whole;
  const bool unknown = ((x != x) | (y != y)) & (x != 1) & (y != 0);
  return (undefined | unknown) ? __builtin_nan("") : with_sign;
}

// Powers of -0 are far.
LW double pow(double x, double y) {
  const double2 power = __lw_step_power_d(x, y);
  double r = power.s0;
  if (__builtin_expect((x < 0) | far(power), 0)) r = pow_edges(x, y, any_power(x, y, power));
  return r;
}

LW double powr(double x, double y) {
  const double2 power = __lw_step_power_d(x, y);
  double r = power.s0;
  if (__builtin_expect((x < 0) | far(power), 0)) r = x < 0 ? __builtin_nan("") : any_power(x, y, power);
  return r;
}

LW double pown(double x, int n) {
  const double2 power = __lw_step_power_d(x, (double)n);
  double r = power.s0;
  if (__builtin_expect(far(power), 0)) r = n == 0 ? 1.0 : any_power(x, (double)n, power);
  return negated(r, (LW_LONG(x) < 0) & (n & 1));
}

LW double rootn(double x, int n) {
  const double2 l = __lw_step_log2_pair_d(x);
  const double y = (double)n, inverse = 1.0 / y, t = l.s0 * inverse;
  double r = lw_exp2_pair_d(t, (FMA(-t, y, l.s0) + l.s1) * inverse);
  if (__builtin_expect(beyond(t), 0)) r = limit(x, y);
  return ((n == 0) | ((x < 0) & !(n & 1))) ? __builtin_nan("") : negated(r, (LW_LONG(x) < 0) & (n & 1));
}

// Scaled by a power of two so that no square overflows, and none that matters underflows.
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

// An approximation of a^(-1/3), for the fraction and one of the three powers 2^(-s/3), refined by the series of
// (1 - e)^(-1/3); then a Newton step for a^(1/3).
LW double cbrt(double x) {
  const double2 parts = __lw_step_log_parts_d(ABS(x));
  const double f = parts.s0, e = parts.s1;
  const double t = MAD(e, 0x1.5555555555555p-2, LW_ROUNDER_D);
  const double s = __builtin_elementwise_roundeven(MAD(t - LW_ROUNDER_D, -3.0, e));  // e of the largest numbers is inexact
  const double m = MAD(s, MAD(s, 0.25, 0.75), 1.0) * (f + 1.0);
  double r = POLYNOMIAL(f, -0x1.42533c4cb16e9p-4, 0x1.2f3ec2119b3b9p-3, -0x1.6b9c22e411865p-3,
      0x1.c76ddc5fa6a74p-3, -0x1.553c873c9969cp-2, 0x1.ffffc8677943ap-1);
  r *= MAD(s, MAD(s, 0x1.b744985853524p-6, -0x1.dd68e9bbaedb3p-3), 1.0);
  const double error = MAD(-m * r, r * r, 1.0);
  r = MAD(r * error, MAD(error, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
  const double root = m * r * r;
  const double y = MAD(MAD(-root * root, root, m) * r * r, 0x1.5555555555555p-2, root);
  const double whole = lw_with_sign_d(LW_DOUBLE(LW_LONG(y) + (LW_LONG(t) << 52)), x);
  return y != y ? x : whole;  // 0, infinity and NaN, whose exponents are infinite or NaN
}
