// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes (OpenCL C 6.15.17). Clang calls functions of its own, with the size and the alignment of a packet.
//
// A pipe is a ring of slots (runtime/memory/pipe.h has the layout), after D. Vyukov's bounded queue for many writers and
// readers. Packets are numbered by round and slot, and the word of a slot says what may be done with it: 2 * round if the
// packet of that round may be written there, one more if it may be read, and two more, which is the next round's first
// word, when it has been read. A reservation takes as many numbers as it has packets, in one exchange; its commit sets the
// words of its slots. Readers cannot get past a packet that is not committed, so they see reservations in their order,
// and no work-item ever waits for another.
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

LW size_t get_local_size(uint);
LW size_t get_local_linear_id(void);
LW uint get_sub_group_local_id(void);
LW uint get_sub_group_size(void);
LW CONVERGENT void barrier(cl_mem_fence_flags);
LW CONVERGENT void sub_group_barrier(cl_mem_fence_flags);
CONVERGENT ulong __lw_work_group_broadcast_ulong(ulong v, size_t i);
ulong __lw_sub_group_broadcast_ulong(ulong v, uint i);

// The number of a packet has its slot below and its round above. Words and reservations keep the low bits of the round.
#define SLOT_BITS 32
#define ROUND_MASK 0xffffffUL
#define NUMBER_BITS 56
#define NUMBER_MASK ((1UL << NUMBER_BITS) - 1)
#define WORD_MASK 0x1ffffffu
#define TO_WRITE 0u
#define TO_READ 1u

LW_INLINE state state_of(HANDLE p) { return (state)(ulong)p; }
LW_INLINE __global ulong* position(state s, uint step) { return step == TO_READ ? &s->read_at : &s->write_at; }
LW_INLINE __global uint* words_of(state s) { return (__global uint*)((__global char*)s + s->slots); }
// The packet `count` places further on: at most one round.
LW_INLINE ulong advanced(state s, ulong number, uint count) {
  const ulong slot = (ulong)(uint)number + count;
  return number + count + (slot >= s->max_packets ? (1UL << SLOT_BITS) - s->max_packets : 0);
}
LW_INLINE uint word_for(ulong number, uint step) { return (2 * (uint)(number >> SLOT_BITS) + step) & WORD_MASK; }
LW_INLINE __global char* bytes_of(state s, ulong number) {
  return (__global char*)s + s->packets + (ulong)(uint)number * s->packet_size;
}

