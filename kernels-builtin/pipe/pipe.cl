// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes (OpenCL C 6.15.17). Clang calls functions of its own, with the size and the alignment of a packet.
//
// A pipe is a ring of slots (runtime/memory/pipe.h has the layout), after D. Vyukov's bounded queue for many writers and
// readers: packets are numbered, and the word of a slot says what may be done with it. It is n when packet n may be
// written there, n + 1 when that may be read, and n + slots when it has been read. A reservation takes as many numbers
// as it has packets, in one exchange; its commit sets the words of its slots. Readers cannot get past a packet that is
// not committed, so they see reservations in their order, and no work-item ever waits for another.
//
// Clang passes pipes and reservations as pointers, which are declared here as pointers to private memory.
#include "define.h"

#define CONVERGENT __attribute__((convergent))
#define HANDLE __private void*

typedef struct {
  uint max_packets;
  uint packet_size;
  ulong slots;    // distance in bytes from here to the words of the slots,
  ulong packets;  // and to the packets
  ulong unused[13];
  ulong write_at;  // the number of the packet that is written next
  ulong unused_too[15];
  ulong read_at;
} pipe_state;

typedef __global pipe_state* state;

LW size_t get_local_id(uint);
LW uint get_sub_group_local_id(void);
LW CONVERGENT void barrier(cl_mem_fence_flags);
LW CONVERGENT void sub_group_barrier(cl_mem_fence_flags);
CONVERGENT ulong __lw_work_group_broadcast_ulong(ulong v, size_t i);
ulong __lw_sub_group_broadcast_ulong(ulong v, uint i);

LW_INLINE state state_of(HANDLE p) { return (state)(ulong)p; }
LW_INLINE __global ulong* word_of(state s, ulong packet) {
  return (__global ulong*)((__global char*)s + s->slots) + packet % s->max_packets;
}
LW_INLINE __global char* bytes_of(state s, ulong packet) {
  return (__global char*)s + s->packets + packet % s->max_packets * s->packet_size;
}
LW_INLINE bool is_free(state s, ulong packet, ulong step) {
  return __atomic_load_n(word_of(s, packet), __ATOMIC_ACQUIRE) == packet + step;
}

