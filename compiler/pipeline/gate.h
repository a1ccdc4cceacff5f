// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A gate is what must hold of a kernel, its options and its machine for a step of the pipeline to run. It is data in
/// the step's row of passes.def. The pipeline evaluates it right before the step; the pass itself does not ask.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise {

struct KernelContext;

/// A set of conditions, all of which must hold.
struct Gate {
  std::uint32_t conditions = 0;  ///< bits; gate.cpp has their names and meanings
};

constexpr Gate operator&(Gate a, Gate b) {
  return {a.conditions | b.conditions};
}

namespace gates {

inline constexpr Gate always{};
// Of the options.
inline constexpr Gate optimised{1U << 0U};        ///< not -cl-opt-disable
inline constexpr Gate moves_variables{1U << 1U};  ///< not -g -cl-opt-disable: variables need not keep their places
inline constexpr Gate zero_private{1U << 2U};     ///< cl_khr_initialize_memory
inline constexpr Gate may_vectorise{1U << 3U};    ///< the options allow vectors
inline constexpr Gate first_tier{1U << 4U};       ///< the code is for all launches
inline constexpr Gate hot{1U << 5U};              ///< the second tier: the code is for launches of one kind
// Of the machine.
inline constexpr Gate ternary_logic{1U << 6U};      ///< one instruction for any function of the bits of three operands
inline constexpr Gate no_mask_registers{1U << 7U};  ///< masks are in the vector registers
inline constexpr Gate lane_functions{1U << 8U};     ///< the library has functions for the lanes of a register
// Of the kernel, as earlier steps have decided.
inline constexpr Gate full_effort{1U << 9U};    ///< choose-effort: hot kernels, and modules of several functions
inline constexpr Gate vectors{1U << 10U};       ///< choose-effort: work-items may be put into lanes
inline constexpr Gate work_items{1U << 11U};    ///< lower-sub-groups has not put them into lanes already
inline constexpr Gate item_vectors{1U << 12U};  ///< vectorise: loops of work-items have vector forms
inline constexpr Gate any_vectors{1U << 13U};   ///< vectors of work-items or of sub-groups
// Of LANEWISE_CHECK.
inline constexpr Gate checks{1U << 14U};             ///< any check
inline constexpr Gate checks_arithmetic{1U << 15U};  ///< arith or overflow
inline constexpr Gate checks_accesses{1U << 16U};    ///< memory or race
inline constexpr Gate checks_undefined{1U << 17U};   ///< init
inline constexpr Gate checks_barriers{1U << 18U};    ///< barrier

}  // namespace gates

/// Whether all conditions hold.
[[nodiscard]] bool is_open(Gate gate, const KernelContext& context);

/// "vectors, full_effort"; "always" for none.
[[nodiscard]] std::string text_of(Gate gate);

}  // namespace lanewise
