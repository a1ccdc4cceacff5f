// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials and hyperbolic functions of double.
#include "double_math.h"

LW double exp(double x) {
  return lw_exp_shifted_d(__lw_step_exp_argument_d(x, -760.0, 720.0), 0.0);
}

LW double exp2(double x) {
  const double rounder = __lw_step_exp_rounder_d();
  const double bounded = __lw_step_exp_argument_d(x, -1100.0, 1030.0);
  const double t = bounded + rounder;
  const double r = bounded - (t - rounder);
  return __lw_step_exp2_tail_d(r, t);
}

LW double exp10(double x) {
  const double rounder = __lw_step_exp_rounder_d();
  const double bounded = __lw_step_exp_argument_d(x, -330.0, 310.0);
  const double t = MAD(bounded, 0x1.a934f0979a371p+1, rounder);
  const double k = t - rounder;
  // log10(2) in two parts; k times the high part is exact.
  const double r = MAD(k, -0x1.9fef311f12b36p-42, MAD(k, -0x1.34413509f6p-2, bounded));
  return __lw_step_exp_tail_d(MAD(r, 0x1.26bb1bbb55516p+1, r * -0x1.f48ad494ea3e9p-53), t, 1.0);
}

LW double expm1(double x) {
  const double y = lw_expm1_bounded_d(lw_bounded_d(x, -40.0, 709.9));
  return ABS(x) < 0x1p-54 ? x : y;
}

LW double cosh(double x) {
  const double a = ABS(x);
  const double e = __lw_step_half_exp_d(a > 712.0 ? 712.0 : a);
  return e + 0.25 / e;
}

LW double sinh(double x) {
  const double a = ABS(x);
  const double e = __lw_step_half_exp_d(a > 712.0 ? 712.0 : a);
  const double z = a * a;
  const double p = POLYNOMIAL(z, -0x1.ac7a6bbe34a3ap-43, 0x1.b88200ce664fap-40, 0x1.5e2a55e471129p-33,
      0x1.ae699b9d5a8aap-26, 0x1.71de35245a091p-19, 0x1.a01a01a5a8e59p-13, 0x1.111111110e310p-7,
      0x1.5555555555576p-3);
  const double small = MAD(a * z, p, a);
  return lw_with_sign_d(a < 1.0 ? small : e - 0.25 / e, x);
}

// (e^2a - 1) / (e^2a + 1)
LW double tanh(double x) {
  const double a = ABS(x);
  const double e = lw_expm1_bounded_d(2.0 * (a > 20.0 ? 20.0 : a));
  return lw_with_sign_d(e / (e + 2.0), x);
}
