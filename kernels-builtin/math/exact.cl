// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions whose results are exact or correctly rounded by one operation, on whole vectors.
#include "define.h"

#define EXACT(T)                                                                       \
  LW T fabs(T x) { return __builtin_elementwise_abs(x); }                              \
  LW T ceil(T x) { return __builtin_elementwise_ceil(x); }                             \
  LW T floor(T x) { return __builtin_elementwise_floor(x); }                           \
  LW T trunc(T x) { return __builtin_elementwise_trunc(x); }                           \
  LW T rint(T x) { return __builtin_elementwise_roundeven(x); }                        \
  LW T round(T x) { return __builtin_elementwise_round(x); }                           \
  LW T sqrt(T x) { return __builtin_elementwise_sqrt(x); }                             \
  LW T copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); }             \
  LW T fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }               \
  LW T fmax(T x, T y) { return __builtin_elementwise_maxnum(x, y); }                   \
  LW T fmin(T x, T y) { return __builtin_elementwise_minnum(x, y); }                   \
  LW T fdim(T x, T y) { return x != x ? x : y != y ? y : x > y ? x - y : (T)0; }       \
  LW T maxmag(T x, T y) {                                                              \
    const T a = fabs(x), b = fabs(y);                                                  \
    return a > b ? x : b > a ? y : fmax(x, y);                                         \
  }                                                                                    \
  LW T minmag(T x, T y) {                                                              \
    const T a = fabs(x), b = fabs(y);                                                  \
    return a < b ? x : b < a ? y : fmin(x, y);                                         \
  }  
LW_FLOATS(EXACT)

#define MAD(T) \
  LW T mad(T x, T y, T z) { _Pragma("clang fp contract(on)") return x * y + z; }
LW_FLOATS(MAD)

#define WITH_SCALAR(S, T)                                                              \
  LW T fmax(T x, S y) { return fmax(x, (T)y); }                                        \
  LW T fmin(T x, S y) { return fmin(x, (T)y); }
#define SCALAR_WIDTHS(S) \
  WITH_SCALAR(S, S##2) WITH_SCALAR(S, S##3) WITH_SCALAR(S, S##4) WITH_SCALAR(S, S##8) WITH_SCALAR(S, S##16)
SCALAR_WIDTHS(float) SCALAR_WIDTHS(double)

#define FLOAT_NAN(T, U) \
  LW T nan(U code) { return __builtin_astype((code & (U)0x3fffff) | (U)0x7fc00000, T); }
#define DOUBLE_NAN(T, U) \
  LW T nan(U code) { return __builtin_astype((code & (U)0x7ffffffffffffUL) | (U)0x7ff8000000000000UL, T); }
LW_WIDTHS_2(FLOAT_NAN, float, uint) LW_WIDTHS_2(DOUBLE_NAN, double, ulong)
