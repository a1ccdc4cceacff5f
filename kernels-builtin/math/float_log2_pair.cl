// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm that powers of float need: an exponent multiplies its error by up to 2^7, so it is computed in two
// floats. A step with two forms, as in steps.cl: one in double, one with a table.
#include "float_math.h"

LW_OPERATION float __lw_op_getexp_f(float);
LW_OPERATION float __lw_op_mantissa_f(float);
LW_OPERATION float __lw_op_lookup_f(__constant const float*, uint);

LW_STEP float2 __lw_step_log2_pair(float x) {
  const float a = ABS(x);
  const double l = lw_log2_wide(a);
  const float high = (float)l;
  return (float2)(a > 0 && a < INFINITY ? high : __builtin_nanf(""), (float)(l - (double)high));
}

// 1 / c and log2(c), in two parts of which the first has 16 bits behind its point, for a c in each sixteenth of [1, 2).
// 1 / c has 5 bits, so that m / c - 1 is exact; the first c is 1 and the last one 2, so that results around 1 are
// exact.
static __constant const float kInverse[16] = {
    1.0f,      0.90625f, 0.875f,   0.8125f,  0.78125f, 0.75f,    0.71875f, 0.6875f,
    0.65625f,  0.625f,   0.59375f, 0.59375f, 0.5625f,  0.53125f, 0.53125f, 0.5f};
static __constant const float kLog2High[16] = {
    0.0f,           0x1.22d8p-3f,   0x1.8a88p-3f,   0x1.32cp-2f,    0x1.6cbp-2f,    0x1.a9p-2f,
    0x1.e7ep-2f,    0x1.14c6p-1f,   0x1.3722p-1f,   0x1.5b2cp-1f,   0x1.8110p-1f,   0x1.8110p-1f,
    0x1.a9p-1f,     0x1.d338p-1f,   0x1.d338p-1f,   1.0f};
static __constant const float kLog2Low[16] = {
    0.0f,             0x1.6e155ap-18f,  0x1.80abfcp-19f,  -0x1.1c8f12p-22f, 0x1.ed0cbap-19f,  -0x1.a39fbep-20f,
    -0x1.40358ep-19f, -0x1.3e032ep-18f, 0x1.5db83ap-20f,  0x1.ed0cbap-20f,  -0x1.6b9026p-19f, -0x1.6b9026p-19f,
    -0x1.a39fbep-19f, 0x1.20a6dep-21f,  0x1.20a6dep-21f,  0.0f};

// With m = c (1 + r), -0.0372 < r <= 1/16: log2(m) = log2(c) + r L + r^2 P(r).
LW_STEP float2 __lw_step_log2_pair_v4(float x) {
  const float m = __lw_op_mantissa_f(x);
  const uint index = __builtin_astype(m, uint) >> 19;
  const float r = FMA(m, __lw_op_lookup_f(kInverse, index), -1.0f);
  const float p = POLYNOMIAL(r, -0x1.cf6f2ap-3f, 0x1.27be70p-2f, -0x1.715b76p-2f, 0x1.ec709ap-2f, -0x1.715476p-1f);
  const float line = r * 0x1.715476p+0f;
  const float rest = FMA(r, 0x1.715476p+0f, -line) + MAD(r, 0x1.4ae0c0p-26f, __lw_op_lookup_f(kLog2Low, index));
  const float whole = __lw_op_getexp_f(x) + __lw_op_lookup_f(kLog2High, index);
  const float sum = whole + line;
  const float low = MAD(r * r, p, ((whole - sum) + line) + rest), high = sum + low;
  return (float2)(high, (sum - high) + low);
}

// The short forms: log_b(1 + f) = f / log(b) + f^2 P(f).
LW_INLINE float short_log2(float2 parts) {
  const float f = parts.s0;
  const float p = POLYNOMIAL(f, 0x1.a893aap-3f, -0x1.c610fcp-3f, 0x1.9b582ep-3f, -0x1.e529e6p-3f, 0x1.27b330p-2f,
      -0x1.7170f0p-2f, 0x1.ec6fc4p-2f, -0x1.71545ap-1f);
  return MAD(f * f, p, MAD(f, 0x1.715476p+0f, parts.s1));
}
LW_STEP float __lw_step_short_log2(float x) { return short_log2(__lw_step_short_log_parts(ABS(x))); }
LW_STEP float __lw_step_checked_log2(float x) { return short_log2(__lw_step_short_log_parts(x)); }
LW_STEP float __lw_step_short_log(float x) {
  const float2 parts = __lw_step_short_log_parts(x);
  const float f = parts.s0;
  const float p = POLYNOMIAL(f, 0x1.26777ep-3f, -0x1.3acfaap-3f, 0x1.1d14bap-3f, -0x1.5045e4p-3f, 0x1.99ee28p-3f,
      -0x1.0013e2p-2f, 0x1.5554bcp-2f, -0x1.ffffd8p-2f);
  return MAD(f * f, p, f) + parts.s1 * 0x1.62e430p-1f;
}
// With tables of eight, for (1 + r) c in [31/32, 31/16), |r| <= 1/16. The first c is 1, so that results around 1 are exact.
LW_OPERATION float __lw_op_lookup8_f(__constant const float*, uint);
static __constant const float kInverse8[8] = {1.0f, 0x1.c8p-1f, 0x1.98p-1f, 0x1.74p-1f,
                                              0x1.54p-1f, 0x1.3cp-1f, 0x1.24p-1f, 0x1.1p-1f};
