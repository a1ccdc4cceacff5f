// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions of half, scalar: those of float, rounded once. The error of a float result is a small fraction of an
// ULP of half, it only overflows or becomes subnormal where half does, and what is exact in float is exact in half.
#include "define.h"

#define UNARY(name)   \
  LW float name(float); \
  LW half name(half x) { return (half)name((float)x); }
UNARY(acos) UNARY(acosh) UNARY(acospi) UNARY(asin) UNARY(asinh) UNARY(asinpi) UNARY(atan) UNARY(atanh) UNARY(atanpi)
UNARY(cbrt) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1)
UNARY(lgamma) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(tan)
UNARY(tanh) UNARY(tanpi) UNARY(tgamma)

#define BINARY(name)         \
  LW float name(float, float); \
  LW half name(half x, half y) { return (half)name((float)x, (float)y); }
BINARY(atan2) BINARY(atan2pi) BINARY(fmod) BINARY(hypot) BINARY(pow) BINARY(powr) BINARY(remainder)

#define WITH_INT(name)     \
  LW float name(float, int); \
  LW half name(half x, int n) { return (half)name((float)x, n); }
WITH_INT(ldexp) WITH_INT(pown) WITH_INT(rootn)

LW int ilogb(float);
LW int ilogb(half x) { return ilogb((float)x); }

LW float frexp(float, __private int*);
LW float lgamma_r(float, __private int*);
LW float remquo(float, float, __private int*);
LW float sincos(float, __private float*);
LW half frexp(half x, __private int* exponent) { return (half)frexp((float)x, exponent); }
LW half lgamma_r(half x, __private int* sign) { return (half)lgamma_r((float)x, sign); }
LW half remquo(half x, half y, __private int* quotient) { return (half)remquo((float)x, (float)y, quotient); }
LW half sincos(half x, __private half* cosine) {
  float wide;
  const half sine = (half)sincos((float)x, &wide);
  *cosine = (half)wide;
  return sine;
}

// The difference is exact in float, but may round to 1 in half.
LW half fract(half x, __private half* whole) {
  const float down = __builtin_elementwise_floor((float)x);
  *whole = (half)down;
  if (x != x) return x;
  if (__builtin_elementwise_abs(x) == INFINITY) return __builtin_elementwise_copysign((half)0, x);
  const half rest = (half)__builtin_elementwise_minnum((float)x - down, 0x1.ffcp-1f);
  return __builtin_elementwise_copysign(rest, x == 0 ? x : (half)1);
}
LW half modf(half x, __private half* whole) {
  const half part = __builtin_elementwise_trunc(x);
  *whole = part;
  const half rest = __builtin_elementwise_abs(x) == INFINITY ? (half)0 : x - part;
  return __builtin_elementwise_copysign(rest, x);
}

// The neighbours of x are the neighbours of its encoding as an integer.
LW half nextafter(half x, half y) {
  const short bits = __builtin_astype(x, short);
  const short next = (x < y) == (bits > 0) ? bits + 1 : bits - 1;
  const half least = __builtin_elementwise_copysign(__builtin_astype((short)1, half), y);
  const half moved = x == 0 ? least : __builtin_astype(next, half);
  return x != x ? x : y != y || x == y ? y : moved;
}
