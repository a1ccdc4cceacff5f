// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverse trigonometric functions of float, as angles and as parts of pi.
#include "float_math.h"

#define PI_2 0x1.921fb6p+0f
#define PI_2_REST (-0x1.777a5cp-25f)
#define PI 0x1.921fb6p+1f
#define PI_REST (-0x1.777a5cp-24f)
#define INVERSE_PI(x) MAD(x, 0x1.45f306p-2f, (x) * 0x1.b93910p-27f)

// For a <= 1/2: asin(a). Above: half of acos(a), which is asin(sqrt((1 - a) / 2)). NaN above 1.
LW_INLINE float asin_core(float a, __private bool* large) {
  *large = a > 0.5f;
  const float z = *large ? MAD(a, -0.5f, 0.5f) : a * a;
  const float s = *large ? __builtin_elementwise_sqrt(z) : a;
  float p = MAD(0x1.59dae2p-5f, z, 0x1.8ba772p-6f);
  p = MAD(p, z, 0x1.748b34p-5f);
  p = MAD(p, z, 0x1.330164p-4f);
  p = MAD(p, z, 0x1.5555cap-3f);
  return MAD(s * z, p, s);
}

LW float asin(float x) {
  bool large;
  const float p = asin_core(ABS(x), &large);
  return lw_with_sign(large ? MAD(p, -2.0f, PI_2_REST) + PI_2 : p, x);
}
LW float asinpi(float x) {
  bool large;
  const float p = asin_core(ABS(x), &large);
  const float q = INVERSE_PI(p);
  return lw_with_sign(large ? MAD(q, -2.0f, 0.5f) : q, x);
}
LW float acos(float x) {
  bool large;
  const float p = asin_core(ABS(x), &large);
  const float near = x > 0 ? 2.0f * p : MAD(p, -2.0f, PI_REST) + PI;
  return large ? near : PI_2 + (PI_2_REST - (x < 0 ? -p : p));
}
LW float acospi(float x) {
  bool large;
  const float p = asin_core(ABS(x), &large);
  const float q = INVERSE_PI(p);
  const float near = x > 0 ? 2.0f * q : MAD(q, -2.0f, 1.0f);
  return large ? near : 0.5f - (x < 0 ? -q : q);
}

// atan(t) for 0 <= t <= 1.
LW_INLINE float atan_core(float t) {
  const float z = t * t;
  const float p = POLYNOMIAL(z, -0x1.ddefeep-10f, 0x1.69f90ap-7f, -0x1.0169e8p-5f, 0x1.dcc98cp-5f, -0x1.58c874p-4f,
      0x1.c0cbcap-4f, -0x1.242658p-3f, 0x1.999268p-3f, -0x1.555540p-2f);
  return MAD(t * z, p, t);
}

LW float atan(float x) {
  const float a = ABS(x);
  const bool large = a > 1.0f;
  const float p = atan_core(large ? 1.0f / a : a);
  return lw_with_sign(large ? (PI_2_REST - p) + PI_2 : p, x);
}
LW float atanpi(float x) {
  const float a = ABS(x);
  const bool large = a > 1.0f;
  const float p = INVERSE_PI(atan_core(large ? 1.0f / a : a));
  return lw_with_sign(large ? 0.5f - p : p, x);
}

// The angle in the first eighth of a turn. The quotient of two zeros is 0, of two infinities 1.
LW_INLINE float first_eighth(float a, float b) {
  const float low = b < a ? b : a, high = b < a ? a : b;
  const float t = high == 0 ? 0.0f : low == INFINITY ? 1.0f : low / high;
  return atan_core(t);
}

LW float atan2(float y, float x) {
  const float a = ABS(y), b = ABS(x);
  const float p = first_eighth(a, b);
  const float upper = a > b ? (PI_2_REST - p) + PI_2 : p;
  const float whole = LW_BITS(x) < 0 ? (PI_REST - upper) + PI : upper;
  return ((x != x) | (y != y)) ? x + y : lw_with_sign(whole, y);
}
LW float atan2pi(float y, float x) {
  const float a = ABS(y), b = ABS(x);
  const float q = INVERSE_PI(first_eighth(a, b));
  const float p = q >= 0x1.fffffep-3f ? 0.25f : q;  // exact on the diagonal, as prescribed for infinities
  const float upper = a > b ? 0.5f - p : p;
  const float whole = LW_BITS(x) < 0 ? 1.0f - upper : upper;
  return ((x != x) | (y != y)) ? x + y : lw_with_sign(whole, y);
}
