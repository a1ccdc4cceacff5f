// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of float to bfloat16, which is the upper half of a float, and back: what modules of
// SPV_INTEL_bfloat16_conversion call. To the nearest, ties to even; a NaN stays one.
#include "define.h"

#define CONVERSIONS(N)                                                                       \
  LW ushort##N intel_convert_bfloat16##N##_as_ushort##N(float##N x) {                        \
    const uint##N bits = __builtin_astype(x, uint##N);                                       \
    const uint##N rounded = bits + 0x7fffu + ((bits >> 16) & 1u);                            \
    const uint##N quiet = bits | 0x400000u;                                                  \
    const uint##N kept = (bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded;               \
    return __builtin_convertvector(kept >> 16, ushort##N);                                   \
  }                                                                                          \
  LW float##N intel_convert_as_bfloat16##N##_float##N(ushort##N x) {                         \
    const uint##N bits = __builtin_convertvector(x, uint##N) << 16;                          \
    return __builtin_astype(bits, float##N);                                                 \
  }
CONVERSIONS(2) CONVERSIONS(3) CONVERSIONS(4) CONVERSIONS(8) CONVERSIONS(16)

LW ushort intel_convert_bfloat16_as_ushort(float x) {
  return intel_convert_bfloat162_as_ushort2((float2)(x, x)).x;
}
LW float intel_convert_as_bfloat16_float(ushort x) {
  return __builtin_astype((uint)x << 16, float);
}
