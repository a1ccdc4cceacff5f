// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions of float: half turns are subtracted in steps that are exact or nearly so, then one polynomial
// gives the sine on a quarter of a turn to both sides. The tangent needs sine and cosine, on an eighth to both sides.
#include "float_math.h"

#define WHOLE 0x1.8p52  // of __lw_reduce_large: multiples of a half turn
#define HALVES 0x1.8p51
// math/float_turns.cl
float __lw_reduce_large(float x, double rounder, double offset, __private int* count);

LW_INLINE float large_minus_pi(float x, double rounder, double offset, __private int* count) {
  int n;  // a local variable, so that the caller's need not be in memory
  const float r = __lw_reduce_large(x, rounder, offset, &n);
  *count = n;
  return r;
}

LW_INLINE bool is_large(float x) { return __builtin_expect(!(ABS(x) < 0x1p17f), 0); }

// sin(r) for |r| <= pi/2.
LW_INLINE float half_turn_sine(float r) {
  const float z = r * r;
  float p = MAD(0x1.5e376cp-19f, z, -0x1.9f7a28p-13f);
  p = MAD(p, z, 0x1.110f18p-7f);
  p = MAD(p, z, -0x1.55554ep-3f);
  return lw_bounded(MAD(r * z, p, r), -1.0f, 1.0f);
}
// The sign bit where the number is odd.
LW_INLINE int odd_sign(int n) { return n << 31; }
LW_INLINE int sign_of(float x) { return LW_BITS(x) & (int)0x80000000; }

LW float sin(float x) {
  const float a = ABS(x);
  const float t = MAD(a, 0x1.45f306p-2f, LW_ROUNDER);
  int halves = LW_BITS(t);
  float r = __lw_step_minus_pi(a, t - LW_ROUNDER);
  if (is_large(x)) r = large_minus_pi(a, WHOLE, 0.0, &halves);
  return LW_FLOAT(LW_BITS(half_turn_sine(r)) ^ odd_sign(halves) ^ sign_of(x));
}

// cos((n + 1/2) pi + r) = sin(r), negated for even n.
LW float cos(float x) {
  const float t = MAD(x, 0x1.45f306p-2f, -0.5f) + LW_ROUNDER;
  int halves = LW_BITS(t);
  float r = __lw_step_minus_pi(x, (t - LW_ROUNDER) + 0.5f);
  if (is_large(x)) r = large_minus_pi(x, WHOLE, 0.5, &halves);
  return LW_FLOAT(LW_BITS(half_turn_sine(r)) ^ odd_sign(halves + 1));
}

// |x| = quarter x pi/2 + the result, modulo 4 quarters.
LW_INLINE float reduced(float a, __private int* quarter) {
  const float t = MAD(a, 0x1.45f306p-1f, LW_ROUNDER);
  *quarter = LW_BITS(t);  // only the low bits are used
  float r = __lw_step_minus_pi(a, 0.5f * (t - LW_ROUNDER));
  if (is_large(a)) r = large_minus_pi(a, HALVES, 0.0, quarter);
  return r;
}

LW_INLINE float sine(float r) {
  const float z = r * r;
  float p = MAD(-0x1.99122ap-13f, z, 0x1.1106b4p-7f);
  p = MAD(p, z, -0x1.555544p-3f);
  return MAD(r * z, p, r);
}
LW_INLINE float cosine(float r) {
  const float z = r * r;
  float p = MAD(0x1.99d83ap-16f, z, -0x1.6c0c08p-10f);
  p = MAD(p, z, 0x1.55554ap-5f);
  return MAD(z * z, p, MAD(z, -0.5f, 1.0f));
}
// The sign bit where bit 1 of the quarter is set.
LW_INLINE int turned(int quarter) { return (quarter & 2) << 30; }

LW float sincos(float x, __private float* c) {
  int q;
  const float r = reduced(ABS(x), &q);
  const float s0 = sine(r), c0 = cosine(r);
  *c = LW_FLOAT(LW_BITS(q & 1 ? s0 : c0) ^ turned(q + 1));
  return LW_FLOAT(LW_BITS(q & 1 ? c0 : s0) ^ turned(q) ^ (LW_BITS(x) & (int)0x80000000));
}

