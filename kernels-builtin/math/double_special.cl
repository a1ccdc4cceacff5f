// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error functions of double; see float_special.cl.
#include "double_math.h"

LW double erf(double x) { return __lw_step_erf_d(x); }

// The rounding error of x^2 is corrected.
LW double erfc(double x) {
  const double a = ABS(x);
  const double b = a > 27.5 ? 27.5 : a;
  const double square = b * b;
  const double rest = FMA(b, b, -square);
  const double y = lw_exp_times_d(-square, 0.0, (1.0 - rest) * __lw_step_erfc_factor_d(b));
  return x < 0 ? 2.0 - y : y;
}
