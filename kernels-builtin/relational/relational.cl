// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational functions (OpenCL C 6.15.6). Scalars give 1 or 0, vectors -1 or 0 per component, as the operators of the
// language do, so that one expression serves both.
#include "define.h"

// `I` is the result, `B` the integer of the same size as T (they differ for scalar double and half only).
#define COMPARISONS(T, I)                                                              \
  LW I isequal(T x, T y) { return x == y; }                                            \
  LW I isnotequal(T x, T y) { return x != y; }                                         \
  LW I isgreater(T x, T y) { return x > y; }                                           \
  LW I isgreaterequal(T x, T y) { return x >= y; }                                     \
  LW I isless(T x, T y) { return x < y; }                                              \
  LW I islessequal(T x, T y) { return x <= y; }                                        \
  LW I islessgreater(T x, T y) { return (x < y) | (x > y); }                           \
  LW I isordered(T x, T y) { return (x == x) & (y == y); }                             \
  LW I isunordered(T x, T y) { return (x != x) | (y != y); }
#define CLASSES(T, I, LEAST)                                                           \
  LW I isnan(T x) { return x != x; }                                                   \
  LW I isinf(T x) { return __builtin_elementwise_abs(x) == (T)INFINITY; }              \
  LW I isfinite(T x) { return __builtin_elementwise_abs(x) < (T)INFINITY; }            \
  LW I isnormal(T x) {                                                                 \
    return (__builtin_elementwise_abs(x) < (T)INFINITY) & (__builtin_elementwise_abs(x) >= (T)LEAST); \
  }
#define SIGNS(T, I, B)                                                                 \
  LW I signbit(T x) { return __builtin_astype(x, B) < (B)0; }                          \
  LW T bitselect(T a, T b, T c) {                                                      \
    const B mask = __builtin_astype(c, B);                                             \
    return __builtin_astype((B)((__builtin_astype(a, B) & ~mask) | (__builtin_astype(b, B) & mask)), T); \
  }
#define RELATIONAL(T, I, B, LEAST) COMPARISONS(T, I) CLASSES(T, I, LEAST) SIGNS(T, I, B)
#define FLOAT(T, I) RELATIONAL(T, I, I, FLT_MIN)
#define DOUBLE(T, I) RELATIONAL(T, I, I, DBL_MIN)
LW_WIDTHS_2(FLOAT, float, int)
RELATIONAL(double, int, long, DBL_MIN)
LW_VECTORS_2(DOUBLE, double, long)

// A half is classified by its encoding, without a conversion.
#define HALF_CLASS(T, I, B)                                                            \
  LW I isnan(T x) { return (__builtin_astype(x, B) & (B)0x7fff) > (B)0x7c00; }         \
  LW I isinf(T x) { return (__builtin_astype(x, B) & (B)0x7fff) == (B)0x7c00; }        \
  LW I isfinite(T x) { return (__builtin_astype(x, B) & (B)0x7fff) < (B)0x7c00; }      \
  LW I isnormal(T x) {                                                                 \
    const B magnitude = __builtin_astype(x, B) & (B)0x7fff;                            \
    return (magnitude >= (B)0x0400) & (magnitude < (B)0x7c00);                         \
  }
#define HALF(T, I) COMPARISONS(T, I) SIGNS(T, I, I) HALF_CLASS(T, I, I)
COMPARISONS(half, int) SIGNS(half, int, short) HALF_CLASS(half, int, short)
LW_VECTORS_2(HALF, half, short)

#define BITSELECT(T) \
  LW T bitselect(T a, T b, T c) { return (T)((a & ~c) | (b & c)); }
LW_INTEGERS(BITSELECT)

// Scalars choose by "not zero", vectors by the most significant bit of each component.
#define SELECT_SCALAR(T, C) \
  LW T select(T a, T b, C c) { return c ? b : a; }
#define SELECT_VECTOR(T, I, U)                                                         \
  LW T select(T a, T b, I c) { return c < (I)0 ? b : a; }                              \
  LW T select(T a, T b, U c) { return __builtin_astype(c, I) < (I)0 ? b : a; }
#define SELECT(T, I, U) SELECT_SCALAR(T, I) SELECT_SCALAR(T, U) LW_VECTORS_3(SELECT_VECTOR, T, I, U)
SELECT(char, char, uchar) SELECT(uchar, char, uchar) SELECT(short, short, ushort) SELECT(ushort, short, ushort)
SELECT(half, short, ushort)
SELECT(int, int, uint) SELECT(uint, int, uint) SELECT(float, int, uint)
SELECT(long, long, ulong) SELECT(ulong, long, ulong) SELECT(double, long, ulong)

#define ANY_ALL(T)                                                                     \
  LW int any(T x) { return x < (T)0; }                                                 \
  LW int all(T x) { return x < (T)0; }                                                 \
  LW int any(T##2 x) { return (T)(x.s0 | x.s1) < (T)0; }                               \
  LW int all(T##2 x) { return (T)(x.s0 & x.s1) < (T)0; }                               \
  LW int any(T##3 x) { return (T)(x.s0 | x.s1 | x.s2) < (T)0; }                        \
  LW int all(T##3 x) { return (T)(x.s0 & x.s1 & x.s2) < (T)0; }                        \
  LW int any(T##4 x) { return __builtin_reduce_or(x) < (T)0; }                         \
  LW int all(T##4 x) { return __builtin_reduce_and(x) < (T)0; }                        \
  LW int any(T##8 x) { return __builtin_reduce_or(x) < (T)0; }                         \
  LW int all(T##8 x) { return __builtin_reduce_and(x) < (T)0; }                        \
  LW int any(T##16 x) { return __builtin_reduce_or(x) < (T)0; }                        \
  LW int all(T##16 x) { return __builtin_reduce_and(x) < (T)0; }
ANY_ALL(char) ANY_ALL(short) ANY_ALL(int) ANY_ALL(long)
