// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/loop_memory.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/MemorySSAUpdater.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PredIteratorCache.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/effort.h"
#include "compiler/base/loop_rotation.h"
#include "compiler/base/marks.h"

namespace lanewise {
namespace {

/// Pointers to one place.
using Pointers = llvm::SmallSetVector<llvm::Value*, 8>;

/// The addresses of such places are short computations.
constexpr unsigned kDeepest = 8;

/// Whether a value is the same in all iterations, or could be computed before the loop.
bool is_same_in(const llvm::Loop& loop, const llvm::Value& value, unsigned depth = 0) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto& i = llvm::cast<llvm::Instruction>(value);
  return depth < kDeepest && !llvm::isa<llvm::PHINode>(i) && !i.mayReadOrWriteMemory() &&
         llvm::all_of(i.operands(), [&](const llvm::Use& use) { return is_same_in(loop, *use, depth + 1); });
}

/// The pointer of a plain load or store; else null.
llvm::Value* plain_pointer(llvm::Instruction& i) {
  return i.isVolatile() || i.isAtomic() ? nullptr : llvm::getLoadStorePointerOperand(&i);
}

/// The transformation of one function.
class LoopMemory {
 public:
  LoopMemory(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function), analyses_(analyses) {}

  /// The number of places that can become values.
  std::size_t places() {
    std::size_t count = 0;
    for (const llvm::Loop* loop : get<llvm::LoopAnalysis>().getLoopsInPreorder()) count += places_of(*loop).size();
    return count;
  }
  /// @returns whether the function has changed
  bool run() {
    if (places() == 0) return false;
    bring_into_form();
    llvm::MemorySSAUpdater memory(&get<llvm::MemorySSAAnalysis>().getMSSA());
    // From the innermost: what is promoted there is stored in the loop around it.
    for (llvm::Loop* loop : inner_loops_first()) promote_in(*loop, memory);
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    return true;
  }

 private:
  template <class Analysis>
  Analysis::Result& get() {
    return analyses_.getResult<Analysis>(function_);
  }

  llvm::SmallVector<llvm::Loop*, 4> inner_loops_first() {
    auto loops = get<llvm::LoopAnalysis>().getLoopsInPreorder();
    std::reverse(loops.begin(), loops.end());
    return loops;
  }
  llvm::SmallVector<Pointers> places_of(const llvm::Loop& loop);
  Pointers pointers_to_place_of(const llvm::StoreInst& store, const llvm::Loop& loop);
  void bring_into_form();
  void promote_in(llvm::Loop& loop, llvm::MemorySSAUpdater& memory);
  bool promote(llvm::Loop& loop, const Pointers& pointers, llvm::MemorySSAUpdater& memory);

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::PredIteratorCache predecessors_;
};

/// Whether others may see by it what the loop has stored, or it may see what others have: a barrier, a fence, an atomic
/// or volatile access, or a function with one of them. LLVM would let such a call change nothing behind `noalias`.
bool meets_others(const llvm::Instruction& i) {
  return i.isVolatile() || i.isAtomic() || (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i));
}

/// All pointers to the place of a store; none if an access of the loop may meet the place in another way.
Pointers LoopMemory::pointers_to_place_of(const llvm::StoreInst& store, const llvm::Loop& loop) {
  const llvm::MemoryLocation place = llvm::MemoryLocation::get(&store);
  llvm::BatchAAResults aliases(get<llvm::AAManager>());
  Pointers pointers;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& i : *block) {
      if (!i.mayReadOrWriteMemory()) continue;
      if (meets_others(i)) return {};
      llvm::Value* pointer = plain_pointer(i);
      if (pointer != nullptr && is_same_in(loop, *pointer) && aliases.isMustAlias(llvm::MemoryLocation::get(&i), place))
        pointers.insert(pointer);
      else if (llvm::isModOrRefSet(aliases.getModRefInfo(&i, place)))
        return {};
    }
  }
  return pointers;
}

/// The places that every iteration stores to and that no other access meets.
llvm::SmallVector<Pointers> LoopMemory::places_of(const llvm::Loop& loop) {
  llvm::SmallVector<Pointers> places;
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return places;
  for (llvm::BasicBlock* block : loop.blocks()) {
    if (!get<llvm::DominatorTreeAnalysis>().dominates(block, latch)) continue;
    for (llvm::Instruction& i : *block) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      if (store == nullptr || !store->isSimple() || !is_same_in(loop, *store->getPointerOperand())) continue;
      const auto is_its_place = [&](const Pointers& place) { return place.contains(store->getPointerOperand()); };
      if (llvm::any_of(places, is_its_place)) continue;
      if (Pointers place = pointers_to_place_of(*store, loop); !place.empty()) places.push_back(std::move(place));
    }
  }
  return places;
}

