// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of float.
#include "float_math.h"

// Whether 2^t is zero, infinite or NaN.
LW_INLINE bool beyond(float t) { return !(ABS(t) < 160.0f); }
// |x|^y where y log2|x| is `beyond`; NaN for 0^0, infinity^0, 1^infinity.
LW_INLINE float limit(float x, float y) {
  const float direction = y * (ABS(x) - 1.0f);
  return direction > 0 ? INFINITY : direction < 0 ? 0.0f : __builtin_nanf("");
}

// |x|^(y + y_low) where t = y log2|x| is not `beyond`.
LW_INLINE float power(float x, float y, float y_low, __private float* t) {
  const float2 l = __lw_step_log2_pair(x);
  *t = y * l.s0;
  return __lw_step_exp2_pair(*t, MAD(y_low, l.s0, MAD(y, l.s1, __lw_step_product_rest(y, l.s0, *t))));
}

LW_INLINE float negated(float x, bool negative) {
  return LW_FLOAT(LW_BITS(x) ^ (negative ? (int)0x80000000 : 0));
}

// The result of pow from |x|^y, for negative x and for limits and NaN too.
LW_INLINE float pow_edges(float x, float y, float r) {
  const bool whole = __builtin_elementwise_floor(y) == y;
  const bool odd = whole & (__builtin_elementwise_floor(0.5f * y) != 0.5f * y);
  const float with_sign = negated(r != r ? 1.0f : r, (LW_BITS(x) < 0) & odd);
  const bool undefined = (x < 0) & (x > -INFINITY) & !whole;
  const bool unknown = ((x != x) | (y != y)) & (x != 1) & (y != 0);
  return (undefined | unknown) ? __builtin_nanf("") : with_sign;
}

LW float pow(float x, float y) {
  float t;
  float r = power(x, y, 0.0f, &t);
  if (__builtin_expect((LW_BITS(x) < 0) | beyond(t), 0)) r = pow_edges(x, y, beyond(t) ? limit(x, y) : r);
  return r;
}

LW_INLINE float short_power(float x, float y) {
  const float t = lw_bounded(y * __lw_step_short_log2(x), -200.0f, 200.0f);
  const float n = __builtin_elementwise_roundeven(t), r = t - n;
  float p = MAD(0x1.3d3d66p-7f, r, 0x1.ca187cp-5f);
  p = MAD(p, r, 0x1.ebf8a2p-3f);
  p = MAD(p, r, 0x1.62e0d2p-1f);
  return __lw_step_scaled(MAD(p, r, 1.0f), n);
}
LW float __lw_relaxed_pow(float x, float y) {
  float r = short_power(x, y);
  if (__builtin_expect((LW_BITS(x) < 0) | (r != r), 0)) r = pow_edges(x, y, r);
  return r;
}
LW float __lw_relaxed_powr(float x, float y) {
  const float r = short_power(x, y);
  return x < 0 ? __builtin_nanf("") : r;
}

LW float powr(float x, float y) {
  float t;
  float r = power(x, y, 0.0f, &t);
  if (__builtin_expect((x < 0) | beyond(t), 0)) r = x < 0 ? __builtin_nanf("") : beyond(t) ? limit(x, y) : r;
  return r;
}

LW float pown(float x, int n) {
  float t;
  const int low = __builtin_elementwise_abs(n) >> 24 ? n & 0xff : 0;  // a float has 24 bits
  float r = power(x, (float)(n - low), (float)low, &t);
  if (__builtin_expect(beyond(t), 0)) r = n == 0 ? 1.0f : limit(x, (float)n);
  return negated(r, (LW_BITS(x) < 0) & (n & 1));
}

LW float rootn(float x, int n) {
  const float2 l = __lw_step_log2_pair(x);
  const float y = (float)n, inverse = 1.0f / y, t = l.s0 * inverse;
  float r = __lw_step_exp2_pair(t, (l.s1 - __lw_step_product_rest(t, y, l.s0)) * inverse);
  if (__builtin_expect(beyond(t), 0)) r = limit(x, y);
  return ((n == 0) | ((x < 0) & !(n & 1))) ? __builtin_nanf("") : negated(r, (LW_BITS(x) < 0) & (n & 1));
}

// A constant minus a third of the encoding approximates a^(-1/3) to one part in thirty; c = 1 - a r^3 is its error.
// Then a Newton step for the root. Small arguments are scaled up, or the differences in the steps would be subnormal.
LW float cbrt(float x) {
  const bool small = ABS(x) < 0x1p-60f;
  const float a = small ? ABS(x) * 0x1p60f : ABS(x);
  const float r = LW_FLOAT((int)MAD((float)LW_BITS(a), -0x1.555556p-2f, 0x1.5287dp+30f));
  const float c = MAD(-a * r, r * r, 1.0f);
  float p = MAD(0x1.65370ep-3f, c, 0x1.c9b664p-3f);
  p = MAD(p, c, 0x1.555464p-2f);
  const float s = MAD(r * c, p, r), square = s * s;
  const float root = a * square;
  const float y = MAD(__lw_step_minus_cube(a, root) * square, 0x1.555556p-2f, root);
  return a < INFINITY ? lw_with_sign(small ? y * 0x1p-20f : y, x) : x;
}

// Scaled by a power of two so that no square overflows, and none that matters underflows.
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
