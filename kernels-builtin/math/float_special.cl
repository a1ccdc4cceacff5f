// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error and gamma functions of float.
#include "double_math.h"

LW float sinpi(float);

// A polynomial up to 1, then 1 - 2^P(x), and 1 from 4 on.
LW float erf(float x) {
  const float a = ABS(x), z = a * a;
  const float p = POLYNOMIAL(z, -0x1.7465eap-20f, 0x1.5f52eep-14f, -0x1.a80ce8p-11f, 0x1.54676ep-8f, -0x1.b8028ep-6f,
      0x1.ce2d6ap-4f, -0x1.812740p-2f, 0x1.06eba8p-3f);
  const float small = MAD(a, p, a);
  const float b = a > 4.0f ? 4.0f : a;
  const float g = POLYNOMIAL(b, 0x1.82dab4p-22f, -0x1.321f9ap-15f, 0x1.5eb9b0p-11f, -0x1.94dd8ep-8f, 0x1.2bdf90p-5f,
      -0x1.40fcdcp-3f, -0x1.d399e4p-1f, -0x1.a137b8p+0f, 0x1.3523fap-12f);
  const float t = g + LW_ROUNDER;
  const float power = LW_FLOAT((LW_BITS(t) - LW_BITS(LW_ROUNDER) + 127) << 23);
  const float large = MAD(-power, lw_exp2_fraction(g - (t - LW_ROUNDER)), 1.0f);
  return lw_with_sign(a < 1.0f ? small : large, x);
}

// e^(-x^2) P((x - 4) / (x + 4)) / (1 + 2 x), where the rounding error of x^2 is corrected.
LW float erfc(float x) {
  const float a = ABS(x);
  const float b = a > 12.0f ? 12.0f : a;
  const float t = (b - 4.0f) / (b + 4.0f);
  const float p = POLYNOMIAL(t, -0x1.09e7c4p-16f, 0x1.e596bcp-11f, 0x1.d7e3b2p-8f, -0x1.02a906p-6f, 0x1.2987fep-5f,
      -0x1.1159aap-4f, 0x1.8050c8p-4f, -0x1.9d9200p-4f, 0x1.16ea26p-4f, 0x1.f7d66ep-7f, -0x1.1df1acp-3f,
      0x1.3ba592p+0f);
  const float square = b * b;
  const float rest = __lw_step_product_rest(b, b, square);
  float shift;
  const float e = lw_exp_parts(-square, &shift);
  const float y = __lw_step_scaled(MAD(e, -rest, e) * (p / MAD(b, 2.0f, 1.0f)), shift - LW_ROUNDER);
  return x < 0 ? 2.0f - y : y;
}

// |gamma(a)| for a >= 0 by Lanczos's formula (g = 5, 6 terms, as one quotient), to 2^-33 without the error of the float
// exponential.
LW_INLINE double gamma_positive(float a) {
  const double w = a > 60.0f ? 60.0f : a;
  const double n = POLYNOMIAL(w, 0x1.40d931ff627e6p+1, 83.8676043423952062, 1168.92649479221087, 8687.24529705359578,
      36308.2951477010874, 80916.6278952484595, 75122.6331530452125);
  double d = MAD(w + 21.0, w, 175.0);
  d = MAD(d, w, 735.0);
  d = MAD(d, w, 1624.0);
  d = MAD(d, w, 1764.0);
  d = MAD(d, w, 720.0);
  // (w + 5.5)^(w + 0.5) e^-(w + 5.5); the logarithm is that of a float, whose rounding error is corrected.
  const double base = w + 5.5;
  const float near = (float)base;
  const float rest = (float)(base - near) / near;
  const double log2_base = MAD((double)rest, 0x1.71547652b82fep+0, lw_log2_wide(near));
  const double t = MAD(w + 0.5, log2_base, base * -0x1.71547652b82fep+0);
  const double k = __builtin_elementwise_roundeven(t);
  const double power = (double)lw_exp2_fraction((float)(t - k)) * lw_power_of_two_d((int)k);
  return n * power / (d * w);
}

LW float tgamma(float x) {
  const double g = gamma_positive(ABS(x));
  const double reflected = -0x1.921fb54442d18p+1 / ((double)x * (double)sinpi(x) * g);
  const float y = (float)(x < 0 ? reflected : g);
  const bool pole = x < 0 && __builtin_elementwise_floor(x) == x;
  return pole ? __builtin_nanf("") : x == 0 ? 1.0f / x : y;
}
