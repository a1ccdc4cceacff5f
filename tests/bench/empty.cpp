// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-empty: the cost of a process that does nothing. With an argument it reports its memory and threads.
#include "tests/bench/inspect.h"

int main(int count, char**) {
  if (count > 1) lanewise::bench::print_weight();
  return 0;
}
