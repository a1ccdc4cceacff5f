// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tgamma of double: Stirling's series from 16 on, the recurrence below, reflection for negative arguments. (exp(lgamma(x))
// would lose as many digits as lgamma has before its point.)
#include "define.h"

LW double exp(double);
LW double log(double);
LW double pow(double, double);
LW double sinpi(double);

// 16 <= x < 172: the power is computed as a product of two halves, because it overflows before the result does.
static double stirling(double x) {
  const double t = 1 / x, u = t * t;
  const double series =
      t * (1.0 / 12 - u * (1.0 / 360 - u * (1.0 / 1260 - u * (1.0 / 1680 - u * (1.0 / 1188 - u * (691.0 / 360360))))));
  const double half_power = pow(x, (x - 0.5) * 0.5);
  return half_power * (exp(-x) * 0x1.40d931ff62706p+1 * exp(series)) * half_power;
}

static double gamma_positive(double x) {
  if (x >= 16) return x > 172 ? INFINITY : stirling(x);
  double product = x, n = 1;
  while (x + n < 16) {
    product *= x + n;
    n += 1;
  }
  // The rounding error of x + n would be magnified 2.7 times; a term with the derivative corrects it.
  const double y = x + n;
  const double lost = (x - (y - n));
  return stirling(y) * (1 + lost * (log(y) - 0.5 / y)) / product;
}

LW double tgamma(double x) {
  if (!(__builtin_elementwise_abs(x) >= 0x1p-60)) return 1 / x;
  if (x > 0) return gamma_positive(x);
  const double down = __builtin_elementwise_floor(x);
  if (down == x) return __builtin_nan("");
  if (x > -168) return -3.14159265358979323846 / (x * sinpi(x) * gamma_positive(-x));
  if (x < -185) {
    // Zero with the sign of the unit interval.
    const double middle = down * 0.5;
    return __builtin_elementwise_floor(middle) == middle ? 0.0 : -0.0;
  }
  // Results soon become subnormal: 16 steps of the recurrence, then one division, which rounds once.
  double product = x;
  for (int i = 1; i < 16; ++i) product *= x + i;
  const double right = x + 16;
  return -3.14159265358979323846 / (right * sinpi(right) * gamma_positive(-right)) / product;
}
