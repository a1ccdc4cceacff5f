// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/live_values.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <optional>

#include "compiler/builtins/known_functions.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

using ContinuationNumbers = llvm::DenseMap<const BasicBlock*, unsigned>;

/// Walks from each use back to the definition and notes the continuations on the way.
void add_liveness(Instruction& value, const ContinuationNumbers& numbers, LiveValues& live) {
  llvm::SmallVector<const BasicBlock*> work;  // blocks at whose begin the value is live
  const auto alive_at_end = [&](const BasicBlock* block) {
    if (block != value.getParent()) work.push_back(block);
  };
  for (const llvm::Use& use : value.uses()) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
      alive_at_end(phi->getIncomingBlock(use));
    else
      alive_at_end(user->getParent());
  }
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    auto continuation = numbers.find(block);
    if (continuation != numbers.end()) live.at[continuation->second].insert(&value);
    for (const BasicBlock* p : llvm::predecessors(block)) alive_at_end(p);
  }
}

/// How a value is computed again: the instructions that have to be kept instead of it.
struct Recipe {
  unsigned operations = 0;
  llvm::SmallSetVector<Instruction*, 2> kept;
};
constexpr unsigned kMaxOperations = 16;
constexpr unsigned kMaxKept = 3;
constexpr unsigned kMaxDepth = 10;

