// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions (OpenCL C 6.15.3), all widths at once through Clang's element-wise built-ins.
#include "define.h"

#define SIGNED(T, U)                                                                   \
  LW U abs(T x) { return __builtin_astype(__builtin_elementwise_abs(x), U); }          \
  LW U abs_diff(T x, T y) {                                                            \
    const U high = __builtin_astype(__builtin_elementwise_max(x, y), U);               \
    const U low = __builtin_astype(__builtin_elementwise_min(x, y), U);                \
    return (U)(high - low);                                                            \
  }
LW_SIGNED_2(SIGNED)

#define UNSIGNED(T)                                                                               \
  LW T abs(T x) { return x; }                                                                     \
  LW T abs_diff(T x, T y) { return (T)(__builtin_elementwise_max(x, y) - __builtin_elementwise_min(x, y)); }
LW_UNSIGNED(UNSIGNED)

// Halved sums without overflow: the shifts drop the low bits, and their carry (or rounding) is added.
#define INTEGER(T)                                                                     \
  LW T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }               \
  LW T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }               \
  LW T hadd(T x, T y) { return (T)((T)(x >> (T)1) + (T)(y >> (T)1) + (T)(x & y & (T)1)); }      \
  LW T rhadd(T x, T y) { return (T)((T)(x >> (T)1) + (T)(y >> (T)1) + (T)((x | y) & (T)1)); }   \
  LW T max(T x, T y) { return __builtin_elementwise_max(x, y); }                       \
  LW T min(T x, T y) { return __builtin_elementwise_min(x, y); }                       \
  LW T clamp(T x, T low, T high) {                                                     \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);         \
  }                                                                                    \
  LW T popcount(T x) { return __builtin_elementwise_popcount(x); }                     \
  LW T rotate(T x, T n) { return __builtin_elementwise_fshl(x, x, n); }
LW_INTEGERS(INTEGER)

// A scalar second operand is spread over the vector.
#define WITH_SCALAR(S, T)                                                              \
  LW T max(T x, S y) { return __builtin_elementwise_max(x, (T)y); }                    \
  LW T min(T x, S y) { return __builtin_elementwise_min(x, (T)y); }                    \
  LW T clamp(T x, S low, S high) {                                                     \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T)low), (T)high);   \
  }
