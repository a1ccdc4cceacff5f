// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/planner.h"

#include "compiler/lanes/plan/measures.h"

namespace lanewise::spmd {
namespace {

/// Bits of ids have shapes if vectors begin at multiples of their width. They do if the first one begins at local id 0,
/// because no guard is a lower bound of the local id.
bool gains_from_alignment(const LoopFacts& facts) {
  return facts.shapes.takes_bits_of_ids() && llvm::all_of(facts.guards.conditions, [&](const Condition& c) {
           return facts.shapes.of(*c.value).is_uniform();
         });
}

/// Shapes for vectors of `width` work-items. (The guards were chosen with shapes that hold for the whole loop.)
Shapes shapes_at(const LoopFacts& facts, unsigned width, bool full_vectors) {
  if (width == 0 && facts.guards.passed.empty()) return facts.shapes;
  Assumptions assumptions{.width = width, .passed = facts.guards.passed, .first_lane_decides = !full_vectors};
  return find_shapes(*facts.body, *facts.items.id, std::move(assumptions));
}

LoopPlan plan_of_sub_groups(const LoopFacts& facts, Isa isa) {
  Plan plan{.width = facts.sub_group.width, .tail = Tail::masked, .sub_groups = true};
  if (facts.sub_group.flattened) plan.tail = Tail::all_masked;
  return {.plan = plan, .isa = isa, .inner = facts.shapes, .whole = facts.shapes};
}

}  // namespace

std::variant<LoopPlan, Refusal> make_plan(const LoopFacts& facts, const llvm::TargetTransformInfo& target,
                                          const Options& options) {
  if (facts.sub_group.width != 0) return plan_of_sub_groups(facts, options.isa);
  const bool aligned = gains_from_alignment(facts);
  const unsigned usual = options.forced_width != 0 ? options.forced_width : options.isa.usual_lanes();
  Shapes inner = shapes_at(facts, aligned ? usual : 0, true);
  const unsigned lanes = choose_lanes(measure_elements(facts, inner, options.isa), options);
  if (lanes < 2) return Refusal{Reason::small_local_size};
  Measures measures;
  measure_costs(*facts.body, inner, lanes, options.isa, measures);
  // What holds for vectors of the usual width holds for shorter ones too.
  const unsigned width = std::max(lanes, usual);
  if (aligned && width != usual) inner = shapes_at(facts, width, true);
  Shapes whole = shapes_at(facts, aligned ? width : 0, false);
  measure_body(facts, inner, whole, lanes, options.isa, target, measures);
  Plan plan{.aligned = aligned, .guards = static_cast<unsigned>(facts.guards.passed.size())};
  if (Refusal refusal = choose_plan(lanes, measures, options, plan); refusal.refused()) return refusal;
  return LoopPlan{.plan = plan, .isa = options.isa, .inner = std::move(inner), .whole = std::move(whole)};
}

}  // namespace lanewise::spmd
