// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error functions of double; see float_special.cl.
#include "double_math.h"

// A polynomial up to 1, then 1 - e^P(x), and 1 from 6 on.
LW double erf(double x) {
  const double a = ABS(x), z = a * a;
  const double p = POLYNOMIAL(z, -0x1.aabdf50c4da9bp-31, 0x1.d6c28db6ef650p-27, -0x1.5bf8f537bd435p-23,
      0x1.b97d3a77ad9adp-20, -0x1.f4ca00d550f25p-17, 0x1.f9a2b4e81d390p-14, -0x1.c02daff55ef5ap-11,
      0x1.565bccf6e2f23p-8, -0x1.b82ce311e44e9p-6, 0x1.ce2f21a0405b8p-4, -0x1.812746b0379acp-2, 0x1.06eba8214db68p-3);
  const double b = a > 6.0 ? 6.0 : a;
  const double g = POLYNOMIAL(b, -0x1.26ae571fddf34p-35, 0x1.00776c30fc5edp-30, -0x1.4cf4dbfb3a47ep-27,
      0x1.54c423cba4bf6p-26, 0x1.4cfba6bc52fe5p-21, -0x1.20c9767b3fdedp-17, 0x1.075adc5d529dfp-14,
      -0x1.4271da0d8163fp-12, 0x1.13cf33c386275p-10, -0x1.2a36eb680a3abp-9, 0x1.9106a3263ad63p-11,
      0x1.32cdbb00724b6p-6, -0x1.a4151faabeb4bp-4, -0x1.45fd42f64f124p-1, -0x1.20dc4d4139aaep+0,
      -0x1.f08a282c4aecap-20);
  const double large = 1.0 - lw_exp_shifted_d(g, 0.0);
  return lw_with_sign_d(a < 1.0 ? MAD(a, p, a) : large, x);
}

// e^(-x^2) P((x - 4) / (x + 4)) / (1 + 2 x), where the rounding error of x^2 is corrected.
LW double erfc(double x) {
  const double a = ABS(x);
  const double b = a > 27.5 ? 27.5 : a;
  const double t = (b - 4.0) / (b + 4.0);
  const double p = POLYNOMIAL(t, -0x1.8b477bdb256a6p-30, -0x1.b2d6c95ba8385p-27, -0x1.16ce09660182bp-27,
      0x1.e25a03304b66dp-24, 0x1.09a0e46f1999bp-24, -0x1.be45983ecf221p-21, 0x1.45ce83f488148p-22,
      0x1.7f87ecde571c6p-18, -0x1.78b499c9cac86p-17, -0x1.9965617b642bdp-16, 0x1.3be139acb957dp-13,
      -0x1.a1deae656366ap-13, -0x1.8d4aa8242b68dp-11, 0x1.49c671d4045bap-8, -0x1.09623873ad5afp-6,
      0x1.3079edf8eefc8p-5, -0x1.0fb06dfeb629ap-4, 0x1.7fee004e00f45p-4, -0x1.9ddb23c3e3015p-4, 0x1.16ecefcfa5974p-4,
      0x1.f7f5df66fc487p-7, -0x1.1df1ad154a28fp-3, 0x1.3ba5916e9fd7fp+0);
  const double square = b * b;
  const double rest = FMA(b, b, -square);
  const double factor = (1.0 - rest) * (p / MAD(b, 2.0, 1.0));
  const double y = lw_exp_times_d(-square, 0.0, factor);
  return x < 0 ? 2.0 - y : y;
}
