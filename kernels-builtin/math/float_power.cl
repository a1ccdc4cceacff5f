// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of float.
#include "float_math.h"

// 2^t; NaN stays.
LW_INLINE float exp2_narrow(double t) {
  const double below = t > 200.0 ? 200.0 : t;
  const double bounded = below < -200.0 ? -200.0 : below;
  const double k = __builtin_elementwise_roundeven(bounded);
  return __lw_step_scaled(lw_exp2_fraction((float)(bounded - k)), (float)k);
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

// See cbrt of double.
LW float cbrt(float x) {
  const float a = ABS(x);
  const float f = __lw_step_fraction(a), e = __lw_step_exponent(a);
  const float third = __builtin_elementwise_roundeven(e * 0x1.555556p-2f), s = MAD(third, -3.0f, e);
  const float m = MAD(s, MAD(s, 0.25f, 0.75f), 1.0f) * (f + 1.0f);
  float r = MAD(0x1.9675eep-4f, f, -0x1.6f21dep-3f);
  r = MAD(r, f, 0x1.cede34p-3f);
  r = MAD(r, f, -0x1.554a8ep-2f);
  r = MAD(r, f, 0x1.fffb0ep-1f);
  r *= MAD(s, MAD(s, 0x1.b74498p-6f, -0x1.dd68eap-3f), 1.0f);
  r = MAD(MAD(-m * r, r * r, 1.0f) * r, 0x1.555556p-2f, r);
  const float root = m * r * r;
  const float y = MAD(MAD(-root * root, root, m) * r * r, 0x1.555556p-2f, root);
  const float whole = lw_with_sign(__lw_step_scaled(y, third), x);
  return a > 0 && a < INFINITY ? whole : x;
}

// Scaled by a power of two so that no square overflows, and none that matters vanishes.
LW_INLINE float scaled_hypot(float a, float b) {
  const float high = b < a ? a : b, low = b < a ? b : a;
  const float down = high > 0x1p60f ? 0x1p-70f : high < 0x1p-60f ? 0x1p90f : 1.0f;
  const float up = high > 0x1p60f ? 0x1p70f : high < 0x1p-60f ? 0x1p-90f : 1.0f;
  const float h = high * down, l = low * down;
  const float r = __builtin_elementwise_sqrt(MAD(h, h, l * l)) * up;
  return a == INFINITY || b == INFINITY ? INFINITY : r;
}
LW float hypot(float x, float y) {
  const float square = MAD(x, x, y * y);
  float r = __lw_step_sqrt(square);
  if (__builtin_expect(!(square > 0x1p-100f && square < INFINITY), 0)) r = scaled_hypot(ABS(x), ABS(y));
  return r;
}

LW float rsqrt(float x) { return __lw_step_rsqrt(x); }
