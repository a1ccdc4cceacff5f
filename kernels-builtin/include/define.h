// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included by every source of the built-in library: macros for all types, widths and address spaces.
//
// Sources are compiled once, for spir64, without any target feature; the shard tool (tools/) makes the ISA levels.
// Names that begin with __lw_ are ours and cannot collide with a program. Some names have a meaning for the tool:
//   __lw_step_x     is inlined into the library's functions that call it, and does not exist otherwise
//   __lw_relaxed_x  replaces x under -cl-unsafe-math-optimizations (compiler/builtins/other_forms.h)
//   __lw_first_x    replaces x in code of the first tier (the same file)
//   __lw_op_x       a machine operation (compiler/builtins/machine_operations.h): those of x86-64-v4 in _v4 forms only
//   __lw_x_v3, _v4  replaces __lw_x at that level (x86-64-v3, v4) and above; _v4 takes precedence
//   __lw_x_arm      replaces __lw_x on AArch64
// The tool also gives float-to-integer casts out of range a fixed value.
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define LW __attribute__((overloadable))
// A machine operation.
#define LW_OPERATION __attribute__((const))
// A helper that other shards call; its name must not be mangled or made internal.
#define LW_HELPER
// A helper that is inlined into all callers.
#define LW_INLINE static inline __attribute__((always_inline))

// F(T), F(T2), ... for 1, 2 and 3 types of the same width.
#define LW_VECTORS_1(F, T) F(T##2) F(T##3) F(T##4) F(T##8) F(T##16)
#define LW_VECTORS_2(F, T, U) F(T##2, U##2) F(T##3, U##3) F(T##4, U##4) F(T##8, U##8) F(T##16, U##16)
#define LW_VECTORS_3(F, T, U, V) \
  F(T##2, U##2, V##2) F(T##3, U##3, V##3) F(T##4, U##4, V##4) F(T##8, U##8, V##8) F(T##16, U##16, V##16)
#define LW_WIDTHS_1(F, T) F(T) LW_VECTORS_1(F, T)
#define LW_WIDTHS_2(F, T, U) F(T, U) LW_VECTORS_2(F, T, U)
#define LW_WIDTHS_3(F, T, U, V) F(T, U, V) LW_VECTORS_3(F, T, U, V)

// F(T): all widths of the integer types.
#define LW_SIGNED(F) LW_WIDTHS_1(F, char) LW_WIDTHS_1(F, short) LW_WIDTHS_1(F, int) LW_WIDTHS_1(F, long)
#define LW_UNSIGNED(F) LW_WIDTHS_1(F, uchar) LW_WIDTHS_1(F, ushort) LW_WIDTHS_1(F, uint) LW_WIDTHS_1(F, ulong)
#define LW_INTEGERS(F) LW_SIGNED(F) LW_UNSIGNED(F)
// F(T, U): with U the unsigned type of the same size.
#define LW_SIGNED_2(F) \
  LW_WIDTHS_2(F, char, uchar) LW_WIDTHS_2(F, short, ushort) LW_WIDTHS_2(F, int, uint) LW_WIDTHS_2(F, long, ulong)
#define LW_UNSIGNED_2(F) \
  LW_WIDTHS_2(F, uchar, uchar) LW_WIDTHS_2(F, ushort, ushort) LW_WIDTHS_2(F, uint, uint) LW_WIDTHS_2(F, ulong, ulong)
#define LW_INTEGERS_2(F) LW_SIGNED_2(F) LW_UNSIGNED_2(F)
#define LW_FLOATS(F) LW_WIDTHS_1(F, float) LW_WIDTHS_1(F, double)

// F(S) for every scalar type that has vectors.
#define LW_SCALARS(F) \
  F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong) F(half) F(float) F(double)

// F(H, F, TO): all widths of half and of float, in which nearly everything is computed; TO(x, T) converts.
#define LW_CAST(x, T) ((T)(x))
#define LW_CONVERT(x, T) __builtin_convertvector(x, T)
#define LW_HALVES(F)                                                                                  \
  F(half, float, LW_CAST) F(half2, float2, LW_CONVERT) F(half3, float3, LW_CONVERT)                   \
  F(half4, float4, LW_CONVERT) F(half8, float8, LW_CONVERT) F(half16, float16, LW_CONVERT)

// The address spaces for which a function with pointers is overloaded.
#define LW_SPACES(F, ...) \
  F(__private, __VA_ARGS__) F(__global, __VA_ARGS__) F(__local, __VA_ARGS__) F(__generic, __VA_ARGS__)
