// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL 1.x atomics (OpenCL C 6.15.12.8) and cl_khr_int64_base/extended_atomics: relaxed order, one instruction each.
#include "define.h"

#define READ_WRITE(S, P, T)                                                                                  \
  LW T P##_add(volatile S T* p, T v) { return __atomic_fetch_add((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_sub(volatile S T* p, T v) { return __atomic_fetch_sub((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_inc(volatile S T* p) { return __atomic_fetch_add((S T*)p, (T)1, __ATOMIC_RELAXED); }                    \
  LW T P##_dec(volatile S T* p) { return __atomic_fetch_sub((S T*)p, (T)1, __ATOMIC_RELAXED); }                    \
  LW T P##_min(volatile S T* p, T v) { return __atomic_fetch_min((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_max(volatile S T* p, T v) { return __atomic_fetch_max((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_and(volatile S T* p, T v) { return __atomic_fetch_and((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_or(volatile S T* p, T v) { return __atomic_fetch_or((S T*)p, v, __ATOMIC_RELAXED); }                    \
  LW T P##_xor(volatile S T* p, T v) { return __atomic_fetch_xor((S T*)p, v, __ATOMIC_RELAXED); }                  \
  LW T P##_xchg(volatile S T* p, T v) { return __atomic_exchange_n((S T*)p, v, __ATOMIC_RELAXED); }                \
  LW T P##_cmpxchg(volatile S T* p, T expected, T desired) {                                                 \
    __atomic_compare_exchange_n((S T*)p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);           \
    return expected;                                                                                         \
  }
#define EXCHANGE_FLOAT(S)                                                                                    \
  LW float atomic_xchg(volatile S float* p, float v) {                                                       \
    return as_float(__atomic_exchange_n((S int*)p, as_int(v), __ATOMIC_RELAXED));                   \
  }
#define SPACE(S)                                                                                             \
  READ_WRITE(S, atomic, int) READ_WRITE(S, atomic, uint) READ_WRITE(S, atom, int) READ_WRITE(S, atom, uint)  \
  READ_WRITE(S, atom, long) READ_WRITE(S, atom, ulong) EXCHANGE_FLOAT(S)
SPACE(__global) SPACE(__local) SPACE(__generic)
