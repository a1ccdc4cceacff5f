// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-empty: what a process costs that does nothing. With an argument it tells what it weighs.
#include "tests/bench/inspect.h"

int main(int count, char**) {
  if (count > 1) lanewise::bench::print_weight();
  return 0;
}
