/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stands for a tracer that an application is run with: it appends a line to a file for each program that loads it. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  const char* path = getenv("ROBUSTNESS_LOADED");
  const int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  (void)!write(file, "loaded\n", 7);
  close(file);
}
