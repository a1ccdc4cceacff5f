// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native_*: a few bits less, no subnormals, arguments of sine and cosine up to about 2^17; functions without rare cases
// are the accurate ones. half_*: relaxed forms where these are shorter and right for subnormal numbers, zeros,
// infinities and NaN too, or the processor's estimates; else the accurate functions.
#include "float_math.h"

LW float __lw_relaxed_log(float);
LW float __lw_relaxed_tan(float);
LW float __lw_relaxed_log2(float);
LW float __lw_relaxed_log10(float);
LW float __lw_relaxed_powr(float, float);

LW float native_exp2(float x) { return __lw_step_native_exp2(x); }
LW float native_exp(float x) { return native_exp2(x * 0x1.715476p+0f); }
LW float native_exp10(float x) { return native_exp2(x * 0x1.a934f0p+1f); }

LW float native_log2(float x) { return __lw_relaxed_log2(x); }
LW float native_log(float x) { return __lw_relaxed_log(x); }
LW float native_log10(float x) { return __lw_relaxed_log10(x); }
LW float native_powr(float x, float y) { return native_exp2(y * __lw_step_short_log2(x)); }

LW float native_rsqrt(float x) { return __lw_step_native_rsqrt(x); }

// The factor of a Newton step from the estimate; at zero and infinity, where the step is NaN, it is a positive number.
LW_INLINE float newton_factor(float x, float r) {
  const float t = FMA(-x, r, 2.0f);
  return t > 0.5f ? t : 0.5f;
}
LW float native_recip(float x) {
  const float r = __lw_step_reciprocal(x);
  return r * newton_factor(x, r);
}
LW float native_divide(float x, float y) { return x * native_recip(y); }

// x = quarter x pi/2 + the result.
LW_INLINE float reduced(float x, __private int* quarter) {
  const float t = MAD(x, 0x1.45f306p-1f, LW_ROUNDER);
  const float k = t - LW_ROUNDER;
  *quarter = LW_BITS(t);
  return __lw_step_minus_quarters(x, k);
}
LW_INLINE float sine(float r) {
  const float z = r * r;
  const float p = MAD(MAD(-0x1.99122ap-13f, z, 0x1.1106b4p-7f), z, -0x1.555544p-3f);
  return MAD(r * z, p, r);
}
LW_INLINE float cosine(float r) {
  const float z = r * r;
  const float p = MAD(MAD(0x1.99d83ap-16f, z, -0x1.6c0c08p-10f), z, 0x1.55554ap-5f);
  return MAD(z * z, p, MAD(z, -0.5f, 1.0f));
}
LW float native_sin(float x) {
  int q;
  const float r = reduced(x, &q);
  const float y = lw_bounded(q & 1 ? cosine(r) : sine(r), -1.0f, 1.0f);
  return LW_FLOAT(LW_BITS(y) ^ ((q & 2) << 30));
}
LW float native_cos(float x) {
  int q;
  const float r = reduced(x, &q);
  const float y = lw_bounded(q & 1 ? sine(r) : cosine(r), -1.0f, 1.0f);
  return LW_FLOAT(LW_BITS(y) ^ (((q + 1) & 2) << 30));
}
// tan(r + pi/2) = -1 / tan(r).
LW float native_tan(float x) {
  int q;
  const float r = reduced(x, &q), z = r * r;
  const float p = POLYNOMIAL(z, 0x1.4adcd6p-6f, 0x1.a6346cp-7f, 0x1.d28ad8p-5f, 0x1.1035d4p-3f, 0x1.555a3cp-2f);
  const float y = MAD(r * z, p, r);
  return q & 1 ? -native_recip(y) : y;
}

LW float half_log2(float x) { return __lw_relaxed_log2(x); }
LW float half_log(float x) { return __lw_relaxed_log(x); }
LW float half_log10(float x) { return __lw_relaxed_log10(x); }
LW float half_powr(float x, float y) { return __lw_relaxed_powr(x, y); }
LW float half_tan(float x) { return __lw_relaxed_tan(x); }

LW float __lw_relaxed_exp2(float x) { return __lw_step_short_exp2(x); }
LW float __lw_relaxed_exp(float x) { return __lw_step_short_exp2(x * 0x1.715476p+0f); }
LW float __lw_relaxed_exp10(float x) { return __lw_step_short_exp2(x * 0x1.a934f0p+1f); }
LW float half_exp(float x) { return __lw_relaxed_exp(x); }
LW float half_exp2(float x) { return __lw_relaxed_exp2(x); }
LW float half_exp10(float x) { return __lw_relaxed_exp10(x); }
LW float half_rsqrt(float x) { return __lw_step_half_rsqrt(x); }
LW float half_recip(float x) { return __lw_step_half_reciprocal(x); }

#define HALF(T, name) \
  LW T name(T);       \
  LW T half_##name(T x) { return name(x); }
#define SAME(T, name)                     \
  HALF(T, name)                           \
  LW T native_##name(T x) { return name(x); }
#define SIMPLE(T)                                                                                      \
  HALF(T, cos) HALF(T, sin) SAME(T, sqrt)                                                                \
  LW T half_divide(T x, T y) { return x / y; }
LW_WIDTHS_1(SIMPLE, float)
