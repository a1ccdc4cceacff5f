// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common functions (OpenCL C 6.15.4).
#include "define.h"

#define COMMON(T)                                                                      \
  LW T max(T x, T y) { return x < y ? y : x; }                                         \
  LW T min(T x, T y) { return y < x ? y : x; }                                         \
  LW T clamp(T x, T low, T high) {                                                     \
    return __builtin_elementwise_minnum(__builtin_elementwise_maxnum(x, low), high);   \
  }                                                                                    \
  LW T mix(T x, T y, T a) { return x + (y - x) * a; }                                  \
  LW T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                            \
  LW T smoothstep(T low, T high, T x) {                                                \
    const T t = clamp((x - low) / (high - low), (T)0, (T)1);                           \
    return t * t * ((T)3 - (T)2 * t);                                                  \
  }
LW_FLOATS(COMMON)

#define ANGLES(T, S)                                                                   \
  LW T degrees(T x) { return x * (T)(S)57.295779513082320876798; }                     \
  LW T radians(T x) { return x * (T)(S)0.017453292519943295769237; }
#define ANGLES_FLOAT(T) ANGLES(T, float)
#define ANGLES_DOUBLE(T) ANGLES(T, double)
LW_WIDTHS_1(ANGLES_FLOAT, float) LW_WIDTHS_1(ANGLES_DOUBLE, double)

// +-1 by sign, +-0 for zeros, +0 for NaN.
#define SIGN_SCALAR(T) \
  LW T sign(T x) { return x > (T)0 ? (T)1 : x < (T)0 ? (T)-1 : x == (T)0 ? x : (T)0; }
LW_FLOATS(SIGN_SCALAR)

#define WITH_SCALAR(S, T)                                                              \
  LW T max(T x, S y) { return max(x, (T)y); }                                          \
  LW T min(T x, S y) { return min(x, (T)y); }                                          \
  LW T clamp(T x, S low, S high) { return clamp(x, (T)low, (T)high); }                 \
  LW T mix(T x, T y, S a) { return mix(x, y, (T)a); }                                  \
  LW T step(S edge, T x) { return step((T)edge, x); }                                  \
  LW T smoothstep(S low, S high, T x) { return smoothstep((T)low, (T)high, x); }
#define SCALAR_WIDTHS(S) \
  WITH_SCALAR(S, S##2) WITH_SCALAR(S, S##3) WITH_SCALAR(S, S##4) WITH_SCALAR(S, S##8) WITH_SCALAR(S, S##16)
SCALAR_WIDTHS(float) SCALAR_WIDTHS(double)

// half is computed in float and rounded once; functions that only choose an operand need no arithmetic.
#define HALF_CHOICE(H, F, TO)                                                          \
  LW H max(H x, H y) { return x < y ? y : x; }                                         \
  LW H min(H x, H y) { return y < x ? y : x; }                                         \
  LW H clamp(H x, H low, H high) {                                                     \
    return TO(__builtin_elementwise_minnum(__builtin_elementwise_maxnum(TO(x, F), TO(low, F)), TO(high, F)), H); \
  }                                                                                    \
  LW H step(H edge, H x) { return x < edge ? (H)0 : (H)1; }                            \
  LW H sign(H x) { return x > (H)0 ? (H)1 : x < (H)0 ? (H)-1 : x == (H)0 ? x : (H)0; }
#define HALF_COMMON(H, F, TO)                                                          \
  LW H mix(H x, H y, H a) { return TO(TO(x, F) + (TO(y, F) - TO(x, F)) * TO(a, F), H); } \
  LW H smoothstep(H low, H high, H x) {                                                \
    return TO(smoothstep(TO(low, F), TO(high, F), TO(x, F)), H);                       \
  }                                                                                    \
  LW H degrees(H x) { return TO(degrees(TO(x, F)), H); }                               \
  LW H radians(H x) { return TO(radians(TO(x, F)), H); }
LW_HALVES(HALF_CHOICE) LW_HALVES(HALF_COMMON)
SCALAR_WIDTHS(half)
