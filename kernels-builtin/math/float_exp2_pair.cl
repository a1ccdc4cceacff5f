// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2^(high + low), for powers: so near before the last rounding that powers which are floats, as squares and cubes of
// small integers, come out exactly. A step with three forms, as in steps.cl: in double, and with a table of eighths or
// sixteenths in two parts, where the rest of the exponent is so small that its power needs no second part.
#include "float_math.h"

LW_OPERATION float __lw_op_lookup8_f(__constant const float*, uint);
LW_OPERATION float __lw_op_lookup_f(__constant const float*, uint);
LW_OPERATION float __lw_op_scalef_f(float, float);

LW_STEP float __lw_step_exp2_pair(float high, float low) {
  const float n = __builtin_elementwise_roundeven(high);
  const double r = (double)(high - n) + (double)low;
  const double p = POLYNOMIAL(r, 0x1.4491d1a6d9059p-13, 0x1.5f4d3342aaac3p-10, 0x1.3b29a79df3473p-7,
      0x1.c6aec4515d76ap-5, 0x1.ebfbe0d9d4b89p-3, 0x1.62e430d4bc4c7p-1);
  return __lw_step_scaled((float)MAD(p, r, 1.0), n);
}

static __constant const float kEighths[8] = {1.0f,          0x1.172b84p+0f, 0x1.306fe0p+0f, 0x1.4bfdaep+0f,
                                             0x1.6a09e6p+0f, 0x1.8ace54p+0f, 0x1.ae89fap+0f, 0x1.d5818ep+0f};
static __constant const float kEighthsLow[8] = {0.0f,            -0x1.c15742p-27f, 0x1.4636e2p-25f, -0x1.593abcp-25f,
                                                0x1.9fcef4p-26f, 0x1.15506ep-27f,  -0x1.a94b14p-26f, -0x1.822dbcp-27f};

// The rounder leaves `high` in eighths: three bits choose from the table, the others are an exponent.
LW_STEP float __lw_step_exp2_pair_v3(float high, float low) {
  const float rounder = 0x1.8p20f, t = high + rounder;
  const float r = (high - (t - rounder)) + low;
  float p = MAD(0x1.3b2efcp-7f, r, 0x1.c6b8cap-5f);
  p = MAD(MAD(p, r, 0x1.ebfbe0p-3f), r, 0x1.62e430p-1f);
  const uint index = (uint)LW_BITS(t);
  const float head = __lw_op_lookup8_f(kEighths, index);
  const float power = head + MAD(head, p * r, __lw_op_lookup8_f(kEighthsLow, index));
  const int all = (LW_BITS(t) - LW_BITS(rounder)) >> 3, first = all >> 1;
  return power * LW_FLOAT((first + 127) << 23) * LW_FLOAT((all - first + 127) << 23);
}

static __constant const float kSixteenths[16] = {
    1.0f,           0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f, 0x1.306fe0p+0f, 0x1.3dea64p+0f,
    0x1.4bfdaep+0f, 0x1.5ab07ep+0f, 0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
    0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
static __constant const float kSixteenthsLow[16] = {
    0.0f,             0x1.9f3122p-25f,  -0x1.c15742p-27f, 0x1.ceac48p-25f, 0x1.4636e2p-25f,  0x1.824684p-25f,
    -0x1.593abcp-25f, -0x1.5bd5ecp-27f, 0x1.9fcef4p-26f,  -0x1.829fd0p-25f, 0x1.15506ep-27f, 0x1.51f848p-27f,
    -0x1.a94b14p-26f, -0x1.3d56b2p-27f, -0x1.822dbcp-27f, 0x1.52486cp-27f};

LW_STEP float __lw_step_exp2_pair_v4(float high, float low) {
  const float rounder = 0x1.8p19f, t = high + rounder;
  const float n = t - rounder;
  const float r = (high - n) + low;
  const float p = MAD(MAD(0x1.c6ae1cp-5f, r, 0x1.ebfffep-3f), r, 0x1.62e430p-1f);
  const uint index = (uint)LW_BITS(t);
  const float head = __lw_op_lookup_f(kSixteenths, index);
  const float power = head + MAD(head, p * r, __lw_op_lookup_f(kSixteenthsLow, index));
  return __lw_op_scalef_f(power, n);  // by the whole part
}
