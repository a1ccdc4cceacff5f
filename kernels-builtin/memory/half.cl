// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload_half, vstore_half and the aligned forms (OpenCL C 6.15.7). Of the forms with three components only the aligned
// ones leave room for a fourth.
#include "define.h"

#define DECLARE(T, MODE) half __lw_##T##_to_half_##MODE(T);
DECLARE(float, rtz) DECLARE(float, rtp) DECLARE(float, rtn)
DECLARE(double, rtz) DECLARE(double, rtp) DECLARE(double, rtn)
#define __lw_float_to_half_rte(x) ((half)(x))
#define __lw_double_to_half_rte(x) ((half)(x))

typedef half half1;
#define VALUES_1(F, x) F(x)
#define VALUES_2(F, x) F((x).s0), F((x).s1)
#define VALUES_3(F, x) VALUES_2(F, x), F((x).s2)
#define VALUES_4(F, x) VALUES_2(F, (x).lo), VALUES_2(F, (x).hi)
#define VALUES_8(F, x) VALUES_4(F, (x).lo), VALUES_4(F, (x).hi)
#define VALUES_16(F, x) VALUES_8(F, (x).lo), VALUES_8(F, (x).hi)

#define LOAD_AT(S, NAME, N, STRIDE, V, ALIGN)                                          \
  LW float##V NAME(size_t i, const S half* p) {                                        \
    typedef half##N packed __attribute__((aligned(ALIGN)));                            \
    const packed h = *(const S packed*)(p + STRIDE * i);                               \
    return (float##V)(VALUES_##N((float), h));                                         \
  }
#define LOAD_3(S)                                                                      \
  LW float3 vload_half3(size_t i, const S half* p) {                                   \
    const S half* h = p + 3 * i;                                                       \
    return (float3)((float)h[0], (float)h[1], (float)h[2]);                            \
  }
#define LOADS(S, unused)                                                               \
  LOAD_AT(S, vload_half, 1, 1, , 2) LOAD_AT(S, vload_half2, 2, 2, 2, 2) LOAD_3(S)      \
  LOAD_AT(S, vload_half4, 4, 4, 4, 2) LOAD_AT(S, vload_half8, 8, 8, 8, 2)              \
  LOAD_AT(S, vload_half16, 16, 16, 16, 2)                                              \
  LOAD_AT(S, vloada_half, 1, 1, , 2) LOAD_AT(S, vloada_half2, 2, 2, 2, 4) LOAD_AT(S, vloada_half3, 3, 4, 3, 8) \
  LOAD_AT(S, vloada_half4, 4, 4, 4, 8) LOAD_AT(S, vloada_half8, 8, 8, 8, 16)           \
  LOAD_AT(S, vloada_half16, 16, 16, 16, 32)
LW_READ_SPACES(LOADS, )

#define STORE_AT(S, T, NAME, MODE, N, STRIDE, V, ALIGN)                                \
  LW void NAME(T##V x, size_t i, S half* p) {                                          \
    typedef half##N packed __attribute__((aligned(ALIGN)));                            \
    *(S packed*)(p + STRIDE * i) = (packed)(VALUES_##N(__lw_##T##_to_half_##MODE, x)); \
  }
#define STORE_3(S, T, NAME, MODE, STRIDE)                                              \
  LW void NAME(T##3 x, size_t i, S half* p) {                                          \
    S half* h = p + STRIDE * i;                                                        \
    h[0] = __lw_##T##_to_half_##MODE(x.s0);                                            \
    h[1] = __lw_##T##_to_half_##MODE(x.s1);                                            \
    h[2] = __lw_##T##_to_half_##MODE(x.s2);                                            \
  }
#define STORES(S, T, SUFFIX, MODE)                                                     \
  STORE_AT(S, T, vstore_half##SUFFIX, MODE, 1, 1, , 2) STORE_AT(S, T, vstore_half2##SUFFIX, MODE, 2, 2, 2, 2) \
  STORE_3(S, T, vstore_half3##SUFFIX, MODE, 3) STORE_AT(S, T, vstore_half4##SUFFIX, MODE, 4, 4, 4, 2) \
  STORE_AT(S, T, vstore_half8##SUFFIX, MODE, 8, 8, 8, 2) STORE_AT(S, T, vstore_half16##SUFFIX, MODE, 16, 16, 16, 2) \
  STORE_AT(S, T, vstorea_half##SUFFIX, MODE, 1, 1, , 2) STORE_AT(S, T, vstorea_half2##SUFFIX, MODE, 2, 2, 2, 4) \
  STORE_3(S, T, vstorea_half3##SUFFIX, MODE, 4) STORE_AT(S, T, vstorea_half4##SUFFIX, MODE, 4, 4, 4, 8) \
  STORE_AT(S, T, vstorea_half8##SUFFIX, MODE, 8, 8, 8, 16) STORE_AT(S, T, vstorea_half16##SUFFIX, MODE, 16, 16, 16, 32)
#define ALL_STORES(S, T)                                                               \
  STORES(S, T, , rte) STORES(S, T, _rte, rte) STORES(S, T, _rtz, rtz) STORES(S, T, _rtp, rtp) STORES(S, T, _rtn, rtn)
LW_SPACES(ALL_STORES, float) LW_SPACES(ALL_STORES, double)
