// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that the double functions share; see float_math.h, which explains the words.
#pragma once

#include "float_math.h"

#define LW_LONG(x) __builtin_astype((x), long)
#define LW_DOUBLE(x) __builtin_astype((x), double)

LW_INLINE double lw_with_sign_d(double x, double s) {
  return LW_DOUBLE(LW_LONG(x) | (LW_LONG(s) & (long)0x8000000000000000UL));
}

LW_INLINE double lw_bounded_d(double x, double low, double high) {
  const double below = x > high ? high : x;
  return below < low ? low : below;
}

// Adding this rounds |x| < 2^51 to an integer, which is then in the low bits of the sum.
#define LW_ROUNDER_D 0x1.8p52

// 2^n for n in the normal range.
LW_INLINE double lw_power_of_two_d(int n) { return LW_DOUBLE((ulong)(uint)((n + 1023) << 20) << 32); }

// p x 2^n for |n| <= 2044, in two factors.
LW_INLINE double lw_scaled_d(double p, int n) {
  const int first = n >> 1;
  return p * lw_power_of_two_d(first) * lw_power_of_two_d(n - first);
}

// log(2) in two parts: multiples n x HIGH are exact for |n| < 2^13.
#define LW_LN2_HIGH_D 0x1.62e42fefa2p-1
#define LW_LN2_LOW_D 0x1.9ef35793c7673p-41

// x = n log(2) + the result.
LW_INLINE double lw_exp_reduced_d(double x, __private int* n) {
  const double t = MAD(x, 0x1.71547652b82fep+0, LW_ROUNDER_D);
  const double k = t - LW_ROUNDER_D;
  *n = (int)LW_LONG(t);
  return MAD(k, -LW_LN2_LOW_D, MAD(k, -LW_LN2_HIGH_D, x));
}

LW_INLINE double lw_exp_parts_d(double x, __private int* n) {
  const double r = lw_exp_reduced_d(x, n);
  double p = MAD(-0x1.e77358c27f336p-29, r, 0x1.ae987440ea7f2p-26);
  p = MAD(p, r, 0x1.2a0ee83fb1a65p-22);
  p = MAD(p, r, 0x1.71de6fdcbe29ap-19);
  p = MAD(p, r, 0x1.a018dac47857dp-16);
  p = MAD(p, r, 0x1.a01a017db2c01p-13);
  p = MAD(p, r, 0x1.6c16c1b35f255p-10);
  p = MAD(p, r, 0x1.1111111117da6p-7);
  p = MAD(p, r, 0x1.5555555546490p-5);
  p = MAD(p, r, 0x1.555555555553cp-3);
  p = MAD(p, r, 0x1.0000000000021p-1);
  return MAD(r * r, p, r) + 1.0;
}

// e^x - 1 for -40 <= x <= 709.9 (infinite from where it overflows on).
LW_INLINE double lw_expm1_bounded_d(double x) {
  int n;
  const double r = lw_exp_reduced_d(x, &n);
  double p = MAD(0x1.65884e0a8a2d2p-30, r, 0x1.8f8f09b70f4cep-35);
  p = MAD(p, r, 0x1.a7d3114882d4cp-26);
  p = MAD(p, r, 0x1.28a223f7f0ca5p-22);
  p = MAD(p, r, 0x1.71dfd06489b87p-19);
  p = MAD(p, r, 0x1.a019a48b8ab1ep-16);
  p = MAD(p, r, 0x1.a01a014c904e6p-13);
  p = MAD(p, r, 0x1.6c16c180489fbp-10);
  p = MAD(p, r, 0x1.11111111177e1p-7);
  p = MAD(p, r, 0x1.5555555551b49p-5);
  p = MAD(p, r, 0x1.5555555555550p-3);
  p = MAD(p, r, 0x1.0000000000006p-1);
  const double q = MAD(r * r, p, r);
  const double power = lw_power_of_two_d(n - 1);
  const double y = MAD(power, q, power - 0.5);
  return n == 0 ? q : y + y;
}

// The high word of sqrt(1/2): fractions are taken from there to twice that.
#define LW_FRACTION_BASE 0x3fe6a09e

// A positive finite x = (1 + f) 2^e with 1 + f in [sqrt(1/2), sqrt(2)); f is exact.
LW_INLINE double lw_log_parts_d(double x, __private double* e) {
  const bool tiny = x < 0x1p-1022;
  const ulong bits = __builtin_astype(tiny ? x * 0x1p54 : x, ulong);
  const int high = (int)(bits >> 32) - LW_FRACTION_BASE;
  *e = (double)((high >> 20) - (tiny ? 54 : 0));
  return LW_DOUBLE((ulong)(uint)((high & 0xfffff) + LW_FRACTION_BASE) << 32 | (bits & 0xffffffff)) - 1.0;
}

// f - (log(1 + f) + more), where `more` is small beside f: what is taken off f at last.
LW_INLINE double lw_log1p_rest_d(double f, double more) {
  const double s = f / (2.0 + f), z = s * s;
  double p = MAD(0x1.313bf9480030cp-3, z, 0x1.396a7cf719e3ap-3);
  p = MAD(p, z, 0x1.7468572bb5631p-3);
  p = MAD(p, z, 0x1.c71c4818a2bfap-3);
  p = MAD(p, z, 0x1.2492494dc68b7p-2);
  p = MAD(p, z, 0x1.9999999973061p-2);
  p = MAD(p, z, 0x1.55555555555b7p-1);
  const double half_square = 0.5 * f * f;
  return half_square - MAD(s, MAD(p, z, half_square), more);
}

LW_INLINE double lw_log_edges_d(double x, double inside) {
  const double outside = x == 0 ? -INFINITY : x < 0 ? __builtin_nan("") : x;
  return x > 0 && x < INFINITY ? inside : outside;
}