/// Tests of loops come last, because a store moves only if every iteration reaches it.
void LoopMemory::bring_into_form() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  analyses_.invalidate(function_, passes.run(function_, analyses_));
  for (llvm::Loop* loop : inner_loops_first()) {
    if (places_of(*loop).empty() || !rotate(*loop, function_, analyses_)) continue;
    restore_form(*loop, function_, analyses_);
    bool changed = false;
    for (const Pointers& place : places_of(*loop))
      for (llvm::Value* pointer : place) loop->makeLoopInvariant(pointer, changed);
  }
  llvm::PreservedAnalyses kept;  // by the utilities above
  kept.preserve<llvm::LoopAnalysis>();
  kept.preserve<llvm::DominatorTreeAnalysis>();
  analyses_.invalidate(function_, kept);
}

bool LoopMemory::promote(llvm::Loop& loop, const Pointers& pointers, llvm::MemorySSAUpdater& memory) {
  if (!llvm::all_of(pointers, [&](const llvm::Value* pointer) { return loop.isLoopInvariant(pointer); })) return false;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop.getUniqueExitBlocks(exits);
  llvm::SmallVector<llvm::BasicBlock::iterator> places;
  for (llvm::BasicBlock* exit : exits) places.push_back(exit->getFirstInsertionPt());
  llvm::SmallVector<llvm::MemoryAccess*> accesses(exits.size(), nullptr);
  llvm::ICFLoopSafetyInfo safety;
  safety.computeLoopSafetyInfo(&loop);
  llvm::OptimizationRemarkEmitter remarks(&function_);
  return llvm::promoteLoopAccessesToScalars(
      pointers, exits, places, accesses, predecessors_, &get<llvm::LoopAnalysis>(), &get<llvm::DominatorTreeAnalysis>(),
      &get<llvm::AssumptionAnalysis>(), &get<llvm::TargetLibraryAnalysis>(), &get<llvm::TargetIRAnalysis>(), &loop,
      memory, &safety, &remarks, /*AllowSpeculation=*/false, /*HasReadsOutsideSet=*/false);
}

void LoopMemory::promote_in(llvm::Loop& loop, llvm::MemorySSAUpdater& memory) {
  if (loop.getLoopPreheader() == nullptr || !loop.hasDedicatedExits()) return;
  bool any = false;
  for (const Pointers& place : places_of(loop)) any |= promote(loop, place, memory);
  if (any)
    llvm::formLCSSARecursively(loop, get<llvm::DominatorTreeAnalysis>(), &get<llvm::LoopAnalysis>(),
                               &get<llvm::ScalarEvolutionAnalysis>());
}

/// Marks the pointers to buffers as `restrict`. @returns the parameters that were not marked before
llvm::SmallVector<unsigned> mark_buffers(llvm::Function& kernel) {
  llvm::SmallVector<unsigned> marked;
  for (llvm::Argument& parameter : kernel.args()) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(parameter.getType());
    if (pointer == nullptr || !is_buffer_space(pointer->getAddressSpace()) || parameter.hasAttribute(marks::kRestrict))
      continue;
    parameter.addAttr(llvm::Attribute::get(kernel.getContext(), marks::kRestrict));
    marked.push_back(parameter.getArgNo());
  }
  return marked;
}

/// Whether more places could become values if no two buffers overlapped.
bool gains_by_distinct_buffers(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  LoopMemory memory(kernel, analyses);
  const std::size_t places = memory.places();
  const auto marked = mark_buffers(kernel);
  const bool gains = memory.places() > places;
  for (const unsigned parameter : marked) kernel.removeParamAttr(parameter, marks::kRestrict);
  return gains;
}

/// Does what the launches allow, or says that they should.
void use_launches(llvm::Module& module, const KernelContext& context, llvm::FunctionAnalysisManager& functions) {
  for (abi::KernelInfo* info : context.kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr || kernel->getInstructionCount() > kBriefInstructions) continue;
    if (context.options.launches == nullptr)
      info->gains_by_distinct_buffers = gains_by_distinct_buffers(*kernel, functions);
    else if (context.options.launches->distinct_buffers)
      mark_buffers(*kernel);
  }
}

}  // namespace

llvm::PreservedAnalyses PromoteLoopMemoryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  use_launches(module, context_of(module, analyses), functions);
  return unless_changed(change_functions(module, [&](llvm::Function& function) {
    return function.getInstructionCount() <= kBriefInstructions && LoopMemory(function, functions).run();
  }));
}

}  // namespace lanewise
