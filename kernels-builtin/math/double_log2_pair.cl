// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of double need, and the power itself: an exponent multiplies the logarithm's error by up to
// 2^10, so it is computed in two doubles; products are split exactly by FMA. Steps with forms, as in steps.cl.
#include "double_eighths.h"

LW_OPERATION double __lw_op_getexp_d(double);
LW_OPERATION double __lw_op_mantissa_d(double);
LW_OPERATION double __lw_op_lookup_d(__constant const double*, ulong);

struct pair {
  double high, low;
};

// high + low of a x b; the product of the two low parts is too small to matter.
LW_INLINE struct pair product(double a_high, double a_low, double b_high, double b_low) {
  struct pair r;
  r.high = a_high * b_high;
  r.low = FMA(a_high, b_high, -r.high) + (a_high * b_low + a_low * b_high);
  return r;
}

// a + b for |a| >= |b| or a = 0.
LW_INLINE struct pair sum(double a, double b, double low) {
  struct pair r;
  r.high = a + b;
  r.low = (a - r.high) + b + low;
  return r;
}

LW_STEP double2 __lw_step_log2_pair_d(double x) {
  const double a = ABS(x);
  const double f = __lw_step_fraction_d(a), e = __lw_step_exponent_d(a);
  // s = f / (2 + f)
  const double d = 2.0 + f, d_low = f - (d - 2.0);
  const double inverse = 1.0 / d, s = f * inverse;
  const double s_low = (FMA(-s, d, f) - s * d_low) * inverse;
  const struct pair z = product(s, s_low, s, s_low);
  double p = MAD(0x1.e30e3c50217cdp-4, z.high, 0x1.a5b116484104dp-4);
  p = MAD(p, z.high, 0x1.e267d8b3ecd93p-4);
  p = MAD(p, z.high, 0x1.110ed875597ecp-3);
  p = MAD(p, z.high, 0x1.3b13bcd818bf2p-3);
  p = MAD(p, z.high, 0x1.745d172126ac1p-3);
  p = MAD(p, z.high, 0x1.c71c71c75d769p-3);
  p = MAD(p, z.high, 0x1.24924924922dfp-2);
  p = MAD(p, z.high, 0x1.999999999999ap-2);
  // log(1 + f) = 2 s + s z (2/3 + z p)
  const struct pair t = sum(0x1.5555555555555p-1, p * z.high, 0x1.5555555555555p-55);
  const struct pair v = product(z.high, z.low, t.high, t.low);
  const struct pair w = product(s, s_low, v.high, v.low);
  const struct pair l = sum(2.0 * s, w.high, w.low + 2.0 * s_low);
  const struct pair l2 = product(l.high, l.low, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
  const struct pair r = sum(e, l2.high, l2.low);
  return (double2)(a > 0 && a < INFINITY ? r.high : __builtin_nan(""), r.low);
}

// With 1 + r = m / c and s = -r / 2: log2(m) = log2(c) + a + a s + a s^2 P(s), where a = -2/log(2) s.
#define SLOPE -0x1.71547652b82fep+1
#define SLOPE_REST -0x1.777d0ffda0d24p-55

struct terms {
  double high, low;  // the second below 2^-8 of the first
  double cube;       // a s^2
};

// whole + whole_low + a + a s + a s^2 p, where whole has 42 bits behind its point. All but the last term are exact, so
// that only numbers of at most 2^-9 of the result are rounded.
LW_INLINE struct terms log2_terms(double s, double p, double whole, double whole_low) {
  const double a = s * SLOPE, a_low = MAD(s, SLOPE_REST, FMA(s, SLOPE, -a));
  const double first = whole + a, high = FMA(a, s, first);
  const double cube = a * (s * s);
  const double rest = MAD(a_low, s + 1.0, ((whole - first) + a) + whole_low);
  struct terms l;
  l.high = high;
  l.cube = cube;
  l.low = MAD(cube, p, FMA(a, s, first - high)) + rest;
  return l;
}
LW_INLINE double2 joined(struct terms l) {
  const double high = l.high + l.low;
  return (double2)(high, (l.high - high) + l.low);
}

// -1 / 2c and log2(c), in two parts of which the first has 42 bits behind its point, for a c in each sixteenth of [1, 2).
// 1 / c has 5 bits, so that s is exact; the first c is 1 and the last one 2, so that results around 1 are exact.
static __constant const double kInverse[16] = {
    -0.5,      -0.453125, -0.4375,   -0.40625,  -0.390625, -0.375,    -0.359375, -0.34375,
    -0.328125, -0.3125,   -0.296875, -0.296875, -0.28125,  -0.265625, -0.265625, -0.25};
static __constant const double kLog2High[16] = {
    0.0,                  0x1.22dadc2ab4p-3,    0x1.8a8980abfcp-3,    0x1.32bfee370fp-2,
    0x1.6cb0f6865dp-2,    0x1.a8ff971811p-2,    0x1.e7df5fe539p-2,    0x1.14c560fe688p-1,
    0x1.37222bb7078p-1,   0x1.5b2c3da197p-1,    0x1.810fa51bf68p-1,   0x1.810fa51bf68p-1,
    0x1.a8ff9718108p-1,   0x1.d338120a6ep-1,    0x1.d338120a6ep-1,    1.0};
static __constant const double kLog2Low[16] = {
    0.0,                    -0x1.6d25a5b8a19b2p-44, -0x1.66cccab240e90p-46, -0x1.979a5db68721dp-46,
    -0x1.c57f2495fb7fap-44, -0x1.6879fa00b120ap-44, -0x1.532c412ba94dbp-44, 0x1.7c407050799bfp-44,
    -0x1.c22d2cad415aep-44, 0x1.1d406db502403p-44,  -0x1.0144751b3314fp-44, -0x1.0144751b3314fp-44,
    0x1.2f0c0bfe9dbecp-44,  -0x1.3167ccc538261p-44, -0x1.3167ccc538261p-44, 0.0};

LW_STEP double2 __lw_step_log2_pair_d_v4(double x) {
  const double m = __lw_op_mantissa_d(x);
  const ulong index = __builtin_astype(m, ulong) >> 48;
  const double s = FMA(m, __lw_op_lookup_d(kInverse, index), 0.5);
  const double p = POLYNOMIAL(s, 0x1.4b58b9f4ce3c1p+6, 0x1.9936b197fa88ap+5, 0x1.c73ca2f71c899p+4,
      0x1.00006cf841dccp+4, 0x1.249244e7b91f7p+3, 0x1.55555534f5614p+2, 0x1.9999999a0ac38p+1, 0x1.0000000001506p+1,
      0x1.5555555555536p+0);
  const double whole = __lw_op_getexp_d(x) + __lw_op_lookup_d(kLog2High, index);
  return joined(log2_terms(s, p, whole, __lw_op_lookup_d(kLog2Low, index)));
}

// The same for m in [1 - 11/256, 2 - 11/128) in tables of eight: the words of doubles, because a permutation of eight
// words is one instruction. The second parts of log2(c) are numbers whose two words are the same.
static __constant const uint kInverse8[8] = {
    0xbfe00000, 0xbfdd0000, 0xbfda0000, 0xbfd80000, 0xbfd60000, 0xbfd40000, 0xbfd30000, 0xbfd10000};
static __constant const uint kLog2High8[8] = {
    0x00000000, 0x3fc22dad, 0x3fd32bfe, 0x3fda8ff9, 0x3fe14c56, 0x3fe5b2c3, 0x3fe810fa, 0x3fed3381};
static __constant const uint kLog2Middle8[8] = {
    0x00000000, 0xc2ab4000, 0xe370f000, 0x71810000, 0x0fe68800, 0xda197800, 0x51bf6000, 0x20a6e000};
static __constant const uint kLog2Low8[8] = {
    0x00000000, 0xbd36d25a, 0xbd1979a5, 0x3d44bc30, 0x3d37c407, 0xbd4715fc, 0x3d47f5dc, 0xbd33167c};
#define BASE 0x3feea00000000000UL  // 1 - 11/256
#define OFFSET (0x4000000000000000UL - BASE)

// `near`: the sum of the terms to 2^-17, long before the low one is known.
LW_INLINE struct terms log2_by_eighths(double x, __private double* near) {
  ulong bits = __builtin_astype(x, ulong);
  double bias = 0x1p52 + 0x400;
  // Below the normal numbers; or negative, as the sum is for the largest numbers too.
  if (__builtin_expect((long)(bits + OFFSET) < (long)(OFFSET + 0x0010000000000000UL), 0)) {
    const double a = ABS(x);
    const bool small = a < 0x1p-1022;
    bits = __builtin_astype(small ? a * 0x1p54 : a, ulong);
    const double finite = small ? bias + 54.0 : bias;
    bias = a > 0.0 && a < INFINITY ? finite : __builtin_nan("");
  }
  // The exponent, in the low bits of a large number, becomes a double without a cast of 64 bits.
  const ulong above = bits + OFFSET;
  const double m = LW_DOUBLE((above & 0x000fffffffffffffUL) + BASE);
  const double e = LW_DOUBLE(above >> 52 | 0x4330000000000000UL) - bias;
  const ulong place = above >> 17;
  const double s = FMA(m, __lw_op_lookup8_h(kInverse8, place), 0.5);
  const double whole = e + __lw_op_lookup8_d(kLog2High8, kLog2Middle8, place);
  const double p = POLYNOMIAL(s, 0x1.51c63f6ec5df1p+7, 0x1.77a65b81eb49ep+6, 0x1.99a50c7cd0b2dp+5,
      0x1.c719311687d19p+4, 0x1.fffff64481cddp+3, 0x1.249249df050d9p+3, 0x1.55555556ecce8p+2, 0x1.99999999757e3p+1,
      0x1.ffffffffffd4cp+0, 0x1.5555555555567p+0);
  const struct terms l = log2_terms(s, p, whole, __lw_op_lookup8_d(kLog2Low8, kLog2Low8, place));
  *near = MAD(l.cube, MAD(0x1.ffffffffffd4cp+0, s, 0x1.5555555555567p+0), l.high);
  return l;
}

LW_STEP double2 __lw_step_log2_pair_d_v3(double x) {
  double near;
  return joined(log2_by_eighths(x, &near));
}

LW_INLINE double2 power(double x, double y) {
  const double2 l = __lw_step_log2_pair_d(x);
  const double t = y * l.s0;
  return (double2)(lw_exp2_pair_d(t, MAD(y, l.s1, FMA(y, l.s0, -t))), t);
}
LW_STEP double2 __lw_step_power_d(double x, double y) { return power(x, y); }
LW_STEP double2 __lw_step_power_d_v4(double x, double y) { return power(x, y); }
LW_STEP double __lw_step_far_power_d(double2 power) { return power.s0; }
LW_STEP double __lw_step_far_power_d_v4(double2 power) { return power.s0; }
LW_STEP double __lw_step_power_limit_d(void) { return 1100.0; }
LW_STEP double __lw_step_power_limit_d_v3(void) { return 1010.0; }
LW_STEP double __lw_step_power_limit_d_v4(void) { return 1100.0; }

// The multiple of 1/8 next to y log2|x| need not be the nearest one, so it is not waited for. The whole part is added
// to the exponent.
LW_STEP double2 __lw_step_power_d_v3(double x, double y) {
  double near;
  const struct terms l = log2_by_eighths(x, &near);
  const double n = MAD(y, near, LW_EIGHTHS), t = n - LW_EIGHTHS;
  const double r = MAD(y, l.low, FMA(y, l.high, -t));
  return (double2)(lw_near_scaled(lw_power_by_eighths(r, n), n), t);
}
LW_STEP double __lw_step_far_power_d_v3(double2 power) {
  const double part = lw_not_scaled(power.s0, power.s1 + LW_EIGHTHS);
  return lw_scaled_d(part, (int)__builtin_elementwise_floor(power.s1));
}
