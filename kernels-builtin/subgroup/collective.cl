// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasts, reductions, scans and shuffles of sub-groups (OpenCL C 6.15.19 and cl_khr_subgroup_*), from the operations
// that compiler/builtins/known_functions.h lists. Uniform and non-uniform forms are the same: the compiler knows which
// work-items are active.
#include "define.h"

// Declares the operations on T.
#define MOVES(T)                             \
  T __lw_sub_group_broadcast_##T(T v, uint i); \
  T __lw_sub_group_shuffle_##T(T v, uint i);
#define COMBINES(op, T)                        \
  T __lw_sub_group_reduce_##op##_##T(T v);         \
  T __lw_sub_group_scan_inclusive_##op##_##T(T v); \
  T __lw_sub_group_scan_exclusive_##op##_##T(T v); \
  T __lw_sub_group_clustered_##op##_##T(T v, uint size);

#define BROADCAST(name, T)                                                                            \
  LW T name(T x, uint i) { return __lw_sub_group_broadcast_##T(x, i); }                               \
  LW T##2 name(T##2 x, uint i) { return (T##2)(name(x.s0, i), name(x.s1, i)); }                       \
  LW T##3 name(T##3 x, uint i) { return (T##3)(name(x.s0, i), name(x.s1, i), name(x.s2, i)); }        \
  LW T##4 name(T##4 x, uint i) { return (T##4)(name(x.lo, i), name(x.hi, i)); }                       \
  LW T##8 name(T##8 x, uint i) { return (T##8)(name(x.lo, i), name(x.hi, i)); }                       \
  LW T##16 name(T##16 x, uint i) { return (T##16)(name(x.lo, i), name(x.hi, i)); }

long __lw_sub_group_ballot(int p);
uint __attribute__((overloadable)) get_sub_group_local_id(void);
uint __attribute__((overloadable)) get_max_sub_group_size(void);
#define ID get_sub_group_local_id()

// The active work-item with the smallest number.
LW_INLINE uint first_active(void) { return (uint)__builtin_ctzl((ulong)__lw_sub_group_ballot(1) | 1UL << 63); }

#define MOVE(T)                                                                                       \
  MOVES(T)                                                                                            \
  BROADCAST(sub_group_broadcast, T)                                                                   \
  BROADCAST(sub_group_non_uniform_broadcast, T)                                                       \
  LW T sub_group_broadcast_first(T x) { return __lw_sub_group_broadcast_##T(x, first_active()); }     \
  LW T sub_group_shuffle(T x, uint i) { return __lw_sub_group_shuffle_##T(x, i); }                    \
  LW T sub_group_shuffle_xor(T x, uint mask) { return __lw_sub_group_shuffle_##T(x, ID ^ mask); }     \
  LW T sub_group_shuffle_up(T x, uint delta) { return __lw_sub_group_shuffle_##T(x, ID - delta); }    \
  LW T sub_group_shuffle_down(T x, uint delta) { return __lw_sub_group_shuffle_##T(x, ID + delta); }  \
  LW T sub_group_rotate(T x, int delta) {                                                             \
    return __lw_sub_group_shuffle_##T(x, (ID + (uint)delta) & (get_max_sub_group_size() - 1));        \
  }                                                                                                   \
  LW T sub_group_clustered_rotate(T x, int delta, uint size) {                                        \
    return __lw_sub_group_shuffle_##T(x, (ID & ~(size - 1)) | ((ID + (uint)delta) & (size - 1)));     \
  }                                                                                                   \
  LW int sub_group_non_uniform_all_equal(T x) {                                                       \
    return __lw_sub_group_ballot(!(x == sub_group_broadcast_first(x))) == 0;                          \
  }
LW_SCALARS(MOVE)

#define NON_UNIFORM(op, T)                                                                                      \
  LW T sub_group_non_uniform_reduce_##op(T x) { return __lw_sub_group_reduce_##op##_##T(x); }                   \
  LW T sub_group_non_uniform_scan_inclusive_##op(T x) { return __lw_sub_group_scan_inclusive_##op##_##T(x); }   \
  LW T sub_group_non_uniform_scan_exclusive_##op(T x) { return __lw_sub_group_scan_exclusive_##op##_##T(x); }   \
  LW T sub_group_clustered_reduce_##op(T x, uint size) { return __lw_sub_group_clustered_##op##_##T(x, size); }
#define UNIFORM(op, T)                                                                            \
  LW T sub_group_reduce_##op(T x) { return __lw_sub_group_reduce_##op##_##T(x); }                 \
  LW T sub_group_scan_inclusive_##op(T x) { return __lw_sub_group_scan_inclusive_##op##_##T(x); } \
  LW T sub_group_scan_exclusive_##op(T x) { return __lw_sub_group_scan_exclusive_##op##_##T(x); }
#define BOTH(op, T) COMBINES(op, T) UNIFORM(op, T) NON_UNIFORM(op, T)
#define NUMBERS(T) BOTH(add, T) BOTH(min, T) BOTH(max, T) COMBINES(mul, T) NON_UNIFORM(mul, T)
#define BITS(T) COMBINES(and, T) NON_UNIFORM(and, T) COMBINES(or, T) NON_UNIFORM(or, T) COMBINES(xor, T) NON_UNIFORM(xor, T)
LW_SCALARS(NUMBERS)
BITS(char) BITS(uchar) BITS(short) BITS(ushort) BITS(int) BITS(uint) BITS(long) BITS(ulong)