/// Integer and address arithmetic is as cheap as a load, and gives the same bits every time. Floating-point arithmetic
/// may not: the optimiser may contract one copy of an expression and not the other.
bool is_cheap(const Instruction& i) {
  if (!i.getType()->isIntOrPtrTy()) return false;
  if (llvm::isa<llvm::MinMaxIntrinsic>(i)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return call->getIntrinsicID() == llvm::Intrinsic::abs;
  if (const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return !op->isIntDivRem();
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return cast->getSrcTy()->isIntOrPtrTy();
  if (llvm::isa<llvm::ICmpInst>(i)) return i.getOperand(0)->getType()->isIntOrPtrTy();
  return llvm::isa<llvm::GetElementPtrInst, llvm::SelectInst>(i);
}

std::optional<Recipe> recipe(Instruction& value, Uniformity& uniformity, unsigned depth = 0) {
  if (!is_cheap(value) || depth == kMaxDepth) return std::nullopt;
  Recipe sum;
  sum.operations = 1;
  for (Value* operand : value.operands()) {
    auto* instruction = llvm::dyn_cast<Instruction>(operand);
    if (instruction == nullptr || llvm::isa<llvm::AllocaInst>(instruction)) continue;
    if (auto part = recipe(*instruction, uniformity, depth + 1)) {
      sum.operations += part->operations;
      sum.kept.insert(part->kept.begin(), part->kept.end());
    } else if (uniformity.is_uniform_in(*instruction, *value.getParent())) {
      sum.kept.insert(instruction);
    } else {
      return std::nullopt;
    }
    if (sum.operations > kMaxOperations || sum.kept.size() > kMaxKept) return std::nullopt;
  }
  return sum;
}

/// Decides which values are recomputed, and makes the operands of their recipes live as well. That is always possible:
/// where a value is live, it was computed from the last execution of its operands, because they dominate it.
void choose_recomputed(LiveValues& live, Uniformity& uniformity) {
  llvm::DenseMap<Instruction*, std::optional<Recipe>> recipes;
  const auto lookup = [&](Instruction* v) -> const std::optional<Recipe>& {
    auto known = recipes.find(v);
    if (known != recipes.end()) return known->second;
    auto r = recipe(*v, uniformity);
    // A uniform value needs one place per group: nothing is gained by keeping another one instead.
    if (r && !r->kept.empty() && uniformity.is_uniform_in(*v, *v->getParent())) r.reset();
    return recipes[v] = std::move(r);
  };
  for (ValueSet& set : live.at) {
    for (unsigned i = 0; i < set.size(); ++i) {  // grows
      Instruction* value = set[i];
      const auto& r = lookup(value);
      live.values[value].keep = r ? Keep::recompute : Keep::group;
      if (!r) continue;
      const auto kept = r->kept;
      set.insert(kept.begin(), kept.end());
    }
  }
}

/// The blocks of loops in which work-items take turns, from one barrier to the next: of a value that is uniform there,
/// each work-item has that of another round.
llvm::SmallPtrSet<const BasicBlock*, 16> blocks_between_turns(const RegionGraph& graph) {
  llvm::SmallPtrSet<const BasicBlock*, 16> barriers;
  for (const Barrier& barrier : graph.barriers)
    if (!barrier.is_turn) barriers.insert(barrier.block);
  llvm::SmallPtrSet<const BasicBlock*, 16> found;
  for (const Barrier& barrier : graph.barriers) {
    if (!barrier.is_turn) continue;
    const auto reached = [&](auto next_of) {
      llvm::SmallPtrSet<const BasicBlock*, 16> seen;
      llvm::SmallVector<const BasicBlock*> work{barrier.block};
      while (!work.empty())
        for (const BasicBlock* next : next_of(work.pop_back_val()))
          if (!barriers.contains(next) && seen.insert(next).second) work.push_back(next);
      return seen;
    };
    const auto before = reached([](const BasicBlock* block) { return llvm::predecessors(block); });
    for (const BasicBlock* block : reached([](const BasicBlock* b) { return llvm::successors(b); }))
      if (before.contains(block)) found.insert(block);
  }
  return found;
}

class SlotAllocator {
 public:
  /// Reserves `bytes` (a multiple of `align`) per work-item; `when` are the continuations at which it is in use.
  /// Call in descending order of alignment: then every prefix is a multiple of the next alignment.
  ItemSlot take(std::uint64_t bytes, llvm::Align align, const llvm::BitVector& when) {
    for (Shared& s : shared_) {
      if (s.slot.bytes != bytes || s.slot.align != align || s.when.anyCommon(when)) continue;
      s.when |= when;
      return s.slot;
    }
    shared_.push_back({{total_, bytes, align}, when});
    total_ += bytes;
    return shared_.back().slot;
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  struct Shared {
    ItemSlot slot;
    llvm::BitVector when;
  };
  llvm::SmallVector<Shared> shared_;
  std::uint64_t total_ = 0;
};

/// True if `value` is the same for all work-items that arrive at `barrier`.
bool is_uniform_at(const Value& value, const Barrier& barrier, const WorkItemFunction& item, Uniformity& uniformity) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) return !item.is_varying(*argument);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  return instruction == nullptr || uniformity.is_uniform_in(*instruction, *barrier.block);
}

/// Which places the operands of the work-group's operations need.
void choose_operand_places(LiveValues& live, const WorkItemFunction& item, const RegionGraph& graph,
                           Uniformity& uniformity) {
  live.operands.resize(graph.barriers.size() + 1);
  for (unsigned c = 1; c < live.operands.size(); ++c) {
    const Barrier& barrier = graph.barriers[c - 1];
    const auto operation = work_group_call(*barrier.call);
    if (!operation || operation->what != SubGroupOperation::broadcast) continue;
    const Value& index = *barrier.call->getArgOperand(1);
    if (llvm::isa<llvm::Constant>(index)) continue;
    live.operands[c].keep_index = is_uniform_at(index, barrier, item, uniformity) ? Keep::group : Keep::item;
  }
}

/// The first operand of the group's operation at continuation `c`, if each work-item keeps it across the barrier
/// anyway; else null. (The types of operands are stored as they are.)
const LiveValue* kept_operand(const LiveValues& live, const llvm::CallBase& call, unsigned c) {
  auto* operand = work_group_call(call) ? llvm::dyn_cast<Instruction>(call.getArgOperand(0)) : nullptr;
  if (operand == nullptr || !live.at[c].contains(operand)) return nullptr;
  const LiveValue& value = live.values.find(operand)->second;
  return value.keep == Keep::item ? &value : nullptr;
}

/// A request for a slot.
struct Request {
  std::uint64_t bytes = 0;
  llvm::Align align;
  llvm::BitVector when;
  ItemSlot* result = nullptr;
};

void lay_out(LiveValues& live, const RegionGraph& graph, const PrivateMemory& memory, const llvm::DataLayout& layout) {
  llvm::SmallVector<Request> requests;
  const llvm::BitVector always(static_cast<unsigned>(live.at.size()), true);
  const auto want = [&](std::uint64_t bytes, llvm::Align align, const llvm::BitVector& when, ItemSlot* result) {
    requests.push_back({llvm::alignTo(bytes, align), align, when, result});
  };
  for (const PrivateVariable& v : memory.variables)
    if (v.place == PrivatePlace::item_scratch) live.variables[v.variable] = {};
  for (const PrivateVariable& v : memory.variables)
    if (v.place == PrivatePlace::item_scratch)
      want(v.bytes, v.variable->getAlign(), always, &live.variables[v.variable]);
  if (graph.needs_alive) want(1, llvm::Align(1), always, &live.alive);
  if (graph.turns != 0) want(4, llvm::Align(4), always, &live.turn);
  llvm::DenseMap<const Instruction*, llvm::BitVector> when;
  for (unsigned c = 0; c < live.at.size(); ++c)
    for (Instruction* value : live.at[c]) {
      llvm::BitVector& bits = when[value];
      bits.resize(static_cast<unsigned>(live.at.size()));
      bits.set(c);
    }
  for (auto& [value, info] : live.values) {
    if (info.keep != Keep::item) continue;
    llvm::Type* type = stored_type(value->getType());
    const auto align = std::min(layout.getABITypeAlign(type), llvm::Align(LANEWISE_SCRATCH_ALIGN));
    want(layout.getTypeAllocSize(type).getFixedValue(), align, when[value], &info.slot);
  }
  for (unsigned c = 1; c < live.operands.size(); ++c) {
    const llvm::CallBase& call = *graph.barriers[c - 1].call;
    if (!work_group_call(call)) continue;
    llvm::BitVector waiting(static_cast<unsigned>(live.at.size()));
    waiting.set(c);
    const auto operand = [&](unsigned i, ItemSlot& slot) {
      llvm::Type* type = call.getArgOperand(i)->getType();
      want(layout.getTypeAllocSize(type).getFixedValue(), layout.getABITypeAlign(type), waiting, &slot);
    };
    if (kept_operand(live, call, c) == nullptr) operand(0, live.operands[c].value);
    if (live.operands[c].keep_index == Keep::item) operand(1, live.operands[c].index);
  }
  llvm::SmallVector<unsigned> order;
  for (unsigned i = 0; i < requests.size(); ++i) order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    if (requests[a].align != requests[b].align) return requests[a].align > requests[b].align;
    return a < b;
  });
  SlotAllocator slots;
  for (unsigned i : order) {
    const Request& r = requests[i];
    *r.result = slots.take(r.bytes, r.align, r.when);
  }
  live.item_bytes = slots.total();
  for (unsigned c = 1; c < live.operands.size(); ++c)
    if (const LiveValue* kept = kept_operand(live, *graph.barriers[c - 1].call, c)) {
      live.operands[c].value = kept->slot;
      live.operands[c].is_kept = true;
    }
}

}  // namespace

