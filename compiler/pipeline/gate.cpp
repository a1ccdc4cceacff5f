// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/gate.h"

#include "compiler/base/context.h"
#include "include/lanewise/check_abi.h"

namespace lanewise {
namespace {

struct NamedCondition {
  Gate gate;
  const char* name;
  bool (*holds)(const KernelContext& context);
};

constexpr NamedCondition kConditions[] = {
    {gates::optimised, "optimised", [](const KernelContext& c) { return c.options.optimise; }},
    {gates::moves_variables, "moves_variables", [](const KernelContext& c) { return !c.workgroup.every_value; }},
    {gates::zero_private, "zero_private", [](const KernelContext& c) { return c.options.zero_private; }},
    {gates::may_vectorise, "may_vectorise", [](const KernelContext& c) { return vectorises(c.options); }},
    {gates::first_tier, "first_tier", [](const KernelContext& c) { return c.options.launches == nullptr; }},
    {gates::hot, "hot", [](const KernelContext& c) { return c.options.launches != nullptr; }},
    {gates::no_mask_registers, "no_mask_registers",
     [](const KernelContext& c) { return !c.options.isa.has_mask_registers(); }},
    {gates::ternary_logic, "ternary_logic", [](const KernelContext& c) { return c.options.isa.has_ternary_logic(); }},
    {gates::lane_functions, "lane_functions",
     [](const KernelContext& c) { return c.options.isa.has_lane_functions(); }},
    {gates::full_effort, "full_effort", [](const KernelContext& c) { return c.effort == Effort::full; }},
    {gates::vectors, "vectors", [](const KernelContext& c) { return c.vectors; }},
    {gates::work_items, "work_items", [](const KernelContext& c) { return !c.lowered_as_vectors; }},
    {gates::item_vectors, "item_vectors", [](const KernelContext& c) { return c.item_vectors; }},
    {gates::checks, "checks", [](const KernelContext& c) { return c.options.checks != 0; }},
    {gates::checks_arithmetic, "checks_arithmetic",
     [](const KernelContext& c) { return (c.options.checks & (check::arith | check::overflow)) != 0; }},
    {gates::checks_accesses, "checks_accesses",
     [](const KernelContext& c) { return (c.options.checks & (check::memory | check::race)) != 0; }},
    {gates::checks_undefined, "checks_undefined",
     [](const KernelContext& c) { return (c.options.checks & check::init) != 0; }},
    {gates::checks_barriers, "checks_barriers",
     [](const KernelContext& c) { return (c.options.checks & check::barrier) != 0; }},
    {gates::any_vectors, "any_vectors",
     [](const KernelContext& c) {
       const auto has_sub_groups = [](const abi::KernelInfo* info) { return info->sub_group_size > 1; };
       return c.vectors || llvm::any_of(c.kernels, has_sub_groups);
     }},
};

}  // namespace

bool is_open(Gate gate, const KernelContext& context) {
  return llvm::all_of(kConditions, [&](const NamedCondition& condition) {
    return (gate.conditions & condition.gate.conditions) == 0 || condition.holds(context);
  });
}

std::string text_of(Gate gate) {
  std::string text;
  for (const NamedCondition& condition : kConditions)
    if ((gate.conditions & condition.gate.conditions) != 0)
      text += (text.empty() ? "" : ", ") + std::string(condition.name);
  return text.empty() ? "always" : text;
}

}  // namespace lanewise
