// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sine, cosine and tangent of double.
#include "double_math.h"

// 2/pi in words of 64 bits, after one word for its integer part.
static __constant ulong kTwoOverPi[] = {
    0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

LW_INLINE ulong window(int word, int bit) {
  return kTwoOverPi[word] << bit | kTwoOverPi[word + 1] >> 1 >> (63 - bit);
}

// The upper half of m x w for m < 2^53: in products of 32 bits, because vectors have no larger ones.
LW_INLINE ulong upper_half(ulong m, ulong w) {
  const ulong low = 0xffffffff;
  const ulong m0 = m & low, m1 = m >> 32, w0 = w & low, w1 = w >> 32;
  const ulong other = m0 * w1;
  const ulong middle = m1 * w0 + (m0 * w0 >> 32);  // < 2^54
  return m1 * w1 + (other >> 32) + ((middle + (other & low)) >> 32);
}

// |x| >= 2^20, by the method of Payne and Hanek. A double comes as near as 2^-61 to a multiple of pi/2, so the product
// modulo 4 has 126 bits behind its point. It is in two words: vectors of 128-bit numbers would be taken apart lane by
// lane, in a thousand instructions for each sine of a kernel.
__attribute__((noinline, cold)) double __lw_reduce_large_d(double a, __private int* quarter) {
  const ulong bits = __builtin_astype(a, ulong);
  const ulong m = (bits & 0xfffffffffffffUL) | 0x10000000000000UL;
  // 192 bits of 2/pi, the first of which has the weight 2 in the product.
  const int first = __builtin_elementwise_min((int)(bits >> 52) - 1013, 1033);
  const int word = first >> 6, bit = first & 63;
  const ulong second = window(word + 1, bit), product = m * second;
  const ulong lower_word = product + upper_half(m, window(word + 2, bit));
  const ulong upper_word = m * window(word, bit) + upper_half(m, second) + (lower_word < product);
  *quarter = (int)((upper_word + (1UL << 61)) >> 62);
  const long top = (long)(upper_word << 2 | lower_word >> 62);  // 2^-64 quarter turns, signed
  const double upper = (double)(top & -2048L);                  // exact
  const double lower = (double)(top & 2047L) + (double)(lower_word << 2) * 0x1p-64;
  const double small = MAD(lower, 0x1.921fb54442d18p-64, upper * 0x1.1a62633145c07p-118);
  return MAD(upper, 0x1.921fb54442d18p-64, small);
}

LW_INLINE bool is_large(double x) { return __builtin_expect(!(ABS(x) < 0x1p20), 0); }
LW_INLINE long sign_of(double x) { return LW_LONG(x) & (long)0x8000000000000000UL; }

#define PI_2 0x1.921fb54442d18p+0

// sin(r) for |r| <= pi/2.
LW_INLINE double half_turn_sine(double r) {
  const double z = r * r;
  const double p = POLYNOMIAL(z, 0x1.882c3b6afdbf1p-49, -0x1.ae436d237a9f8p-41, 0x1.6123cd03743d0p-33,
      -0x1.ae6454d4cfc5cp-26, 0x1.71de3a52a10fep-19, -0x1.a01a01a014d71p-13, 0x1.11111111110c8p-7,
      -0x1.5555555555555p-3);
  return lw_bounded_d(MAD(r * z, p, r), -1.0, 1.0);
}
// The sign bit where the number is odd.
LW_INLINE long odd_sign(long n) { return (long)((ulong)n << 63); }

// The step of a quarter turn towards zero.
LW_INLINE double nearer(double rest) { return rest < 0 ? PI_2 : -PI_2; }
LW_INLINE int step_of(double rest) { return rest < 0 ? -1 : 1; }

LW double sin(double x) {
  const double a = ABS(x);
  const double t = MAD(a, 0x1.45f306dc9c883p-2, LW_ROUNDER_D);
  long halves = LW_LONG(t);
  double r = __lw_step_minus_pi_d(a, t - LW_ROUNDER_D);
  if (is_large(x)) {
    int quarter;
    const double rest = __lw_reduce_large_d(a, &quarter);
    r = quarter & 1 ? rest + nearer(rest) : rest;
    halves = (quarter + (quarter & 1 ? step_of(rest) : 0)) >> 1;
    r = a < INFINITY ? r : __builtin_nan("");
  }
  return LW_DOUBLE(LW_LONG(half_turn_sine(r)) ^ odd_sign(halves) ^ sign_of(x));
}

// cos((n + 1/2) pi + r) = sin(r), negated for even n.
LW double cos(double x) {
  const double t = MAD(x, 0x1.45f306dc9c883p-2, -0.5) + LW_ROUNDER_D;
  long halves = LW_LONG(t);
  double r = __lw_step_minus_pi_d(x, (t - LW_ROUNDER_D) + 0.5);
  if (is_large(x)) {
    int quarter;
    const double rest = __lw_reduce_large_d(ABS(x), &quarter);
    r = quarter & 1 ? rest : rest + nearer(rest);
    halves = (quarter - 1 + (quarter & 1 ? 0 : step_of(rest))) >> 1;
    r = ABS(x) < INFINITY ? r : __builtin_nan("");
  }
  return LW_DOUBLE(LW_LONG(half_turn_sine(r)) ^ odd_sign(halves + 1));
}

// |x| = quarter x pi/2 + the result, modulo 4 quarters.
LW_INLINE double reduced(double a, __private int* quarter) {
  const double t = MAD(a, 0x1.45f306dc9c883p-1, LW_ROUNDER_D);
  *quarter = (int)LW_LONG(t);
  double r = __lw_step_minus_pi_d(a, 0.5 * (t - LW_ROUNDER_D));
  if (is_large(a)) {
    const double large = __lw_reduce_large_d(a, quarter);
    r = a < INFINITY ? large : __builtin_nan("");
  }
  return r;
}

LW_INLINE double sine(double r) {
  const double z = r * r;
  double p = MAD(0x1.5d1b14f045a01p-33, z, -0x1.ae5cafb441c6fp-26);
  p = MAD(p, z, 0x1.71de332268f41p-19);
  p = MAD(p, z, -0x1.a01a01992cedfp-13);
  p = MAD(p, z, 0x1.111111110df4cp-7);
  p = MAD(p, z, -0x1.5555555555537p-3);
  return MAD(r * z, p, r);
}
LW_INLINE double cosine(double r) {
  const double z = r * r;
  double p = MAD(-0x1.99338f8af1f2ap-37, z, 0x1.1efdd7b0fd3b2p-29);
  p = MAD(p, z, -0x1.27e517e530de6p-22);
  p = MAD(p, z, 0x1.a01a01cccd8bep-16);
  p = MAD(p, z, -0x1.6c16c16c36d64p-10);
  p = MAD(p, z, 0x1.555555555565ep-5);
  return MAD(z * z, p, MAD(z, -0.5, 1.0));
}
// The sign bit where bit 1 of the quarter is set.
LW_INLINE long turned(int quarter) { return (long)((ulong)(quarter & 2) << 62); }
LW double sincos(double x, __private double* second) {
  int q;
  const double r = reduced(ABS(x), &q);
  const double s = sine(r), c = cosine(r);
  *second = LW_DOUBLE(LW_LONG(q & 1 ? s : c) ^ turned(q + 1));
  return LW_DOUBLE(LW_LONG(q & 1 ? c : s) ^ turned(q) ^ sign_of(x));
}

LW double tan(double x) {
  int q;
  const double r = reduced(ABS(x), &q);
  const double s = sine(r), c = cosine(r);
  return LW_DOUBLE(LW_LONG((q & 1 ? -c : s) / (q & 1 ? s : c)) ^ sign_of(x));
}
