// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences (OpenCL C 6.15.8, 6.15.12.5). Work-item queries and barriers are the work-group lowering's business.
#include "define.h"

LW void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  (void)flags, (void)scope;
  __atomic_thread_fence(order);
}
LW void mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
LW void read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
LW void write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_RELEASE); }