// Takes `count` packet numbers from `at` on. The word of each slot must be its packet's number plus `step`; false if
// one is not.
LW_INLINE bool take(state s, __global ulong* at, uint count, ulong step, __private ulong* first) {
  ulong seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  for (;;) {
    bool all = count != 0 && count <= s->max_packets;
    for (uint i = 0; all && i < count; ++i) all = is_free(s, seen + i, step);
    if (all && __atomic_compare_exchange_n(at, &seen, seen + count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
    if (all) continue;
    const ulong now = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (now == seen) return false;
    seen = now;
  }
  *first = seen;
  return true;
}

LW_INLINE void hand_on(state s, ulong first, uint count, ulong word) {
  for (uint i = 0; i < count; ++i) __atomic_store_n(word_of(s, first + i), first + i + word, __ATOMIC_RELEASE);
}

// Sizes and alignments are constants where these are inlined.
#define COPY(T)                                                                       \
  if (align % sizeof(T) == 0 && size % sizeof(T) == 0) {                              \
    for (uint i = 0; i < size / sizeof(T); ++i) ((TO T*)to)[i] = ((FROM const T*)from)[i]; \
    return;                                                                           \
  }
#define TO __generic
#define FROM __global
LW_INLINE void copy_out(__generic void* to, __global const void* from, uint size, uint align) {
  COPY(ulong) COPY(uint) COPY(ushort) COPY(uchar)
}
#undef TO
#undef FROM
#define TO __global
#define FROM __generic
LW_INLINE void copy_in(__global void* to, __generic const void* from, uint size, uint align) {
  COPY(ulong) COPY(uint) COPY(ushort) COPY(uchar)
}

int __read_pipe_2(HANDLE p, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  ulong at;
  if (!take(s, &s->read_at, 1, 1, &at)) return -1;
  copy_out(data, bytes_of(s, at), size, align);
  hand_on(s, at, 1, s->max_packets);
  return 0;
}
int __write_pipe_2(HANDLE p, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  ulong at;
  if (!take(s, &s->write_at, 1, 0, &at)) return -1;
  copy_in(bytes_of(s, at), data, size, align);
  hand_on(s, at, 1, 1);
  return 0;
}

// A reservation: the number of packets in the upper bits, and the low bits of the first packet's number below. No
// reservation is zero.
#define COUNT_SHIFT 40
#define FIRST_MASK ((1UL << COUNT_SHIFT) - 1)

LW_INLINE ulong reserve(HANDLE p, bool write, uint count) {
  const state s = state_of(p);
  ulong first;
  if (count >> 24 != 0 || !take(s, write ? &s->write_at : &s->read_at, count, write ? 0 : 1, &first)) return 0;
  return (ulong)count << COUNT_SHIFT | (first & FIRST_MASK);
}
LW_INLINE uint count_of(HANDLE r) { return (uint)((ulong)r >> COUNT_SHIFT); }
// The number of the first packet: it is not far behind `at`, which gives the upper bits.
LW_INLINE ulong first_of(HANDLE r, __global ulong* at) {
  const ulong now = __atomic_load_n(at, __ATOMIC_RELAXED);
  return now - ((now - (ulong)r) & FIRST_MASK);
}
LW_INLINE void commit(HANDLE p, HANDLE r, bool write) {
  const state s = state_of(p);
  hand_on(s, first_of(r, write ? &s->write_at : &s->read_at), count_of(r), write ? 1 : s->max_packets);
}

HANDLE __reserve_read_pipe(HANDLE p, uint count, uint size, uint align) { return (HANDLE)reserve(p, false, count); }
HANDLE __reserve_write_pipe(HANDLE p, uint count, uint size, uint align) { return (HANDLE)reserve(p, true, count); }
void __commit_read_pipe(HANDLE p, HANDLE r, uint size, uint align) { commit(p, r, false); }
void __commit_write_pipe(HANDLE p, HANDLE r, uint size, uint align) { commit(p, r, true); }

int __read_pipe_4(HANDLE p, HANDLE r, uint index, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  if (index >= count_of(r)) return -1;
  copy_out(data, bytes_of(s, first_of(r, &s->read_at) + index), size, align);
  return 0;
}
int __write_pipe_4(HANDLE p, HANDLE r, uint index, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  if (index >= count_of(r)) return -1;
  copy_in(bytes_of(s, first_of(r, &s->write_at) + index), data, size, align);
  return 0;
}

// One work-item reserves and commits for its whole group, and commits when all have finished with the packets.
#define OF_GROUP(WHICH, DIRECTION, WRITE, IS_FIRST, BARRIER, BROADCAST)                                        \
  CONVERGENT HANDLE __##WHICH##_reserve_##DIRECTION##_pipe(HANDLE p, uint count, uint size, uint align) {       \
    ulong r = 0;                                                                                               \
    if (IS_FIRST) r = reserve(p, WRITE, count);                                                                \
    return (HANDLE)BROADCAST(r, 0);                                                                            \
  }                                                                                                            \
  CONVERGENT void __##WHICH##_commit_##DIRECTION##_pipe(HANDLE p, HANDLE r, uint size, uint align) {            \
    BARRIER(CLK_GLOBAL_MEM_FENCE);                                                                             \
    if (IS_FIRST) commit(p, r, WRITE);                                                                         \
  }
#define FIRST_OF_WORK_GROUP (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
#define FIRST_OF_SUB_GROUP (get_sub_group_local_id() == 0)
OF_GROUP(work_group, read, false, FIRST_OF_WORK_GROUP, barrier, __lw_work_group_broadcast_ulong)
OF_GROUP(work_group, write, true, FIRST_OF_WORK_GROUP, barrier, __lw_work_group_broadcast_ulong)
OF_GROUP(sub_group, read, false, FIRST_OF_SUB_GROUP, sub_group_barrier, __lw_sub_group_broadcast_ulong)
OF_GROUP(sub_group, write, true, FIRST_OF_SUB_GROUP, sub_group_barrier, __lw_sub_group_broadcast_ulong)

LW_INLINE uint packets_in(HANDLE p) {
  const state s = state_of(p);
  const ulong read = __atomic_load_n(&s->read_at, __ATOMIC_RELAXED);
  const ulong written = __atomic_load_n(&s->write_at, __ATOMIC_RELAXED);
  return written > read ? (uint)(written - read) : 0;
}
uint __get_pipe_num_packets_ro(HANDLE p, uint size, uint align) { return packets_in(p); }
uint __get_pipe_num_packets_wo(HANDLE p, uint size, uint align) { return packets_in(p); }
uint __get_pipe_max_packets_ro(HANDLE p, uint size, uint align) { return state_of(p)->max_packets; }
uint __get_pipe_max_packets_wo(HANDLE p, uint size, uint align) { return state_of(p)->max_packets; }

bool is_valid(HANDLE r) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
bool is_valid(HANDLE r) { return r != 0; }
