// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometric functions (OpenCL C 6.15.5).
//
// float is computed in double: squares and sums of floats neither overflow nor underflow there, and only the last
// rounding matters. half is computed in float for the same reason. double is scaled by a power of two that is derived
// from the largest component.
#include "define.h"

LW float sqrt(float);
LW double sqrt(double);
LW double ldexp(double, int);
LW int ilogb(double);

#define SUM_1(x, y) ((x) * (y))
#define SUM_2(x, y) ((x).s0 * (y).s0 + (x).s1 * (y).s1)
#define SUM_3(x, y) ((x).s0 * (y).s0 + (x).s1 * (y).s1 + (x).s2 * (y).s2)
#define SUM_4(x, y) ((x).s0 * (y).s0 + (x).s1 * (y).s1 + (x).s2 * (y).s2 + (x).s3 * (y).s3)
#define MAX_1(x) (x)
#define MAX_2(x) __builtin_elementwise_maxnum((x).s0, (x).s1)
#define MAX_3(x) __builtin_elementwise_maxnum(MAX_2(x), (x).s2)
#define MAX_4(x) __builtin_elementwise_maxnum(MAX_2(x), __builtin_elementwise_maxnum((x).s2, (x).s3))
#define ANY_1(x) (x)
#define ANY_2(x) (((x).s0 | (x).s1) != 0)
#define ANY_3(x) (((x).s0 | (x).s1 | (x).s2) != 0)
#define ANY_4(x) (((x).s0 | (x).s1 | (x).s2 | (x).s3) != 0)

// 1 for infinities, 0 for finite numbers, with their signs: the direction of a vector with infinite components.
#define DIRECTION(T, x) __builtin_elementwise_copysign(__builtin_elementwise_abs(x) == (T)INFINITY ? (T)1 : (T)0, x)

#define FLOAT(N, T, D, TO)                                                             \
  LW float dot(T x, T y) { return SUM_##N(x, y); }                                     \
  LW float length(T x) {                                                               \
    const D d = TO(x, D);                                                              \
    return (float)sqrt(SUM_##N(d, d));                                                 \
  }                                                                                    \
  LW float distance(T x, T y) {                                                        \
    const D d = TO(x, D) - TO(y, D);                                                   \
    return (float)sqrt(SUM_##N(d, d));                                                 \
  }                                                                                    \
  LW T normalize(T x) {                                                                \
    D d = TO(x, D);                                                                    \
    double square = SUM_##N(d, d);                                                     \
    if (square == INFINITY) {                                                          \
      d = DIRECTION(D, d);                                                             \
      square = SUM_##N(d, d);                                                          \
    }                                                                                  \
    return square == 0 ? x : TO(d * (D)(1.0 / sqrt(square)), T);                       \
  }                                                                                    \
  LW float fast_length(T x) { return length(x); }                                      \
  LW float fast_distance(T x, T y) { return distance(x, y); }                          \
  LW T fast_normalize(T x) { return normalize(x); }
FLOAT(1, float, double, LW_CAST) FLOAT(2, float2, double2, LW_CONVERT)
FLOAT(3, float3, double3, LW_CONVERT) FLOAT(4, float4, double4, LW_CONVERT)

#define DOUBLE(N, T, I)                                                                \
  LW double dot(T x, T y) { return SUM_##N(x, y); }                                    \
  LW double length(T x) {                                                              \
    const T magnitude = __builtin_elementwise_abs(x);                                  \
    const double largest = MAX_##N(magnitude);                                         \
    if (largest == INFINITY) return INFINITY;                                          \
    if (!(largest > 0)) return SUM_##N(x, x);                                          \
    const int e = ilogb(largest);                                                      \
    /* Two factors, because 2^-e itself may be out of range. */                        \
    const T scaled = x * (T)ldexp(1.0, -e / 2) * (T)ldexp(1.0, -e - -e / 2);           \
    return ldexp(sqrt(SUM_##N(scaled, scaled)), e);                                    \
  }                                                                                    \
  LW double distance(T x, T y) { return length(x - y); }                               \
  LW T normalize(T x) {                                                                \
    T magnitude = __builtin_elementwise_abs(x);                                        \
    const double largest = MAX_##N(magnitude);                                         \
    if (!(largest > 0)) return x;                                                      \
    if (largest == INFINITY && !ANY_##N(x != x)) x = DIRECTION(T, x);                  \
    const int e = largest == INFINITY ? 0 : ilogb(largest);                            \
    const T scaled = x * (T)ldexp(1.0, -e / 2) * (T)ldexp(1.0, -e - -e / 2);           \
    return scaled / (T)sqrt(SUM_##N(scaled, scaled));                                  \
  }
DOUBLE(1, double, int) DOUBLE(2, double2, long2) DOUBLE(3, double3, long3) DOUBLE(4, double4, long4)

#define CROSS(T)                                                                       \
  LW T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }              \
  LW T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), 0); }
CROSS(float) CROSS(double)

// Sums of products of halves neither overflow nor underflow in float.
#define HALF(N, T, F, TO)                                                              \
  LW half dot(T x, T y) {                                                              \
    const F a = TO(x, F), b = TO(y, F);                                                \
    return (half)(SUM_##N(a, b));                                                      \
  }                                                                                    \
  LW half length(T x) {                                                                \
    const F a = TO(x, F);                                                              \
    return (half)__builtin_elementwise_sqrt(SUM_##N(a, a));                            \
  }                                                                                    \
  LW half distance(T x, T y) {                                                         \
    const F d = TO(x, F) - TO(y, F);                                                   \
    return (half)__builtin_elementwise_sqrt(SUM_##N(d, d));                            \
  }                                                                                    \
  LW T normalize(T x) {                                                                \
    const F finite = TO(x, F);                                                         \
    const F a = SUM_##N(finite, finite) == INFINITY ? DIRECTION(F, finite) : finite;   \
    const float square = SUM_##N(a, a);                                                \
    return square == 0 ? x : TO(a * (F)(1.0f / __builtin_elementwise_sqrt(square)), T); \
  }
HALF(1, half, float, LW_CAST) HALF(2, half2, float2, LW_CONVERT)
HALF(3, half3, float3, LW_CONVERT) HALF(4, half4, float4, LW_CONVERT)

LW half3 cross(half3 a, half3 b) {
  return __builtin_convertvector(cross(__builtin_convertvector(a, float3), __builtin_convertvector(b, float3)), half3);
}
LW half4 cross(half4 a, half4 b) { return (half4)(cross(a.xyz, b.xyz), 0); }
