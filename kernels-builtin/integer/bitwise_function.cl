// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any function of three bits (SPV_INTEL_ternary_bitwise_function): where a, b and c have the bits of a number, in this
// order from the lowest, the result has the bit of that number in `table`.
#include "define.h"

#define TERM(T, S, a, b, c, number) ((a) & (b) & (c) & (T)(S)((S)0 - (S)((table >> (number)) & 1u)))
#define FUNCTION(T, S)                                                                       \
  LW T __lw_bitwise_function(T a, T b, T c, uint table) {                                    \
    return TERM(T, S, ~a, ~b, ~c, 0) | TERM(T, S, a, ~b, ~c, 1) | TERM(T, S, ~a, b, ~c, 2) | \
           TERM(T, S, a, b, ~c, 3) | TERM(T, S, ~a, ~b, c, 4) | TERM(T, S, a, ~b, c, 5) |    \
           TERM(T, S, ~a, b, c, 6) | TERM(T, S, a, b, c, 7);                                 \
  }
#define WIDTHS(S) \
  FUNCTION(S, S) FUNCTION(S##2, S) FUNCTION(S##3, S) FUNCTION(S##4, S) FUNCTION(S##8, S) FUNCTION(S##16, S)
WIDTHS(uchar) WIDTHS(ushort) WIDTHS(uint) WIDTHS(ulong)
