// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder and remquo, all exact. x - q y, one fused multiply-add, is exact where q is the quotient rounded to a
// whole number that fits into a fraction. Larger quotients, which are rare, are reduced before by a loop that subtracts
// multiples of 128 y: the remainder and the last seven bits of the quotient stay the same.
#include "define.h"

#define ABS(x) __builtin_elementwise_abs(x)
#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#define SIGN_float(x) (__builtin_astype(x, uint) & 0x80000000)
#define SIGN_double(x) (__builtin_astype(x, ulong) & 0x8000000000000000UL)

// BITS: quotients below it need no loop. ROUNDER: adding it leaves a whole number in the low bits. SCALE: dividing by
// its square keeps the largest quotients from overflowing, and dividing by SCALE those that are left after that.
#define REMAINDERS(T, U, MOST, BITS, ROUNDER, SCALE)                                                                      \
  /* a or, where the quotient is too large, a reduced by multiples of 128 b. NaN where fmod is NaN. */                    \
  static inline LW T few(T a, T b) {                                                                                      \
    while (a >= b * (T)BITS) {                                                                                            \
      const T near = b * (T)128, far = near * (T)SCALE, farther = far * (T)SCALE;                                         \
      const T c = a >= farther ? farther : a >= far ? far : near;                                                         \
      /* With a quotient that is rounded down the difference is exact, however large the quotient is. */                  \
      T q = a / c;                                                                                                        \
      q = FMA(-q, c, a) < 0 ? __builtin_astype(__builtin_astype(q, U) - 1, T) : q;                                        \
      a = FMA(-__builtin_elementwise_trunc(q), c, a);                                                                     \
    }                                                                                                                     \
    return a;                                                                                                             \
  }                                                                                                                       \
  /* a - q b. If b is infinite, q is 0. */                                                                                \
  static inline LW T less(T a, T q, T b) { return FMA(-q, b < MOST ? b : MOST, a); }                                      \
  LW T fmod(T x, T y) {                                                                                                   \
    const T b = ABS(y), a = few(ABS(x), b);                                                                               \
    const T r = less(a, __builtin_elementwise_trunc(a / b), b);                                                           \
    return __builtin_elementwise_copysign(r < 0 ? r + b : r, x);                                                          \
  }                                                                                                                       \
  /* Near the middle between two multiples the rounded quotient may be the wrong one of the two. */                       \
  static inline LW T nearest(T a, T b, __private T* quotient) {                                                           \
    const T q = __builtin_elementwise_roundeven(a / b);                                                                   \
    const T r = less(a, q, b);                                                                                            \
    const bool wrong = ABS(r) > b - ABS(r);                                                                               \
    *quotient = wrong ? q + (r < 0 ? (T)-1 : (T)1) : q;                                                                   \
    return wrong ? r - __builtin_elementwise_copysign(b, r) : r;                                                          \
  }                                                                                                                       \
  /* r with its sign inverted if x is negative; zeros in r are positive. */                                               \
  static inline LW T turned(T r, T x) { return __builtin_astype(__builtin_astype(r, U) ^ SIGN_##T(x), T); }               \
  LW T remainder(T x, T y) {                                                                                              \
    const T b = ABS(y);                                                                                                   \
    T unused;                                                                                                             \
    return turned(nearest(few(ABS(x), b), b, &unused), x);                                                                \
  }                                                                                                                       \
  LW T remquo(T x, T y, __private int* quotient) {                                                                        \
    const T b = ABS(y);                                                                                                   \
    T q;                                                                                                                  \
    const T r = nearest(few(ABS(x), b), b, &q);                                                                           \
    const int bits = (int)__builtin_astype(q + (T)ROUNDER, U) & 0x7f;                                                     \
    const int sign = (SIGN_##T(x) != SIGN_##T(y)) ? -bits : bits;                                                         \
    *quotient = r == r ? sign : 0;                                                                                        \
    return turned(r, x);                                                                                                  \
  }
REMAINDERS(float, uint, 0x1.fffffep127f, 0x1p21, 0x1.8p23, 0x1p96)
REMAINDERS(double, ulong, 0x1.fffffffffffffp1023, 0x1p50, 0x1.8p52, 0x1p700)