llvm::Type* stored_type(llvm::Type* type) {
  const unsigned bits = type->isIntOrIntVectorTy() ? type->getScalarSizeInBits() : 64;
  if (bits >= 64) return type;
  return type->getWithNewBitWidth(std::max(8U, static_cast<unsigned>(llvm::PowerOf2Ceil(bits))));
}

LiveValues find_live_values(const WorkItemFunction& item, const RegionGraph& graph, const PrivateMemory& memory,
                            Uniformity& uniformity) {
  LiveValues live;
  live.at.resize(graph.barriers.size() + 1);
  const bool scratch =
      llvm::any_of(memory.variables, [](const PrivateVariable& v) { return v.place == PrivatePlace::item_scratch; });
  if (graph.barriers.empty() && !scratch) return live;
  ContinuationNumbers numbers;
  for (unsigned i = 0; i < graph.barriers.size(); ++i) numbers[graph.barriers[i].continuation] = i + 1;
  for (Instruction& i : llvm::instructions(*item.function))
    if (!i.use_empty() && !llvm::isa<llvm::AllocaInst>(i)) add_liveness(i, numbers, live);
  choose_recomputed(live, uniformity);
  const auto between_turns = blocks_between_turns(graph);
  for (unsigned c = 1; c < live.at.size(); ++c)
    for (Instruction* value : live.at[c]) {
      LiveValue& info = live.values[value];
      if (info.keep == Keep::group && (between_turns.contains(value->getParent()) ||
                                       !uniformity.is_uniform_in(*value, *graph.barriers[c - 1].block)))
        info.keep = Keep::item;
    }
  choose_operand_places(live, item, graph, uniformity);
  lay_out(live, graph, memory, item.function->getDataLayout());
  return live;
}

}  // namespace lanewise
