// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/decision.h"

namespace lanewise::spmd {

std::vector<abi::LoopReport> report(const std::string& kernel, const std::vector<Decision>& decisions) {
  std::vector<abi::LoopReport> loops;
  loops.reserve(decisions.size());
  for (const Decision& d : decisions)
    loops.push_back({.kernel = kernel,
                     .loop = d.loop,
                     .width = d.width,
                     .tail = d.tail,
                     .reason = d.reason,
                     .line = d.line,
                     .cost = d.cost,
                     .accesses = d.accesses});
  return loops;
}

}  // namespace lanewise::spmd
