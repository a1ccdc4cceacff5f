// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/private_memory.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/base/transformations.h"
#include "compiler/groups/interleaving.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// More than this goes to scratch: worker threads, and application threads that help, have stacks of unknown size.
constexpr std::uint64_t kStackLimit = std::uint64_t{16} * 1024;

/// Arrays of more elements stay as they are: code that goes from work-item to work-item touches a line of the cache for
/// each element.
constexpr std::uint64_t kMostElements = 256;

/// The accesses to a variable, and whether its address escapes.
struct VariableUses {
  llvm::SmallPtrSet<const Instruction*, 16> touches;
  llvm::SmallPtrSet<const Instruction*, 4> markers;  ///< lifetime start and end
  /// Selects and phis that may be the address of this variable or of another.
  llvm::SmallPtrSet<const llvm::Value*, 2> choices;
  bool escapes = false;
};

VariableUses find_uses(const llvm::AllocaInst& variable) {
  VariableUses uses;
  llvm::SmallVector<const llvm::Value*> work{&variable};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const llvm::Use& use : pointer->uses()) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst, llvm::PHINode,
                    llvm::SelectInst>(user)) {
        work.push_back(user);
        if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user) || uses.choices.contains(pointer))
          uses.choices.insert(user);
      } else if (user->isLifetimeStartOrEnd()) {
        uses.markers.insert(user);
      } else if (llvm::isa<llvm::LoadInst>(user)) {
        uses.touches.insert(user);
      } else if (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
        uses.touches.insert(user);
        uses.escapes |= use.getOperandNo() != (llvm::isa<llvm::StoreInst>(user) ? 1U : 0U);
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        uses.touches.insert(user);
        uses.escapes |= !call->isDataOperand(&use) || !call->doesNotCapture(call->getDataOperandNo(&use));
      } else if (!llvm::isa<llvm::ICmpInst>(user)) {
        uses.escapes = true;
      }
    }
  }
  return uses;
}

enum class VariableEvent : unsigned char { none, touch, marker };

VariableEvent event_of(const Instruction& i, const VariableUses& uses) {
  if (uses.touches.contains(&i)) return VariableEvent::touch;
  return uses.markers.contains(&i) ? VariableEvent::marker : VariableEvent::none;
}

/// Blocks from whose begin (backward) or end (forward) some path reaches an access before a lifetime marker.
llvm::SmallPtrSet<const BasicBlock*, 16> flow(const WorkItemFunction& item, const VariableUses& uses, bool backward) {
  llvm::DenseMap<const BasicBlock*, VariableEvent> first;
  llvm::SmallVector<const BasicBlock*> work;
  for (const BasicBlock& block : *item.function) {
    VariableEvent event = VariableEvent::none;
    if (backward) {
      for (auto i = block.begin(); i != block.end() && event == VariableEvent::none; ++i) event = event_of(*i, uses);
    } else {
      for (auto i = block.rbegin(); i != block.rend() && event == VariableEvent::none; ++i) event = event_of(*i, uses);
    }
    first[&block] = event;
    if (event == VariableEvent::touch) work.push_back(&block);
  }
  llvm::SmallPtrSet<const BasicBlock*, 16> reached;
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!reached.insert(block).second) continue;
    const auto visit = [&](const BasicBlock* next) {
      if (first[next] == VariableEvent::none) work.push_back(next);
    };
    if (backward)
      for (const BasicBlock* p : llvm::predecessors(block)) visit(p);
    else
      for (const BasicBlock* s : llvm::successors(block)) visit(s);
  }
  return reached;
}

/// True if the address is live across a barrier. It then has to be that of the same place after it.
bool is_alive_at(const llvm::Value& value, const llvm::SmallVectorImpl<Barrier>& barriers) {
  const auto& address = llvm::cast<Instruction>(value);
  llvm::SmallVector<const BasicBlock*> work;
  const auto alive_at_end = [&](const BasicBlock* block) {
    if (block != address.getParent()) work.push_back(block);
  };
  for (const llvm::Use& use : address.uses()) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    alive_at_end(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
  }
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    if (llvm::any_of(barriers, [&](const Barrier& b) { return b.block == block; })) return true;
    for (const BasicBlock* p : llvm::predecessors(block)) alive_at_end(p);
  }
  return false;
}

