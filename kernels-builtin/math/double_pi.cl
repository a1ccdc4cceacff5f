// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Double functions of angles that are counted in half turns, where signs of zeros and exact values are prescribed
// (SPIR-V environment specification, 6.7).
#include "double_math.h"

// |x| = halves / 2 + the result, both exact; from 2^53 on every x is even. Infinities and NaN give NaN.
LW_INLINE double half_turns(double x, __private int* halves) {
  const double a = ABS(x);
  const double bounded = a < 0x1p53 ? a : a - a;
  const double k = __builtin_elementwise_roundeven(bounded * 2.0);
  *halves = (int)(k - 4.0 * __builtin_elementwise_floor(k * 0.25));
  return MAD(k, -0.5, bounded);
}
LW_INLINE double sine_pi(double r) {
  const double z = r * r;
  const double p = POLYNOMIAL(z, -0x1.923c4ac65bf94p-13, 0x1.07b9134e4f711p-11, -0x1.e33b52142bcf8p-8,
      0x1.50785717714cap-4, -0x1.32d2ccfd636dcp-1, 0x1.466bc67769044p+1, -0x1.4abbce625beb1p+2);
  return MAD(r, 0x1.921fb54442d18p+1, MAD(r, 0x1.1a62633145c07p-53, r * z * p));
}
LW_INLINE double cosine_pi(double r) {
  const double z = r * r;
  const double p = POLYNOMIAL(z, 0x1.17741c05acea6p-15, 0x1.f20bc61d9e600p-10, -0x1.a6c772560af17p-6,
      0x1.e1f4f894c87bbp-3, -0x1.55d3c7da6b3bfp+0, 0x1.03c1f081afe06p+2, -0x1.3bd3cc9be4592p+2);
  return MAD(p, z, 1.0);
}
LW_INLINE long turned(int halves) { return (long)((ulong)(halves & 2) << 62); }
LW_INLINE long sign_of(double x) { return LW_LONG(x) & (long)0x8000000000000000UL; }

// The sign bit where the whole number k is odd.
LW_INLINE long odd_sign_of(double k) { return LW_LONG(__lw_step_odd_sign_d(k)); }

// Zeros of sinpi have the sign of x, those of cospi are positive.
LW double sinpi(double x) {
  const double k = __builtin_elementwise_roundeven(x);
  const double y = lw_half_turn_sine_pi_d(x - k);
  const long whole = LW_LONG(y) ^ odd_sign_of(k);  // not in a branch
  return LW_DOUBLE(y == 0 ? sign_of(x) : whole);
}

LW double cospi(double x) {
  const double a = ABS(x), k = __builtin_elementwise_floor(a);
  const double y = lw_half_turn_sine_pi_d(0.5 - (a - k));
  const double whole = LW_DOUBLE(LW_LONG(y) ^ odd_sign_of(k));  // not in a branch
  return y == 0 ? 0.0 : whole;
}

// A zero is negative at odd integers, a pole at n + 1/2 is negative for odd n.
LW double tanpi(double x) {
  int h;
  const double r = half_turns(x, &h);
  const double s = sine_pi(r), c = cosine_pi(r);
  const double y = (h & 1 ? -c : s) / (h & 1 ? s : c);
  const double exact = LW_DOUBLE((h & 1 ? 0x7ff0000000000000L : 0) | turned(h));
  return LW_DOUBLE(LW_LONG(r == 0 ? exact : y) ^ sign_of(x));
}
