// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/paired_iterations.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/base/context.h"
#include "compiler/vectors/search_loops.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Instructions of one iteration, until they wait for the other one's.
constexpr unsigned kMostApart = 12;
/// Pairs that went for nothing, in a run of the loop.
constexpr unsigned kMostMisses = 4;
/// Of the smallest page that memory may be mapped by.
constexpr std::uint64_t kPageBytes = 4096;

using Map = llvm::DenseMap<const Value*, Value*>;

/// What a value is in an iteration; itself if it is the same in all of them.
Value* in(const Map& iteration, Value* v) {
  Value* mapped = iteration.lookup(v);
  return mapped == nullptr ? v : mapped;
}

/// The instruction in an iteration, which knows it from then on.
Instruction* copy(const Instruction& i, Map& iteration, IRBuilder<>& b) {
  Instruction* made = i.clone();
  for (llvm::Use& use : made->operands()) use.set(in(iteration, use.get()));
  b.Insert(made, i.getName());
  iteration[&i] = made;
  return made;
}

class Pair {
 public:
  /// @param before  the loop's preheader
  Pair(const SearchLoop& search, BasicBlock* before, Isa isa) : search_(search), before_(before), isa_(isa) {}

  void emit();

 private:
  Value* compute(Value* v, Map& known, IRBuilder<>& b) const;
  Value* same_pages(Map& first, Map& second, IRBuilder<>& b) const;
  bool tie(Value*& first, Value*& second, IRBuilder<>& b) const;
  void emit_choice(IRBuilder<>& b, Value* misses);
  llvm::PHINode* emit_pair(Value* misses);
  void emit_latch();
  void connect(llvm::PHINode* misses, llvm::PHINode* missed);

  const SearchLoop& search_;
  BasicBlock* before_;
  Isa isa_;
  BasicBlock* choice_ = nullptr;
  BasicBlock* pair_ = nullptr;
  BasicBlock* pair_latch_ = nullptr;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;  ///< of the header, and their new ones
  Map first_;   ///< what the header's values are in the pair's first iteration
  Map second_;  ///< and in the second one, with those of its latch
};

/// What holds only where the instruction was.
void forget_promises(Instruction& i) {
  i.dropPoisonGeneratingFlags();
  i.dropUBImplyingAttrsAndMetadata();
}

/// Keeps the code generator from the one order that needs fewer registers, one iteration behind the other: what follows
/// from either value waits for both. No instruction.
/// @returns whether they could be tied
bool Pair::tie(Value*& first, Value*& second, IRBuilder<>& b) const {
  if (!fills_register(*first, isa_)) return false;
  llvm::Type* type = first->getType();
  auto* both = llvm::StructType::get(type, type);
  auto* nothing = llvm::InlineAsm::get(llvm::FunctionType::get(both, {type, type}, false), "", "=v,=v,0,1", false);
  Value* tied = b.CreateCall(nothing, {first, second});
  first = b.CreateExtractValue(tied, 0);
  second = b.CreateExtractValue(tied, 1);
  return true;
}

/// A value as `is_short` has found it, for the iteration that begins with the known phis.
Value* Pair::compute(Value* v, Map& known, IRBuilder<>& b) const {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || !search_.loop->contains(i)) return v;
  if (const auto found = known.find(v); found != known.end()) return found->second;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(i))
    return compute(phi->getIncomingValueForBlock(search_.header), known, b);
  Instruction* copy = i->clone();
  for (llvm::Use& use : copy->operands()) use.set(compute(use.get(), known, b));
  forget_promises(*copy);
  b.Insert(copy, i->getName());
  known[v] = copy;
  return copy;
}

/// Whether the second iteration loads from the pages that the first one loads from; null if neither loads.
Value* Pair::same_pages(Map& first, Map& second, IRBuilder<>& b) const {
  const llvm::DataLayout& layout = search_.header->getDataLayout();
  Value* differences = nullptr;
  for (llvm::LoadInst* load : search_.loads) {
    llvm::Type* number = b.getInt64Ty();
    Value* from = b.CreatePtrToInt(compute(load->getPointerOperand(), first, b), number);
    Value* begin = b.CreatePtrToInt(compute(load->getPointerOperand(), second, b), number);
    const std::uint64_t bytes = layout.getTypeStoreSize(load->getType()).getFixedValue();
    Value* differs = b.CreateXor(from, begin);
    if (load->getAlign().value() < bytes)
      differs = b.CreateOr(differs, b.CreateXor(from, b.CreateAdd(begin, b.getInt64(bytes - 1))));
    differences = differences == nullptr ? differs : b.CreateOr(differences, differs);
  }
  return differences == nullptr ? nullptr : b.CreateICmpULT(differences, b.getInt64(kPageBytes));
}

