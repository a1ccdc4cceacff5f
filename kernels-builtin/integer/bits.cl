// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_extended_bit_ops, cl_khr_integer_dot_product and the four cl_arm_integer_dot_product.
#include "define.h"

// `count` low bits set; count 0 to BITS (a shift by the full width would be undefined).
#define MASK(U, count, BITS) ((count) == 0 ? (U)0 : (U)((U)~(U)0 >> (U)(BITS - (count))))

#define BIT_OPS(T, U, S, BITS)                                                         \
  LW T bitfield_insert(T base, T insert, uint offset, uint count) {                    \
    const U mask = (U)(MASK(U, count, BITS) << (U)(offset & (BITS - 1)));              \
    const U moved = (U)(__builtin_astype(insert, U) << (U)(offset & (BITS - 1)));      \
    return __builtin_astype((U)((__builtin_astype(base, U) & ~mask) | (moved & mask)), T); \
  }                                                                                    \
  LW S bitfield_extract_signed(T base, uint offset, uint count) {                      \
    if (count == 0) return (S)0;                                                       \
    const U top = (U)(__builtin_astype(base, U) << (U)((BITS - count - offset) & (BITS - 1))); \
    return (S)(__builtin_astype(top, S) >> (S)(BITS - count));                         \
  }                                                                                    \
  LW U bitfield_extract_unsigned(T base, uint offset, uint count) {                    \
    return (U)((__builtin_astype(base, U) >> (U)(offset & (BITS - 1))) & MASK(U, count, BITS)); \
  }                                                                                    \
  LW T bit_reverse(T x) { return __builtin_elementwise_bitreverse(x); }
#define BITS_8(T, U, S) BIT_OPS(T, U, S, 8)
#define BITS_16(T, U, S) BIT_OPS(T, U, S, 16)
#define BITS_32(T, U, S) BIT_OPS(T, U, S, 32)
#define BITS_64(T, U, S) BIT_OPS(T, U, S, 64)
LW_WIDTHS_3(BITS_8, char, uchar, char) LW_WIDTHS_3(BITS_8, uchar, uchar, char)
LW_WIDTHS_3(BITS_16, short, ushort, short) LW_WIDTHS_3(BITS_16, ushort, ushort, short)
LW_WIDTHS_3(BITS_32, int, uint, int) LW_WIDTHS_3(BITS_32, uint, uint, int)
LW_WIDTHS_3(BITS_64, long, ulong, long) LW_WIDTHS_3(BITS_64, ulong, ulong, long)

LW int add_sat(int, int);
LW uint add_sat(uint, uint);

// sum + the four products of the bytes of a and b, each unsigned (u) or signed (s), see
// compiler/builtins/machine_operations.h.
LW_OPERATION int __lw_op_dot_uu(int sum, uint a, uint b);
LW_OPERATION int __lw_op_dot_us(int sum, uint a, uint b);
LW_OPERATION int __lw_op_dot_ss(int sum, uint a, uint b);
LW_OPERATION int __lw_op_dot_sat_us(int sum, uint a, uint b);

#define WORD(x) __builtin_astype(x, uint)
LW uint dot(uchar4 a, uchar4 b) { return (uint)__lw_op_dot_uu(0, WORD(a), WORD(b)); }
LW int dot(char4 a, char4 b) { return __lw_op_dot_ss(0, WORD(a), WORD(b)); }
LW int dot(uchar4 a, char4 b) { return __lw_op_dot_us(0, WORD(a), WORD(b)); }
LW int dot(char4 a, uchar4 b) { return __lw_op_dot_us(0, WORD(b), WORD(a)); }
LW uint dot_acc_sat(uchar4 a, uchar4 b, uint c) { return add_sat(dot(a, b), c); }
LW int dot_acc_sat(char4 a, char4 b, int c) { return add_sat(dot(a, b), c); }
LW int dot_acc_sat(uchar4 a, char4 b, int c) { return __lw_op_dot_sat_us(c, WORD(a), WORD(b)); }
LW int dot_acc_sat(char4 a, uchar4 b, int c) { return __lw_op_dot_sat_us(c, WORD(b), WORD(a)); }

#define DOT_PACKED(suffix, A, B, R)                                                    \
  LW R dot_4x8packed_##suffix(uint a, uint b) { return dot(__builtin_astype(a, A), __builtin_astype(b, B)); } \
  LW R dot_acc_sat_4x8packed_##suffix(uint a, uint b, R c) {                           \
    return dot_acc_sat(__builtin_astype(a, A), __builtin_astype(b, B), c);             \
  }
DOT_PACKED(uu_uint, uchar4, uchar4, uint) DOT_PACKED(ss_int, char4, char4, int)
DOT_PACKED(us_int, uchar4, char4, int) DOT_PACKED(su_int, char4, uchar4, int)

// cl_arm_integer_dot_product_int8, _accumulate_int8, _accumulate_int16 and _accumulate_saturate_int8.
LW uint arm_dot(uchar4 a, uchar4 b) { return dot(a, b); }
LW int arm_dot(char4 a, char4 b) { return dot(a, b); }
LW uint arm_dot_acc(uchar4 a, uchar4 b, uint c) { return (uint)__lw_op_dot_uu((int)c, WORD(a), WORD(b)); }
LW int arm_dot_acc(char4 a, char4 b, int c) { return __lw_op_dot_ss(c, WORD(a), WORD(b)); }
LW uint arm_dot_acc(ushort2 a, ushort2 b, uint c) { return (uint)a.x * b.x + (uint)a.y * b.y + c; }
LW int arm_dot_acc(short2 a, short2 b, int c) { return (int)((uint)(a.x * b.x) + (uint)(a.y * b.y) + (uint)c); }
LW uint arm_dot_acc_sat(uchar4 a, uchar4 b, uint c) { return dot_acc_sat(a, b, c); }
LW int arm_dot_acc_sat(char4 a, char4 b, int c) { return dot_acc_sat(a, b, c); }
