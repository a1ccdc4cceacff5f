// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native_* and half_*: the accurate functions, which satisfies every bound.
#include "define.h"

#define ALIAS_1(T, name)                                                               \
  LW T name(T);                                                                        \
  LW T half_##name(T x) { return name(x); }                                            \
  LW T native_##name(T x) { return name(x); }
#define ALIASES(T)                                                                     \
  ALIAS_1(T, cos) ALIAS_1(T, exp) ALIAS_1(T, exp2) ALIAS_1(T, exp10) ALIAS_1(T, log) ALIAS_1(T, log2) \
  ALIAS_1(T, log10) ALIAS_1(T, rsqrt) ALIAS_1(T, sin) ALIAS_1(T, sqrt) ALIAS_1(T, tan) \
  LW T powr(T, T);                                                                     \
  LW T half_powr(T x, T y) { return powr(x, y); }                                      \
  LW T native_powr(T x, T y) { return powr(x, y); }                                    \
  LW T half_divide(T x, T y) { return x / y; }                                         \
  LW T native_divide(T x, T y) { return x / y; }                                       \
  LW T half_recip(T x) { return (T)1 / x; }                                            \
  LW T native_recip(T x) { return (T)1 / x; }
LW_WIDTHS_1(ALIASES, float)
