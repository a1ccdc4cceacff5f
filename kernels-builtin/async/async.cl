// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies (OpenCL C 6.15.11): the work-items of the group share the copy; waiting for it is a barrier. The event
// has no state, so it is passed through.
#include "define.h"

LW size_t get_local_id(uint);
LW size_t get_local_size(uint);
LW __attribute__((convergent)) void barrier(cl_mem_fence_flags);

#define SHARE(i, n)                                                                                   \
  const size_t size = get_local_size(0) * get_local_size(1) * get_local_size(2);                      \
  const size_t first = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0); \
  for (size_t i = first; i < n; i += size)

#define COPY(TO, FROM, T)                                                              \
  LW event_t async_work_group_copy(TO T* to, const FROM T* from, size_t n, event_t e) { \
    SHARE(i, n) to[i] = from[i];                                                       \
    return e;                                                                          \
  }
// The stride is in elements and applies to the global side.
#define TYPE(T)                                                                        \
  COPY(__local, __global, T) COPY(__global, __local, T)                                \
  LW event_t async_work_group_strided_copy(__local T* to, const __global T* from, size_t n, size_t stride, event_t e) { \
    SHARE(i, n) to[i] = from[i * stride];                                              \
    return e;                                                                          \
  }                                                                                    \
  LW event_t async_work_group_strided_copy(__global T* to, const __local T* from, size_t n, size_t stride, event_t e) { \
    SHARE(i, n) to[i * stride] = from[i];                                              \
    return e;                                                                          \
  }
#define WIDTHS(S) LW_WIDTHS_1(TYPE, S)
LW_SCALARS(WIDTHS)

#define WAIT(S, unused)                                                                \
  LW void wait_group_events(int n, S event_t* events) {                                \
    (void)n, (void)events;                                                             \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                               \
  }
LW_SPACES(WAIT, )
