// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of float.
#include "float_math.h"

// 2^t; NaN stays.
LW_INLINE float exp2_narrow(double t) {
  const double below = t > 200.0 ? 200.0 : t;
  const double bounded = below < -200.0 ? -200.0 : below;
  const double k = __builtin_elementwise_roundeven(bounded);
  return lw_scaled(lw_exp2_fraction((float)(bounded - k)), (int)k);
}

LW_INLINE float negated(float x, bool negative) {
  return LW_FLOAT(LW_BITS(x) | (negative ? (int)0x80000000 : 0));
}

LW float pow(float x, float y) {
  const double t = (double)y * lw_log2_wide(ABS(x));
  const bool whole = __builtin_elementwise_floor(y) == y;
  const bool odd = whole & (__builtin_elementwise_floor(0.5f * y) != 0.5f * y);
  // x^0 and 1^y, of NaN too; and 0 x infinity, which is (-1)^(+-infinity).
  const bool one = (x == 1) | (y == 0);
  float r = exp2_narrow((one | (t != t)) ? 0.0 : t);
  r = negated(r, (LW_BITS(x) < 0) & odd);
  const bool undefined = (x < 0) & (x > -INFINITY) & !whole;
  const bool none = (x != x) | (y != y) | undefined;
  return (none & !one) ? __builtin_nanf("") : r;
}

LW float powr(float x, float y) {
  const float r = exp2_narrow((double)y * lw_log2_wide(ABS(x)));
  return x < 0 ? __builtin_nanf("") : r;
}

LW float pown(float x, int n) {
  const float r = exp2_narrow((double)n * lw_log2_wide(ABS(x)));
  return n == 0 ? 1.0f : negated(r, (LW_BITS(x) < 0) & (n & 1));
}

LW float rootn(float x, int n) {
  const float r = exp2_narrow(lw_log2_wide(ABS(x)) / (double)n);
  return ((n == 0) | ((x < 0) & !(n & 1))) ? __builtin_nanf("") : negated(r, (LW_BITS(x) < 0) & (n & 1));
}

// A step of Newton's for a^(-1/3).
LW_INLINE float inverse_cbrt_step(float r, float third) {
  const float u = third * r * (r * r);
  return MAD(-u, r, r * 0x1.555556p+0f);
}

// a^(-1/3) from a third of the exponent in three steps, then one step for a^(1/3). The smallest arguments are scaled, so
// that no residual is subnormal.
LW float cbrt(float x) {
  const float magnitude = ABS(x);
  const bool small = magnitude < 0x1p-48f;
  const float a = small ? magnitude * 0x1p96f : magnitude;
  const float third = a * 0x1.555556p-2f;
  float r = LW_FLOAT(0x54a21d2a - (int)((float)LW_BITS(a) * 0x1.555556p-2f));
  r = inverse_cbrt_step(inverse_cbrt_step(inverse_cbrt_step(r, third), third), third);
  const float c = a * r * r;
  const float y = MAD(MAD(-c * c, c, a) * r * r, 0x1.555556p-2f, c);
  return magnitude > 0 && magnitude < INFINITY ? lw_with_sign(small ? y * 0x1p-32f : y, x) : x;
}

// Scaled by a power of two so that no square overflows, and none that matters vanishes.
LW float hypot(float x, float y) {
  const float a = ABS(x), b = ABS(y);
  const float high = b < a ? a : b, low = b < a ? b : a;
  const float down = high > 0x1p60f ? 0x1p-70f : high < 0x1p-60f ? 0x1p90f : 1.0f;
  const float up = high > 0x1p60f ? 0x1p70f : high < 0x1p-60f ? 0x1p-90f : 1.0f;
  const float h = high * down, l = low * down;
  const float r = __builtin_elementwise_sqrt(MAD(h, h, l * l)) * up;
  return a == INFINITY || b == INFINITY ? INFINITY : r;
}
