// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that differ between the ISA levels (float_math.h, double_math.h): integer operations on the encoding in
// general, special instructions at x86-64-v4. They are in a file of their own, so that no caller has one form inlined
// too early.
#include "double_eighths.h"

LW_OPERATION float __lw_op_scalef_f(float, float);
LW_OPERATION double __lw_op_scalef_d(double, double);
LW_OPERATION float __lw_op_getexp_f(float);
LW_OPERATION double __lw_op_getexp_d(double);
LW_OPERATION float __lw_op_getmant_f(float);
LW_OPERATION double __lw_op_getmant_d(double);
LW_OPERATION float __lw_op_rcp14_f(float);
LW_OPERATION float __lw_op_rsqrt14_f(float);
LW_OPERATION float __lw_op_rcp12_f(float);
LW_OPERATION float __lw_op_rsqrt12_f(float);
LW_OPERATION double __lw_op_rsqrt14_d(double);
LW_OPERATION double __lw_op_lookup_d(__constant const double*, ulong);

// --- p x 2^n ---

LW_STEP float __lw_step_scaled(float p, float n) {
  const int all = (int)n, first = all >> 1;
  return p * LW_FLOAT((first + 127) << 23) * LW_FLOAT((all - first + 127) << 23);
}
LW_STEP float __lw_step_scaled_v4(float p, float n) { return __lw_op_scalef_f(p, n); }

LW_STEP float __lw_step_exp_argument(float x, float low, float high) { return lw_bounded(x, low, high); }
LW_STEP float __lw_step_exp_argument_v3(float x, float low, float high) { return x; }
LW_STEP float __lw_step_exp_argument_v4(float x, float low, float high) { return lw_bounded(x, low, high); }
LW_STEP float __lw_step_exp_scaled(float p, float t, float x, float far) { return __lw_step_scaled(p, t - LW_ROUNDER); }
// Nearly always the exponent can be added to that of p.
LW_STEP float __lw_step_exp_scaled_v3(float p, float t, float x, float far) {
  float y = LW_FLOAT(LW_BITS(p) + (LW_BITS(t) << 23));
  if (__builtin_expect(!(ABS(x) < far), 0)) {
    const float n = lw_bounded(t - LW_ROUNDER, -160.0f, 130.0f), scaled = __lw_step_scaled(p, n);
    const float finite = n > 129.0f ? INFINITY : scaled;
    y = x != x ? x : n < -159.0f ? 0.0f : finite;
  }
  return y;
}
LW_STEP float __lw_step_exp_scaled_v4(float p, float t, float x, float far) {
  return __lw_op_scalef_f(p, t - LW_ROUNDER);
}

LW_STEP float __lw_step_half_scaled(float p, float t) { return p * LW_FLOAT((LW_BITS(t) + (127 - 4)) << 23) * 8.0f; }
LW_STEP float __lw_step_half_scaled_v4(float p, float t) { return __lw_op_scalef_f(p, t - (LW_ROUNDER + 1.0f)); }

LW_STEP double __lw_step_scaled_d(double p, double n) {
  const int all = (int)n, first = all >> 1;
  return p * lw_power_of_two_d(first) * lw_power_of_two_d(all - first);
}
LW_STEP double __lw_step_scaled_d_v4(double p, double n) { return __lw_op_scalef_d(p, n); }

// --- x - k pi/2, for native functions ---

// In three parts; k times the first two is exact for |k| < 2^12.
LW_STEP float __lw_step_minus_quarters(float x, float k) {
  return MAD(k, -0x1.4442d2p-24f, MAD(k, -0x1.fb4p-12f, MAD(k, -0x1.92p+0f, x)));
}
LW_STEP float __lw_step_minus_quarters_v3(float x, float k) {
  return FMA(k, 0x1.777a5cp-25f, FMA(k, -0x1.921fb6p+0f, x));
}

// --- odd whole numbers ---

