// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials and hyperbolic functions of float.
#include "float_math.h"

LW float exp(float x) {
  float t;
  const float p = lw_exp_parts(__lw_step_exp_argument(x, -110.0f, 90.0f), &t);
  return __lw_step_exp_scaled(p, t, x, 87.0f);
}

LW float exp2(float x) {
  const float bounded = __lw_step_exp_argument(x, -160.0f, 130.0f);
  const float t = bounded + LW_ROUNDER;
  return __lw_step_exp_scaled(lw_exp2_fraction(bounded - (t - LW_ROUNDER)), t, x, 125.5f);
}

LW float exp10(float x) {
  const float bounded = __lw_step_exp_argument(x, -48.0f, 39.0f);
  const float t = MAD(bounded, 0x1.a934f0p+1f, LW_ROUNDER);
  const float k = t - LW_ROUNDER;
  // log10(2) in two parts; k times the high part is exact.
  const float r = MAD(k, -0x1.3509f8p-18f, MAD(k, -0x1.344p-2f, bounded));
  const float p = POLYNOMIAL(r, 0x1.a93132p-3f, 0x1.156c38p-1f, 0x1.2bd746p+0f, 0x1.046f9ap+1f, 0x1.53524cp+1f,
      0x1.26bb1cp+1f);
  return __lw_step_exp_scaled(MAD(p, r, 1.0f), t, x, 37.7f);
}

LW float expm1(float x) {
  const float y = lw_expm1_bounded(lw_bounded(x, -20.0f, 89.0f));
  return ABS(x) < 0x1p-25f ? x : y;
}

// e^x / 2 for 0 <= x <= 91, which overflows where sinh and cosh do.
LW_INLINE float half_exp(float x) {
  float t;
  const float p = lw_exp_parts(x, &t);
  return __lw_step_half_scaled(p, t);
}

LW float cosh(float x) {
  const float a = ABS(x);
  const float e = half_exp(a > 91.0f ? 91.0f : a);
  return e + 0.25f / e;
}

LW float sinh(float x) {
  const float a = ABS(x);
  const float e = half_exp(a > 91.0f ? 91.0f : a);
  const float z = a * a;
  float p = MAD(0x1.75a6f4p-19f, z, 0x1.a02156p-13f);
  p = MAD(p, z, 0x1.1110e2p-7f);
  p = MAD(p, z, 0x1.555556p-3f);
  const float small = MAD(a * z, p, a);
  return lw_with_sign(a < 1.0f ? small : e - 0.25f / e, x);
}

// (e^2a - 1) / (e^2a + 1)
LW float tanh(float x) {
  const float a = ABS(x);
  const float e = lw_expm1_bounded(2.0f * (a > 10.0f ? 10.0f : a));
  return lw_with_sign(e / (e + 2.0f), x);
}
