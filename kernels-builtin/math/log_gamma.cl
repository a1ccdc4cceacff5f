// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lgamma and lgamma_r. One logarithm serves all positive arguments: from 2.5 on it is that of Stirling's formula, below
// that of the factor that moves the argument to [1.5, 2.5], where lgamma(2 + y) = y P(y). Arguments up to -1/2 are
// reflected: gamma(-a) gamma(a) = -pi / (a sin(pi a)). Float is computed in the same way, in double, and so is accurate
// to its last place everywhere, also between the zeros on the negative axis; there the error of double is about an ULP
// of 1.
#include "double_math.h"

// log(m) - less of a positive finite m, for a small whole number `less`.
LW_INLINE double log_minus(double m, double less) {
  const double f = __lw_step_fraction_d(m), e = __lw_step_exponent_d(m);
  return MAD(e, LW_LN2_HIGH_D, -less) + (f - lw_log1p_rest_d(f, e * LW_LN2_LOW_D));
}

// lgamma(2 + y) for |y| <= 1/2.
LW_INLINE double around_two(double y) {
  double p = MAD(0x1.2a6517a6925ccp-22, y, -0x1.37b8685b92144p-21);
  p = MAD(p, y, 0x1.eea33a842848ap-21);
  p = MAD(p, y, -0x1.090dc7a623f8cp-19);
  p = MAD(p, y, 0x1.26334158bc447p-18);
  p = MAD(p, y, -0x1.3d4b402460adfp-17);
  p = MAD(p, y, 0x1.5807e7dbe9563p-16);
  p = MAD(p, y, -0x1.78d90ca2fb942p-15);
  p = MAD(p, y, 0x1.a127d0db8e163p-14);
  p = MAD(p, y, -0x1.d3fd6a1860042p-13);
  p = MAD(p, y, 0x1.0b36af5c85c35p-11);
  p = MAD(p, y, -0x1.38ac5bfd55412p-10);
  p = MAD(p, y, 0x1.7add6eadcdc62p-9);
  p = MAD(p, y, -0x1.e404fc21da5b3p-8);
  p = MAD(p, y, 0x1.51322ac7d86b0p-6);
  p = MAD(p, y, -0x1.13e001a557541p-4);
  p = MAD(p, y, 0x1.4a34cc4a60fa6p-2);
  p = MAD(p, y, 0x1.b0ee6072093cep-2);
  return y * p;
}

// The term that Stirling's formula adds to (v - 1/2) (log(v) - 1), for v >= 2.5.
LW_INLINE double stirling_rest(double v) {
  const double w = 1.0 / v, u = w * w;
  double p = MAD(-0x1.cbc118602ba21p-3, u, 0x1.224573030afc4p-2);
  p = MAD(p, u, -0x1.5beb0d9d75739p-3);
  p = MAD(p, u, 0x1.104321cc1c101p-4);
  p = MAD(p, u, -0x1.4d4e9df19e8cap-6);
  p = MAD(p, u, 0x1.7cc1cccb47cd1p-8);
  p = MAD(p, u, -0x1.eef4c0f366aeep-10);
  p = MAD(p, u, 0x1.b8c82a43512a9p-11);
  p = MAD(p, u, -0x1.381049fad58b6p-11);
  p = MAD(p, u, 0x1.a019f5d5bec63p-11);
  p = MAD(p, u, -0x1.6c16c166641e4p-9);
  p = MAD(p, u, 0x1.5555555555347p-4);
  return MAD(w, p, 0x1.acfe390c97d69p-2);
}

LW_INLINE double log_gamma(double x) {
  const bool reflected = x <= -0.5;
  const double v = reflected ? -x : x;
  const double k = __builtin_elementwise_roundeven(v), y = v - k;
  const bool large = v >= 2.5;
  const double m = k == 0 ? ABS(v) * (1.0 + v) : v;
  const double factor = large ? v - 0.5 : k == 2 ? 0.0 : -1.0;
  double r = MAD(factor, log_minus(m, large ? 1.0 : 0.0), large ? stirling_rest(v) : around_two(y));
  if (__builtin_expect(reflected, 0)) r = -(log_minus(v * ABS(lw_half_turn_sine_pi_d(y)) * 0x1.45f306dc9c883p-2, 0.0) + r);
  return ((x <= 0) & (k == v)) ? INFINITY : r;
}

LW double lgamma(double x) { return log_gamma(x); }
LW float lgamma(float x) { return (float)log_gamma((double)x); }

// 0 at the poles; -1 where the whole number below a negative x is odd.
#define WITH_SIGN(T)                                                                \
  LW T lgamma_r(T x, __private int* sign) {                                         \
    const T down = __builtin_elementwise_floor(x), half_down = down * (T)0.5;       \
    const bool odd = __builtin_elementwise_floor(half_down) != half_down;           \
    const bool pole = (x <= 0) & (down == x) & (x > -INFINITY);                     \
    *sign = pole ? 0 : ((x < 0) & odd) ? -1 : 1;                                    \
    return lgamma(x);                                                               \
  }
WITH_SIGN(float) WITH_SIGN(double)
