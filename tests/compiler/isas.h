// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kinds of processor that a test can run code for.
#pragma once

#include <vector>

#include "src/host/cpu.h"

namespace lanewise::test {

inline Isa host_isa() {
  return host::read_cpu().isa.value_or(Isa());
}

/// The levels that this processor runs, from the lowest.
inline std::vector<Isa> runnable_levels() {
  std::vector<Isa> levels;
  for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4})
    if (levels.empty() || host_isa().covers(level)) levels.emplace_back(level);
  return levels;
}

}  // namespace lanewise::test
