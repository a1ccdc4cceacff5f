// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers (cl_khr_subgroup_named_barrier). OpenCL C has no functions for them, so these are Intel's. The compiler
// gives each call of named_barrier_init memory that is zero when a group begins, and writes the count there.
#include "define.h"

#define CONVERGENT __attribute__((convergent))

struct __namedBarrier {
  uint count;           // the sub-groups that meet
  atomic_uint arrived;  // those of them that have come, in this round
  atomic_uint round;    // one more each time that all have come
};
typedef __local struct __namedBarrier* named_barrier;

uint __attribute__((overloadable)) get_sub_group_local_id(void);
CONVERGENT uint __lw_sub_group_broadcast_uint(uint v, uint i);

// One work-item of a sub-group arrives for all of them. The loop takes turns (compiler/groups/turns.h). Flags and scope do not
// matter on one coherent host.
LW CONVERGENT void work_group_named_barrier(named_barrier b, cl_mem_fence_flags flags, memory_scope scope) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  uint round = 0;
  if (get_sub_group_local_id() == 0) {
    round = __opencl_atomic_load(&b->round, memory_order_relaxed, memory_scope_work_group);
    if (__opencl_atomic_fetch_add(&b->arrived, 1u, memory_order_acq_rel, memory_scope_work_group) + 1 == b->count) {
      __opencl_atomic_store(&b->arrived, 0u, memory_order_relaxed, memory_scope_work_group);
      __opencl_atomic_store(&b->round, round + 1, memory_order_release, memory_scope_work_group);
    }
  }
  round = __lw_sub_group_broadcast_uint(round, 0);
  while (__lw_sub_group_broadcast_uint(__opencl_atomic_load(&b->round, memory_order_acquire, memory_scope_work_group),
                                       0) == round) {
  }
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

LW CONVERGENT void work_group_named_barrier(named_barrier b, cl_mem_fence_flags flags) {
  work_group_named_barrier(b, flags, memory_scope_work_group);
}