// From 2^24 on all are even, and from 2^31 on the result of the cast is even as well.
LW_STEP int __lw_step_odd_sign(float k) { return (int)((uint)(int)k << 31); }
// There it would be the largest int, which is odd. The smallest is even.
LW_STEP int __lw_step_odd_sign_arm(float k) {
  return (int)((uint)(int)__builtin_elementwise_minnum(k, 0x1p24f) << 31);
}

// --- a - r^3 ---

// Without FMA the cube may overflow to infinity.
LW_STEP float __lw_step_minus_cube(float a, float r) { return MAD(-0.25f * r * r, r, 0.25f * a) * 4.0f; }
LW_STEP float __lw_step_minus_cube_v3(float a, float r) { return FMA(-r * r, r, a); }

// --- 2^x, less accurate ---

// 2^r for 0 <= r <= 1
LW_INLINE float exp2_of_part(float r) {
  const float p = POLYNOMIAL(r, 0x1.e96912p-10f, 0x1.277c1cp-7f, 0x1.c91c10p-5f, 0x1.ebdb6ap-3f, 0x1.62e4bap-1f);
  return MAD(p, r, 1.0f);
}
// With 2^floor(x) as a number, which is 0 from -127 down and infinite from 128 on.
LW_STEP float __lw_step_native_exp2(float x) {
  const float bounded = lw_bounded(x, -127.0f, 128.0f);
  const float n = __builtin_elementwise_floor(bounded);
  return exp2_of_part(bounded - n) * LW_FLOAT(LW_BITS(n + (LW_ROUNDER + 127.0f)) << 23);
}
// The same for subnormal results too.
LW_STEP float __lw_step_short_exp2(float x) {
  const float bounded = lw_bounded(x, -160.0f, 128.0f);
  const float n = __builtin_elementwise_floor(bounded), p = exp2_of_part(bounded - n);
  float y = p * LW_FLOAT(LW_BITS(n + (LW_ROUNDER + 127.0f)) << 23);
  if (__builtin_expect(x < -126.0f, 0)) y = p * LW_FLOAT(LW_BITS(n + (LW_ROUNDER + 191.0f)) << 23) * 0x1p-64f;
  return y;
}
// 2^r to 2^-23 for |r| <= 1/2
LW_INLINE float native_exp2_fraction(float r) {
  const float p = POLYNOMIAL(r, 0x1.5fa026p-10f, 0x1.3cebc2p-7f, 0x1.c6addap-5f, 0x1.ebf9b8p-3f, 0x1.62e432p-1f);
  return MAD(p, r, 1.0f);
}
LW_STEP float __lw_step_native_exp2_v4(float x) {
  const float bounded = lw_bounded(x, -160.0f, 160.0f);
  const float k = __builtin_elementwise_roundeven(bounded);
  return __lw_op_scalef_f(native_exp2_fraction(bounded - k), k);
}
LW_STEP float __lw_step_short_exp2_v4(float x) { return __lw_step_native_exp2_v4(x); }

// --- (1 + f) 2^e ---

LW_INLINE int exponent_and_fraction(float x) {
  return LW_BITS(x < 0x1p-126f ? x * 0x1p23f : x) - LW_BITS(0.75f);
}
LW_STEP float __lw_step_fraction(float x) {
  return LW_FLOAT((exponent_and_fraction(x) & 0x7fffff) + LW_BITS(0.75f)) - 1.0f;
}
LW_STEP float __lw_step_exponent(float x) {
  return (float)((exponent_and_fraction(x) >> 23) - (x < 0x1p-126f ? 23 : 0));
}
LW_STEP float __lw_step_fraction_v4(float x) { return __lw_op_getmant_f(x) - 1.0f; }
LW_STEP float __lw_step_exponent_v4(float x) {
  const float e = __lw_op_getexp_f(x);
  return __lw_op_getmant_f(x) < 1.0f ? e + 1.0f : e;
}

