// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To half in the directed rounding modes: to nearest first, then one step in the order of the encodings if that is on
// the wrong side. Results too large step back from infinity to the largest half, and zero to the smallest subnormal.
#include "define.h"

LW_INLINE half step(half x, short by) { return __builtin_astype((short)(__builtin_astype(x, short) + by), half); }

half __lw_float_to_half_rtz(float x) {
  const half r = (half)x;
  return step(r, __builtin_elementwise_abs((float)r) > __builtin_elementwise_abs(x) ? -1 : 0);
}
// The sign of the result is that of x, for zeros too; encodings of negative values grow downwards.
half __lw_float_to_half_rtp(float x) {
  const half r = (half)x;
  return step(r, (float)r < x ? (__builtin_astype(x, int) < 0 ? -1 : 1) : 0);
}
half __lw_float_to_half_rtn(float x) {
  const half r = (half)x;
  return step(r, (float)r > x ? (__builtin_astype(x, int) < 0 ? 1 : -1) : 0);
}

// double to float, "to odd": of the two neighbours of an inexact value the one with an odd encoding. It lies on the
// same side of every half and of every tie between halves as x, so that rounding it again gives the same as rounding x.
LW_INLINE float to_odd(double x) {
  const float r = (float)x;
  const int bits = __builtin_astype(r, int);
  const double magnitude = __builtin_elementwise_abs(x), got = __builtin_elementwise_abs((double)r);
  const int odd = got > magnitude ? bits - 1 : bits + 1;
  return (got > magnitude || got < magnitude) && !(bits & 1) ? __builtin_astype(odd, float) : r;
}
half __lw_double_to_half_rtz(double x) { return __lw_float_to_half_rtz(to_odd(x)); }
half __lw_double_to_half_rtp(double x) { return __lw_float_to_half_rtp(to_odd(x)); }
half __lw_double_to_half_rtn(double x) { return __lw_float_to_half_rtn(to_odd(x)); }
