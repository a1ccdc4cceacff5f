// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of double need: an exponent multiplies its error by up to 2^10, so it is carried in two doubles;
// products are split exactly by FMA. A step with two forms, as in steps.cl.
#include "double_math.h"

LW_OPERATION double __lw_op_getmant_d(double);
LW_OPERATION double __lw_op_lookup_d(__constant const double*, ulong);

struct pair {
  double high, low;
};

// high + low of a x b; the two low parts' product is beneath notice.
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

// log2(a) of a positive finite a; for others the high part is what pow needs.
LW_STEP double2 __lw_step_log2_pair(double a) {
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
  struct pair r = sum(e, l2.high, l2.low);
  const bool inside = a > 0 && a < INFINITY;
  return (double2)(inside ? r.high : a == 0 ? -INFINITY : a, inside ? r.low : 0.0);
}

// 1 / c and log2(c), in two parts of which the first has 40 bits, for sixteen c; chosen by the first four bits of the
// fraction, rounded.
static __constant const double kInverse[16] = {
    0x1.000p+0, 0x1.e20p-1, 0x1.c70p-1, 0x1.af0p-1,
    0x1.9a0p-1, 0x1.860p-1, 0x1.740p-1, 0x1.600p-1,
    0x1.558p+0, 0x1.478p+0, 0x1.3b0p+0, 0x1.2f8p+0,
    0x1.248p+0, 0x1.1a8p+0, 0x1.110p+0, 0x1.088p+0};
static __constant const double kLog2High[16] = {
    0x0.0p+0, 0x1.64ce26c060000p-4, 0x1.5cba53a078000p-3, 0x1.fcd677e5b0000p-3,
    0x1.48365e695c000p-2, 0x1.921800924c000p-2, 0x1.d7e6c0abc4000p-2, 0x1.14c560fe68000p-1,
    -0x1.a9b835c98c000p-2, -0x1.6be12866f8000p-2, -0x1.32639636b4000p-2, -0x1.f6e4565680000p-3,
    -0x1.89d0d0ab40000p-3, -0x1.2309065d28000p-3, -0x1.7beee96b90000p-4, -0x1.820a01ac80000p-5};
static __constant const double kLog2Low[16] = {
    0x0.0p+0, 0x1.c55ad0f90a497p-42, -0x1.d12cae3297e14p-43, -0x1.bf192234497dcp-42,
    0x1.796aa2981fdbcp-42, 0x1.d3b7f711abd5cp-42, -0x1.50e785694a8c6p-43, 0x1.5f101c141e670p-42,
    -0x1.c27e675df639dp-44, -0x1.06adfcaa4bcf5p-45, 0x1.7ca651c1c3f13p-42, 0x1.aaa72ba2c6ba2p-47,
    -0x1.8666876e80726p-42, -0x1.7913e788c5887p-43, 0x1.75fb0ef947373p-42, 0x1.5669df6a2b592p-42};

// With m = c (1 + r), |r| <= 1/30: log2(m) = log2(c) + r L + r^2 C + r^3 P(r).
LW_STEP double2 __lw_step_log2_pair_v4(double a) {
  const double m = __lw_op_getmant_d(a), e = __lw_step_exponent_d(a);
  // What would be rounded to 3/2 stays with its lower neighbour.
  const double below = m > 0x1.77fffffffffffp+0 ? 0x1.77fffffffffffp+0 : m;
  const ulong index = (__builtin_astype(below, ulong) + 0x800000000000UL) >> 48;
  const double inverse = __lw_op_lookup_d(kInverse, index);
  const double product = m * inverse, product_low = FMA(m, inverse, -product);
  const double r = product - 1.0;
  const double square = r * r, square_low = FMA(r, r, -square);
  double p = MAD(0x1.0d97b9994d708p-3, r, -0x1.282d67249f66bp-3);
  p = MAD(p, r, 0x1.484aa87d7dcbep-3);
  p = MAD(p, r, -0x1.715446c122624p-3);
  p = MAD(p, r, 0x1.a61762bd2a386p-3);
  p = MAD(p, r, -0x1.ec709dc8aa016p-3);
  p = MAD(p, r, 0x1.2776c50ef8bf9p-2);
  p = MAD(p, r, -0x1.71547652b8197p-2);
  p = MAD(p, r, 0x1.ec709dc3a03fep-2);
  p = MAD(p, r, -0x1.71547652b82fep-1);
  const double line = r * 0x1.71547652b82fep+0;
  double low = MAD(r, 0x1.777d0ffda0d24p-56, FMA(r, 0x1.71547652b82fep+0, -line));
  low = MAD(MAD(-product_low, r, product_low), 0x1.71547652b82fep+0, low) + __lw_op_lookup_d(kLog2Low, index);
  low = MAD(square, -0x1.777d0ffda0d24p-57, MAD(square_low, -0x1.71547652b82fep-1, low));
  const double whole = e + __lw_op_lookup_d(kLog2High, index);
  const double sum = whole + line;
  low = MAD(square, p, ((whole - sum) + line) + low);
  const double high = sum + low;
  const bool inside = a > 0 && a < INFINITY;
  return (double2)(inside ? high : e, inside ? (sum - high) + low : 0.0);
}
