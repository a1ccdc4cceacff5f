// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fused multiply-add without the instruction: at x86-64-v2 the shard tool replaces every llvm.fma by these.
#include "define.h"

// The product of two floats is exact in double. The sum is rounded to odd: then rounding it again to float gives what
// rounding the exact sum once would (Boldo & Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
float __lw_fma_float(float x, float y, float z) {
  const double product = (double)x * (double)y;
  const double addend = (double)z;
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  const long bits = __builtin_astype(sum, long);
  const bool inexact = error != 0 && !(bits & 1) && __builtin_elementwise_abs(sum) < INFINITY;
  const long odd = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return (float)(inexact ? __builtin_astype(odd, double) : sum);
}

#define FRACTION 0xfffffffffffffUL
#define TOP 0x10000000000000UL

// A finite nonzero double as integer x 2^exponent, the integer with bit 52 set.
static inline ulong split(double x, int* exponent) {
  const ulong magnitude = __builtin_astype(x, ulong) & 0x7fffffffffffffffUL;
  if (magnitude >= TOP) {
    *exponent = (int)(magnitude >> 52) - 1075;
    return (magnitude & FRACTION) | TOP;
  }
  const int shift = __builtin_clzg(magnitude) - 11;
  *exponent = -1074 - shift;
  return magnitude << shift;
}

typedef unsigned _BitInt(128) wide;

static inline int leading_zeros(wide v) {
  const ulong high = (ulong)(v >> 64);
  return high ? __builtin_clzg(high) : 64 + __builtin_clzg((ulong)v, 64);
}

// Shifts right; the lowest bit is set if any bit that is shifted out was ("sticky").
static inline wide shift_sticky(wide v, int n) {
  if (n <= 0) return v;
  if (n > 127) return v != 0;
  return v >> n | ((v & (((wide)1 << n) - 1)) != 0);
}

// Rounds v x 2^exponent to the nearest double, ties to even. v is not zero.
static inline double compose(wide v, int exponent, bool negative) {
  const int zeros = leading_zeros(v);
  v <<= zeros;
  exponent -= zeros;
  // Now bit 127 is set: the value is in [2^(exponent + 127), 2^(exponent + 128)).
  const int below = -1022 - (exponent + 127);
  const int drop = 75 + (below > 0 ? (below > 60 ? 60 : below) : 0);
  const wide sticky = shift_sticky(v, drop - 2);
  const ulong q = (ulong)(sticky >> 2);
  const uint rest = (uint)sticky & 3;
  const ulong rounded = q + (rest > 2 || (rest == 2 && (q & 1)));
  const ulong sign = negative ? 0x8000000000000000UL : 0;
  if (below > 0) return __builtin_astype(sign | rounded, double);
  if (exponent + 127 > 1023) return __builtin_astype(sign | 0x7ff0000000000000UL, double);
  // A carry out of the fraction raises the exponent, up to infinity, by itself.
  return __builtin_astype(sign | (((ulong)(exponent + 127 + 1022) << 52) + rounded), double);
}

double __lw_fma_double(double x, double y, double z) {
  const double a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y), c = __builtin_elementwise_abs(z);
  if (!(a < INFINITY && b < INFINITY)) return x * y + z;
  if (!(c < INFINITY)) return z;
  if (a == 0 || b == 0) return x * y + z;
  int ea, eb, ec;
  const ulong ma = split(x, &ea), mb = split(y, &eb);
  const bool product_negative = (__builtin_astype(x, long) ^ __builtin_astype(y, long)) < 0;
  const bool z_negative = __builtin_astype(z, long) < 0;
  // 106 bits, moved up so that 20 zero bits below hold what alignment shifts out.
  wide p = (wide)ma * mb << 20;
  int exponent = ea + eb - 20;
  if (c == 0) return compose(p, exponent, product_negative);
  wide s = (wide)split(z, &ec) << 73;
  const int z_exponent = ec - 73;
  // The top bits of both are at 124 to 126, and the one with the smaller exponent is shifted right.
  if (z_exponent > exponent) {
    p = shift_sticky(p, z_exponent - exponent);
    exponent = z_exponent;
  } else {
    s = shift_sticky(s, exponent - z_exponent);
  }
  if (product_negative == z_negative) return compose(p + s, exponent, z_negative);
  if (p == s) return 0.0;
  return p > s ? compose(p - s, exponent, product_negative) : compose(s - p, exponent, z_negative);
}
