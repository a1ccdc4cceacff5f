// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asinh, acosh and atanh by log1p, whose argument is made without cancellation:
//   asinh(x) = log(1 + x + x^2 / (1 + sqrt(1 + x^2))),  acosh(1 + t) = log(1 + t + sqrt(2 t + t^2)),
//   atanh(x) = log(1 + 2 x / (1 - x)) / 2.
#include "double_math.h"

LW float log1p(float);
LW double log1p(double);

LW float asinh(float x) {
  const float a = ABS(x);
  const bool large = a > 0x1p13f;
  const float square = a * a;
  const float y = log1p(large ? a - 1.0f : a + square / (1.0f + __builtin_elementwise_sqrt(1.0f + square)));
  return lw_with_sign(large ? y + 0x1.62e430p-1f : y, x);
}
LW double asinh(double x) {
  const double a = ABS(x);
  const bool large = a > 0x1p28;
  const double square = a * a;
  const double y = log1p(large ? a - 1.0 : a + square / (1.0 + __builtin_elementwise_sqrt(1.0 + square)));
  return lw_with_sign_d(large ? y + 0x1.62e42fefa39efp-1 : y, x);
}

LW float acosh(float x) {
  const bool large = x > 0x1p13f;
  const float t = x - 1.0f;
  const float y = log1p(large ? t : t + __builtin_elementwise_sqrt(MAD(t, t, t + t)));
  return x < 1.0f ? __builtin_nanf("") : large ? y + 0x1.62e430p-1f : y;
}
LW double acosh(double x) {
  const bool large = x > 0x1p28;
  const double t = x - 1.0;
  const double y = log1p(large ? t : t + __builtin_elementwise_sqrt(MAD(t, t, t + t)));
  return x < 1.0 ? __builtin_nan("") : large ? y + 0x1.62e42fefa39efp-1 : y;
}

LW float atanh(float x) {
  const float a = ABS(x);
  return lw_with_sign(0.5f * log1p((a + a) / (1.0f - a)), x);
}
LW double atanh(double x) {
  const double a = ABS(x);
  return lw_with_sign_d(0.5 * log1p((a + a) / (1.0 - a)), x);
}
