// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that the double functions share; see float_math.h, which explains the terms.
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

// Steps that differ between the ISA levels, as in float_math.h.
LW_STEP double __lw_step_scaled_d(double p, double n);  // |n| <= 2044
LW_STEP double __lw_step_fraction_d(double x);
LW_STEP double __lw_step_exponent_d(double x);
// -0 where the whole number k is odd, 0 where it is even.
LW_STEP double __lw_step_odd_sign_d(double k);
LW_STEP double2 __lw_step_log_parts_d(double x);
LW_STEP double2 __lw_step_log1p_parts_d(double x);
LW_STEP double __lw_step_rsqrt_d(double x);
LW_STEP double __lw_step_sqrt_d(double x);  // to 1 ULP, for normal numbers
// x - n pi for |x| < 2^20 and n a multiple of 1/2, to about one rounding of the result.
LW_STEP double __lw_step_minus_pi_d(double x, double n);
// log2|x| to 2^-58 relative, as a sum of two numbers, the second of which is below half an ULP of the first. NaN for 0,
// infinity and NaN.
LW_STEP double2 __lw_step_log2_pair_d(double x);
// As in float_math.h: x in a range in which the tails below are defined, or x.
LW_STEP double __lw_step_exp_argument_d(double x, double low, double high);
// A number whose addition rounds an exponent to a multiple that the tail accepts. The tail, where t = n + rounder,
// gives e^r 2^n.
LW_STEP double __lw_step_exp_rounder_d(void);
LW_STEP double __lw_step_exp_tail_d(double r, double t, double factor);
// The same for 2^r 2^n.
LW_STEP double __lw_step_exp2_tail_d(double r, double t);
// The same nearer to the result before the last rounding, for powers, except at x86-64-v2.
LW_STEP double __lw_step_power_tail_d(double r, double t);
// |x|^y where |t| is below the limit, and t, which is nearly y log2|x|; the last step gives |x|^y where |t| < 1100.
LW_STEP double2 __lw_step_power_d(double x, double y);
LW_STEP double __lw_step_power_limit_d(void);
LW_STEP double __lw_step_far_power_d(double2 power);
LW_STEP double __lw_step_erf_d(double x);
// e^(x^2) erfc(x) for 0 <= x <= 27.5.
LW_STEP double __lw_step_erfc_factor_d(double x);
// e^x / 2 for 0 <= x <= 712, which overflows where sinh and cosh do.
LW_STEP double __lw_step_half_exp_d(double x);

// e^x 2^shift factor for a whole number `shift`, |x| <= 760, and a factor near 1.
LW_INLINE double lw_exp_times_d(double x, double shift, double factor) {
  const double rounder = __lw_step_exp_rounder_d();
  const double t = MAD(x, 0x1.71547652b82fep+0, rounder);
  const double k = t - rounder;
  return __lw_step_exp_tail_d(MAD(k, -LW_LN2_LOW_D, MAD(k, -LW_LN2_HIGH_D, x)), t + shift, factor);
}
LW_INLINE double lw_exp_shifted_d(double x, double shift) { return lw_exp_times_d(x, shift, 1.0); }

// 2^(high + low), where |high| < 1100 and |low| < 1/8.
LW_INLINE double lw_exp2_pair_d(double high, double low) {
  const double rounder = __lw_step_exp_rounder_d(), t = high + rounder;
  return __lw_step_power_tail_d((high - (t - rounder)) + low, t);
}

// e^x - 1 for -40 <= x <= 709.9 (infinity where it overflows).
LW_INLINE double lw_expm1_bounded_d(double x) {
  int n;
  const double r = lw_exp_reduced_d(x, &n);
  const double p = POLYNOMIAL(r, 0x1.65884e0a8a2d2p-30, 0x1.8f8f09b70f4cep-35, 0x1.a7d3114882d4cp-26,
      0x1.28a223f7f0ca5p-22, 0x1.71dfd06489b87p-19, 0x1.a019a48b8ab1ep-16, 0x1.a01a014c904e6p-13,
      0x1.6c16c180489fbp-10, 0x1.11111111177e1p-7, 0x1.5555555551b49p-5, 0x1.5555555555550p-3, 0x1.0000000000006p-1);
  const double q = MAD(r * r, p, r);
  const double power = lw_power_of_two_d(n - 1);
  const double y = MAD(power, q, power - 0.5);
  return n == 0 ? q : y + y;
}

// f - (log(1 + f) + more), where `more` is small against f: the difference that the caller finally subtracts from f.
LW_INLINE double lw_log1p_rest_d(double f, double more) {
  const double s = f / (2.0 + f), z = s * s;
  const double p = POLYNOMIAL(z, 0x1.3a394cde9dceep-3, 0x1.3866e1079f145p-3, 0x1.7473b051fbd26p-3,
      0x1.c71c0a8ff3dbap-3, 0x1.2492499fddd9fp-2, 0x1.9999999913cccp-2, 0x1.55555555556b3p-1);
  const double half_square = 0.5 * f * f;
  return half_square - MAD(s, MAD(p, z, half_square), more);
}

// sin(pi r) for |r| <= 1/2.
LW_INLINE double lw_half_turn_sine_pi_d(double r) {
  const double z = r * r;
  const double p = POLYNOMIAL(z, 0x1.9f83f777323bbp-21, -0x1.6f8cd9eae23a9p-16, 0x1.e8f3dd1d5468ap-12,
      -0x1.e3074f88c5899p-8, 0x1.5078348831ad0p-4, -0x1.32d2cce62d6bcp-1, 0x1.466bc6775ab20p+1,
      -0x1.4abbce625be53p+2);
  return lw_bounded_d(MAD(r, 0x1.921fb54442d18p+1, MAD(r, 0x1.1a62633145c07p-53, r * z * p)), -1.0, 1.0);
}