// The high word of 0.75.
#define BASE_D 0x3fe80000
LW_INLINE ulong normal_bits(double x) { return __builtin_astype(x < 0x1p-1022 ? x * 0x1p54 : x, ulong); }
LW_STEP double __lw_step_fraction_d(double x) {
  const ulong bits = normal_bits(x);
  const int high = (int)(bits >> 32) - BASE_D;
  return LW_DOUBLE((ulong)(uint)((high & 0xfffff) + BASE_D) << 32 | (bits & 0xffffffff)) - 1.0;
}
LW_STEP double __lw_step_exponent_d(double x) {
  const int high = (int)(normal_bits(x) >> 32) - BASE_D;
  return (double)((high >> 20) - (x < 0x1p-1022 ? 54 : 0));
}
LW_STEP double __lw_step_fraction_d_v4(double x) { return __lw_op_getmant_d(x) - 1.0; }
LW_STEP double __lw_step_exponent_d_v4(double x) {
  const double e = __lw_op_getexp_d(x);
  return __lw_op_getmant_d(x) < 1.0 ? e + 1.0 : e;
}

LW_INLINE float2 log_parts(float x, int base) {
  float less;
  const float normal = lw_normal(x, &less);
  const int above = LW_BITS(normal) - base;
  const float f = LW_FLOAT(LW_BITS(normal) - (above & (int)0xff800000)) - 1.0f;
  return (float2)(f, (float)(above >> 23) - less);
}
LW_STEP float2 __lw_step_log_parts(float x) { return log_parts(x, LW_BITS(0.75f)); }
LW_STEP float2 __lw_step_short_log_parts(float x) { return log_parts(x, LW_BITS(0x1.555556p-1f)); }
// The significand is NaN for negative numbers and 1 for zero and infinity, whose exponents are infinite.
LW_INLINE float2 log_parts_v4(float x) {
  const float m = __lw_op_getmant_f(x), e = __lw_op_getexp_f(x);
  return (float2)(m - 1.0f, m < 1.0f ? e + 1.0f : e);
}
LW_STEP float2 __lw_step_log_parts_v4(float x) { return log_parts_v4(x); }
LW_STEP float2 __lw_step_short_log_parts_v4(float x) { return log_parts_v4(x); }

LW_STEP double2 __lw_step_log_parts_d(double x) {
  double normal = x, less = 0.0;
  if (__builtin_expect(!((x >= 0x1p-1022) & (x < 0x1p1023)), 0)) {
    const bool small = x < 0x1p-1022;
    normal = small ? x * 0x1p54 : x;
    less = (small ? 54.0 : 0.0) + (0x1p-1074 / ABS(normal) - 0x1p-1074 * normal);
    less = x < 0 ? __builtin_nan("") : less;
  }
  // The exponent, in the low bits of a large number, becomes a double without a cast of 64 bits.
  const ulong above = __builtin_astype(normal, ulong) - ((ulong)BASE_D << 32);
  const double f = LW_DOUBLE(__builtin_astype(normal, ulong) - (above & 0xfff0000000000000UL)) - 1.0;
  const double shifted = LW_DOUBLE((above + 0x4000000000000000UL) >> 52 | 0x4330000000000000UL);
  return (double2)(f, (shifted - (0x1p52 + 0x400)) - less);
}
LW_STEP double2 __lw_step_log_parts_d_v4(double x) {
  const double m = __lw_op_getmant_d(x), e = __lw_op_getexp_d(x);
  return (double2)(m - 1.0, m < 1.0 ? e + 1.0 : e);
}

