// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {

Suite all_cases() {
  Suite suite;
  for (auto add : {add_memory, add_sparse, add_atomics, add_flops, add_integer, add_math, add_loops, add_branches,
                   add_hashes, add_matrix, add_reduce, add_sort, add_stencil, add_private, add_collective, add_image,
                   add_image_filters, add_launch})
    add(suite);
  return suite;
}

}  // namespace lanewise::bench
