// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/regions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "compiler/base/transformations.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/groups/turns.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using BarrierNumbers = llvm::DenseMap<const BasicBlock*, unsigned>;

/// Adds the blocks that are reachable from `start` without crossing a barrier.
void grow(Region& region, BasicBlock* start, const BarrierNumbers& numbers) {
  llvm::SmallVector<BasicBlock*> work{start};
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (!region.blocks.insert(block)) continue;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) region.returns = true;
    for (BasicBlock* next : llvm::successors(block)) {
      auto barrier = numbers.find(next);
      if (barrier == numbers.end())
        work.push_back(next);
      else
        region.exits.push_back(barrier->second);
    }
  }
  llvm::sort(region.exits);
  region.exits.erase(llvm::unique(region.exits), region.exits.end());
}

std::size_t instructions(const Region& region) {
  std::size_t sum = 0;
  for (const BasicBlock* block : region.blocks) sum += block->size();
  return sum;
}

/// Blocks from which one of `ends` can be reached, inside of the region if one is given.
llvm::SmallPtrSet<const BasicBlock*, 16> reaching(const Region* region, llvm::SmallVector<BasicBlock*> ends) {
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  while (!ends.empty()) {
    BasicBlock* block = ends.pop_back_val();
    if (!seen.insert(block).second) continue;
    for (BasicBlock* p : llvm::predecessors(block))
      if (region == nullptr || region->blocks.contains(p)) ends.push_back(p);
  }
  return seen;
}

/// True if all ways from the end of `block` meet again before any of them comes to a barrier or to the kernel's end:
/// work-items that part there are together when that is decided.
bool meets_before_exit(const BasicBlock& block, const BarrierNumbers& numbers,
                       const llvm::PostDominatorTree& post_dominators) {
  const auto* node = post_dominators.getNode(&block);
  const BasicBlock* meeting = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
  if (meeting == nullptr) return false;
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  llvm::SmallVector<const BasicBlock*> work{&block};
  while (!work.empty()) {
    for (const BasicBlock* next : llvm::successors(work.pop_back_val())) {
      if (numbers.contains(next)) return false;
      if (next != meeting && seen.insert(next).second) work.push_back(next);
    }
  }
  return true;
}

/// True unless every branch that decides between the kernel's end and a barrier is provably uniform.
bool may_split(const Region& region, const BarrierNumbers& numbers, Uniformity& uniformity,
               const llvm::PostDominatorTree& post_dominators) {
  if (!region.returns || region.exits.empty()) return false;
  llvm::SmallVector<BasicBlock*> returns;
  llvm::SmallVector<BasicBlock*> stops;
  for (BasicBlock* block : region.blocks) {
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) returns.push_back(block);
    for (BasicBlock* next : llvm::successors(block))
      if (numbers.contains(next)) stops.push_back(block);
  }
  const auto to_return = reaching(&region, returns);
  const auto to_barrier = reaching(&region, stops);
  for (BasicBlock* block : region.blocks)
    if (to_return.contains(block) && to_barrier.contains(block) && uniformity.branch_diverges(*block) &&
        !meets_before_exit(*block, numbers, post_dominators))
      return true;
  return false;
}

/// One region for what follows turns, or one for each where a sub-group is a vector.
void add_turns(RegionGraph& graph, const BarrierNumbers& numbers, bool one_each) {
  const auto first = static_cast<unsigned>(graph.regions.size());
  for (unsigned c = 1; c <= graph.barriers.size(); ++c) {
    if (!graph.is_turn(c)) continue;
    if (one_each || graph.turns == 0) graph.regions.emplace_back();
    graph.turns = first;
    graph.regions.back().starts.push_back(c);
    grow(graph.regions.back(), graph.barriers[c - 1].continuation, numbers);
    graph.region_of[c] = static_cast<unsigned>(graph.regions.size() - 1);
  }
}

void merge_all(RegionGraph& graph) {
  Region all;
  for (Region& r : graph.regions) {
    all.starts.append(r.starts);
    all.exits.append(r.exits);
    all.blocks.insert(r.blocks.begin(), r.blocks.end());
    all.returns |= r.returns;
  }
  llvm::sort(all.exits);
  all.exits.erase(llvm::unique(all.exits), all.exits.end());
  graph.regions.clear();
  graph.regions.push_back(std::move(all));
  for (unsigned& r : graph.region_of) r = 0;
}