/// One iteration or two.
void Pair::emit_choice(IRBuilder<>& b, Value* misses) {
  for (const auto& [phi, now] : phis_) first_[phi] = now;
  // The pair computes the rest of them again, beside each other.
  Map first = first_;
  for (const auto& [phi, now] : phis_) second_[phi] = compute(phi->getIncomingValueForBlock(search_.latch), first, b);
  Map second = second_;
  Value* more = compute(search_.latch_condition(), first, b);
  if (!search_.latch_goes_on) more = b.CreateNot(more);
  Value* both = b.CreateAnd(more, b.CreateICmpULT(misses, b.getInt32(kMostMisses)));
  if (Value* same = same_pages(first, second, b)) both = b.CreateAnd(both, same);
  // The latch is not certain to run, nor are its values to be defined.
  b.CreateCondBr(b.CreateFreeze(both, "pair"), pair_, search_.header);
}

/// Operation by operation, in the order in which a processor is to see them.
/// @returns the misses where the header begins
llvm::PHINode* Pair::emit_pair(Value* misses) {
  IRBuilder<> b(pair_);
  unsigned apart = 0;
  for (const Instruction& i : *search_.header) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
    copy(i, first_, b);
    Instruction* made = copy(i, second_, b);
    // Addresses of an iteration that might not run.
    if (!made->getType()->isVectorTy()) forget_promises(*made);
    if (++apart >= kMostApart && search_.chain.contains(&i) && tie(first_[&i], second_[&i], b)) apart = 0;
  }
  const auto goes_on = [&](const Map& iteration) {
    Value* frozen = b.CreateFreeze(in(iteration, search_.header_condition()));
    return search_.header_goes_on ? frozen : b.CreateNot(frozen);
  };
  auto* missed = llvm::PHINode::Create(b.getInt32Ty(), 2, "misses", search_.header->begin());
  missed->addIncoming(misses, choice_);
  missed->addIncoming(b.CreateAdd(misses, b.getInt32(1)), pair_);
  b.CreateCondBr(b.CreateAnd(goes_on(first_), goes_on(second_)), pair_latch_, search_.header);
  return missed;
}

void Pair::emit_latch() {
  IRBuilder<> b(pair_latch_);
  for (Instruction& i : *search_.latch) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i))
      second_[phi] = in(second_, phi->getIncomingValueForBlock(search_.header));
    else
      copy(i, second_, b);
  }
  pair_latch_->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  pair_latch_->getTerminator()->replaceSuccessorWith(search_.header, choice_);
}

/// The new blocks take the header's place.
void Pair::connect(llvm::PHINode* misses, llvm::PHINode* missed) {
  for (llvm::PHINode& phi : search_.exit->phis())
    phi.addIncoming(in(second_, phi.getIncomingValueForBlock(search_.latch)), pair_latch_);
  for (const auto& [phi, now] : phis_) {
    now->addIncoming(phi->getIncomingValueForBlock(before_), before_);
    now->addIncoming(in(second_, phi->getIncomingValueForBlock(search_.latch)), pair_latch_);
    now->addIncoming(phi->getIncomingValueForBlock(search_.latch), search_.latch);
  }
  misses->addIncoming(llvm::ConstantInt::get(misses->getType(), 0), before_);
  misses->addIncoming(misses, pair_latch_);
  misses->addIncoming(missed, search_.latch);
  before_->getTerminator()->replaceSuccessorWith(search_.header, choice_);
  search_.latch->getTerminator()->replaceSuccessorWith(search_.header, choice_);
  for (const auto& [phi, now] : phis_) {
    phi->replaceAllUsesWith(now);
    phi->eraseFromParent();
  }
}

void Pair::emit() {
  llvm::Function& function = *search_.header->getParent();
  const auto block = [&](const char* suffix) {
    return BasicBlock::Create(function.getContext(), search_.header->getName() + suffix, &function, search_.header);
  };
  choice_ = block(".one.or.two");
  pair_ = block(".two");
  pair_latch_ = block(".two.end");
  IRBuilder<> b(choice_);
  llvm::PHINode* misses = b.CreatePHI(b.getInt32Ty(), 3, "misses");
  for (llvm::PHINode& phi : search_.header->phis())
    phis_.emplace_back(&phi, b.CreatePHI(phi.getType(), 3, phi.getName()));
  emit_choice(b, misses);
  llvm::PHINode* missed = emit_pair(misses);
  emit_latch();
  connect(misses, missed);
}

bool pair_iterations(llvm::Function& function, const llvm::TargetTransformInfo& target, Isa isa) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Loop*> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) found.push_back(loop);
  bool changed = false;
  // No loop's change is part of another one.
  for (llvm::Loop* loop : found) {
    const auto search = find_search(*loop, target, isa);
    if (!search) continue;
    BasicBlock* before = loop->getLoopPreheader();
    if (before == nullptr) before = llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false);
    if (before == nullptr) continue;
    llvm::formLCSSA(*loop, dominators, &loops, nullptr);
    Pair(*search, before, isa).emit();
    changed = true;
    dominators.recalculate(function);
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses PairIterationsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context))
    changed |= pair_iterations(*function, functions.getResult<llvm::TargetIRAnalysis>(*function), context.options.isa);
  return unless_changed(changed);
}

}  // namespace lanewise
