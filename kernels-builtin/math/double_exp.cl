// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials and hyperbolic functions of double.
#include "double_math.h"

LW double exp(double x) {
  int n;
  const double p = lw_exp_parts_d(lw_bounded_d(x, -760.0, 720.0), &n);
  return lw_scaled_d(p, n);
}

LW double exp2(double x) {
  const double bounded = lw_bounded_d(x, -1100.0, 1030.0);
  const double t = bounded + LW_ROUNDER_D;
  const double r = bounded - (t - LW_ROUNDER_D);
  double p = MAD(0x1.7376126783e6ep-34, r, 0x1.cfc6f70807cd0p-32);
  p = MAD(p, r, 0x1.e1aa1596ae603p-28);
  p = MAD(p, r, 0x1.b5367107f284ap-24);
  p = MAD(p, r, 0x1.62c10ce1cd23ep-20);
  p = MAD(p, r, 0x1.ffcbf3f44ffd7p-17);
  p = MAD(p, r, 0x1.430912b9ffa37p-13);
  p = MAD(p, r, 0x1.5d87fe7a6a410p-10);
  p = MAD(p, r, 0x1.3b2ab6fbb3712p-7);
  p = MAD(p, r, 0x1.c6b08d7049731p-5);
  p = MAD(p, r, 0x1.ebfbdff82c549p-3);
  p = MAD(p, r, 0x1.62e42fefa39f1p-1);
  return lw_scaled_d(MAD(p, r, 1.0), (int)LW_LONG(t));
}

LW double exp10(double x) {
  const double bounded = lw_bounded_d(x, -330.0, 310.0);
  const double t = MAD(bounded, 0x1.a934f0979a371p+1, LW_ROUNDER_D);
  const double k = t - LW_ROUNDER_D;
  // log10(2) in two parts; k times the upper is exact.
  const double r = MAD(k, -0x1.9fef311f12b36p-42, MAD(k, -0x1.34413509f6p-2, bounded));
  double p = MAD(0x1.aea9d053eb5c7p-12, r, 0x1.ed20174bc7958p-13);
  p = MAD(p, r, 0x1.2819dd5169a7dp-10);
  p = MAD(p, r, 0x1.489e63078ef16p-8);
  p = MAD(p, r, 0x1.41195bee0cacap-6);
  p = MAD(p, r, 0x1.16e4dd892cf34p-4);
  p = MAD(p, r, 0x1.a7ed6f87276e3p-3);
  p = MAD(p, r, 0x1.1429ffd27815dp-1);
  p = MAD(p, r, 0x1.2bd760a002903p+0);
  p = MAD(p, r, 0x1.0470591de2a5bp+1);
  p = MAD(p, r, 0x1.53524c73ce9dep+1);
  p = MAD(p, r, 0x1.26bb1bbb55516p+1);
  return lw_scaled_d(MAD(p, r, 1.0), (int)LW_LONG(t));
}

LW double expm1(double x) {
  const double y = lw_expm1_bounded_d(lw_bounded_d(x, -40.0, 709.9));
  return ABS(x) < 0x1p-54 ? x : y;
}

// e^x / 2, which reaches as far as sinh and cosh do.
LW_INLINE double half_exp(double x) {
  int n;
  const double p = lw_exp_parts_d(x, &n);
  return lw_scaled_d(p, n - 1);
}

LW double cosh(double x) {
  const double a = ABS(x);
  const double e = half_exp(a > 712.0 ? 712.0 : a);
  return e + 0.25 / e;
}

LW double sinh(double x) {
  const double a = ABS(x);
  const double e = half_exp(a > 712.0 ? 712.0 : a);
  const double z = a * a;
  double p = MAD(-0x1.ac7a6bbe34a3ap-43, z, 0x1.b88200ce664fap-40);
  p = MAD(p, z, 0x1.5e2a55e471129p-33);
  p = MAD(p, z, 0x1.ae699b9d5a8aap-26);
  p = MAD(p, z, 0x1.71de35245a091p-19);
  p = MAD(p, z, 0x1.a01a01a5a8e59p-13);
  p = MAD(p, z, 0x1.111111110e310p-7);
  p = MAD(p, z, 0x1.5555555555576p-3);
  const double small = MAD(a * z, p, a);
  return lw_with_sign_d(a < 1.0 ? small : e - 0.25 / e, x);
}

// (e^2a - 1) / (e^2a + 1)
LW double tanh(double x) {
  const double a = ABS(x);
  const double e = lw_expm1_bounded_d(2.0 * (a > 20.0 ? 20.0 : a));
  return lw_with_sign_d(e / (e + 2.0), x);
}
