// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots of double. An exponent multiplies the logarithm's error by up to 2^10, so the logarithm is carried in
// two doubles, high + low, to 2^-64; products are split exactly by FMA.
#include "double_math.h"

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
LW_INLINE struct pair log2_pair(double a) {
  double e;
  const double f = lw_log_parts_d(a, &e);
  // s = f / (2 + f)
  const double d = 2.0 + f, d_low = f - (d - 2.0);
  const double inverse = 1.0 / d, s = f * inverse;
  const double s_low = (FMA(-s, d, f) - s * d_low) * inverse;
  const struct pair z = product(s, s_low, s, s_low);
  double p = MAD(-0x1.59765e2717020p+5, z.high, 0x1.90d6fdd4ffce7p+2);
  p = MAD(p, z.high, -0x1.019bdede1f6bfp-2);
  p = MAD(p, z.high, 0x1.29de8193ac3d3p-3);
  p = MAD(p, z.high, 0x1.3a980f17519bap-3);
  p = MAD(p, z.high, 0x1.745e8a05e110ap-3);
  p = MAD(p, z.high, 0x1.c71c6f4313814p-3);
  p = MAD(p, z.high, 0x1.24924925b4b1dp-2);
  p = MAD(p, z.high, 0x1.9999999999349p-2);
  // log(1 + f) = 2 s + s z (2/3 + z p)
  const struct pair t = sum(0x1.5555555555555p-1, p * z.high, 0x1.5555555555555p-55);
  const struct pair v = product(z.high, z.low, t.high, t.low);
  const struct pair w = product(s, s_low, v.high, v.low);
  const struct pair l = sum(2.0 * s, w.high, w.low + 2.0 * s_low);
  const struct pair l2 = product(l.high, l.low, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
  struct pair r = sum(e, l2.high, l2.low);
  const bool inside = a > 0 && a < INFINITY;
  r.high = inside ? r.high : a == 0 ? -INFINITY : a;
  r.low = inside ? r.low : 0.0;
  return r;
}

// 2^(high + low); NaN stays.
LW_INLINE double exp2_pair(double high, double low) {
  const double bounded = lw_bounded_d(high, -1100.0, 1030.0);
  const double t = bounded + LW_ROUNDER_D;
  const double r = (bounded - (t - LW_ROUNDER_D)) + (bounded == high ? low : 0.0);
  double p = MAD(0x1.7376126783e6ep-34, r, 0x1.cfc6f70807cd0p-32);
  p = MAD(p, r, 0x1.e1aa1596ae603p-28);
  p = MAD(p, r, 0x1.b5367107f284ap-24);
  p = MAD(p, r, 0x1.62c10ce1cd23ep-20);
  p = MAD(p, r, 0x1.ffcbf3f44ffd7p-17);
  p = MAD(p, r, 0x1.430912b9ffa37p-13);
  p = MAD(p, r, 0x1.5d87fe7a6a410p-10);
  p = MAD(p, r, 0x1.3b2ab6fbb3712p-7);
  p = MAD(p, r, 0x1.c6b08d7049731p-5);
  p = MAD(p, r, 0x1.ebfbdff82c549p-3);
  p = MAD(p, r, 0x1.62e42fefa39f1p-1);
  return lw_scaled_d(MAD(p, r, 1.0), (int)LW_LONG(t));
}

// a^y for a = |x|; `undetermined` is set for 0^0, infinity^0 and 1^infinity (and NaN).
LW_INLINE double power(double a, double y, __private bool* undetermined) {
  const struct pair l = log2_pair(a);
  const double t = y * l.high;
  *undetermined = t != t;
  return exp2_pair(t, FMA(y, l.high, -t) + y * l.low);
}

LW_INLINE double negated(double x, bool negative) {
  return LW_DOUBLE(LW_LONG(x) | (negative ? (long)0x8000000000000000UL : 0));
}

LW double pow(double x, double y) {
  bool undetermined;
  double r = power(ABS(x), y, &undetermined);
  const bool whole = __builtin_elementwise_floor(y) == y;
  const bool odd = whole && __builtin_elementwise_floor(0.5 * y) != 0.5 * y;
  r = negated(undetermined ? 1.0 : r, LW_LONG(x) < 0 && odd);
  r = x < 0 && x > -INFINITY && !whole ? __builtin_nan("") : r;
  r = x != x || y != y ? x + y : r;
  return x == 1 || y == 0 ? 1.0 : r;
}

LW double powr(double x, double y) {
  bool undetermined;
  const double r = power(ABS(x), y, &undetermined);
  return x < 0 || undetermined ? __builtin_nan("") : r;
}

LW double pown(double x, int n) {
  bool undetermined;
  const double r = power(ABS(x), (double)n, &undetermined);
  return n == 0 ? 1.0 : negated(r, LW_LONG(x) < 0 && (n & 1));
}

LW double rootn(double x, int n) {
  const struct pair l = log2_pair(ABS(x));
  const double y = (double)n, t = l.high / y;
  const double r = exp2_pair(t, (FMA(-t, y, l.high) + l.low) / y);
  return n == 0 || (x < 0 && !(n & 1)) ? __builtin_nan("") : negated(r, LW_LONG(x) < 0 && (n & 1));
}
