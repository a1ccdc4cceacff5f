// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards around libclc's forms, where those are wrong for some arguments.
#include "define.h"

// `__lw_clc_` + a mangled name: the tool takes that function of libclc under this name.
double clc_pow(double, double) __asm__("__lw_clc__Z3powdd");
double clc_powr(double, double) __asm__("__lw_clc__Z4powrdd");
double clc_tgamma(double) __asm__("__lw_clc__Z6tgammad");
LW double rootn(double, int);

// Beyond 2^64 every exponent is an even integer and every result but 1 has overflowed or vanished.
static inline double bounded(double y) {
  return __builtin_elementwise_abs(y) > 0x1p64 && __builtin_elementwise_abs(y) < INFINITY
             ? __builtin_elementwise_copysign(0x1p64, y)
             : y;
}
LW double pow(double x, double y) { return clc_pow(x, bounded(y)); }
LW double powr(double x, double y) { return clc_powr(x, bounded(y)); }

// libclc loses subnormal results.
LW float rootn(float x, int n) { return (float)rootn((double)x, n); }

// Far left the result is zero with the sign of the unit interval; at integers there is a pole. Before that, where
// libclc's reflection overflows, the recurrence moves 16 steps to the right.
LW double tgamma(double x) {
  const double down = __builtin_elementwise_floor(x);
  if (__builtin_elementwise_abs(x) < 0x1p-60) return 1 / x;
  if (!(x < -168) || down == x) return clc_tgamma(x);
  if (x < -185) {
    const double middle = down * 0.5;
    return __builtin_elementwise_floor(middle) == middle ? 0.0 : -0.0;
  }
  double product = x;
  for (int i = 1; i < 16; ++i) product *= x + i;
  return clc_tgamma(x + 16) / product;
}
LW float tgamma(float x) { return (float)tgamma((double)x); }
