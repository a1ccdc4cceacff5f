// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithms of double.
#include "double_math.h"

LW double log(double x) {
  const double2 parts = __lw_step_log_parts_d(x);
  const double f = parts.s0, e = parts.s1;
  return MAD(e, LW_LN2_HIGH_D, f - lw_log1p_rest_d(f, e * LW_LN2_LOW_D));
}

// x = (1 + f) 2^e - 1: the same steps, but the rounding error of 1 + x is added again.
LW double log1p(double x) {
  const double2 parts = __lw_step_log1p_parts_d(x);
  const double f = parts.s0, e = parts.s1;
  double y = MAD(e, LW_LN2_HIGH_D, f - lw_log1p_rest_d(f, e * LW_LN2_LOW_D));
  if (__builtin_expect(!((x > -1.0) & (x < 0x1p1023)), 0)) {
    const double outside = x == -1 ? -INFINITY : x < -1 ? __builtin_nan("") : x;
    y = x > -1 && x < INFINITY ? y : outside;
  }
  return ABS(x) < 0x1p-54 ? x : y;
}

LW double log2(double x) {
  const double2 parts = __lw_step_log_parts_d(x);
  const double f = parts.s0, e = parts.s1;
  const double y = f - lw_log1p_rest_d(f, 0.0);
  return e + MAD(y, 0x1.71547652b82fep+0, y * 0x1.777d0ffda0d24p-56);
}

LW double log10(double x) {
  const double2 parts = __lw_step_log_parts_d(x);
  const double f = parts.s0, e = parts.s1;
  const double y = f - lw_log1p_rest_d(f, 0.0);
  // log10(2) in two parts; e times the high part is exact.
  const double rest = MAD(e, 0x1.9fef311f12b36p-42, y * 0x1.95355baaafad3p-57);
  return MAD(e, 0x1.34413509f6p-2, MAD(y, 0x1.bcb7b1526e50ep-2, rest));
}
