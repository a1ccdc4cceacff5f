// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions of half whose results are exact or correctly rounded, on whole vectors.
//
// The compiler lowers them for processors without half arithmetic (compiler/target/half.h).
#include "define.h"

#define EXACT(H, F, TO)                                                                \
  LW H fabs(H x) { return __builtin_elementwise_abs(x); }                              \
  LW H ceil(H x) { return __builtin_elementwise_ceil(x); }                             \
  LW H floor(H x) { return __builtin_elementwise_floor(x); }                           \
  LW H trunc(H x) { return __builtin_elementwise_trunc(x); }                           \
  LW H rint(H x) { return __builtin_elementwise_roundeven(x); }                        \
  LW H round(H x) { return __builtin_elementwise_round(x); }                           \
  LW H sqrt(H x) { return __builtin_elementwise_sqrt(x); }                             \
  LW H rsqrt(H x) { return TO((F)1 / __builtin_elementwise_sqrt(TO(x, F)), H); }       \
  LW H copysign(H x, H y) { return __builtin_elementwise_copysign(x, y); }             \
  LW H fmax(H x, H y) { return __builtin_elementwise_maxnum(x, y); }                   \
  LW H fmin(H x, H y) { return __builtin_elementwise_minnum(x, y); }                   \
  LW H fdim(H x, H y) { return x != x ? x : y != y ? y : x > y ? x - y : (H)0; }       \
  LW H fma(H x, H y, H z) { return __builtin_elementwise_fma(x, y, z); }               \
  LW H mad(H x, H y, H z) { return x * y + z; }                                        \
  LW H maxmag(H x, H y) {                                                              \
    const H a = fabs(x), b = fabs(y);                                                  \
    return a > b ? x : b > a ? y : fmax(x, y);                                         \
  }                                                                                    \
  LW H minmag(H x, H y) {                                                              \
    const H a = fabs(x), b = fabs(y);                                                  \
    return a < b ? x : b < a ? y : fmin(x, y);                                         \
  }
LW_HALVES(EXACT)

#define WITH_SCALAR(H)                                                                 \
  LW H fmax(H x, half y) { return fmax(x, (H)y); }                                     \
  LW H fmin(H x, half y) { return fmin(x, (H)y); }
LW_VECTORS_1(WITH_SCALAR, half)

#define NOT_A_NUMBER(H, U) \
  LW H nan(U code) { return __builtin_astype((U)((code & (U)0x1ff) | (U)0x7e00), H); }
LW_WIDTHS_2(NOT_A_NUMBER, half, ushort)
