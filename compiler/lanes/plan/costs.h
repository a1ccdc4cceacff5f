// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of costs (costs.def) as numbers.
#pragma once

#include "src/base/isa.h"

namespace lanewise::spmd {

/// A cost that differs between levels of an instruction set.
struct CostByLevel {
  double v2;
  double v3;
  double v4;

  [[nodiscard]] constexpr double at(Isa isa) const {
    return isa.has_mask_registers() ? v4 : isa.has_masked_moves() ? v3 : v2;
  }
};

namespace costs {

#define BY_LEVEL(v2, v3, v4) \
  CostByLevel {              \
    v2, v3, v4               \
  }
#define LANEWISE_COST(name, cost, unit, source) inline constexpr auto name = cost;
#include "compiler/lanes/plan/costs.def"
#undef BY_LEVEL

}  // namespace costs
}  // namespace lanewise::spmd
