// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards around libclc's forms, where those are wrong for some arguments.
#include "define.h"

// `__lw_clc_` + a mangled name: the tool takes that function of libclc under this name.
double clc_pow(double, double) __asm__("__lw_clc__Z3powdd");
double clc_powr(double, double) __asm__("__lw_clc__Z4powrdd");

// Beyond 2^64 every exponent is an even integer and every result but 1 has overflowed or vanished.
static inline double bounded(double y) {
  return __builtin_elementwise_abs(y) > 0x1p64 && __builtin_elementwise_abs(y) < INFINITY
             ? __builtin_elementwise_copysign(0x1p64, y)
             : y;
}
LW double pow(double x, double y) { return clc_pow(x, bounded(y)); }
LW double powr(double x, double y) { return clc_powr(x, bounded(y)); }
