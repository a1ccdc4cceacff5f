// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks that make an input a finding, in addition to the sanitizers.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace lanewise::fuzz {

inline void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

}  // namespace lanewise::fuzz
