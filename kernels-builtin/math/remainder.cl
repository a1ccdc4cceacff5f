// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder and remquo. Where the quotient fits into a fraction, x - q y is exact with a fused multiply-add, and q is
// off by one at most. Else: exact long division of the integer fractions, several quotient bits at a time.
#include "define.h"

// |x| = fraction x 2^exponent with the top fraction bit set; x is finite and not zero.
static inline ulong split_float(float x, int* exponent) {
  const uint magnitude = __builtin_astype(x, uint) & 0x7fffffff;
  const int shift = magnitude < 0x800000 ? __builtin_clz(magnitude) - 8 : 0;
  *exponent = magnitude < 0x800000 ? -149 - shift : (int)(magnitude >> 23) - 150;
  return magnitude < 0x800000 ? magnitude << shift : (magnitude & 0x7fffff) | 0x800000;
}
static inline ulong split_double(double x, int* exponent) {
  const ulong magnitude = __builtin_astype(x, ulong) & 0x7fffffffffffffffUL;
  const bool tiny = magnitude < 0x10000000000000UL;
  const int shift = tiny ? __builtin_clzg(magnitude) - 11 : 0;
  *exponent = tiny ? -1074 - shift : (int)(magnitude >> 52) - 1075;
  return tiny ? magnitude << shift : (magnitude & 0xfffffffffffffUL) | 0x10000000000000UL;
}

// What is left of |x| / |y|, rounded down, in units of 2^exponent of y, and the quotient modulo 2^64. STEP bits of
// quotient fit into one 64-bit division.
#define DIVISION(T, STEP)                                                              \
  static inline ulong divide_##T(ulong x, ulong y, int shift, ulong* quotient) {       \
    ulong q = x / y, r = x % y;                                                        \
    while (shift > 0) {                                                                \
      const int n = shift < STEP ? shift : STEP;                                       \
      r <<= n;                                                                         \
      q = (q << n) + r / y;                                                            \
      r %= y;                                                                          \
      shift -= n;                                                                      \
    }                                                                                  \
    *quotient = q;                                                                     \
    return r;                                                                          \
  }
DIVISION(float, 40) DIVISION(double, 11)

LW float ldexp(float, int);
LW double ldexp(double, int);

#define LONG_REMAINDERS(T)                                                                  \
  static inline LW T long_fmod(T x, T y) {                                                               \
    const T a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);        \
    if (!(a < INFINITY) || y != y || b == 0) return __builtin_nan("");                 \
    if (a < b) return x;                                                               \
    int ex, ey;                                                                        \
    const ulong fx = split_##T(a, &ex), fy = split_##T(b, &ey);                        \
    ulong quotient;                                                                    \
    const T rest = ldexp((T)divide_##T(fx, fy, ex - ey, &quotient), ey);               \
    return __builtin_elementwise_copysign(rest, x);                                    \
  }                                                                                    \
  static inline LW T long_remquo(T x, T y, __private int* quotient) {                                   \
    const T a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);        \
    *quotient = 0;                                                                     \
    if (!(a < INFINITY) || y != y || b == 0) return __builtin_nan("");                 \
    if (a == 0 || b == INFINITY) return x;                                             \
    int ex, ey;                                                                        \
    ulong fx = split_##T(a, &ex), fy = split_##T(b, &ey);                              \
    if (ex < ey - 1) return x;                                                         \
    /* One binade below, x can still be more than half of y: compare in x's units. */  \
    if (ex < ey) {                                                                     \
      fy <<= 1;                                                                        \
      ey = ex;                                                                         \
    }                                                                                  \
    ulong q;                                                                           \
    const ulong r = divide_##T(fx, fy, ex - ey, &q);                                   \
    const bool up = 2 * r > fy || (2 * r == fy && (q & 1));                            \
    const T rest = ldexp(up ? -(T)(fy - r) : (T)r, ey);                                \
    const int bits = (int)((q + up) & 0x7f);                                           \
    *quotient = (x < 0) != (y < 0) ? -bits : bits;                                     \
    return x < 0 ? -rest : rest;                                                       \
  }
LONG_REMAINDERS(float) LONG_REMAINDERS(double)

#define ABS(x) __builtin_elementwise_abs(x)
#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)

// BITS: a power of two below which a quotient and its half are exact.
#define REMAINDERS(T, BITS)                                                            \
  LW T fmod(T x, T y) {                                                                \
    const T a = ABS(x), b = ABS(y);                                                    \
    const T q = a / b;                                                                 \
    const T r = FMA(-__builtin_elementwise_trunc(q), b, a);                            \
    T rest = r < 0 ? r + b : r;                                                        \
    if (__builtin_expect(!(q < BITS) | (b == INFINITY), 0)) rest = ABS(long_fmod(x, y)); \
    return __builtin_elementwise_copysign(rest, x);                                    \
  }                                                                                    \
  /* Near the middle between two multiples the rounded quotient may take the wrong side. */ \
  static inline LW T nearest(T a, T b, __private T* quotient) {                           \
    const T q = __builtin_elementwise_roundeven(a / b);                                \
    const T r = FMA(-q, b, a);                                                         \
    const T back = __builtin_elementwise_copysign(b, r);                               \
    const bool wrong = ABS(r) > b - ABS(r);                                            \
    *quotient = wrong ? q + (r < 0 ? (T)-1 : (T)1) : q;                                \
    return wrong ? r - back : r;                                                       \
  }                                                                                    \
  static inline LW T with_sign_of(T rest, T x) {                                        \
    return rest == 0 ? __builtin_elementwise_copysign(rest, x) : x < 0 ? -rest : rest; \
  }                                                                                    \
  LW T remquo(T x, T y, __private int* quotient) {                                     \
    const T a = ABS(x), b = ABS(y);                                                    \
    T q;                                                                               \
    T rest = nearest(a, b, &q);                                                        \
    int bits = (int)(q - (T)128 * __builtin_elementwise_trunc(q * (T)0.0078125));      \
    bits = (x < 0) != (y < 0) ? -bits : bits;                                          \
    rest = with_sign_of(rest, x);                                                      \
    if (__builtin_expect(!(q < BITS) | (b == INFINITY), 0)) rest = long_remquo(x, y, &bits); \
    *quotient = bits;                                                                  \
    return rest;                                                                       \
  }                                                                                    \
  LW T remainder(T x, T y) {                                                           \
    T q;                                                                               \
    const T b = ABS(y);                                                                \
    T rest = nearest(ABS(x), b, &q);                                                   \
    rest = with_sign_of(rest, x);                                                      \
    int unused;                                                                        \
    if (__builtin_expect(!(q < BITS) | (b == INFINITY), 0)) rest = long_remquo(x, y, &unused); \
    return rest;                                                                       \
  }
REMAINDERS(float, 0x1p22f) REMAINDERS(double, 0x1p51)