// 1 + x = (1 + f) 2^e, so f = x 2^-e + (2^-e - 1). For the largest numbers 2^-e would be below the encodings: it is 0.
LW_STEP float2 __lw_step_log1p_parts(float x) {
  const int above = LW_BITS(x + 1.0f) - LW_BITS(0.75f), e = above & (int)0xff800000;
  const float down = x < 0x1p100f ? LW_FLOAT(LW_BITS(1.0f) - e) : 0.0f;
  return (float2)(LW_FLOAT(LW_BITS(x) - e) + (down - 1.0f), (float)(above >> 23));
}
LW_STEP float2 __lw_step_log1p_parts_v4(float x) {
  const float e = __lw_step_exponent_v4(x + 1.0f), down = __lw_op_scalef_f(1.0f, -e);
  return (float2)(MAD(x, down, down - 1.0f), e);
}
LW_STEP double2 __lw_step_log1p_parts_d(double x) {
  const ulong above = __builtin_astype(x + 1.0, ulong) - ((ulong)BASE_D << 32), e = above & 0xfff0000000000000UL;
  const double down = x < 0x1p1000 ? LW_DOUBLE((ulong)LW_LONG(1.0) - e) : 0.0;
  const double shifted = LW_DOUBLE((above + 0x4000000000000000UL) >> 52 | 0x4330000000000000UL);
  return (double2)(LW_DOUBLE(__builtin_astype(x, ulong) - e) + (down - 1.0), shifted - (0x1p52 + 0x400));
}
LW_STEP double2 __lw_step_log1p_parts_d_v4(double x) {
  const double e = __lw_step_exponent_d_v4(x + 1.0), down = __lw_op_scalef_d(1.0, -e);
  return (double2)(MAD(x, down, down - 1.0), e);
}

// --- is a whole number odd? ---

LW_STEP double __lw_step_odd_sign_d(double k) {
  const double rest = MAD(__builtin_elementwise_roundeven(k * 0.5), -2.0, k);  // -1, 0 or 1
  return LW_DOUBLE((LW_LONG(rest) << 2) & (long)0x8000000000000000UL);
}
// From 2^53 on all are even, and from 2^63 on the result of the cast is even as well.
LW_STEP double __lw_step_odd_sign_d_v4(double k) { return LW_DOUBLE((ulong)(long)k << 63); }

// --- uses of FMA, in double where there is no such instruction: emulating it takes twenty operations ---

LW_STEP float __lw_step_minus_pi(float x, float n) {
  const double count = n;  // 18 bits: multiplied by the first part of pi, of 34, it is exact
  return (float)(((double)x - count * 0x1.921fb5440p+1) - count * 0x1.0b4611a626331p-33);
}
LW_STEP float __lw_step_minus_pi_v3(float x, float n) {
  const float r = FMA(-n, 0x1.4442d0p-23f, FMA(-n, 0x1.921fb4p+1f, x));
  return FMA(-n, 0x1.84698ap-47f, r);
}
LW_STEP float __lw_step_product_rest(float x, float y, float p) { return (float)((double)x * (double)y - (double)p); }
LW_STEP float __lw_step_product_rest_v3(float x, float y, float p) { return FMA(x, y, -p); }

// --- 1 / sqrt(x) ---

LW_STEP float __lw_step_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
LW_STEP double __lw_step_rsqrt_d(double x) { return 1.0 / __builtin_elementwise_sqrt(x); }

