/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A code object with a program-scope variable: each call adds `first` and writes the sum to `args`. */
#include "include/lanewise/kernel_abi.h"

static uint64_t sum = 0;

/* Constants with addresses, so that the dynamic linker has relocations to apply. */
static const char kFirst[] = "first";
static const char kSecond[] = "second";
__attribute__((visibility("default"))) const char* const kNames[] = {kFirst, kSecond};

__attribute__((visibility("default"))) void add_up(const lanewise_launch* launch, const void* args,
                                                   lanewise_worker* worker, uint64_t first, uint64_t last) {
  (void)launch;
  (void)worker;
  (void)last;
  sum += first;
  *(uint64_t*)args = sum;
}
