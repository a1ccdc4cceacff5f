// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to floating point that round toward zero, up or down, by integer arithmetic: the hardware's rounding
// mode is never changed.
#include "define.h"

// Unsigned: clearing the bits below the precision makes the conversion exact, which truncates; adding one to the
// encoding gives the next larger value, across binades too.
#define UNSIGNED(S, F, B, BITS, PRECISION)                                             \
  static inline S kept_bits_##S##_##F(S x) {                                           \
    const int excess = BITS - PRECISION - (int)__builtin_clzg(x, BITS);                \
    return excess > 0 ? (S)~(((S)1 << excess) - 1) : ~(S)0;                            \
  }                                                                                    \
  static inline F down_##S##_##F(S x) { return (F)(S)(x & kept_bits_##S##_##F(x)); }   \
  static inline F up_##S##_##F(S x) {                                                  \
    const F low = down_##S##_##F(x);                                                   \
    return x & ~kept_bits_##S##_##F(x) ? __builtin_astype(__builtin_astype(low, B) + 1, F) : low; \
  }                                                                                    \
  F __lw_##S##_to_##F##_rtz(S x) { return down_##S##_##F(x); }                         \
  F __lw_##S##_to_##F##_rtn(S x) { return down_##S##_##F(x); }                         \
  F __lw_##S##_to_##F##_rtp(S x) { return up_##S##_##F(x); }
UNSIGNED(uint, float, uint, 32, 24) UNSIGNED(ulong, float, uint, 64, 24) UNSIGNED(ulong, double, ulong, 64, 53)

// Signed: by magnitude.
#define SIGNED(S, U, F)                                                                \
  static inline U magnitude_##S##_##F(S x) { return x < 0 ? (U)0 - (U)x : (U)x; }      \
  F __lw_##S##_to_##F##_rtz(S x) {                                                     \
    const F m = down_##U##_##F(magnitude_##S##_##F(x));                                \
    return x < 0 ? -m : m;                                                             \
  }                                                                                    \
  F __lw_##S##_to_##F##_rtp(S x) {                                                     \
    return x < 0 ? -down_##U##_##F(magnitude_##S##_##F(x)) : up_##U##_##F(magnitude_##S##_##F(x)); \
  }                                                                                    \
  F __lw_##S##_to_##F##_rtn(S x) {                                                     \
    return x < 0 ? -up_##U##_##F(magnitude_##S##_##F(x)) : down_##U##_##F(magnitude_##S##_##F(x)); \
  }
SIGNED(int, uint, float) SIGNED(long, ulong, float) SIGNED(long, ulong, double)

// double to float: to nearest first, then one step if the result is on the wrong side. A result of infinity is one step
// too far, and steps back to the largest float.
static inline float step_up(float x) {
  const int bits = __builtin_astype(x, int);
  if (x == 0) return __builtin_astype(1, float);
  return __builtin_astype(bits < 0 ? bits - 1 : bits + 1, float);
}
float __lw_double_to_float_rtp(double x) {
  const float r = (float)x;
  return (double)r < x ? step_up(r) : r;
}
float __lw_double_to_float_rtn(double x) {
  const float r = (float)x;
  return (double)r > x ? -step_up(-r) : r;
}
float __lw_double_to_float_rtz(double x) {
  const float r = (float)x;
  const int bits = __builtin_astype(r, int);
  return __builtin_elementwise_abs((double)r) > __builtin_elementwise_abs(x) ? __builtin_astype(bits - 1, float) : r;
}