static __constant const float kLog8[8] = {0.0f,           0x1.da7276p-4f, 0x1.d10380p-3f, 0x1.4718dcp-2f,
                                          0x1.a33440p-2f, 0x1.ee2a16p-2f, 0x1.1f8636p-1f, 0x1.43da00p-1f};
static __constant const float kLog28[8] = {0.0f,           0x1.563dc2p-3f, 0x1.4f6fbcp-2f, 0x1.d7e6c0p-2f,
                                           0x1.2e6450p-1f, 0x1.6476dap-1f, 0x1.9ecf50p-1f, 0x1.d33812p-1f};
// r, and the logarithm of the rest of x, where that of 2 is `two`.
LW_INLINE float2 parts_by_eighths(float x, __constant const float* logarithms, float two) {
  float less;
  const float normal = lw_normal(x, &less);
  const int above = LW_BITS(normal) - LW_BITS(0.96875f);
  const float m = LW_FLOAT(LW_BITS(normal) - (above & (int)0xff800000));
  const uint index = (uint)above >> 20;
  const float r = FMA(m, __lw_op_lookup8_f(kInverse8, index), -1.0f);
  return (float2)(r, MAD((float)(above >> 23) - less, two, __lw_op_lookup8_f(logarithms, index)));
}
LW_INLINE float short_log2_by_eighths(float x) {
  const float2 parts = parts_by_eighths(x, kLog28, 1.0f);
  const float r = parts.s0;
  const float p = MAD(MAD(-0x1.704742p-2f, r, 0x1.ed7d48p-2f), r * r, MAD(-0x1.715492p-1f, r, 0x1.71546ep+0f));
  return MAD(p, r, parts.s1);
}
LW_STEP float __lw_step_short_log2_v3(float x) { return short_log2_by_eighths(ABS(x)); }
LW_STEP float __lw_step_checked_log2_v3(float x) { return short_log2_by_eighths(x); }
LW_STEP float __lw_step_short_log_v3(float x) {
  const float2 parts = parts_by_eighths(x, kLog8, 0x1.62e430p-1f);
  const float r = parts.s0;
  const float p = MAD(MAD(-0x1.fca58cp-3f, r, 0x1.55eccep-2f), r, -0x1.00005cp-1f);
  return MAD(r * r, p, r) + parts.s1;
}
// With the same table as above; log2(1 + r) = r P(r), log(1 + r) = r + r^2 P(r).
static __constant const float kLog2[16] = {
    0.0f,          0x1.22dadcp-3f, 0x1.8a8980p-3f, 0x1.32bfeep-2f, 0x1.6cb0f6p-2f, 0x1.a8ff98p-2f,
    0x1.e7df60p-2f, 0x1.14c560p-1f, 0x1.37222cp-1f, 0x1.5b2c3ep-1f, 0x1.810fa6p-1f, 0x1.810fa6p-1f,
    0x1.a8ff98p-1f, 0x1.d33812p-1f, 0x1.d33812p-1f, 1.0f};
static __constant const float kLog[16] = {
    0.0f,          0x1.9335e6p-4f, 0x1.1178e8p-3f, 0x1.a93ed4p-3f, 0x1.f991c6p-3f, 0x1.269622p-2f,
    0x1.522ae0p-2f, 0x1.7fafa4p-2f, 0x1.af5296p-2f, 0x1.e148a2p-2f, 0x1.0ae76ep-1f, 0x1.0ae76ep-1f,
    0x1.269622p-1f, 0x1.43da00p-1f, 0x1.43da00p-1f, 0x1.62e430p-1f};
LW_STEP float __lw_step_short_log2_v4(float x) {
  const float m = __lw_op_mantissa_f(x);
  const uint index = __builtin_astype(m, uint) >> 19;
  const float r = FMA(m, __lw_op_lookup_f(kInverse, index), -1.0f);
  float p = MAD(-0x1.640cfcp-2f, r, 0x1.ece96cp-2f);
  p = MAD(p, r, -0x1.715646p-1f);
  p = MAD(p, r, 0x1.715474p+0f);
  return MAD(p, r, __lw_op_getexp_f(x) + __lw_op_lookup_f(kLog2, index));
}
LW_STEP float __lw_step_checked_log2_v4(float x) {
  const float y = __lw_step_short_log2_v4(x);
  return x < 0 ? __builtin_nanf("") : y;
}
LW_STEP float __lw_step_short_log_v4(float x) {
  const float m = __lw_op_mantissa_f(x);
  const uint index = __builtin_astype(m, uint) >> 19;
  const float r = FMA(m, __lw_op_lookup_f(kInverse, index), -1.0f);
  float p = MAD(-0x1.ecea1ap-3f, r, 0x1.559924p-2f);
  p = MAD(p, r, -0x1.00012ep-1f);
  const float y = MAD(r * r, p, r) + MAD(__lw_op_getexp_f(x), 0x1.62e430p-1f, __lw_op_lookup_f(kLog, index));
  return x < 0 ? __builtin_nanf("") : y;
}