bool lives_across(const WorkItemFunction& item, const VariableUses& uses,
                  const llvm::SmallVectorImpl<Barrier>& barriers) {
  if (barriers.empty()) return false;
  if (uses.escapes) return true;
  if (llvm::any_of(uses.choices, [&](const llvm::Value* choice) { return is_alive_at(*choice, barriers); }))
    return true;
  const auto needed = flow(item, uses, true);
  const auto written = flow(item, uses, false);
  return llvm::any_of(barriers,
                      [&](const Barrier& b) { return written.contains(b.block) && needed.contains(b.block); });
}

/// The limit for copies, one per work-item of a sub-group, that are on the stack together.
constexpr std::uint64_t kLanesLimit = std::uint64_t{8} * 1024;

/// Moves the largest variables off the stack until the rest fits.
void spill_large(PrivateMemory& memory, unsigned lanes) {
  const std::uint64_t limit = lanes == 1 ? kStackLimit : kLanesLimit / lanes;
  llvm::SmallVector<PrivateVariable*> stack;
  std::uint64_t total = 0;
  for (PrivateVariable& v : memory.variables) {
    if (v.place != PrivatePlace::stack) continue;
    stack.push_back(&v);
    total += v.bytes;
  }
  llvm::sort(stack, [](const PrivateVariable* a, const PrivateVariable* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  for (PrivateVariable* v : stack) {
    if (total <= limit) break;
    total -= v->bytes;
    if (lanes > 1) {
      v->place = PrivatePlace::item_scratch;
      continue;
    }
    v->place = PrivatePlace::group_scratch;
    v->offset = llvm::alignTo(memory.group_bytes, v->variable->getAlign());
    memory.group_bytes = v->offset + v->bytes;
  }
}

}  // namespace

PrivateMemory place_private_variables(const WorkItemFunction& item, const llvm::SmallVectorImpl<Barrier>& barriers,
                                      bool keep_described) {
  PrivateMemory memory;
  llvm::SmallVector<Instruction*> markers;
  const llvm::DataLayout& layout = item.function->getDataLayout();
  for (Instruction& i : item.function->getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    if (variable == nullptr) continue;
    variable->setAlignment(std::min(variable->getAlign(), llvm::Align(LANEWISE_SCRATCH_ALIGN)));
    const VariableUses uses = find_uses(*variable);
    PrivateVariable v;
    v.variable = variable;
    v.bytes = llvm::alignTo(variable->getAllocationSize(layout)->getFixedValue(), variable->getAlign());
    const bool kept = keep_described && !barriers.empty() && !llvm::findDVRDeclares(variable).empty();
    if (kept || lives_across(item, uses, barriers)) v.place = PrivatePlace::item_scratch;
    memory.variables.push_back(v);
    // A marker may end up in another work-item loop than the code to which it belongs.
    for (const Instruction* m : uses.markers) markers.push_back(const_cast<Instruction*>(m));
  }
  for (Instruction* m : markers) m->eraseFromParent();
  spill_large(memory, item.sub_group_size);
  return memory;
}

void interleave_arrays(const WorkItemFunction& item, PrivateMemory& memory) {
  std::uint64_t items = 1;
  for (const std::uint64_t size : item.known_size) items *= size;
  llvm::Value* copies = item.context(ContextParameter::full_group);
  if (items != 0) copies = llvm::ConstantInt::get(copies->getType(), items);
  for (PrivateVariable& v : memory.variables) {
    if (v.place != PrivatePlace::item_scratch) continue;
    Interleaving interleaving(*v.variable, item.function->getDataLayout());
    const std::uint64_t element = interleaving.find_element_of_parts();
    if (element == 0 || v.bytes <= element || v.bytes > kMostElements * element) continue;
    tally(Transformation::interleave_arrays);
    interleaving.spread(*copies);
    for (llvm::DbgVariableRecord* declare : llvm::findDVRDeclares(v.variable)) declare->eraseFromParent();
    v.element = element;
    v.bytes = llvm::alignTo(v.bytes, element);
  }
}

}  // namespace lanewise
