// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Odd functions of double that libclc has without the sign of their zeros.
#include "double_math.h"

// `__lw_clc_` + a mangled name: the tool takes that function of libclc under this name.
double clc_asin(double) __asm__("__lw_clc__Z4asind");
double clc_atan(double) __asm__("__lw_clc__Z4atand");
double clc_erf(double) __asm__("__lw_clc__Z3erfd");

#define INVERSE_PI(x) MAD(x, 0x1.45f306dc9c883p-2, (x) * -0x1.6b01ec5417056p-56)

LW double asin(double x) { return lw_with_sign_d(clc_asin(ABS(x)), x); }
LW double atan(double x) { return lw_with_sign_d(clc_atan(ABS(x)), x); }
LW double erf(double x) { return lw_with_sign_d(clc_erf(ABS(x)), x); }
LW double asinpi(double x) { return lw_with_sign_d(INVERSE_PI(clc_asin(ABS(x))), x); }
LW double atanpi(double x) { return lw_with_sign_d(INVERSE_PI(clc_atan(ABS(x))), x); }
