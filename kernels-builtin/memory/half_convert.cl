// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half as a storage format: exact conversion from it, and to it in the four rounding modes.
#include "define.h"

// Moving exponent and fraction into a float's place scales by 2^-112, which one exact product takes back, for
// subnormal values too. Infinities and NaNs keep their fraction.
float __lw_half_to_float(ushort h) {
  const uint moved = (uint)(h & 0x7fff) << 13;
  const float finite = __builtin_astype(moved, float) * 0x1p112f;
  const uint bits = (h & 0x7c00) == 0x7c00 ? moved | 0x7f800000 : __builtin_astype(finite, uint);
  return __builtin_astype(bits | (uint)(h & 0x8000) << 16, float);
}
float __lw_half_to_float_v3(ushort h) { return __builtin_load_halff((const half*)&h); }

#define ROUND_rte(q, rest, tie, negative) ((rest) > (tie) || ((rest) == (tie) && ((q) & 1)))
#define ROUND_rtz(q, rest, tie, negative) ((void)(rest), 0)
#define ROUND_rtp(q, rest, tie, negative) ((rest) != 0 && !(negative))
#define ROUND_rtn(q, rest, tie, negative) ((rest) != 0 && (negative))

// What a finite value beyond the largest half becomes.
#define LARGE_rte(negative) 0x7c00u
#define LARGE_rtz(negative) 0x7bffu
#define LARGE_rtp(negative) ((negative) ? 0x7bffu : 0x7c00u)
#define LARGE_rtn(negative) ((negative) ? 0x7c00u : 0x7bffu)

#define TO_HALF(MODE)                                                                  \
  ushort __lw_double_to_half_##MODE(double x) {                                        \
    const ulong bits = __builtin_astype(x, ulong);                                     \
    const ulong magnitude = bits & 0x7fffffffffffffffUL;                               \
    const ulong fraction = bits & 0xfffffffffffffUL;                                   \
    const uint sign = (uint)(bits >> 48) & 0x8000u;                                    \
    const int exponent = (int)(magnitude >> 52) - 1023;                                \
    /* 42 bits are dropped from a normal result, more from a subnormal one. */         \
    const int below = exponent < -14 ? -14 - exponent : 0;                             \
    const int drop = below > 21 ? 63 : 42 + below;                                     \
    const ulong whole = magnitude ? fraction | 1UL << 52 : 0;                          \
    const ulong q = whole >> drop;                                                     \
    const ulong rest = whole & ((1UL << drop) - 1);                                    \
    const uint base = exponent < -14 ? (uint)q : (uint)q + ((uint)(exponent + 14) << 10); \
    uint r = base + (ROUND_##MODE(q, rest, 1UL << (drop - 1), sign) ? 1 : 0);          \
    r = exponent > 15 ? LARGE_##MODE(sign) : r;                                        \
    r = magnitude == 0x7ff0000000000000UL ? 0x7c00u : r;                               \
    r = magnitude > 0x7ff0000000000000UL ? 0x7e00u | (uint)(fraction >> 42) : r;       \
    return (ushort)(sign | r);                                                         \
  }                                                                                    \
  ushort __lw_float_to_half_##MODE(float x) { return __lw_double_to_half_##MODE((double)x); }
TO_HALF(rte) TO_HALF(rtz) TO_HALF(rtp) TO_HALF(rtn)

// The hardware converts in the current mode, which is "nearest" while a kernel runs.
ushort __lw_float_to_half_rte_v3(float x) {
  ushort r;
  __builtin_store_halff(x, (half*)&r);
  return r;
}
