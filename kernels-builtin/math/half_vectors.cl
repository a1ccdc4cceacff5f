// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector forms of the math functions of half, component by component, and the forms for each address space.
#include "define.h"

#define UNARY(name) LW_MAP_1(name, half, half)
UNARY(acos) UNARY(acosh) UNARY(acospi) UNARY(asin) UNARY(asinh) UNARY(asinpi) UNARY(atan) UNARY(atanh) UNARY(atanpi)
UNARY(cbrt) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1)
UNARY(lgamma) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(tan)
UNARY(tanh) UNARY(tanpi) UNARY(tgamma)
LW_MAP_1(ilogb, int, half)

#define BINARY(name) LW_MAP_2(name, half, half, half)
BINARY(atan2) BINARY(atan2pi) BINARY(fmod) BINARY(hypot) BINARY(nextafter) BINARY(pow) BINARY(powr) BINARY(remainder)
LW_MAP_2(ldexp, half, half, int) LW_MAP_2(pown, half, half, int) LW_MAP_2(rootn, half, half, int)

#define LDEXP_SCALAR(H, I) \
  LW H ldexp(H x, int n) { return ldexp(x, (I)n); }
LW_VECTORS_2(LDEXP_SCALAR, half, int)

// Private pointers: the scalar forms are defined elsewhere.
LW half fract(half, __private half*);
LW half frexp(half, __private int*);
LW half lgamma_r(half, __private int*);
LW half modf(half, __private half*);
LW half remquo(half, half, __private int*);
LW half sincos(half, __private half*);

#define SCALAR_IN_SPACE(S, name, P)                                                    \
  LW half name(half x, S P* p) {                                                       \
    P second;                                                                          \
    const half r = name(x, (__private P*)&second);                                     \
    *p = second;                                                                       \
    return r;                                                                          \
  }
#define IN_SPACE(S)                                                                    \
  SCALAR_IN_SPACE(S, fract, half) SCALAR_IN_SPACE(S, frexp, int) SCALAR_IN_SPACE(S, lgamma_r, int) \
  SCALAR_IN_SPACE(S, modf, half) SCALAR_IN_SPACE(S, sincos, half)                      \
  LW half remquo(half x, half y, S int* p) {                                           \
    int second;                                                                        \
    const half r = remquo(x, y, (__private int*)&second);                              \
    *p = second;                                                                       \
    return r;                                                                          \
  }
IN_SPACE(__global) IN_SPACE(__local) IN_SPACE(__generic)

#define POINTER_VECTORS(S)                                                             \
  LW_MAP_1P(S, fract, half, half, half) LW_MAP_1P(S, frexp, half, half, int)           \
  LW_MAP_1P(S, lgamma_r, half, half, int) LW_MAP_1P(S, modf, half, half, half)         \
  LW_MAP_1P(S, sincos, half, half, half) LW_MAP_2P(S, remquo, half, half, half, int)
POINTER_VECTORS(__private) POINTER_VECTORS(__global) POINTER_VECTORS(__local) POINTER_VECTORS(__generic)
