// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/region_order.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>

#include "compiler/base/transformations.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/dimension_order.h"

namespace lanewise {
namespace {

/// Rows along another dimension must be as long as those before, or have this many work-items: shorter ones do not fill
/// a vector.
constexpr std::uint64_t kLongRow = 16;

/// Some order is as good as any other, and nobody sees which one it is. Of a program that prints, the order of lines is
/// kept.
bool may_have_orders(const WorkItemFunction& item, const RegionGraph& graph) {
  return graph.turns == 0 && !item.uses_print && !item.team.exists() &&
         llvm::none_of(item.known_size, [](std::uint64_t size) { return size == 0; });
}

/// Arrays that work-items keep across barriers lie in the order of x.
bool uses_kept_arrays(const Region& region, const PrivateMemory& memory) {
  return llvm::any_of(memory.variables, [&](const PrivateVariable& v) {
    return v.place == PrivatePlace::item_scratch && llvm::any_of(v.variable->users(), [&](const llvm::User* user) {
             return region.blocks.contains(llvm::cast<llvm::Instruction>(user)->getParent());
           });
  });
}

/// What atomics return tells the order of work-items. Nobody may rely on it, but it need not change.
bool tells_order(const Region& region) {
  return llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& i) {
      return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(i) && !i.use_empty();
    });
  });
}

/// How many values of each work-item the region loads and stores that live across barriers.
unsigned count_kept_values(const Region& region, const LiveValues& live) {
  const auto kept = [&](llvm::Instruction* value) { return live.values.find(value)->second.keep == Keep::item; };
  unsigned count = 0;
  for (const unsigned start : region.starts) count += static_cast<unsigned>(llvm::count_if(live.at[start], kept));
  for (const unsigned exit : region.exits)
    count += static_cast<unsigned>(llvm::count_if(live.at[exit], [&](llvm::Instruction* value) {
      return kept(value) && region.blocks.contains(value->getParent());
    }));
  return count;
}

/// Who else looks into item scratch expects the order of x: operations of the group, tests of whole rows, arrays.
bool may_order_slots(const RegionGraph& graph, const PrivateMemory& memory) {
  return !graph.needs_alive && llvm::none_of(graph.barriers, [](const Barrier& barrier) {
    return work_group_call(*barrier.call);
  }) && llvm::none_of(memory.variables, [](const PrivateVariable& v) { return v.place == PrivatePlace::item_scratch; });
}

/// What is known of a region before its order is chosen.
struct RegionCosts {
  std::array<std::uint64_t, 3> accesses{};  ///< by the innermost dimension
  std::uint64_t kept = 0;                   ///< values in slots
  bool has_choice = false;

  [[nodiscard]] std::uint64_t of(unsigned d, unsigned slots) const {
    return accesses[d] + kept * (d == slots ? 1U : kGatherCost);
  }
};

/// The best orders where slots lie along `slots`, and what they cost.
std::uint64_t choose(llvm::ArrayRef<RegionCosts> regions, unsigned row, llvm::ArrayRef<unsigned> others,
                     RegionOrders& orders) {
  std::uint64_t total = 0;
  for (const auto& [region, inner] : llvm::zip_equal(regions, orders.innermost)) {
    const auto cost = [&, &r = region](unsigned d) { return r.of(d, orders.slots); };
    inner = row;
    for (const unsigned d : others)
      if (region.has_choice && kExchangeGain * cost(d) <= cost(row) && cost(d) < cost(inner)) inner = d;
    total += cost(inner);
  }
  return total;
}

}  // namespace

RegionOrders same_order(const RegionGraph& graph, unsigned dimension) {
  return {llvm::SmallVector<unsigned>(graph.regions.size(), dimension), dimension};
}

RegionOrders order_regions(const WorkItemFunction& item, const RegionGraph& graph, const PrivateMemory& memory,
                           const LiveValues& live) {
  RegionOrders best = same_order(graph, item.row);
  if (!may_have_orders(item, graph)) return best;
  llvm::SmallVector<unsigned, 2> others;
  for (const unsigned d : llvm::seq(item.row + 1, 3U))
    if (item.known_size[d] >= std::min(item.known_size[item.row], kLongRow) && item.known_size[d] > 1 &&
        !item.context(ContextParameter::local_id, d)->use_empty())
      others.push_back(d);
  if (others.empty()) return best;
  const AccessCosts costs(item);
  llvm::SmallVector<RegionCosts> regions;
  for (const Region& region : graph.regions)  // rows that have returned are skipped as a whole
    regions.push_back({costs.of(region.blocks.getArrayRef()), count_kept_values(region, live),
                       !region.may_have_dead && !uses_kept_arrays(region, memory) && !tells_order(region)});
  std::uint64_t least = choose(regions, item.row, others, best);
  for (const unsigned d : others) {
    if (!may_order_slots(graph, memory)) break;
    RegionOrders orders = same_order(graph, d);
    const std::uint64_t cost = choose(regions, item.row, others, orders);
    if (2 * cost > least) continue;
    least = cost;
    best = std::move(orders);
  }
  for (const unsigned inner : best.innermost)
    if (inner != item.row) tally(Transformation::order_region);
  return best;
}

}  // namespace lanewise
