// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector forms of the math functions, component by component, and the forms for each address space.
#include "define.h"

#define UNARY(F, T) F(acos, T) F(acosh, T) F(acospi, T) F(asin, T) F(asinh, T) F(asinpi, T) F(atan, T) F(atanh, T) \
  F(atanpi, T) F(cbrt, T) F(cos, T) F(cosh, T) F(cospi, T) F(erf, T) F(erfc, T) F(exp, T) F(exp2, T) F(exp10, T)   \
  F(expm1, T) F(lgamma, T) F(log, T) F(log2, T) F(log10, T) F(log1p, T) F(logb, T) F(rsqrt, T) F(sin, T) F(sinh, T)            \
  F(sinpi, T) F(tan, T) F(tanh, T) F(tanpi, T) F(tgamma, T)
#define MAP_UNARY(name, T) LW_MAP_1(name, T, T)
UNARY(MAP_UNARY, float) UNARY(MAP_UNARY, double)
LW_MAP_1(ilogb, int, float) LW_MAP_1(ilogb, int, double)

LW_MAP_1(native_cos, float, float) LW_MAP_1(native_exp, float, float) LW_MAP_1(native_exp2, float, float)
LW_MAP_1(native_exp10, float, float) LW_MAP_1(native_log, float, float) LW_MAP_1(native_log2, float, float)
LW_MAP_1(native_log10, float, float) LW_MAP_1(native_rsqrt, float, float) LW_MAP_1(native_sin, float, float) LW_MAP_1(native_tan, float, float)
LW_MAP_2(native_powr, float, float, float)

LW_MAP_1(half_log, float, float) LW_MAP_1(half_log2, float, float) LW_MAP_1(half_log10, float, float)
LW_MAP_1(half_exp, float, float) LW_MAP_1(half_exp2, float, float) LW_MAP_1(half_exp10, float, float)
LW_MAP_1(half_rsqrt, float, float) LW_MAP_1(half_recip, float, float)
LW_MAP_1(__lw_relaxed_exp, float, float) LW_MAP_1(__lw_relaxed_exp2, float, float)
LW_MAP_1(__lw_relaxed_exp10, float, float)
LW_MAP_1(half_tan, float, float) LW_MAP_2(half_powr, float, float, float)
LW_MAP_1(__lw_relaxed_log2, float, float) LW_MAP_1(__lw_relaxed_log10, float, float)
LW_MAP_1(__lw_relaxed_log, float, float) LW_MAP_1(__lw_relaxed_tan, float, float)
LW_MAP_2(__lw_relaxed_pow, float, float, float) LW_MAP_2(__lw_relaxed_powr, float, float, float)
LW_MAP_1(native_recip, float, float) LW_MAP_2(native_divide, float, float, float)

#define BINARY(F, T) \
  F(atan2, T) F(atan2pi, T) F(fmod, T) F(hypot, T) F(nextafter, T) F(pow, T) F(powr, T) F(remainder, T)
#define MAP_BINARY(name, T) LW_MAP_2(name, T, T, T)
BINARY(MAP_BINARY, float) BINARY(MAP_BINARY, double)

#define WITH_INT(T) LW_MAP_2(ldexp, T, T, int) LW_MAP_2(pown, T, T, int) LW_MAP_2(rootn, T, T, int)
WITH_INT(float) WITH_INT(double)
#define LDEXP_SCALAR(T, I) \
  LW T ldexp(T x, int n) { return ldexp(x, (I)n); }
LW_VECTORS_2(LDEXP_SCALAR, float, int) LW_VECTORS_2(LDEXP_SCALAR, double, int)

// Private pointers: the scalar forms are defined elsewhere.
#define SCALARS(T)                                                                     \
  LW T fract(T, __private T*);                                                         \
  LW T frexp(T, __private int*);                                                       \
  LW T lgamma_r(T, __private int*);                                                    \
  LW T modf(T, __private T*);                                                          \
  LW T remquo(T, T, __private int*);                                                   \
  LW T sincos(T, __private T*);
SCALARS(float) SCALARS(double)

#define SCALAR_IN_SPACE(S, name, T, P)                                                 \
  LW T name(T x, S P* p) {                                                             \
    P second;                                                                          \
    const T r = name(x, (__private P*)&second);                                        \
    *p = second;                                                                       \
    return r;                                                                          \
  }
#define REMQUO_IN_SPACE(S, T)                                                          \
  LW T remquo(T x, T y, S int* p) {                                                    \
    int second;                                                                        \
    const T r = remquo(x, y, (__private int*)&second);                                 \
    *p = second;                                                                       \
    return r;                                                                          \
  }
#define IN_SPACE(S, T)                                                                 \
  SCALAR_IN_SPACE(S, fract, T, T) SCALAR_IN_SPACE(S, frexp, T, int) SCALAR_IN_SPACE(S, lgamma_r, T, int) \
  SCALAR_IN_SPACE(S, modf, T, T) SCALAR_IN_SPACE(S, sincos, T, T) REMQUO_IN_SPACE(S, T)
IN_SPACE(__global, float) IN_SPACE(__local, float) IN_SPACE(__generic, float)
IN_SPACE(__global, double) IN_SPACE(__local, double) IN_SPACE(__generic, double)

#define POINTER_VECTORS(S, T)                                                          \
  LW_MAP_1P(S, fract, T, T, T) LW_MAP_1P(S, frexp, T, T, int) LW_MAP_1P(S, lgamma_r, T, T, int) \
  LW_MAP_1P(S, modf, T, T, T) LW_MAP_1P(S, sincos, T, T, T) LW_MAP_2P(S, remquo, T, T, T, int)
POINTER_VECTORS(__private, float) POINTER_VECTORS(__global, float) POINTER_VECTORS(__local, float)
POINTER_VECTORS(__generic, float)
POINTER_VECTORS(__private, double) POINTER_VECTORS(__global, double) POINTER_VECTORS(__local, double)
POINTER_VECTORS(__generic, double)