LW float tan(float x) {
  int q;
  const float r = reduced(ABS(x), &q);
  const float s = sine(r), c = cosine(r);
  const float y = (q & 1 ? -c : s) / (q & 1 ? s : c);
  return LW_FLOAT(LW_BITS(y) ^ (LW_BITS(x) & (int)0x80000000));
}

// Accurate to 2^-13; tan(r + pi/2) = -1 / tan(r).
LW float __lw_relaxed_tan(float x) {
  int q;
  const float r = reduced(ABS(x), &q), z = r * r;
  float p = MAD(0x1.650e68p-5f, z, 0x1.4e79f0p-5f);
  p = MAD(p, z, 0x1.17100ep-3f);
  p = MAD(p, z, 0x1.552164p-2f);
  const float y = MAD(r * z, p, r);
  return LW_FLOAT(LW_BITS(q & 1 ? -__lw_step_near_reciprocal(y) : y) ^ sign_of(x));
}

// |x| = halves / 2 + the result, both exact; from 2^24 on every x is even. Infinities and NaN give NaN.
LW_INLINE float half_turns(float x, __private int* halves) {
  const float a = ABS(x);
  const float bounded = a < 0x1p24f ? a : a - a;
  const float k = __builtin_elementwise_roundeven(bounded * 2.0f);
  *halves = (int)k;
  return MAD(k, -0.5f, bounded);
}
LW_INLINE float sine_pi(float r) {
  const float z = r * r;
  float p = MAD(0x1.4442ccp-4f, z, -0x1.32adbap-1f);
  p = MAD(p, z, 0x1.466b78p+1f);
  p = MAD(p, z, -0x1.4abbcep+2f);
  return MAD(r, 0x1.921fb6p+1f, MAD(r, -0x1.777a5cp-24f, r * z * p));
}
LW_INLINE float cosine_pi(float r) {
  const float z = r * r;
  float p = MAD(0x1.d4708ep-3f, z, -0x1.55b138p+0f);
  p = MAD(p, z, 0x1.03c1aep+2f);
  p = MAD(p, z, -0x1.3bd3ccp+2f);
  return MAD(p, z, 1.0f);
}

// sin(pi r) for |r| <= 1/2.
LW_INLINE float half_turn_sine_pi(float r) {
  const float z = r * r;
  float p = MAD(-0x1.b59b3ep-8f, z, 0x1.4f3714p-4f);
  p = MAD(p, z, -0x1.32cb88p-1f);
  p = MAD(p, z, 0x1.466ba4p+1f);
  p = MAD(p, z, -0x1.4abbcep+2f);
  return lw_bounded(MAD(r, 0x1.921fb6p+1f, MAD(r, -0x1.777a5cp-24f, r * z * p)), -1.0f, 1.0f);
}
// Zeros of sinpi have the sign of x, those of cospi are positive.
LW float sinpi(float x) {
  const float k = __builtin_elementwise_roundeven(x);
  const float y = half_turn_sine_pi(x - k);
  const bool zero = y == 0;
  const int sign = sign_of(x), whole = LW_BITS(y) ^ __lw_step_odd_sign(k);  // not in a branch
  return LW_FLOAT(zero ? sign : whole);
}

LW float cospi(float x) {
  const float a = ABS(x), k = __builtin_elementwise_floor(a);
  const float y = half_turn_sine_pi(0.5f - (a - k));
  const bool zero = y == 0;
  const float whole = LW_FLOAT(LW_BITS(y) ^ __lw_step_odd_sign(k));  // not in a branch
  return zero ? 0.0f : whole;
}

// A zero is negative at odd integers, a pole at n + 1/2 is negative for odd n.
LW float tanpi(float x) {
  int h;
  const float r = half_turns(x, &h);
  const float s = sine_pi(r), c = cosine_pi(r);
  const float y = (h & 1 ? -c : s) / (h & 1 ? s : c);
  const float pole = LW_FLOAT(0x7f800000 | turned(h));
  const float exact = h & 1 ? pole : LW_FLOAT(turned(h));
  return LW_FLOAT(LW_BITS(r == 0 ? exact : y) ^ (LW_BITS(x) & (int)0x80000000));
}
