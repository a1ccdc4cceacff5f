// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of double need: an exponent multiplies its error by up to 2^10, so it is computed in two
// doubles; products are split exactly by FMA. A step with two forms, as in steps.cl.
#include "double_math.h"

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

// With m = c (1 + r), -0.0372 < r <= 1/16: log2(m) = log2(c) + r L + r^2 P(r).
LW_STEP double2 __lw_step_log2_pair_d_v4(double x) {
  const double m = __lw_op_mantissa_d(x);
  const ulong index = __builtin_astype(m, ulong) >> 48;
  const double r = FMA(m, __lw_op_lookup_d(kInverse, index), -1.0);
  const double square = r * r, square_low = FMA(r, r, -square);
  double p = MAD(0x1.ddfbc4865f789p-4, r, -0x1.272e7c3c11ee2p-3);
  p = MAD(p, r, 0x1.48624616bad64p-3);
  p = MAD(p, r, -0x1.715514107a7c7p-3);
  p = MAD(p, r, 0x1.a6175c90d9cd9p-3);
  p = MAD(p, r, -0x1.ec709d94d5ebap-3);
  p = MAD(p, r, 0x1.2776c50f4aa91p-2);
  p = MAD(p, r, -0x1.71547652ba159p-2);
  p = MAD(p, r, 0x1.ec709dc3a03d1p-2);
  // The terms in r and r^2 are exact, so that only numbers of at most 2^-9 of the result are rounded.
  const double line = r * 0x1.71547652b82fep+0, bend = square * -0x1.71547652b82fep-1;
  double rest = FMA(r, 0x1.71547652b82fep+0, -line) + MAD(r, 0x1.777d0ffda0d24p-56, __lw_op_lookup_d(kLog2Low, index));
  rest += MAD(square_low, -0x1.71547652b82fep-1, FMA(square, -0x1.71547652b82fep-1, -bend));
  const double whole = __lw_op_getexp_d(x) + __lw_op_lookup_d(kLog2High, index);
  const double first = whole + line, second = first + bend;
  rest += ((whole - first) + line) + ((first - second) + bend);
  const double low = MAD(square * r, p, rest), high = second + low;
  return (double2)(high, (second - high) + low);
}