// r is accurate to 2^-11 or, at v4, 2^-14; e = 1 - x r^2 is its error: (1 - e)^(-1/2) = 1 + e/2 + 3/8 e^2 + 5/16 e^3 + 35/128 e^4.
// At 0 and infinity, where e is NaN, r is the result. At v3 it counts subnormal numbers as 0, so |y| is infinite for them.
LW_STEP float __lw_step_rsqrt_v3(float x) {
  const float r = __lw_op_rsqrt12_f(x);
  const float e = FMA(-x * r, r, 1.0f);
  float y = FMA(r * e, FMA(e, 0.375f, 0.5f), r);
  if (__builtin_expect(!(ABS(y) < 0x1p100f), 0)) y = 1.0f / __builtin_elementwise_sqrt(x);
  return y;
}
LW_STEP double __lw_step_rsqrt_d_v3(double x) {
  const double r = __lw_op_rsqrt12_f((float)x);
  const double e = FMA(-x * r, r, 1.0);
  double p = FMA(e, 0.24609375, 0.2734375);
  p = FMA(e, FMA(e, FMA(e, p, 0.3125), 0.375), 0.5);
  double y = FMA(r * e, p, r);
  if (__builtin_expect(!((x >= 0x1p-126) & (x < 0x1p127)), 0)) y = 1.0 / __builtin_elementwise_sqrt(x);
  return y;
}
LW_STEP float __lw_step_rsqrt_v4(float x) {
  const float r = __lw_op_rsqrt14_f(x);
  const float e = FMA(-x * r, r, 1.0f);
  const float y = FMA(r * e, 0.5f, r);
  return e != e ? r : y;
}
LW_STEP double __lw_step_rsqrt_d_v4(double x) {
  const double r = __lw_op_rsqrt14_d(x);
  const double e = FMA(-x * r, r, 1.0);
  const double y = FMA(r * e, FMA(e, FMA(e, FMA(e, 0.2734375, 0.3125), 0.375), 0.5), r);
  return e != e ? r : y;
}
LW_STEP float __lw_step_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
LW_STEP float __lw_step_sqrt_v4(float x) {
  const float r = __lw_op_rsqrt14_f(x), y = x * r;
  return FMA(0.5f * r, FMA(-y, y, x), y);
}
LW_STEP double __lw_step_sqrt_d(double x) { return __builtin_elementwise_sqrt(x); }
LW_STEP double __lw_step_sqrt_d_v4(double x) {
  const double r = __lw_op_rsqrt14_d(x), y = x * r, e = FMA(-y, r, 1.0);
  return FMA(y * e, FMA(e, FMA(e, 0.3125, 0.375), 0.5), y);
}
LW_STEP float __lw_step_native_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
LW_STEP float __lw_step_native_rsqrt_v3(float x) { return __lw_op_rsqrt12_f(x); }
LW_STEP float __lw_step_native_rsqrt_v4(float x) { return __lw_op_rsqrt14_f(x); }

LW_STEP float __lw_step_half_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
LW_STEP float __lw_step_half_rsqrt_v3(float x) {
  float y = __lw_op_rsqrt12_f(x);
  if (__builtin_expect(!(ABS(y) < 0x1p100f), 0)) y = 1.0f / __builtin_elementwise_sqrt(x);
  return y;
}
LW_STEP float __lw_step_half_rsqrt_v4(float x) { return __lw_op_rsqrt14_f(x); }
LW_STEP float __lw_step_half_reciprocal(float x) { return 1.0f / x; }
LW_STEP float __lw_step_half_reciprocal_v4(float x) { return __lw_op_rcp14_f(x); }

LW_STEP float __lw_step_reciprocal(float x) { return 1.0f / x; }
LW_STEP float __lw_step_reciprocal_v3(float x) { return __lw_op_rcp12_f(x); }
LW_STEP float __lw_step_reciprocal_v4(float x) { return __lw_op_rcp14_f(x); }
LW_STEP float __lw_step_near_reciprocal(float x) { return 1.0f / x; }
LW_STEP float __lw_step_near_reciprocal_v3(float x) {
  const float r = __lw_op_rcp12_f(x);
  return r * FMA(-x, r, 2.0f);
}
LW_STEP float __lw_step_near_reciprocal_v4(float x) { return __lw_op_rcp14_f(x); }

// --- x - n pi for |x| < 2^20 and n a multiple of 1/2 ---

// pi is in three parts of 33 bits, whose multiples are exact, and a rest; the rounding errors of the differences are
// added at the end.
LW_STEP double __lw_step_minus_pi_d(double x, double n) {
  const double first = MAD(n, -0x1.921fb544p+1, x);
  const double b = n * 0x1.0b4611a6p-33;
  const double second = first - b;
  const double first_again = second + b;
  const double error = (first - first_again) + ((first_again - second) - b);
  const double c = n * 0x1.3198a2ep-68;
  const double third = second - c;
  const double second_again = third + c;
  const double error2 = (second - second_again) + ((second_again - third) - c);
  return third + (error + MAD(n, -0x1.b839a252049c1p-103, error2));
}
// The first difference is exact, the second is the result with one rounding.
LW_STEP double __lw_step_minus_pi_d_v3(double x, double n) {
  const double first = FMA(-n, 0x1.921fb54442d18p+1, x);
  const double second = FMA(-n, 0x1.1a62633145c06p-53, first);
  return FMA(-n, 0x1.c1cd129024e09p-106, second);
}