/// A region may have work-items that have returned if it can be reached from a region that splits.
void find_dead(RegionGraph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Region& r : graph.regions) {
      if (!r.splits && !r.may_have_dead) continue;
      for (unsigned e : r.exits) {
        Region& next = graph.regions[graph.region_of[e]];
        changed |= !next.may_have_dead;
        next.may_have_dead = true;
      }
    }
  }
}

}  // namespace

llvm::SmallVector<Barrier> isolate_barriers(const WorkItemFunction& item) {
  llvm::SmallVector<llvm::CallBase*> calls;
  for (llvm::Instruction& i : llvm::instructions(*item.function))
    if (is_barrier(i) || is_turn(i)) calls.push_back(llvm::cast<llvm::CallBase>(&i));
  llvm::SmallVector<Barrier> barriers;
  for (llvm::CallBase* call : calls) {
    Barrier b;
    b.call = call;
    b.block = llvm::SplitBlock(call->getParent(), call);
    b.continuation = llvm::SplitBlock(b.block, call->getNextNode());
    b.beyond_work_group = call->arg_size() > 1 && beyond_work_group(*call, 1);
    b.is_turn = is_turn(*call);
    barriers.push_back(b);
    b.block->setName("barrier." + llvm::Twine(barriers.size()));
    b.continuation->setName("after." + llvm::Twine(barriers.size()));
  }
  return barriers;
}

bool may_part_before_barriers(const WorkItemFunction& item, const llvm::SmallVectorImpl<Barrier>& barriers,
                              Uniformity& uniformity) {
  const llvm::PostDominatorTree post_dominators(*item.function);
  BarrierNumbers numbers;
  llvm::SmallVector<BasicBlock*> stops;
  for (const Barrier& barrier : barriers) {
    numbers[barrier.block] = 1;
    stops.push_back(barrier.block);
  }
  return llvm::any_of(reaching(nullptr, stops), [&](const BasicBlock* block) {
    return uniformity.branch_diverges(*block) && !meets_before_exit(*block, numbers, post_dominators);
  });
}

RegionGraph form_regions(const WorkItemFunction& item, llvm::SmallVector<Barrier> barriers, Uniformity& uniformity,
                         unsigned copied_instructions_limit) {
  RegionGraph graph;
  graph.barriers = std::move(barriers);
  BarrierNumbers numbers;
  for (unsigned i = 0; i < graph.barriers.size(); ++i) numbers[graph.barriers[i].block] = i + 1;
  // A large program may have copies that amount to a few times its own code.
  const std::size_t limit =
      copied_instructions_limit == 0
          ? 0
          : std::max<std::size_t>(copied_instructions_limit, 4 * std::size_t{item.function->getInstructionCount()});
  std::size_t copied = 0;
  graph.region_of.resize(graph.barriers.size() + 1);
  for (unsigned c = 0; c <= graph.barriers.size(); ++c) {
    if (graph.is_turn(c)) continue;
    // Once all continuations will share one region, only the union of the blocks matters.
    const bool merging = copied > limit;
    if (!merging) graph.regions.emplace_back();
    Region& region = graph.regions.back();
    region.starts.push_back(c);
    grow(region, graph.start_block(c, item), numbers);
    graph.region_of[c] = static_cast<unsigned>(graph.regions.size() - 1);
    if (!merging) copied += instructions(region);
  }
  if (copied > limit) {
    tally(Transformation::merge_regions);
    merge_all(graph);
  }
  add_turns(graph, numbers, item.sub_group_size > 1);
  // A turn parts nobody: those who come to it and those who pass it by are to meet again.
  for (const Barrier& barrier : graph.barriers)
    if (barrier.is_turn) numbers.erase(barrier.block);
  llvm::PostDominatorTree post_dominators;
  if (!graph.barriers.empty()) post_dominators.recalculate(*item.function);
  for (Region& region : graph.regions) {
    region.splits = may_split(region, numbers, uniformity, post_dominators);
    graph.needs_alive |= region.splits;
  }
  if (graph.needs_alive && item.sub_group_size == 1 && graph.turns == 0) {
    Uniformity in_rows(item, Uniformity::Scope::row);
    graph.rows_return_whole =
        llvm::none_of(graph.regions, [&](const Region& r) { return may_split(r, numbers, in_rows, post_dominators); });
  }
  find_dead(graph);
  return graph;
}

}  // namespace lanewise
