// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverse trigonometric functions of double, as angles and as parts of pi; see float_inverse.cl.
#include "double_math.h"

#define PI_2 0x1.921fb54442d18p+0
#define PI_2_REST 0x1.1a62633145c07p-54
#define PI 0x1.921fb54442d18p+1
#define PI_REST 0x1.1a62633145c07p-53
#define INVERSE_PI(x) MAD(x, 0x1.45f306dc9c883p-2, (x) * -0x1.6b01ec5417056p-56)

// For a <= 1/2: asin(a). Above: half of acos(a), which is asin(sqrt((1 - a) / 2)). NaN above 1.
LW_INLINE double asin_core(double a, __private bool* large) {
  *large = a > 0.5;
  const double z = *large ? MAD(a, -0.5, 0.5) : a * a;
  const double s = *large ? __builtin_elementwise_sqrt(z) : a;
  const double p = POLYNOMIAL(z, 0x1.07e9022f2867cp-5, -0x1.4ca71321a2e69p-6, 0x1.5b24a552be6f6p-6,
      0x1.01c3587cb2d78p-8, 0x1.5f2560c494bc0p-7, 0x1.75ec4d9159025p-7, 0x1.ca11e8407b47fp-7, 0x1.1c4a908a47969p-6,
      0x1.6e8bd4eba4169p-6, 0x1.f1c71afc109fcp-6, 0x1.6db6db70cf411p-5, 0x1.3333333330291p-4, 0x1.5555555555562p-3);
  return MAD(s * z, p, s);
}

LW double asin(double x) {
  bool large;
  const double p = asin_core(ABS(x), &large);
  return lw_with_sign_d(large ? MAD(p, -2.0, PI_2_REST) + PI_2 : p, x);
}
LW double asinpi(double x) {
  bool large;
  const double p = asin_core(ABS(x), &large);
  const double q = INVERSE_PI(p);
  return lw_with_sign_d(large ? MAD(q, -2.0, 0.5) : q, x);
}
LW double acos(double x) {
  bool large;
  const double p = asin_core(ABS(x), &large);
  const double near = x > 0 ? 2.0 * p : MAD(p, -2.0, PI_REST) + PI;
  return large ? near : PI_2 + (PI_2_REST - (x < 0 ? -p : p));
}
LW double acospi(double x) {
  bool large;
  const double p = asin_core(ABS(x), &large);
  const double q = INVERSE_PI(p);
  const double near = x > 0 ? 2.0 * q : MAD(q, -2.0, 1.0);
  return large ? near : 0.5 - (x < 0 ? -q : q);
}

// atan(a / b) = turn x pi + the result, where turn is 0, 1/4 or 1/2: of a / b, of (a - b) / (a + b), or of -b / a, which
// are all within tan(pi/8). The quotient of two zeros counts as 0.
LW_INLINE double atan_core(double a, double b, __private double* turn) {
  const bool middle = a > 0x1.a827999fcef32p-2 * b, steep = a > 0x1.3504f333f9de6p+1 * b;
  const double n = steep ? -b : middle ? a - b : a;
  const double d = steep ? a : middle ? a + b : b;
  *turn = steep ? 0.5 : middle ? 0.25 : 0.0;
  const double t = n / (d == 0 ? 1.0 : d);
  const double z = t * t;
  const double p = POLYNOMIAL(z, -0x1.2798aadea2837p-6, 0x1.38e864b915b8fp-5, -0x1.9d4806e932289p-5,
      0x1.df2bbe154a35ep-5, -0x1.10ede066f07c7p-4, 0x1.3b114f575788fp-4, -0x1.745cfc517d050p-4, 0x1.c71c7109b5bf4p-4,
      -0x1.249249231a551p-3, 0x1.9999999996e11p-3, -0x1.555555555554ap-2);
  return MAD(t * z, p, t);
}

LW double atan(double x) {
  double turn;
  const double rest = atan_core(ABS(x), 1.0, &turn);
  return lw_with_sign_d(MAD(turn, PI, MAD(turn, PI_REST, rest)), x);
}
LW double atanpi(double x) {
  double turn;
  const double rest = atan_core(ABS(x), 1.0, &turn);
  return lw_with_sign_d(turn + INVERSE_PI(rest), x);
}

// Two infinities count as equal. The largest numbers are scaled so that their sum is finite, and the smallest so that
// the comparisons with the borders of the three intervals are right.
LW_INLINE double atan2_core(double y, double x, __private double* turn) {
  const double a = ABS(y), b = ABS(x);
  const bool infinite = (a == INFINITY) & (b == INFINITY);
  const double high = a > b ? a : b;
  const double scale = high > 0x1p1000 ? 0x1p-60 : high < 0x1p-900 ? 0x1p100 : 1.0;
  return atan_core(infinite ? 1.0 : a * scale, infinite ? 1.0 : b * scale, turn);
}

LW double atan2(double y, double x) {
  double turn;
  const double rest = atan2_core(y, x, &turn);
  const bool left = LW_LONG(x) < 0;
  // pi - (turn pi + rest)
  const double whole = left ? 1.0 - turn : turn, part = left ? -rest : rest;
  return lw_with_sign_d(MAD(whole, PI, MAD(whole, PI_REST, part)), y);
}
LW double atan2pi(double y, double x) {
  double turn;
  const double q = INVERSE_PI(atan2_core(y, x, &turn));
  const bool left = LW_LONG(x) < 0;
  return lw_with_sign_d((left ? 1.0 - turn : turn) + (left ? -q : q), y);
}