// Takes up to `times` reservations of `count` packets each, one behind the other: as many as have all words of their
// slots ready for `step`. Returns their number in the bits above NUMBER_BITS, and the number of the first packet below.
// Work-items call it with `times` 1; those of a vector share one call (compiler/builtins/packets.h).
__attribute__((noinline)) ulong __lw_take_packets(state s, uint step, uint count, uint times) {
  __global ulong* const at = position(s, step);
  ulong seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  for (;;) {
    ulong next = seen;
    uint taken = 0;
    for (bool ready = true; ready && taken < times;) {
      ulong number = next;
      for (uint i = 0; ready && i < count; ++i, number = advanced(s, number, 1))
        ready = __atomic_load_n(words_of(s) + (uint)number, __ATOMIC_ACQUIRE) == word_for(number, step);
      if (ready) {
        next = number;
        ++taken;
      }
    }
    if (taken == 0) {
      const ulong now = __atomic_load_n(at, __ATOMIC_RELAXED);
      if (now == seen) return 0;
      seen = now;
    } else if (__atomic_compare_exchange_n(at, &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return (ulong)taken << NUMBER_BITS | (seen & NUMBER_MASK);
    }
  }
}

// The number of the first of `count` packets; false if the pipe has no room for them, or does not have them.
LW_INLINE bool take(state s, uint step, uint count, __private ulong* first) {
  const ulong taken = __lw_take_packets(s, step, count, 1);
  // A vector adds up the packets of the lanes before, and leaves the end of a round to us.
  *first = advanced(s, taken & NUMBER_MASK, 0);
  return taken >> NUMBER_BITS != 0;
}

// Gives packet `number` to the other side: written packets to readers, read ones to the writers of the next round.
LW_INLINE void hand_on(state s, ulong number, uint step) {
  __atomic_store_n(words_of(s) + (uint)number, word_for(number, step + 1), __ATOMIC_RELEASE);
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
  ulong number;
  if (!take(s, TO_READ, 1, &number)) return -1;
  copy_out(data, bytes_of(s, number), size, align);
  hand_on(s, number, TO_READ);
  return 0;
}
int __write_pipe_2(HANDLE p, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  ulong number;
  if (!take(s, TO_WRITE, 1, &number)) return -1;
  copy_in(bytes_of(s, number), data, size, align);
  hand_on(s, number, TO_WRITE);
  return 0;
}

// A reservation: the number of packets in the upper bits, then some bits of the round, and the slot of the first packet
// below. No reservation is zero.
#define COUNT_SHIFT 40

LW_INLINE ulong reserve(HANDLE p, uint step, uint count) {
  const state s = state_of(p);
  ulong first;
  if (count == 0 || count >> 24 != 0 || count > s->max_packets || !take(s, step, count, &first)) return 0;
  return (ulong)count << COUNT_SHIFT | (first & ((1UL << COUNT_SHIFT) - 1));
}
LW_INLINE uint count_of(HANDLE r) { return (uint)((ulong)r >> COUNT_SHIFT); }
// The number of the first packet: it is at most one round behind the pipe's position, which gives the upper bits.
LW_INLINE ulong first_of(state s, HANDLE r, uint step) {
  const ulong round = __atomic_load_n(position(s, step), __ATOMIC_RELAXED) >> SLOT_BITS;
  const ulong behind = (round - ((ulong)r >> SLOT_BITS)) & 0xff;
  return (round - behind) << SLOT_BITS | (uint)(ulong)r;
}
// Every packet whose index is `item` modulo `items`.
LW_INLINE void commit(HANDLE p, HANDLE r, uint step, uint item, uint items) {
  const state s = state_of(p);
  const ulong first = first_of(s, r, step);
  for (uint i = item; i < count_of(r); i += items) hand_on(s, advanced(s, first, i), step);
}

HANDLE __reserve_read_pipe(HANDLE p, uint count, uint size, uint align) { return (HANDLE)reserve(p, TO_READ, count); }
HANDLE __reserve_write_pipe(HANDLE p, uint count, uint size, uint align) { return (HANDLE)reserve(p, TO_WRITE, count); }
void __commit_read_pipe(HANDLE p, HANDLE r, uint size, uint align) { commit(p, r, TO_READ, 0, 1); }
void __commit_write_pipe(HANDLE p, HANDLE r, uint size, uint align) { commit(p, r, TO_WRITE, 0, 1); }

int __read_pipe_4(HANDLE p, HANDLE r, uint index, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  if (index >= count_of(r)) return -1;
  copy_out(data, bytes_of(s, advanced(s, first_of(s, r, TO_READ), index)), size, align);
  return 0;
}
int __write_pipe_4(HANDLE p, HANDLE r, uint index, __generic void* data, uint size, uint align) {
  const state s = state_of(p);
  if (index >= count_of(r)) return -1;
  copy_in(bytes_of(s, advanced(s, first_of(s, r, TO_WRITE), index)), data, size, align);
  return 0;
}

// One work-item reserves for its whole group. When all have finished with the packets, each commits its share of them.
#define OF_GROUP(WHICH, DIRECTION, STEP, ITEM, SIZE, BARRIER, BROADCAST)                                   \
  CONVERGENT HANDLE __##WHICH##_reserve_##DIRECTION##_pipe(HANDLE p, uint count, uint size, uint align) { \
    ulong r = 0;                                                                                         \
    if (ITEM == 0) r = reserve(p, STEP, count);                                                          \
    return (HANDLE)BROADCAST(r, 0);                                                                      \
  }                                                                                                      \
  CONVERGENT void __##WHICH##_commit_##DIRECTION##_pipe(HANDLE p, HANDLE r, uint size, uint align) {      \
    BARRIER(CLK_GLOBAL_MEM_FENCE);                                                                       \
    commit(p, r, STEP, ITEM, SIZE);                                                                      \
  }
#define SIZE_OF_WORK_GROUP ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define OF_WORK_GROUP(DIRECTION, STEP)                                                            \
  OF_GROUP(work_group, DIRECTION, STEP, (uint)get_local_linear_id(), SIZE_OF_WORK_GROUP, barrier, \
           __lw_work_group_broadcast_ulong)
#define OF_SUB_GROUP(DIRECTION, STEP)                                                                    \
  OF_GROUP(sub_group, DIRECTION, STEP, get_sub_group_local_id(), get_sub_group_size(), sub_group_barrier, \
           __lw_sub_group_broadcast_ulong)
OF_WORK_GROUP(read, TO_READ)
OF_WORK_GROUP(write, TO_WRITE)
OF_SUB_GROUP(read, TO_READ)
OF_SUB_GROUP(write, TO_WRITE)

LW_INLINE uint packets_in(HANDLE p) {
  const state s = state_of(p);
  const ulong read = __atomic_load_n(&s->read_at, __ATOMIC_RELAXED);
  const ulong written = __atomic_load_n(&s->write_at, __ATOMIC_RELAXED);
  const ulong rounds = (written >> SLOT_BITS) - (read >> SLOT_BITS);
  return (long)(written - read) > 0 ? (uint)(rounds * s->max_packets + (uint)written - (uint)read) : 0;
}
uint __get_pipe_num_packets_ro(HANDLE p, uint size, uint align) { return packets_in(p); }
uint __get_pipe_num_packets_wo(HANDLE p, uint size, uint align) { return packets_in(p); }
uint __get_pipe_max_packets_ro(HANDLE p, uint size, uint align) { return state_of(p)->max_packets; }
uint __get_pipe_max_packets_wo(HANDLE p, uint size, uint align) { return state_of(p)->max_packets; }

bool is_valid(HANDLE r) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
bool is_valid(HANDLE r) { return r != 0; }
// CLK_NULL_RESERVE_ID (compiler/frontend/device_queues.clh).
HANDLE null_reserve_id(void) __asm__("_Z20__lw_null_reserve_idv");
HANDLE null_reserve_id(void) { return 0; }
