// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of costs (costs.def) as numbers.
#pragma once

#include "src/base/isa.h"

namespace lanewise::spmd {

/// A cost that differs by what an instruction set has for masks.
struct CostByMasks {
  double none;       ///< masked accesses are branches
  double moves;      ///< instructions load or store some lanes only
  double registers;  ///< all operations take a mask

  [[nodiscard]] constexpr double at(Isa isa) const {
    return isa.has_mask_registers() ? registers : isa.has_masked_moves() ? moves : none;
  }
};

namespace costs {

#define BY_MASKS(none, moves, registers) \
  CostByMasks {                          \
    none, moves, registers               \
  }
#define LANEWISE_COST(name, cost, unit, source) inline constexpr auto name = cost;
#include "compiler/lanes/plan/costs.def"
#undef BY_MASKS

}  // namespace costs
}  // namespace lanewise::spmd