#define SCALAR_WIDTHS(S)                                                               \
  WITH_SCALAR(S, S##2) WITH_SCALAR(S, S##3) WITH_SCALAR(S, S##4) WITH_SCALAR(S, S##8) WITH_SCALAR(S, S##16)
SCALAR_WIDTHS(char) SCALAR_WIDTHS(uchar) SCALAR_WIDTHS(short) SCALAR_WIDTHS(ushort)
SCALAR_WIDTHS(int) SCALAR_WIDTHS(uint) SCALAR_WIDTHS(long) SCALAR_WIDTHS(ulong)

// Zero has as many leading and trailing zeros as bits.
#define COUNT_ZEROS(T, BITS)                                                           \
  LW T clz(T x) { return __builtin_elementwise_clzg(x, (T)BITS); }                     \
  LW T ctz(T x) { return __builtin_elementwise_ctzg(x, (T)BITS); }
#define COUNT_8(T) COUNT_ZEROS(T, 8)
#define COUNT_16(T) COUNT_ZEROS(T, 16)
#define COUNT_32(T) COUNT_ZEROS(T, 32)
#define COUNT_64(T) COUNT_ZEROS(T, 64)
LW_WIDTHS_1(COUNT_8, char) LW_WIDTHS_1(COUNT_8, uchar) LW_WIDTHS_1(COUNT_16, short) LW_WIDTHS_1(COUNT_16, ushort)
LW_WIDTHS_1(COUNT_32, int) LW_WIDTHS_1(COUNT_32, uint) LW_WIDTHS_1(COUNT_64, long) LW_WIDTHS_1(COUNT_64, ulong)

// 24-bit products. Operands with more bits give whatever is cheapest, which the specification leaves open: indices are
// computed in this way, and their lanes count up only if no bits are taken out.
#define MUL24(T, U)                                                                    \
  LW T mul24(T x, T y) { return __builtin_astype(__builtin_astype(x, U) * __builtin_astype(y, U), T); } \
  LW T mad24(T x, T y, T z) { return mul24(x, y) + z; }
LW_WIDTHS_2(MUL24, int, uint) LW_WIDTHS_2(MUL24, uint, uint)

// (high << BITS) | low.
#define UPSAMPLE(T, U, R, BITS)                                                        \
  LW R upsample(T high, U low) {                                                       \
    return (R)((__builtin_convertvector_or_cast(high, R) << (R)BITS) | __builtin_convertvector_or_cast(low, R)); \
  }
#define __builtin_convertvector_or_cast(x, R) ((R)(x))
UPSAMPLE(char, uchar, short, 8) UPSAMPLE(uchar, uchar, ushort, 8) UPSAMPLE(short, ushort, int, 16)
UPSAMPLE(ushort, ushort, uint, 16) UPSAMPLE(int, uint, long, 32) UPSAMPLE(uint, uint, ulong, 32)
#undef __builtin_convertvector_or_cast
#define __builtin_convertvector_or_cast(x, R) __builtin_convertvector(x, R)
#define UPSAMPLE_8(T, U, R) UPSAMPLE(T, U, R, 8)
#define UPSAMPLE_16(T, U, R) UPSAMPLE(T, U, R, 16)
#define UPSAMPLE_32(T, U, R) UPSAMPLE(T, U, R, 32)
LW_VECTORS_3(UPSAMPLE_8, char, uchar, short) LW_VECTORS_3(UPSAMPLE_8, uchar, uchar, ushort)
LW_VECTORS_3(UPSAMPLE_16, short, ushort, int) LW_VECTORS_3(UPSAMPLE_16, ushort, ushort, uint)
LW_VECTORS_3(UPSAMPLE_32, int, uint, long) LW_VECTORS_3(UPSAMPLE_32, uint, uint, ulong)

// High halves and saturated sums of products, computed in twice the width.
#define WIDE(T, W, BITS, LOW, HIGH)                                                    \
  LW T mul_hi(T x, T y) { return (T)(((W)x * (W)y) >> BITS); }                         \
  LW T mad_hi(T x, T y, T z) { return (T)(mul_hi(x, y) + z); }                         \
  LW T mad_sat(T x, T y, T z) {                                                        \
    const W wide = (W)x * (W)y + (W)z;                                                 \
    return (T)(wide < (W)(LOW) ? (W)(LOW) : wide > (W)(HIGH) ? (W)(HIGH) : wide);      \
  }
WIDE(char, int, 8, CHAR_MIN, CHAR_MAX)
WIDE(uchar, int, 8, 0, UCHAR_MAX)
WIDE(short, int, 16, SHRT_MIN, SHRT_MAX)
WIDE(ushort, long, 16, 0, USHRT_MAX)
WIDE(int, long, 32, INT_MIN, INT_MAX)
WIDE(uint, ulong, 32, 0, UINT_MAX)
WIDE(long, _BitInt(128), 64, LONG_MIN, LONG_MAX)
WIDE(ulong, unsigned _BitInt(128), 64, 0, ULONG_MAX)

#define MAP_3(name, T)                                                                             \
  LW T##2 name(T##2 x, T##2 y, T##2 z) { return (T##2)(name(x.s0, y.s0, z.s0), name(x.s1, y.s1, z.s1)); } \
  LW T##3 name(T##3 x, T##3 y, T##3 z) {                                                           \
    return (T##3)(name(x.s0, y.s0, z.s0), name(x.s1, y.s1, z.s1), name(x.s2, y.s2, z.s2));         \
  }                                                                                                \
  LW T##4 name(T##4 x, T##4 y, T##4 z) { return (T##4)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); } \
  LW T##8 name(T##8 x, T##8 y, T##8 z) { return (T##8)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); } \
  LW T##16 name(T##16 x, T##16 y, T##16 z) { return (T##16)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); }

// Narrow types widen as whole vectors; the vector forms of mul_hi on 64 bits go through 128-bit scalars.
#define NARROW_VECTOR(T, W, BITS)                                                      \
  LW T mul_hi(T x, T y) {                                                              \
    return __builtin_convertvector((__builtin_convertvector(x, W) * __builtin_convertvector(y, W)) >> (W)BITS, T); \
  }                                                                                    \
  LW T mad_hi(T x, T y, T z) { return mul_hi(x, y) + z; }
#define NARROW_8(T, W) NARROW_VECTOR(T, W, 8)
#define NARROW_16(T, W) NARROW_VECTOR(T, W, 16)
#define NARROW_32(T, W) NARROW_VECTOR(T, W, 32)
LW_VECTORS_2(NARROW_8, char, short) LW_VECTORS_2(NARROW_8, uchar, ushort)
LW_VECTORS_2(NARROW_16, short, int) LW_VECTORS_2(NARROW_16, ushort, uint)
LW_VECTORS_2(NARROW_32, int, long) LW_VECTORS_2(NARROW_32, uint, ulong)
LW_MAP_2(mul_hi, long, long, long) LW_MAP_2(mul_hi, ulong, ulong, ulong)
MAP_3(mad_hi, long) MAP_3(mad_hi, ulong)
MAP_3(mad_sat, char) MAP_3(mad_sat, uchar) MAP_3(mad_sat, short) MAP_3(mad_sat, ushort)
MAP_3(mad_sat, int) MAP_3(mad_sat, uint) MAP_3(mad_sat, long) MAP_3(mad_sat, ulong)
