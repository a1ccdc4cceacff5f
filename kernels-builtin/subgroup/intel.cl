// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char and _long: shuffles of vectors, shuffles across two values, and blocks; blocks in local
// memory, and prefetches of blocks.
#include "define.h"

uint __attribute__((overloadable)) get_sub_group_local_id(void);
uint __attribute__((overloadable)) get_max_sub_group_size(void);
#define ID get_sub_group_local_id()
#define SIZE get_max_sub_group_size()

// A work-item whose index is not below the size takes the second value.
#define SHUFFLES(T)                                                                                        \
  T __lw_sub_group_shuffle_##T(T v, uint i);                                                               \
  LW T intel_sub_group_shuffle(T x, uint i) { return __lw_sub_group_shuffle_##T(x, i); }                   \
  LW T intel_sub_group_shuffle_xor(T x, uint mask) { return __lw_sub_group_shuffle_##T(x, ID ^ mask); }    \
  LW T intel_sub_group_shuffle_down(T current, T next, uint delta) {                                       \
    const uint i = ID + delta;                                                                             \
    const T near = __lw_sub_group_shuffle_##T(current, i);                                                 \
    const T far = __lw_sub_group_shuffle_##T(next, i - SIZE);                                              \
    return i < SIZE ? near : far;                                                                          \
  }                                                                                                        \
  LW T intel_sub_group_shuffle_up(T previous, T current, uint delta) {                                     \
    const uint i = ID - delta;                                                                             \
    const T near = __lw_sub_group_shuffle_##T(current, i);                                                 \
    const T far = __lw_sub_group_shuffle_##T(previous, i + SIZE);                                          \
    return (int)i >= 0 ? near : far;                                                                       \
  }
#define OF_ONE(name, T)                                                                                    \
  LW T##2 name(T##2 x, uint i) { return (T##2)(name(x.s0, i), name(x.s1, i)); }                            \
  LW T##3 name(T##3 x, uint i) { return (T##3)(name(x.s0, i), name(x.s1, i), name(x.s2, i)); }             \
  LW T##4 name(T##4 x, uint i) { return (T##4)(name(x.lo, i), name(x.hi, i)); }                            \
  LW T##8 name(T##8 x, uint i) { return (T##8)(name(x.lo, i), name(x.hi, i)); }                            \
  LW T##16 name(T##16 x, uint i) { return (T##16)(name(x.lo, i), name(x.hi, i)); }
#define OF_TWO(name, T)                                                                                    \
  LW T##2 name(T##2 x, T##2 y, uint i) { return (T##2)(name(x.s0, y.s0, i), name(x.s1, y.s1, i)); }        \
  LW T##3 name(T##3 x, T##3 y, uint i) {                                                                   \
    return (T##3)(name(x.s0, y.s0, i), name(x.s1, y.s1, i), name(x.s2, y.s2, i));                          \
  }                                                                                                        \
  LW T##4 name(T##4 x, T##4 y, uint i) { return (T##4)(name(x.lo, y.lo, i), name(x.hi, y.hi, i)); }        \
  LW T##8 name(T##8 x, T##8 y, uint i) { return (T##8)(name(x.lo, y.lo, i), name(x.hi, y.hi, i)); }        \
  LW T##16 name(T##16 x, T##16 y, uint i) { return (T##16)(name(x.lo, y.lo, i), name(x.hi, y.hi, i)); }
#define VECTORS(T)                                                                          \
  SHUFFLES(T)                                                                               \
  OF_ONE(intel_sub_group_shuffle, T) OF_ONE(intel_sub_group_shuffle_xor, T)                 \
  OF_TWO(intel_sub_group_shuffle_down, T) OF_TWO(intel_sub_group_shuffle_up, T)
VECTORS(float) VECTORS(int) VECTORS(uint) VECTORS(short) VECTORS(ushort) VECTORS(char) VECTORS(uchar)
SHUFFLES(long) SHUFFLES(ulong) SHUFFLES(half) SHUFFLES(double)

// Component k of a block is SIZE elements (the size of the sub-group) behind component k - 1. In global memory, and, by
// cl_intel_subgroup_local_block_io, in local memory.
#define READ(S, T, name, n, half)                                                              \
  LW T##n name##n(const S T* p) { return (T##n)(name##half(p), name##half(p + (n / 2) * SIZE)); }
#define WRITE(S, T, name, n, half)                                                             \
  LW void name##n(S T* p, T##n x) {                                                            \
    name##half(p, x.lo);                                                                       \
    name##half(p + (n / 2) * SIZE, x.hi);                                                      \
  }
#define BLOCKS_IN(S, T, read, write)                                                           \
  LW T read(const S T* p) { return p[ID]; }                                                    \
  READ(S, T, read, 2, ) READ(S, T, read, 4, 2) READ(S, T, read, 8, 4)                          \
  LW void write(S T* p, T x) { p[ID] = x; }                                                    \
  WRITE(S, T, write, 2, ) WRITE(S, T, write, 4, 2) WRITE(S, T, write, 8, 4)
#define BLOCKS_16_IN(S, T, read, write)                                                        \
  BLOCKS_IN(S, T, read, write) READ(S, T, read, 16, 8) WRITE(S, T, write, 16, 8)
#define BLOCKS(T, read, write) BLOCKS_IN(__global, T, read, write) BLOCKS_IN(__local, T, read, write)
#define BLOCKS_16(T, read, write) BLOCKS_16_IN(__global, T, read, write) BLOCKS_16_IN(__local, T, read, write)
BLOCKS(uint, intel_sub_group_block_read, intel_sub_group_block_write)
BLOCKS(uint, intel_sub_group_block_read_ui, intel_sub_group_block_write_ui)
BLOCKS(ulong, intel_sub_group_block_read_ul, intel_sub_group_block_write_ul)
BLOCKS_16(ushort, intel_sub_group_block_read_us, intel_sub_group_block_write_us)
BLOCKS_16(uchar, intel_sub_group_block_read_uc, intel_sub_group_block_write_uc)

// cl_intel_subgroup_buffer_prefetch. Does nothing, as prefetch() does: it is a hint, and the processor prefetches what
// follows by itself.
#define PREFETCH(T, name) \
  LW void name(const __global T* p) { (void)p; }
#define PREFETCHES(T, name) PREFETCH(T, name) PREFETCH(T, name##2) PREFETCH(T, name##4) PREFETCH(T, name##8)
PREFETCHES(uint, intel_sub_group_block_prefetch_ui) PREFETCHES(ulong, intel_sub_group_block_prefetch_ul)
PREFETCHES(ushort, intel_sub_group_block_prefetch_us) PREFETCH(ushort, intel_sub_group_block_prefetch_us16)
PREFETCHES(uchar, intel_sub_group_block_prefetch_uc) PREFETCH(uchar, intel_sub_group_block_prefetch_uc16)

#define COMBINE(T, op)                                                                                     \
  T __lw_sub_group_reduce_##op##_##T(T v);                                                                 \
  T __lw_sub_group_scan_inclusive_##op##_##T(T v);                                                         \
  T __lw_sub_group_scan_exclusive_##op##_##T(T v);                                                         \
  LW T intel_sub_group_reduce_##op(T x) { return __lw_sub_group_reduce_##op##_##T(x); }                    \
  LW T intel_sub_group_scan_inclusive_##op(T x) { return __lw_sub_group_scan_inclusive_##op##_##T(x); }    \
  LW T intel_sub_group_scan_exclusive_##op(T x) { return __lw_sub_group_scan_exclusive_##op##_##T(x); }
#define SMALL(T)                                                                                           \
  T __lw_sub_group_broadcast_##T(T v, uint i);                                                             \
  LW T intel_sub_group_broadcast(T x, uint i) { return __lw_sub_group_broadcast_##T(x, i); }               \
  COMBINE(T, add) COMBINE(T, min) COMBINE(T, max)
SMALL(short) SMALL(ushort) SMALL(char) SMALL(uchar)
