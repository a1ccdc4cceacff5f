// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar functions on exponent and fraction: logb, ilogb, ldexp, frexp, fract, modf, nextafter.
#include "define.h"

#define FLOAT_BITS(x) __builtin_astype(x, int)
#define DOUBLE_BITS(x) __builtin_astype(x, long)

// 2^n for n in the normal range.
static inline double power_of_two_d(int n) { return __builtin_astype((long)(n + 1023) << 52, double); }

// In double the product is exact for every n that matters, so that only the cast rounds, also for subnormal results.
LW float ldexp(float x, int n) {
  const int bounded = __builtin_elementwise_min(__builtin_elementwise_max(n, -300), 300);
  return (float)((double)x * power_of_two_d(bounded));
}
// |fraction| in [1, 2) is scaled exactly to the nearest normal binade, and then by the remaining factor, which rounds.
LW double ldexp(double x, int n) {
  const double magnitude = __builtin_elementwise_abs(x);
  const bool tiny = magnitude < 0x1p-1022;
  const bool finite = magnitude < INFINITY && x != 0;
  const long bits = DOUBLE_BITS(tiny ? x * 0x1p54 : x);
  const long target = ((bits >> 52) & 0x7ff) - 1023 - (tiny ? 54 : 0) + n;
  const double fraction = __builtin_astype((bits & (long)0x800fffffffffffffUL) | 0x3ff0000000000000L, double);
  const long normal = __builtin_elementwise_min(__builtin_elementwise_max(target, -1022L), 1023L);
  const long rest = __builtin_elementwise_min(__builtin_elementwise_max(target - normal, -60L), 1L);
  return finite ? fraction * power_of_two_d((int)normal) * power_of_two_d((int)rest) : x;
}

LW int ilogb(float x) {
  const uint magnitude = __builtin_astype(x, uint) & 0x7fffffff;
  if (magnitude == 0) return FP_ILOGB0;
  if (magnitude > 0x7f800000) return FP_ILOGBNAN;
  if (magnitude == 0x7f800000) return INT_MAX;
  if (magnitude < 0x00800000) return -118 - (int)__builtin_clz(magnitude);
  return (int)(magnitude >> 23) - 127;
}
LW int ilogb(double x) {
  const ulong magnitude = __builtin_astype(x, ulong) & 0x7fffffffffffffffUL;
  if (magnitude == 0) return FP_ILOGB0;
  if (magnitude > 0x7ff0000000000000UL) return FP_ILOGBNAN;
  if (magnitude == 0x7ff0000000000000UL) return INT_MAX;
  if (magnitude < 0x0010000000000000UL) return -1011 - (int)__builtin_clzg(magnitude);
  return (int)(magnitude >> 52) - 1023;
}

#define LOGB(T)                                                                        \
  LW T logb(T x) {                                                                     \
    const T magnitude = __builtin_elementwise_abs(x);                                  \
    if (!(magnitude < INFINITY)) return magnitude;                                     \
    return x == 0 ? -INFINITY : (T)ilogb(x);                                           \
  }
LOGB(float) LOGB(double)

// The neighbours of x are the neighbours of its encoding as an integer.
#define NEXTAFTER(T, I)                                                                \
  LW T nextafter(T x, T y) {                                                           \
    if (x != x) return x;                                                              \
    if (y != y || x == y) return y;                                                    \
    const I bits = __builtin_astype(x, I);                                             \
    if (x == 0) return __builtin_elementwise_copysign(__builtin_astype((I)1, T), y);   \
    return __builtin_astype((x < y) == (bits > 0) ? bits + 1 : bits - 1, T);           \
  }
NEXTAFTER(float, int) NEXTAFTER(double, long)

#define FRACT(T, LAST)                                                                 \
  LW T fract(T x, __private T* whole) {                                                \
    const T down = __builtin_elementwise_floor(x);                                     \
    *whole = down;                                                                     \
    if (x != x) return x;                                                              \
    if (__builtin_elementwise_abs(x) == INFINITY) return __builtin_elementwise_copysign((T)0, x); \
    return __builtin_elementwise_copysign(__builtin_elementwise_minnum(x - down, (T)LAST), x == 0 ? x : (T)1); \
  }
FRACT(float, 0x1.fffffep-1f) FRACT(double, 0x1.fffffffffffffp-1)

#define MODF(T)                                                                        \
  LW T modf(T x, __private T* whole) {                                                 \
    const T part = __builtin_elementwise_trunc(x);                                     \
    *whole = part;                                                                     \
    const T rest = __builtin_elementwise_abs(x) == INFINITY ? (T)0 : x - part;         \
    return __builtin_elementwise_copysign(rest, x);                                    \
  }
MODF(float) MODF(double)

LW float frexp(float x, __private int* exponent) {
  const float magnitude = __builtin_elementwise_abs(x);
  const bool special = !(magnitude > 0 && magnitude < INFINITY);
  const bool tiny = magnitude < 0x1p-126f;
  const int bits = FLOAT_BITS(tiny ? x * 0x1p24f : x);
  *exponent = special ? 0 : ((bits >> 23) & 0xff) - 126 - (tiny ? 24 : 0);
  return special ? x : __builtin_astype((bits & (int)0x807fffff) | 0x3f000000, float);
}
LW double frexp(double x, __private int* exponent) {
  const double magnitude = __builtin_elementwise_abs(x);
  const bool special = !(magnitude > 0 && magnitude < INFINITY);
  const bool tiny = magnitude < 0x1p-1022;
  const long bits = DOUBLE_BITS(tiny ? x * 0x1p54 : x);
  *exponent = special ? 0 : (int)((bits >> 52) & 0x7ff) - 1022 - (tiny ? 54 : 0);
  return special ? x : __builtin_astype((bits & (long)0x800fffffffffffffUL) | 0x3fe0000000000000L, double);
}
