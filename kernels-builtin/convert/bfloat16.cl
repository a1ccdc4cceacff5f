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

// Of the two floats around a number that is no float, the one whose last bit is set: rounded to fewer bits, it gives
// what the number itself gives (Boldo & Melquiond, "Emulation of FMA and correctly rounded sums", 2008). So numbers
// with more bits than a float become bfloat16 (compiler/spirv/translated_form.h).
//
// Integers of 64 bits become doubles first. Where these do not have every bit, the lower 12 bits are replaced by one
// that says whether any was set; it lies below the last bit of a float.
#define TO_ODD(N)                                                                                   \
  LW float##N __lw_to_odd(double##N x) {                                                            \
    const float##N near = __builtin_convertvector(x, float##N);                                     \
    const uint##N bits = __builtin_astype(near, uint##N);                                           \
    const double##N got = __builtin_elementwise_abs(__builtin_convertvector(near, double##N));      \
    const double##N wanted = __builtin_elementwise_abs(x);                                          \
    const int##N even = (bits & 1u) == 0u;                                                          \
    const int##N above = even & __builtin_convertvector(got > wanted, int##N);                      \
    const int##N below = even & __builtin_convertvector(got < wanted, int##N);                      \
    return __builtin_astype(bits + __builtin_astype(above - below, uint##N), float##N);             \
  }                                                                                                 \
  LW float##N __lw_to_odd(int##N x) { return __lw_to_odd(__builtin_convertvector(x, double##N)); }  \
  LW float##N __lw_to_odd(uint##N x) { return __lw_to_odd(__builtin_convertvector(x, double##N)); } \
  LW float##N __lw_to_odd(long##N x) {                                                              \
    const long##N any = (x & 0xfffL) != 0L ? (long##N)0x800L : (long##N)0L;                         \
    const long##N magnitude = x < 0L ? ~x : x;                                                      \
    const long##N kept = magnitude >> 52 != 0L ? (x & ~0xfffL) | any : x;                           \
    return __lw_to_odd(__builtin_convertvector(kept, double##N));                                   \
  }                                                                                                 \
  LW float##N __lw_to_odd(ulong##N x) {                                                             \
    const ulong##N any = (x & 0xfffUL) != 0UL ? (ulong##N)0x800UL : (ulong##N)0UL;                  \
    const ulong##N kept = x >> 52 != 0UL ? (x & ~0xfffUL) | any : x;                                \
    return __lw_to_odd(__builtin_convertvector(kept, double##N));                                   \
  }
TO_ODD(2) TO_ODD(3) TO_ODD(4) TO_ODD(8) TO_ODD(16)

#define SCALAR_TO_ODD(T) \
  LW float __lw_to_odd(T x) { return __lw_to_odd((T##2)(x, x)).x; }
SCALAR_TO_ODD(double) SCALAR_TO_ODD(int) SCALAR_TO_ODD(uint) SCALAR_TO_ODD(long) SCALAR_TO_ODD(ulong)
