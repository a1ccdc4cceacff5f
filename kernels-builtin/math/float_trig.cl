// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions of float: halves turns are taken off in steps that are exact or nearly so, then one polynomial
// for the sine on a quarter of a turn to both sides. The tangent needs sine and cosine, on an eighth to both sides.
#include "float_math.h"

// 2/pi in words of 32 bits, behind one word of its integer part, so that every exponent finds its window.
static __constant uint kTwoOverPi[] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

// |x| >= 2^17, Payne and Hanek's way: only those bits of 2/pi are multiplied that matter modulo 4 quarter turns.
// Returns the quarter and, in the low halves, the bits of the rest.
__attribute__((noinline)) ulong __lw_reduce_large(float a) {
  const int exponent = (LW_BITS(a) >> 23) & 0xff;
  const uint m = (LW_BITS(a) & 0x7fffff) | 0x800000;  // a = m 2^(exponent - 150)
  // 96 bits of 2/pi, the first of which has the weight 2 in the product; those before it count multiples of 4.
  const int first = __builtin_elementwise_min(exponent - 120, 134);
  const int word = first >> 5, bit = first & 31;
  const ulong w01 = (ulong)kTwoOverPi[word] << 32 | kTwoOverPi[word + 1];
  const ulong w12 = (ulong)kTwoOverPi[word + 1] << 32 | kTwoOverPi[word + 2];
  const ulong w23 = (ulong)kTwoOverPi[word + 2] << 32 | kTwoOverPi[word + 3];
  const uint high = (uint)(w01 << bit >> 32), middle = (uint)(w12 << bit >> 32), low = (uint)(w23 << bit >> 32);
  const ulong turns = ((ulong)(m * high) << 32) + (ulong)m * middle + ((ulong)m * low >> 32);
  const ulong quarter = (turns + 0x2000000000000000UL) >> 62;
  const long rest = (long)(turns << 2);  // 2^-64 quarter turns, in [-1/2, 1/2)
  return quarter << 32 | __builtin_astype((float)((double)rest * 0x1.921fb54442d18p-64), uint);
}

// x - n pi for |x| < 2^17 and n a multiple of 1/2.
LW_INLINE float minus_pi(float x, float n) {
  const float r = FMA(-n, 0x1.4442d0p-23f, FMA(-n, 0x1.921fb4p+1f, x));
  return FMA(-n, 0x1.84698ap-47f, r);
}
LW_INLINE bool is_large(float x) { return __builtin_expect(!(ABS(x) < 0x1p17f), 0); }

#define PI_2 0x1.921fb6p+0f

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

// A quarter of a turn towards zero, and the number of the quarter then.
LW_INLINE float nearer(float rest) { return rest < 0 ? PI_2 : -PI_2; }
LW_INLINE int step_of(float rest) { return rest < 0 ? -1 : 1; }

LW float sin(float x) {
  const float a = ABS(x);
  const float t = MAD(a, 0x1.45f306p-2f, LW_ROUNDER);
  int halves = LW_BITS(t);
  float r = minus_pi(a, t - LW_ROUNDER);
  if (is_large(x)) {
    const ulong both = __lw_reduce_large(a);
    const int quarter = (int)(both >> 32);
    const float rest = LW_FLOAT((uint)both);
    r = quarter & 1 ? rest + nearer(rest) : rest;
    halves = (quarter + (quarter & 1 ? step_of(rest) : 0)) >> 1;
    r = a < INFINITY ? r : __builtin_nanf("");
  }
  return LW_FLOAT(LW_BITS(half_turn_sine(r)) ^ odd_sign(halves) ^ sign_of(x));
}

// cos((n + 1/2) pi + r) = sin(r), negated for even n.
LW float cos(float x) {
  const float t = MAD(x, 0x1.45f306p-2f, -0.5f) + LW_ROUNDER;
  int halves = LW_BITS(t);
  float r = minus_pi(x, (t - LW_ROUNDER) + 0.5f);
  if (is_large(x)) {
    const ulong both = __lw_reduce_large(ABS(x));
    const int quarter = (int)(both >> 32);
    const float rest = LW_FLOAT((uint)both);
    r = quarter & 1 ? rest : rest + nearer(rest);
    halves = (quarter - 1 + (quarter & 1 ? 0 : step_of(rest))) >> 1;
    r = ABS(x) < INFINITY ? r : __builtin_nanf("");
  }
  return LW_FLOAT(LW_BITS(half_turn_sine(r)) ^ odd_sign(halves + 1));
}

// |x| = quarter x pi/2 + the result, modulo 4 quarters.
LW_INLINE float reduced(float a, __private int* quarter) {
  const float t = MAD(a, 0x1.45f306p-1f, LW_ROUNDER);
  *quarter = LW_BITS(t);  // the low bits count
  float r = minus_pi(a, 0.5f * (t - LW_ROUNDER));
  if (is_large(a)) {
    const ulong both = __lw_reduce_large(a);
    *quarter = (int)(both >> 32);
    r = a < INFINITY ? LW_FLOAT((uint)both) : __builtin_nanf("");
  }
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

// To 2^-13; tan(r + pi/2) = -1 / tan(r).
LW float __lw_relaxed_tan(float x) {
  int q;
  const float r = reduced(ABS(x), &q), z = r * r;
  float p = MAD(0x1.650e68p-5f, z, 0x1.4e79f0p-5f);
  p = MAD(p, z, 0x1.17100ep-3f);
  p = MAD(p, z, 0x1.552164p-2f);
  const float y = MAD(r * z, p, r);
  return LW_FLOAT(LW_BITS(q & 1 ? -__lw_step_reciprocal(y) : y) ^ sign_of(x));
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
// The sign bit where the whole number k is odd; from 2^24 on all are even, and so is what a cast makes of those from 2^31 on.
LW_INLINE int odd_sign_of(float k) { return (int)((uint)(int)k << 31); }

// Zeros of sinpi have the sign of x, those of cospi are positive.
LW float sinpi(float x) {
  const float k = __builtin_elementwise_roundeven(x);
  const float y = half_turn_sine_pi(x - k);
  return LW_FLOAT(y == 0 ? sign_of(x) : LW_BITS(y) ^ odd_sign_of(k));
}

LW float cospi(float x) {
  const float a = ABS(x), k = __builtin_elementwise_floor(a);
  const float y = half_turn_sine_pi(0.5f - (a - k));
  return y == 0 ? 0.0f : LW_FLOAT(LW_BITS(y) ^ odd_sign_of(k));
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
