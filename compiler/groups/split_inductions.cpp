// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/split_inductions.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/transformations.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/groups/vector_counters.h"

namespace lanewise {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// What a number or an address is computed from, by cheap integer arithmetic alone.
enum class Made : unsigned char { otherwise, of_arguments, of_ids };

constexpr unsigned kDeepest = 10;

Made made_of(const WorkItemFunction& item, const Value& v, unsigned depth = 0) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&v))
    return item.is_varying(*argument) ? Made::of_ids : Made::of_arguments;
  if (llvm::isa<llvm::Constant>(v)) return Made::of_arguments;
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || depth == kDeepest || !i->getType()->isIntOrPtrTy()) return Made::otherwise;
  const auto* binary = llvm::dyn_cast<BinaryOperator>(i);
  if (!llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(i) && (binary == nullptr || binary->isIntDivRem()))
    return Made::otherwise;
  Made result = Made::of_arguments;
  for (const Value* operand : i->operands()) {
    const Made part = made_of(item, *operand, depth + 1);
    if (part == Made::otherwise) return part;
    if (part == Made::of_ids) result = part;
  }
  return result;
}

class Splitter {
 public:
  Splitter(const WorkItemFunction& item, const llvm::Loop& loop)
      : item_(item), loop_(loop), before_(loop.getLoopPreheader()), latch_(loop.getLoopLatch()) {}

  void run() {
    if (before_ == nullptr || latch_ == nullptr) return;
    split_vector_counters(loop_);
    llvm::SmallVector<PHINode*> numbers;
    llvm::SmallVector<PHINode*> addresses;
    for (PHINode& phi : loop_.getHeader()->phis())
      if (phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64))
        numbers.push_back(&phi);
      else if (phi.getType()->isPointerTy())
        addresses.push_back(&phi);
    for (PHINode* phi : numbers) split(*phi);
    for (PHINode* phi : addresses) split_address(*phi);
  }

 private:
  void split(PHINode& phi) {
    Value* start = phi.getIncomingValueForBlock(before_);
    auto* next = llvm::dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch_));
    if (next == nullptr || next->getOpcode() != Instruction::Add) return;
    if (next->getOperand(0) != &phi && next->getOperand(1) != &phi) return;
    Value* step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
    if (step == &phi || made_of(item_, *start) != Made::of_ids || !moves_before_loop(*step)) return;
    // A sum that does not wrap is the same in 64 bits, where its extensions are not needed.
    const bool wide = phi.getType()->isIntegerTy(32) && next->hasNoSignedWrap();
    llvm::IRBuilder<> b(before_->getTerminator());
    llvm::Type* type = wide ? b.getInt64Ty() : phi.getType();
    Value* base = wide ? b.CreateSExt(start, type) : start;
    PHINode& offset = count(phi, *(wide ? b.CreateSExt(step, type) : step));
    b.SetInsertPoint(loop_.getHeader(), loop_.getHeader()->getFirstInsertionPt());
    Value* sum = b.CreateAdd(base, &offset);
    sum->takeName(&phi);
    tally(Transformation::split_inductions);
    replace(phi, *sum, wide);
    if (next->use_empty()) next->eraseFromParent();
  }

  /// The same for an address that moves by so many bytes in each iteration.
  void split_address(PHINode& phi) {
    Value* start = phi.getIncomingValueForBlock(before_);
    Value* next = phi.getIncomingValueForBlock(latch_);
    if (made_of(item_, *start) != Made::of_ids) return;
    llvm::SmallVector<llvm::GetElementPtrInst*, 2> moves;
    for (Value* v = next; v != &phi; v = moves.back()->getPointerOperand()) {
      moves.push_back(llvm::dyn_cast<llvm::GetElementPtrInst>(v));
      if (moves.back() == nullptr ||
          !llvm::all_of(moves.back()->indices(), [&](const llvm::Use& index) { return moves_before_loop(*index); }))
        return;
    }
    if (moves.empty()) return;
    llvm::IRBuilder<> b(before_->getTerminator());
    Value* step = nullptr;
    for (llvm::GetElementPtrInst* move : moves) {
      Value* bytes = llvm::emitGEPOffset(&b, phi.getDataLayout(), move);
      step = step == nullptr ? bytes : b.CreateAdd(step, bytes);
    }
    PHINode& offset = count(phi, *step);
    b.SetInsertPoint(loop_.getHeader(), loop_.getHeader()->getFirstInsertionPt());
    Value* sum = b.CreateGEP(b.getInt8Ty(), start, &offset);
    sum->takeName(&phi);
    tally(Transformation::split_inductions);
    phi.replaceAllUsesWith(sum);
    phi.eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(next);
  }

  /// Moves what `value` is computed from before the loop, if that is arguments alone.
  [[nodiscard]] bool moves_before_loop(Value& value) const {
    bool changed = false;
    return made_of(item_, value) == Made::of_arguments &&
           loop_.makeLoopInvariant(&value, changed, before_->getTerminator());
  }

  /// A uniform offset beside `phi`, which grows by `step` in each iteration.
  PHINode& count(PHINode& phi, Value& step) {
    llvm::IRBuilder<> b(&phi);
    PHINode* offset = b.CreatePHI(step.getType(), 2, phi.getName() + ".offset");
    offset->addIncoming(llvm::ConstantInt::get(step.getType(), 0), before_);
    b.SetInsertPoint(latch_->getTerminator());
    offset->addIncoming(b.CreateAdd(offset, &step), latch_);
    return *offset;
  }

  static void replace(PHINode& phi, Value& sum, bool wide) {
    if (wide) {
      for (llvm::User* user : llvm::make_early_inc_range(phi.users())) {
        auto* extension = llvm::dyn_cast<llvm::CastInst>(user);
        const bool same =
            extension != nullptr && extension->getType()->isIntegerTy(64) &&
            (llvm::isa<llvm::SExtInst>(extension) || (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg()));
        if (!same) continue;
        extension->replaceAllUsesWith(&sum);
        extension->eraseFromParent();
      }
      llvm::IRBuilder<> b(llvm::cast<Instruction>(sum).getNextNode());
      phi.replaceAllUsesWith(b.CreateTrunc(&sum, phi.getType(), "", /*IsNUW=*/false, /*IsNSW=*/true));
    } else {
      phi.replaceAllUsesWith(&sum);
    }
    phi.eraseFromParent();
  }

  const WorkItemFunction& item_;
  const llvm::Loop& loop_;
  llvm::BasicBlock* before_;
  llvm::BasicBlock* latch_;
};

}  // namespace

void split_inductions(const WorkItemFunction& item) {
  llvm::SmallVector<const Instruction*> barriers;
  for (const Instruction& i : llvm::instructions(*item.function))
    if (is_barrier(i)) barriers.push_back(&i);
  if (barriers.empty()) return;
  const llvm::DominatorTree dominators(*item.function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallPtrSet<const llvm::Loop*, 8> done;
  for (const Instruction* barrier : barriers)
    for (const llvm::Loop* loop = loops.getLoopFor(barrier->getParent()); loop != nullptr; loop = loop->getParentLoop())
      if (done.insert(loop).second) Splitter(item, *loop).run();
}

}  // namespace lanewise
