// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of two for x86-64-v3: eighths of exponents from a table, which leaves short polynomials. The words of the
// doubles are in tables of their own, because a permutation of eight words is one instruction.
#pragma once

#include "double_math.h"

LW_OPERATION double __lw_op_lookup8_d(__constant const uint*, __constant const uint*, ulong);
LW_OPERATION double __lw_op_lookup8_h(__constant const uint*, ulong);

#define LW_EIGHTHS 0x1.8p49  // adding it rounds to a multiple of 1/8, which is then in the low bits

// 2^(i/8)
static __constant const uint lw_powers_high[8] = {
    0x3ff00000, 0x3ff172b8, 0x3ff306fe, 0x3ff4bfda, 0x3ff6a09e, 0x3ff8ace5, 0x3ffae89f, 0x3ffd5818};
static __constant const uint lw_powers_low[8] = {
    0x00000000, 0x3c7d517b, 0x0a31b715, 0xd5362a27, 0x667f3bcd, 0x422aa0db, 0x995ad3ad, 0xdcfba487};

// Of n = t - LW_EIGHTHS: 2 to the power of what it has beyond a whole number; and p times 2 to that whole number, or p
// again, where the result is normal.
LW_INLINE double lw_power_of_eighths(double t) {
  return __lw_op_lookup8_d(lw_powers_high, lw_powers_low, __builtin_astype(t, ulong) << 32);
}
LW_INLINE ulong lw_whole_exponent(double t) { return __builtin_astype(t, ulong) << 49 & 0xfff0000000000000UL; }
LW_INLINE double lw_near_scaled(double p, double t) {
  return LW_DOUBLE(__builtin_astype(p, ulong) + lw_whole_exponent(t));
}
LW_INLINE double lw_not_scaled(double y, double t) {
  return LW_DOUBLE(__builtin_astype(y, ulong) - lw_whole_exponent(t));
}

// (2^r - 1) / r for |r| <= 0.0665.
LW_INLINE double lw_exp2_slope(double r) {
  const double high = MAD(0x1.ffdaa39a0f94fp-17, r * r, MAD(0x1.430f131687541p-13, r, 0x1.5d87fe4ba3f8ep-10));
  return MAD(high, lw_fourth(r),
      lw_quad(r, 0x1.3b2ab6ec01e2bp-7, 0x1.c6b08d704af5ap-5, 0x1.ebfbdff82c86fp-3, 0x1.62e42fefa39efp-1));
}
// 2^r for |r| <= 0.0665, times 2^(i/8).
LW_INLINE double lw_exp2_by_eighths(double r, double power) { return MAD(power * r, lw_exp2_slope(r), power); }

// What is missing of 2^(i/8) above: numbers whose two words are the same.
static __constant const uint lw_powers_rest[8] = {
    0x00000000, 0xbc819041, 0x3c86f46b, 0x3c7d4397, 0xbc9bdd33, 0x3c96e9f1, 0x3c97a1cd, 0x3c82ed03};
// 2^r times that of t = n + LW_EIGHTHS, so near before the last rounding that powers which are doubles come out exactly.
LW_INLINE double lw_power_by_eighths(double r, double t) {
  const double rest = __lw_op_lookup8_d(lw_powers_rest, lw_powers_rest, __builtin_astype(t, ulong) << 32);
  const double power = lw_power_of_eighths(t);
  return MAD(power * r, lw_exp2_slope(r), rest) + power;
}