#define LW_READ_SPACES(F, ...) LW_SPACES(F, __VA_ARGS__) F(__constant, __VA_ARGS__)

// Vector forms of a scalar function, component by component. The scalar form is defined in another translation unit, so
// that 16 copies of it are never inlined here: whether to inline is decided when the kernel is optimised.
#define LW_MAP_1(name, R, A)                                                                \
  LW R name(A);                                                                             \
  LW R##2 name(A##2 x) { return (R##2)(name(x.s0), name(x.s1)); }                           \
  LW R##3 name(A##3 x) { return (R##3)(name(x.s0), name(x.s1), name(x.s2)); }               \
  LW R##4 name(A##4 x) { return (R##4)(name(x.lo), name(x.hi)); }                           \
  LW R##8 name(A##8 x) { return (R##8)(name(x.lo), name(x.hi)); }                           \
  LW R##16 name(A##16 x) { return (R##16)(name(x.lo), name(x.hi)); }
#define LW_MAP_2(name, R, A, B)                                                             \
  LW R name(A, B);                                                                          \
  LW R##2 name(A##2 x, B##2 y) { return (R##2)(name(x.s0, y.s0), name(x.s1, y.s1)); }       \
  LW R##3 name(A##3 x, B##3 y) { return (R##3)(name(x.s0, y.s0), name(x.s1, y.s1), name(x.s2, y.s2)); } \
  LW R##4 name(A##4 x, B##4 y) { return (R##4)(name(x.lo, y.lo), name(x.hi, y.hi)); }       \
  LW R##8 name(A##8 x, B##8 y) { return (R##8)(name(x.lo, y.lo), name(x.hi, y.hi)); }       \
  LW R##16 name(A##16 x, B##16 y) { return (R##16)(name(x.lo, y.lo), name(x.hi, y.hi)); }
// A second result through a pointer: `name(x, &p)`. The scalar form takes a private pointer.
#define LW_MAP_1P_HALVES(name, S, R, A, P, W, H)                                            \
  LW R##W name(A##W x, S P##W* p) {                                                         \
    P##H low, high;                                                                         \
    const R##W r = (R##W)(name(x.lo, &low), name(x.hi, &high));                             \
    *p = (P##W)(low, high);                                                                 \
    return r;                                                                               \
  }
#define LW_MAP_1P(S, name, R, A, P)                                                         \
  LW_MAP_1P_HALVES(name, S, R, A, P, 2, )                                                   \
  LW R##3 name(A##3 x, S P##3* p) {                                                         \
    P a, b, c;                                                                              \
    const R##3 r = (R##3)(name(x.s0, &a), name(x.s1, &b), name(x.s2, &c));                  \
    *p = (P##3)(a, b, c);                                                                   \
    return r;                                                                               \
  }                                                                                         \
  LW_MAP_1P_HALVES(name, S, R, A, P, 4, 2)                                                  \
  LW_MAP_1P_HALVES(name, S, R, A, P, 8, 4)                                                  \
  LW_MAP_1P_HALVES(name, S, R, A, P, 16, 8)
#define LW_MAP_2P_HALVES(name, S, R, A, B, P, W, H)                                         \
  LW R##W name(A##W x, B##W y, S P##W* p) {                                                 \
    P##H low, high;                                                                         \
    const R##W r = (R##W)(name(x.lo, y.lo, &low), name(x.hi, y.hi, &high));                 \
    *p = (P##W)(low, high);                                                                 \
    return r;                                                                               \
  }
#define LW_MAP_2P(S, name, R, A, B, P)                                                      \
  LW_MAP_2P_HALVES(name, S, R, A, B, P, 2, )                                                \
  LW R##3 name(A##3 x, B##3 y, S P##3* p) {                                                 \
    P a, b, c;                                                                              \
    const R##3 r = (R##3)(name(x.s0, y.s0, &a), name(x.s1, y.s1, &b), name(x.s2, y.s2, &c)); \
    *p = (P##3)(a, b, c);                                                                   \
    return r;                                                                               \
  }                                                                                         \
  LW_MAP_2P_HALVES(name, S, R, A, B, P, 4, 2)                                               \
  LW_MAP_2P_HALVES(name, S, R, A, B, P, 8, 4)                                               \
  LW_MAP_2P_HALVES(name, S, R, A, B, P, 16, 8)
