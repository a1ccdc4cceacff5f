// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats of different lengths, which lanewise-cc writes as validators want them.
kernel void prints(global const int* a) {
  printf("%d and %s\n", a[0], "text");
  printf("other %f\n", (float)a[1]);
}
