// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomics (OpenCL C 6.15.12). The order is an ordinary argument here; in nearly every program it is a constant, and
// the other cases disappear when the function is inlined. Scopes do not matter on one coherent host. Parameters are
// pointers to volatile so that volatile objects are accepted; the operations themselves are not volatile accesses.
#include "define.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// F(parameters, order): the three forms of a function.
#define FORMS(R, NAME, PARAMETERS, BODY)                                      \
  LW R NAME(PARAMETERS) { const memory_order order = memory_order_seq_cst; BODY }      \
  LW R NAME##_explicit(PARAMETERS, memory_order order) { BODY }                        \
  LW R NAME##_explicit(PARAMETERS, memory_order order, memory_scope scope) { (void)scope; BODY }
#define LIST(...) __VA_ARGS__

// `B` is the integer of T's size: loads, stores and exchanges move bits.
#define LOAD_STORE(S, A, T, B)                                                         \
  LW void atomic_init(volatile S A* p, T v) { *(S T*)p = v; }                 \
  FORMS(T, atomic_load, volatile S A* p,                                               \
        return __builtin_astype(__atomic_load_n((S B*)p, order), T);)         \
  FORMS(void, atomic_store, LIST(volatile S A* p, T v),                                \
        __atomic_store_n((S B*)p, __builtin_astype(v, B), order);)            \
  FORMS(T, atomic_exchange, LIST(volatile S A* p, T v),                                \
        return __builtin_astype(__atomic_exchange_n((S B*)p, __builtin_astype(v, B), order), T);)

// `weak` may fail spuriously but need not, so it is `strong` here.
#define COMPARE(S, E, A, T, B, NAME)                                                   \
  LW bool NAME##_explicit(volatile S A* p, E T* expected, T desired, memory_order success, memory_order failure) { \
    B old = __builtin_astype(*expected, B);                                            \
    const bool r = __atomic_compare_exchange_n((S B*)p, &old, __builtin_astype(desired, B), false, success, \
                                               failure);                               \
    if (!r) *expected = __builtin_astype(old, T);                                      \
    return r;                                                                          \
  }                                                                                    \
  LW bool NAME##_explicit(volatile S A* p, E T* expected, T desired, memory_order success, memory_order failure, \
                          memory_scope scope) {                                        \
    (void)scope;                                                                       \
    return NAME##_explicit(p, expected, desired, success, failure);                    \
  }                                                                                    \
  LW bool NAME(volatile S A* p, E T* expected, T desired) {                            \
    return NAME##_explicit(p, expected, desired, memory_order_seq_cst, memory_order_seq_cst); \
  }
#define COMPARES(E, S, A, T, B)                                                        \
  COMPARE(S, E, A, T, B, atomic_compare_exchange_strong) COMPARE(S, E, A, T, B, atomic_compare_exchange_weak)

#define FETCH(S, A, T, V, OP)                                                          \
  FORMS(T, atomic_fetch_##OP, LIST(volatile S A* p, V v), return __atomic_fetch_##OP((S T*)p, (T)v, order);)
#define FETCHES(S, A, T)                                                               \
  FETCH(S, A, T, T, add) FETCH(S, A, T, T, sub) FETCH(S, A, T, T, min) FETCH(S, A, T, T, max) \
  FETCH(S, A, T, T, and) FETCH(S, A, T, T, or) FETCH(S, A, T, T, xor)

#define ANY_TYPE(S, A, T, B)                                                           \
  LOAD_STORE(S, A, T, B) COMPARES(__global, S, A, T, B) COMPARES(__local, S, A, T, B)  \
  COMPARES(__private, S, A, T, B) COMPARES(__generic, S, A, T, B)
#define INTEGER(S, A, T) ANY_TYPE(S, A, T, T) FETCHES(S, A, T)
#define FLOAT(S, A, T, B)                                                              \
  ANY_TYPE(S, A, T, B) FETCH(S, A, T, T, add) FETCH(S, A, T, T, sub) FETCH(S, A, T, T, min) FETCH(S, A, T, T, max)

// cl_ext_float_atomics: half has no compare-and-exchange. Clang declares its stores with a value of the atomic type, so
// they have names of their own (STORES_OF_HALF).
#define HALF(S)                                                                        \
  FORMS(half, atomic_load, volatile S atomic_half* p, return as_half(__atomic_load_n((S short*)p, order));) \
  FORMS(half, atomic_exchange, LIST(volatile S atomic_half* p, half v),                \
        return as_half(__atomic_exchange_n((S short*)p, as_short(v), order));)         \
  FETCH(S, atomic_half, half, half, add) FETCH(S, atomic_half, half, half, sub)        \
  FETCH(S, atomic_half, half, half, min) FETCH(S, atomic_half, half, half, max)
#define STORE_OF_HALF(S, NAME, PARAMETERS, LAST, ORDER)                                \
  LW void NAME(volatile S atomic_half* p, half v PARAMETERS) __asm(LAST);              \
  LW void NAME(volatile S atomic_half* p, half v PARAMETERS) { __atomic_store_n((S short*)p, as_short(v), ORDER); }
#define STORES_OF_HALF(S, N)                                                           \
  STORE_OF_HALF(S, atomic_store, , "_Z12atomic_storePU3AS" #N "VU7_AtomicDhS_", memory_order_seq_cst) \
  STORE_OF_HALF(S, atomic_store_explicit, LIST(, memory_order order),                  \
                "_Z21atomic_store_explicitPU3AS" #N "VU7_AtomicDhS_12memory_order", order) \
  STORE_OF_HALF(S, atomic_store_explicit, LIST(, memory_order order, memory_scope scope), \
                "_Z21atomic_store_explicitPU3AS" #N "VU7_AtomicDhS_12memory_order12memory_scope", order)

// uintptr_t and size_t are ulong, intptr_t and ptrdiff_t long; only the forms that mix them remain to be defined.
#define POINTER_SIZED(S)                                                               \
  FETCH(S, atomic_ulong, ulong, long, add) FETCH(S, atomic_ulong, ulong, long, sub)    \
  FETCH(S, atomic_ulong, ulong, long, or) FETCH(S, atomic_ulong, ulong, long, xor) FETCH(S, atomic_ulong, ulong, long, and) \
  FETCH(S, atomic_ulong, ulong, long, min) FETCH(S, atomic_ulong, ulong, long, max)    \
  FETCH(S, atomic_long, long, ulong, or) FETCH(S, atomic_long, long, ulong, xor) FETCH(S, atomic_long, long, ulong, and) \
  FETCH(S, atomic_long, long, ulong, min) FETCH(S, atomic_long, long, ulong, max)

#define FLAG(S)                                                                        \
  FORMS(bool, atomic_flag_test_and_set, volatile S atomic_flag* p,                     \
        return __atomic_exchange_n((S int*)p, 1, order) != 0;)              \
  FORMS(void, atomic_flag_clear, volatile S atomic_flag* p, __atomic_store_n((S int*)p, 0, order);)

#define SPACE(S)                                                                       \
  INTEGER(S, atomic_int, int) INTEGER(S, atomic_uint, uint) INTEGER(S, atomic_long, long) \
  INTEGER(S, atomic_ulong, ulong) FLOAT(S, atomic_float, float, int) FLOAT(S, atomic_double, double, long) \
  HALF(S) POINTER_SIZED(S) FLAG(S)
SPACE(__global) SPACE(__local) SPACE(__generic)
STORES_OF_HALF(__global, 1) STORES_OF_HALF(__local, 3) STORES_OF_HALF(__generic, 4)
