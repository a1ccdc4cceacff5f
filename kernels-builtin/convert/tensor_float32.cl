// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding of float to the 10 bits of fraction that a "tensor float" has (SPV_INTEL_tensor_float32_conversion): to the
// nearest, ties to even; a NaN stays one.
#include "define.h"

#define ROUNDING(N)                                                                          \
  LW float##N __lw_to_tf32(float##N x) {                                                     \
    const uint##N bits = __builtin_astype(x, uint##N);                                       \
    const uint##N rounded = bits + 0xfffu + ((bits >> 13) & 1u);                             \
    const uint##N quiet = bits | 0x400000u;                                                  \
    const uint##N kept = (bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded;               \
    return __builtin_astype(kept & ~0x1fffu, float##N);                                      \
  }
ROUNDING() ROUNDING(2) ROUNDING(3) ROUNDING(4) ROUNDING(8) ROUNDING(16)
