// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of double need: an exponent multiplies its error by up to 2^10, so it is computed in two
// doubles; products are split exactly by FMA. A step with two forms, as in steps.cl.
#include "double_math.h"

LW_OPERATION double __lw_op_getexp_d(double);
LW_OPERATION double __lw_op_mantissa_d(double);
LW_OPERATION double __lw_op_lookup_d(__constant const double*, ulong);
LW_OPERATION float __lw_op_lookup8_f(__constant const float*, uint);

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

// As for float, but the first parts have 42 bits behind the point.
static __constant const double kInverse[16] = {
    1.0,      0.90625, 0.875,   0.8125,  0.78125, 0.75,    0.71875, 0.6875,
    0.65625,  0.625,   0.59375, 0.59375, 0.5625,  0.53125, 0.53125, 0.5};
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

#define LOG2_E 0x1.71547652b82fep+0
#define LOG2_E_REST 0x1.777d0ffda0d24p-56

// whole + low + r L + r^2 P(r), where whole has 42 bits behind its point.
LW_INLINE double2 log2_by_table(double r, double p, double whole, double table_low) {
  const double square = r * r, square_low = FMA(r, r, -square);
  // The terms in r and r^2 are exact, so that only numbers of at most 2^-9 of the result are rounded.
  const double line = r * LOG2_E, bend = square * (-0.5 * LOG2_E);
  double rest = FMA(r, LOG2_E, -line) + MAD(r, LOG2_E_REST, table_low);
  rest += MAD(square_low, -0.5 * LOG2_E, FMA(square, -0.5 * LOG2_E, -bend));
  const double first = whole + line, second = first + bend;
  rest += ((whole - first) + line) + ((first - second) + bend);
  const double low = MAD(square * r, p, rest), high = second + low;
  return (double2)(high, (second - high) + low);
}

// With m = c (1 + r), -0.0372 < r <= 1/16: log2(m) = log2(c) + r L - r^2 L/2 + r^3 P(r).
LW_STEP double2 __lw_step_log2_pair_d_v4(double x) {
  const double m = __lw_op_mantissa_d(x);
  const ulong index = __builtin_astype(m, ulong) >> 48;
  const double r = FMA(m, __lw_op_lookup_d(kInverse, index), -1.0);
  const double p = POLYNOMIAL(r, 0x1.ddfbc4865f789p-4, -0x1.272e7c3c11ee2p-3, 0x1.48624616bad64p-3,
      -0x1.715514107a7c7p-3, 0x1.a6175c90d9cd9p-3, -0x1.ec709d94d5ebap-3, 0x1.2776c50f4aa91p-2, -0x1.71547652ba159p-2,
      0x1.ec709dc3a03d1p-2);
  const double whole = __lw_op_getexp_d(x) + __lw_op_lookup_d(kLog2High, index);
  return log2_by_table(r, p, whole, __lw_op_lookup_d(kLog2Low, index));
}

// Tables of eight for c in each eighth from 31/32 to 31/16, where c = 1 is the first. What is a double is the sum of
// floats: a permutation of eight floats is one instruction.
static __constant const float kInverse8[8] = {1.0f, 0x1.c8p-1f, 0x1.98p-1f, 0x1.74p-1f,
                                              0x1.54p-1f, 0x1.3cp-1f, 0x1.24p-1f, 0x1.1p-1f};
static __constant const float kLog2High8[8] = {0.0f,           0x1.563dc2p-3f, 0x1.4f6fbcp-2f, 0x1.d7e6c0p-2f,
                                               0x1.2e6450p-1f, 0x1.6476dap-1f, 0x1.9ecf50p-1f, 0x1.d33812p-1f};
static __constant const float kLog2Middle8[8] = {0.0f,         0x1.3ff4p-28f,  -0x1.a628p-27f, 0x1.5786p-27f,
                                                 -0x1.4fecp-27f, -0x1.d49ap-27f, 0x1.7e88p-26f, 0x1.4dcp-30f};
static __constant const float kLog2Low8[8] = {0.0f,             0x1.964190p-44f, 0x1.661e3ap-44f,  0x1.5e30f6p-44f,
                                              -0x1.4275f2p-48f, 0x1.099338p-45f, -0x1.d97eeap-46f, -0x1.3167ccp-44f};

LW_STEP double2 __lw_step_log2_pair_d_v3(double x) {
  double normal = ABS(x), less = 0.0;
  if (__builtin_expect(!((normal >= 0x1p-1022) & (normal < 0x1p1023)), 0)) {
    const double scaled = normal < 0x1p-1022 ? 54.0 : 0.0;
    less = normal > 0.0 && normal < INFINITY ? scaled : __builtin_nan("");
    normal = normal < 0x1p-1022 ? normal * 0x1p54 : normal;
  }
  const ulong bits = __builtin_astype(normal, ulong), above = bits - 0x3fef000000000000UL;
  const double m = LW_DOUBLE(bits - (above & 0xfff0000000000000UL));
  // The exponent, in the low bits of a large number, becomes a double without a cast of 64 bits.
  const double shifted = LW_DOUBLE((above + 0x4000000000000000UL) >> 52 | 0x4330000000000000UL);
  const uint index = (uint)(above >> 49);
  const double inverse = __lw_op_lookup8_f(kInverse8, index);
  const double product = m * inverse, r = product - 1.0;
  const double p = POLYNOMIAL(r, -0x1.da778a8f0247ap-4, 0x1.0e90b3f36f4a0p-3, -0x1.278a79f82db76p-3,
      0x1.4849751c93407p-3, -0x1.71546843799acp-3, 0x1.a61763441276ep-3, -0x1.ec709dc7a292cp-3, 0x1.2776c50eece92p-2,
      -0x1.71547652b7ffep-2, 0x1.ec709dc3a0408p-2);
  const double table = (double)__lw_op_lookup8_f(kLog2High8, index) + (double)__lw_op_lookup8_f(kLog2Middle8, index);
  // m / c = 1 + r + r_low, and log(1 + r + r_low) = log(1 + r) + r_low (1 - r + r^2 - ...)
  const double r_low = FMA(m, inverse, -product), r_rest = MAD(MAD(r, r, -r), r_low, r_low);
  const double table_low = MAD(r_rest, LOG2_E, (double)__lw_op_lookup8_f(kLog2Low8, index));
  return log2_by_table(r, p, ((shifted - (0x1p52 + 0x400)) - less) + table, table_low);
}
