// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in the forms that public samples have for GPUs, beside what one writes for a CPU: other algorithms.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {

Suite all_cases() {
  Suite suite;
  for (auto add : {add_trees, add_tiles, add_family_loops}) add(suite);
  return suite;
}

}  // namespace lanewise::bench
