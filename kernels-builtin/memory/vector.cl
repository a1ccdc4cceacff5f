// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload, vstore and prefetch (OpenCL C 6.15.7, 6.15.11). Addresses are aligned to the element only.
#include "define.h"

// Three components are three loads: the fourth may lie outside of the buffer.
#define LOAD_3(S, T) \
  LW T##3 vload3(size_t i, const S T* p) { return (T##3)(p[3 * i], p[3 * i + 1], p[3 * i + 2]); }
#define LOAD_N(S, T, N)                                                                \
  LW T##N vload##N(size_t i, const S T* p) {                                           \
    typedef T##N element_aligned __attribute__((aligned(sizeof(T))));                  \
    return *(const S element_aligned*)(p + N * i);                                     \
  }
#define LOAD(S, T) LOAD_N(S, T, 2) LOAD_3(S, T) LOAD_N(S, T, 4) LOAD_N(S, T, 8) LOAD_N(S, T, 16)
#define STORE_3(S, T)                                                                  \
  LW void vstore3(T##3 x, size_t i, S T* p) {                                          \
    p[3 * i] = x.s0;                                                                   \
    p[3 * i + 1] = x.s1;                                                               \
    p[3 * i + 2] = x.s2;                                                               \
  }
#define STORE_N(S, T, N)                                                               \
  LW void vstore##N(T##N x, size_t i, S T* p) {                                        \
    typedef T##N element_aligned __attribute__((aligned(sizeof(T))));                  \
    *(S element_aligned*)(p + N * i) = x;                                              \
  }
#define STORE(S, T) STORE_N(S, T, 2) STORE_3(S, T) STORE_N(S, T, 4) STORE_N(S, T, 8) STORE_N(S, T, 16)

// Does nothing: it is a hint, and hardware prefetchers work better on a loop over work-items.
#define PREFETCH(T) \
  LW void prefetch(const __global T* p, size_t n) { (void)p, (void)n; }

#define TYPE(T) LW_READ_SPACES(LOAD, T) LW_SPACES(STORE, T) LW_WIDTHS_1(PREFETCH, T)
LW_SCALARS(TYPE)