// --- factor e^r 2^n with t = n + rounder, |r| <= log(2)/2 x the rounder's granularity ---

LW_STEP double __lw_step_exp_argument_d(double x, double low, double high) { return lw_bounded_d(x, low, high); }
LW_STEP double __lw_step_exp_argument_d_v3(double x, double low, double high) { return x; }
LW_STEP double __lw_step_exp_argument_d_v4(double x, double low, double high) { return lw_bounded_d(x, low, high); }

LW_STEP double __lw_step_exp_rounder_d(void) { return LW_ROUNDER_D; }
LW_STEP double __lw_step_exp_rounder_d_v3(void) { return LW_EIGHTHS; }
LW_STEP double __lw_step_exp_rounder_d_v4(void) { return 0x1.8p48; }

LW_INLINE double exp_fraction(double r) {
  const double p = POLYNOMIAL(r, -0x1.e77358c27f336p-29, 0x1.ae987440ea7f2p-26, 0x1.2a0ee83fb1a65p-22,
      0x1.71de6fdcbe29ap-19, 0x1.a018dac47857dp-16, 0x1.a01a017db2c01p-13, 0x1.6c16c1b35f255p-10,
      0x1.1111111117da6p-7, 0x1.5555555546490p-5, 0x1.555555555553cp-3, 0x1.0000000000021p-1);
  return MAD(r * r, p, r) + 1.0;
}
LW_STEP double __lw_step_exp_tail_d(double r, double t, double factor) {
  return lw_scaled_d(exp_fraction(r) * factor, (int)LW_LONG(t));
}
// p 2^n for t = n + LW_EIGHTHS, where p is no number if |n| is large.
LW_INLINE double scaled_by_eighths(double p, double t) {
  double y = lw_near_scaled(p, t);
  // The factor of erfc is not smaller than 2^-6.
  if (__builtin_expect(!(ABS(t - LW_EIGHTHS) < 1010.0), 0)) {
    const double n = t - LW_EIGHTHS, bounded = lw_bounded_d(n, -1100.0, 1030.0);
    const double scaled = lw_scaled_d(p, (int)__builtin_elementwise_floor(bounded));
    const double above = bounded < 1030.0 ? scaled : INFINITY;
    y = n != n ? n : bounded > -1100.0 ? above : 0.0;
  }
  return y;
}
// e^r for |r| <= log(2)/16, times 2^(i/8).
LW_INLINE double exp_by_eighths(double r, double power) {
  const double p = POLYNOMIAL(r, 0x1.a0200b9510d95p-13, 0x1.6c1ccb0c7e07dp-10, 0x1.111111091d480p-7, 0x1.55555547cc41fp-5,
      0x1.5555555555623p-3, 0x1.0000000000114p-1);
  return MAD(power, MAD(r * r, p, r), power);
}
LW_STEP double __lw_step_exp_tail_d_v3(double r, double t, double factor) {
  return scaled_by_eighths(exp_by_eighths(r, lw_power_of_eighths(t)) * factor, t);
}
// 2^(i/16)
static __constant const double kPowers[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
LW_STEP double __lw_step_exp_tail_d_v4(double r, double t, double factor) {
  const double power = __lw_op_lookup_d(kPowers, __builtin_astype(t, ulong));
  double p = POLYNOMIAL(r, 0x1.6c16233fc7b57p-10, 0x1.11122fbfd9a46p-7, 0x1.555555568497bp-5,
      0x1.555555548d63cp-3, 0x1.0000000000007p-1);
  p = MAD(r * r, p, r);
  return __lw_op_scalef_d(MAD(power, p, power) * factor, t - 0x1.8p48);
}

LW_STEP double __lw_step_half_exp_d(double x) {
  const double t = MAD(x, 0x1.71547652b82fep+0, LW_ROUNDER_D), k = t - LW_ROUNDER_D;
  const double p = exp_fraction(MAD(k, -LW_LN2_LOW_D, MAD(k, -LW_LN2_HIGH_D, x)));
  return p * LW_DOUBLE((LW_LONG(t) + (1023 - 4)) << 52) * 8.0;
}
LW_STEP double __lw_step_half_exp_d_v3(double x) {
  const double t = MAD(x, 0x1.71547652b82fep+0, LW_EIGHTHS), k = t - LW_EIGHTHS;
  const double p = exp_by_eighths(MAD(k, -LW_LN2_LOW_D, MAD(k, -LW_LN2_HIGH_D, x)), lw_power_of_eighths(t));
  return p * lw_near_scaled(0x1p-4, t) * 8.0;
}
LW_STEP double __lw_step_half_exp_d_v4(double x) {
  const double t = MAD(x, 0x1.71547652b82fep+0, 0x1.8p48), k = t - 0x1.8p48;
  return __lw_step_exp_tail_d_v4(MAD(k, -LW_LN2_LOW_D, MAD(k, -LW_LN2_HIGH_D, x)), t - 1.0, 1.0);
}

// --- 2^r 2^n ---

LW_STEP double __lw_step_exp2_tail_d(double r, double t) {
  return __lw_step_exp_tail_d(r * 0x1.62e42fefa39efp-1, t, 1.0);
}
LW_STEP double __lw_step_exp2_tail_d_v3(double r, double t) {
  return scaled_by_eighths(lw_exp2_by_eighths(r, lw_power_of_eighths(t)), t);
}
// (2^r - 1) / r for |r| <= 1/32.
LW_INLINE double exp2_slope(double r) {
  return POLYNOMIAL(r, 0x1.430a9c9c8e81ap-13, 0x1.5d89be4466933p-10, 0x1.3b2ab6fa93b69p-7, 0x1.c6b08d6e8b89cp-5,
      0x1.ebfbdff82c59dp-3, 0x1.62e42fefa39fdp-1);
}
LW_STEP double __lw_step_exp2_tail_d_v4(double r, double t) {
  const double power = __lw_op_lookup_d(kPowers, __builtin_astype(t, ulong));
  return __lw_op_scalef_d(MAD(power * r, exp2_slope(r), power), t - 0x1.8p48);
}

// --- The same for powers: 2^(i/8) and 2^(i/16) have two parts ---

LW_STEP double __lw_step_power_tail_d(double r, double t) { return __lw_step_exp2_tail_d(r, t); }
LW_STEP double __lw_step_power_tail_d_v3(double r, double t) { return scaled_by_eighths(lw_power_by_eighths(r, t), t); }
static __constant const double kPowersRest[16] = {
    0.0,                    0x1.8a62e4adc610bp-54,  -0x1.19041b9d78a76p-55, 0x1.9b07eb6c70573p-54,
    0x1.6f46ad23182e4p-55,  0x1.ada0911f09ebcp-55,  0x1.d4397afec42e2p-56,  0x1.6324c054647adp-54,
    -0x1.bdd3413b26456p-54, -0x1.41577ee04992fp-55, 0x1.6e9f156864b27p-54,  0x1.c7c46b071f2bep-56,
    0x1.7a1cd345dcc81p-54,  0x1.11065895048ddp-55,  0x1.2ed02d75b3707p-55,  -0x1.e9c23179c2893p-54};
LW_STEP double __lw_step_power_tail_d_v4(double r, double t) {
  const ulong index = __builtin_astype(t, ulong);
  const double power = __lw_op_lookup_d(kPowers, index), rest = __lw_op_lookup_d(kPowersRest, index);
  return __lw_op_scalef_d(power + MAD(power * r, exp2_slope(r), rest), t - 0x1.8p48);
}
