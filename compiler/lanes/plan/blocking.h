// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many rows and columns of vectors to run in one iteration. The time of each innermost loop is estimated by three
/// limits: the operations and loads that the processor can begin in a cycle, the latency of the loop-carried chains,
/// and the vectors that come from the second or third cache level. Orders of magnitude are from Zen 4 and Golden Cove;
/// the decision does not depend on their precision.
#pragma once

#include "compiler/lanes/analysis/vector_loop.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

struct Blocking {
  unsigned rows = 1;
  unsigned columns = 1;
  bool operator==(const Blocking&) const = default;
};

/// A division or a square root, which take many times as long as other operations.
[[nodiscard]] bool divides(const llvm::Instruction& i);

/// Rows and columns that the loop gains from, within the registers of the machine.
/// @param rows  also consider several rows
[[nodiscard]] Blocking choose_blocking(const VectorLoop& loop, Isa isa, bool rows);

}  // namespace lanewise::spmd
