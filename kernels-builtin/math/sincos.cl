// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sine and cosine of a double by two calls.
#include "define.h"

LW double sin(double);
LW double cos(double);

LW double sincos(double x, __private double* c) {
  *c = cos(x);
  return sin(x);
}
