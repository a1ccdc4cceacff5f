// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many lanes, and whether vectors pay at all. Costs are rough counts of operations, weighted by loop depth: enough
/// to tell a kernel whose lanes walk unrelated memory (a row of a sparse matrix each) from one that computes.
#pragma once

#include <string>

#include "compiler/spmd/analysis/body.h"
#include "compiler/spmd/analysis/shapes.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

struct Choice {
  unsigned width = 0;  ///< a power of two; 0: stay scalar, for `reason`
  std::string reason;
  double scalar_cost = 0;
  double vector_cost = 0;
};

/// @param forced  width to take without asking what it costs; 0: choose
/// @param most    no more lanes than this (a known local size)
[[nodiscard]] Choice choose_width(const Body& body, const Shapes& shapes, Isa isa, unsigned forced, std::uint64_t most);

/// A loop carries more values, in all lanes, than there are registers.
[[nodiscard]] bool would_spill(const Body& body, const Shapes& shapes, unsigned width, Isa isa);

}  // namespace lanewise::spmd
