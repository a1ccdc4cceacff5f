// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar float functions of our own where libclc's form flushes subnormals or is needlessly slow, and sincos.
#include "define.h"

LW float ldexp(float, int);
LW float sin(float);
LW float cos(float);
LW double sin(double);
LW double cos(double);

LW float sincos(float x, __private float* c) {
  *c = cos(x);
  return sin(x);
}
LW double sincos(double x, __private double* c) {
  *c = cos(x);
  return sin(x);
}

// e^r for |r| <= log(2)/2 by its series; the first term left out is below 2^-27. In double, so that only the cast
// rounds: the compiler turns this into 7 fused steps.
static inline double exp_reduced(double r) {
#pragma clang fp contract(on)
  double p = 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  return p * r + 1.0;
}

// e^r x 2^n rounded once; n is in [-200, 200].
static inline float scaled(double r, double n) {
  return (float)(exp_reduced(r) * __builtin_astype((long)((int)n + 1023) << 52, double));
}

// Everything beyond +-bound overflows or vanishes; NaN passes through.
#define BOUNDED(x, bound) __builtin_elementwise_max(__builtin_elementwise_min((double)(x), bound), -(bound))

LW float exp(float x) {
  const double d = BOUNDED(x == x ? x : 0.0f, 120.0);
  const double n = __builtin_elementwise_roundeven(d * 0x1.71547652b82fep+0);
  const float r = scaled(__builtin_elementwise_fma(n, -0x1.62e42fefa39efp-1, d), n);
  return x == x ? r : x;
}
LW float exp2(float x) {
  const double d = BOUNDED(x == x ? x : 0.0f, 160.0);
  const double n = __builtin_elementwise_roundeven(d);
  const float r = scaled((d - n) * 0x1.62e42fefa39efp-1, n);
  return x == x ? r : x;
}
LW float exp10(float x) {
  const double d = BOUNDED(x == x ? x : 0.0f, 50.0);
  const double n = __builtin_elementwise_roundeven(d * 0x1.a934f0979a371p+1);
  // log10(2), split so that n times the upper part is exact.
  const double rest = d - n * 0x1.34413509f78p-2 - n * 0x1.fef311f12b358p-46;
  const float r = scaled(rest * 0x1.26bb1bbb55516p+1, n);
  return x == x ? r : x;
}

// Squares of floats neither overflow nor vanish in double.
LW float hypot(float x, float y) {
  if (__builtin_elementwise_abs(x) == INFINITY || __builtin_elementwise_abs(y) == INFINITY) return INFINITY;
  return (float)__builtin_elementwise_sqrt((double)x * x + (double)y * y);
}
