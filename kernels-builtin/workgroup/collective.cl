// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective functions of work-groups (OpenCL C 6.15.16, cl_khr_work_group_uniform_arithmetic), from the operations that
// compiler/groups/collectives.h gives a meaning to.
#include "define.h"

#define CONVERGENT __attribute__((convergent))
#define ALL LW CONVERGENT

LW size_t get_local_size(uint);

#define BROADCAST(T)                                                                          \
  CONVERGENT T __lw_work_group_broadcast_##T(T v, size_t i);                                  \
  ALL T work_group_broadcast(T v, size_t x) { return __lw_work_group_broadcast_##T(v, x); }   \
  ALL T work_group_broadcast(T v, size_t x, size_t y) {                                       \
    return __lw_work_group_broadcast_##T(v, y * get_local_size(0) + x);                       \
  }                                                                                           \
  ALL T work_group_broadcast(T v, size_t x, size_t y, size_t z) {                             \
    return __lw_work_group_broadcast_##T(v, (z * get_local_size(1) + y) * get_local_size(0) + x); \
  }

#define COMBINE(op, T)                                                                                          \
  CONVERGENT T __lw_work_group_reduce_##op##_##T(T v);                                                          \
  CONVERGENT T __lw_work_group_scan_inclusive_##op##_##T(T v);                                                  \
  CONVERGENT T __lw_work_group_scan_exclusive_##op##_##T(T v);                                                  \
  ALL T work_group_reduce_##op(T v) { return __lw_work_group_reduce_##op##_##T(v); }                            \
  ALL T work_group_scan_inclusive_##op(T v) { return __lw_work_group_scan_inclusive_##op##_##T(v); }            \
  ALL T work_group_scan_exclusive_##op(T v) { return __lw_work_group_scan_exclusive_##op##_##T(v); }

#define NUMBERS(T) BROADCAST(T) COMBINE(add, T) COMBINE(mul, T) COMBINE(min, T) COMBINE(max, T)
#define BITS(T) COMBINE(and, T) COMBINE(or, T) COMBINE(xor, T)
NUMBERS(int) NUMBERS(uint) NUMBERS(long) NUMBERS(ulong) NUMBERS(half) NUMBERS(float) NUMBERS(double)
BITS(int) BITS(uint) BITS(long) BITS(ulong)

ALL int work_group_all(int p) { return __lw_work_group_reduce_and_int(p != 0); }
ALL int work_group_any(int p) { return __lw_work_group_reduce_or_int(p != 0); }

// Truth values are 0 and 1; the identity of "and" has more bits than that.
#define LOGICAL(op)                                                                                               \
  ALL int work_group_reduce_logical_##op(int p) { return __lw_work_group_reduce_##op##_int(p != 0); }             \
  ALL int work_group_scan_inclusive_logical_##op(int p) { return __lw_work_group_scan_inclusive_##op##_int(p != 0); } \
  ALL int work_group_scan_exclusive_logical_##op(int p) {                                                         \
    return __lw_work_group_scan_exclusive_##op##_int(p != 0) & 1;                                                 \
  }
LOGICAL(and) LOGICAL(or) LOGICAL(xor)
