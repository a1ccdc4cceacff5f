// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes and ballots of sub-groups (OpenCL C 6.15.19, cl_khr_subgroup_non_uniform_vote, cl_khr_subgroup_ballot), and the
// logical reductions, which count bits of a ballot. At most 64 work-items: two of the four components are always 0.
#include "define.h"

long __lw_sub_group_ballot(int p);
uint __attribute__((overloadable)) get_sub_group_local_id(void);
uint __attribute__((overloadable)) get_max_sub_group_size(void);

LW_INLINE ulong ballot(int p) { return (ulong)__lw_sub_group_ballot(p); }
LW_INLINE ulong bit(void) { return 1UL << get_sub_group_local_id(); }
LW_INLINE ulong below(void) { return bit() - 1; }
LW_INLINE ulong up_to(void) { return below() | bit(); }
LW_INLINE ulong everyone(void) { return ~0UL >> (64 - get_max_sub_group_size()); }
LW_INLINE ulong low_half(uint4 v) { return (ulong)v.s1 << 32 | v.s0; }
LW_INLINE uint4 four(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }

LW int sub_group_all(int p) { return ballot(!p) == 0; }
LW int sub_group_any(int p) { return ballot(p) != 0; }
LW int sub_group_non_uniform_all(int p) { return ballot(!p) == 0; }
LW int sub_group_non_uniform_any(int p) { return ballot(p) != 0; }
LW int sub_group_elect(void) { return (ballot(1) & below()) == 0; }

LW uint4 sub_group_ballot(int p) { return four(ballot(p)); }
LW int sub_group_inverse_ballot(uint4 v) { return (low_half(v) & bit()) != 0; }
LW int sub_group_ballot_bit_extract(uint4 v, uint i) { return (int)(low_half(v) >> (i & 63) & 1); }
LW uint sub_group_ballot_bit_count(uint4 v) { return (uint)__builtin_popcountl(low_half(v) & everyone()); }
LW uint sub_group_ballot_inclusive_scan(uint4 v) { return (uint)__builtin_popcountl(low_half(v) & up_to()); }
LW uint sub_group_ballot_exclusive_scan(uint4 v) { return (uint)__builtin_popcountl(low_half(v) & below()); }
LW uint sub_group_ballot_find_lsb(uint4 v) {
  return (uint)__builtin_ctzl((low_half(v) & everyone()) | 1UL << 63);
}
LW uint sub_group_ballot_find_msb(uint4 v) { return 63 - (uint)__builtin_clzl((low_half(v) & everyone()) | 1); }
LW uint4 get_sub_group_eq_mask(void) { return four(bit()); }
LW uint4 get_sub_group_ge_mask(void) { return four(~below() & everyone()); }
LW uint4 get_sub_group_gt_mask(void) { return four(~up_to() & everyone()); }
LW uint4 get_sub_group_le_mask(void) { return four(up_to()); }
LW uint4 get_sub_group_lt_mask(void) { return four(below()); }

// Of the active work-items in `who`: all, some, an odd number.
LW_INLINE int logical_and(int p, ulong who) { return (ballot(!p) & who) == 0; }
LW_INLINE int logical_or(int p, ulong who) { return (ballot(p) & who) != 0; }
LW_INLINE int logical_xor(int p, ulong who) { return (int)(__builtin_popcountl(ballot(p) & who) & 1); }
LW_INLINE ulong cluster(uint size) {
  return (~0UL >> (64 - size)) << (get_sub_group_local_id() & ~(size - 1));
}
#define LOGICAL(op)                                                                                             \
  LW int sub_group_non_uniform_reduce_logical_##op(int p) { return logical_##op(p, ~0UL); }                     \
  LW int sub_group_non_uniform_scan_inclusive_logical_##op(int p) { return logical_##op(p, up_to()); }          \
  LW int sub_group_non_uniform_scan_exclusive_logical_##op(int p) { return logical_##op(p, below()); }          \
  LW int sub_group_clustered_reduce_logical_##op(int p, uint size) { return logical_##op(p, cluster(size)); }
LOGICAL(and) LOGICAL(or) LOGICAL(xor)
