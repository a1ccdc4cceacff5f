// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/exchange_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace lanewise {
namespace {

using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// The value without bit casts around it.
Value* bits_of(Value* v) {
  while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(v)) v = cast->getOperand(0);
  return v;
}

/// A loop of one block around one compare-exchange.
class ExchangeLoop {
 public:
  explicit ExchangeLoop(BasicBlock& block) : block_(block) {}

  /// Whether the block is such a loop, with an operation that atomicrmw has.
  bool matches() {
    branch_ = llvm::dyn_cast<llvm::BranchInst>(block_.getTerminator());
    if (branch_ == nullptr || !branch_->isConditional()) return false;
    const bool leaves_if_true = branch_->getSuccessor(1) == &block_;
    if (leaves_if_true == (branch_->getSuccessor(0) == &block_)) return false;
    return find_parts() && leaves_on_success(leaves_if_true) && is_expected_right() && find_operation();
  }

  void replace() {
    llvm::IRBuilder<> b(&block_, block_.getFirstInsertionPt());
    b.SetCurrentDebugLocation(exchange_->getDebugLoc());
    auto* atomic = b.CreateAtomicRMW(operation_, exchange_->getPointerOperand(), operand_, exchange_->getAlign(),
                                     exchange_->getSuccessOrdering(), exchange_->getSyncScopeID());
    const auto is_old = [&](Instruction& stale) {
      for (llvm::User* user : llvm::make_early_inc_range(stale.users()))
        if (user->getType() == atomic->getType() && llvm::isa<llvm::BitCastInst>(user))
          user->replaceAllUsesWith(atomic);
      if (!stale.use_empty()) stale.replaceAllUsesWith(b.CreateBitCast(atomic, stale.getType()));
    };
    if (phi_ != nullptr) is_old(*phi_);
    if (load_ != nullptr) is_old(*load_);
    for (llvm::User* user : llvm::make_early_inc_range(exchange_->users())) {
      auto* part = llvm::cast<llvm::ExtractValueInst>(user);
      if (is_seen(part))
        is_old(*part);
      else
        part->replaceAllUsesWith(b.getTrue());
      part->eraseFromParent();
    }
    const llvm::SmallVector<Value*> first = first_values();
    const Value* pointer = exchange_->getPointerOperand();
    exchange_->eraseFromParent();
    if (load_ != nullptr) load_->eraseFromParent();
    if (phi_ != nullptr) phi_->eraseFromParent();
    for (Value* value : first) drop_load(value, pointer);
    BasicBlock* exit = branch_->getSuccessor(branch_->getSuccessor(0) == &block_ ? 1 : 0);
    llvm::IRBuilder<>(branch_).CreateBr(exit);
    branch_->eraseFromParent();
    // Without dead users later passes see whether the result of the operation is used.
    for (Instruction& i : llvm::make_early_inc_range(llvm::reverse(block_)))
      if (llvm::isInstructionTriviallyDead(&i)) i.eraseFromParent();
  }

 private:
  /// Finds the exchange, at most one load from its address and at most one phi. There must be no other access.
  bool find_parts() {
    for (Instruction& i : block_) {
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
        if (phi_ != nullptr) return false;
        phi_ = phi;
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
        if (exchange_ != nullptr || !exchange->getCompareOperand()->getType()->isIntegerTy()) return false;
        exchange_ = exchange;
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
        if (load_ != nullptr) return false;
        load_ = load;
      } else if (i.mayReadOrWriteMemory() || (i.mayHaveSideEffects() && !i.isTerminator())) {
        return false;
      }
    }
    if (exchange_ == nullptr || exchange_->isVolatile()) return false;
    if (load_ != nullptr && load_->getPointerOperand() != exchange_->getPointerOperand()) return false;
    if (auto* pointer = llvm::dyn_cast<Instruction>(exchange_->getPointerOperand());
        pointer != nullptr && pointer->getParent() == &block_)
      return false;
    return llvm::all_of(exchange_->users(), [](const llvm::User* user) {
      const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      return part != nullptr && part->getNumIndices() == 1;
    });
  }

  /// What is expected to be in memory at first.
  [[nodiscard]] llvm::SmallVector<Value*> first_values() const {
    llvm::SmallVector<Value*> values;
    if (phi_ != nullptr)
      for (const auto& [value, from] : llvm::zip(phi_->incoming_values(), phi_->blocks()))
        if (from != &block_ && !llvm::is_contained(values, value)) values.push_back(value);
    return values;
  }

  /// A load that only the loop began with: the pointer is volatile for the sake of the atomic functions.
  static void drop_load(Value* value, const Value* pointer) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(bits_of(value));
    if (load == nullptr || load->isAtomic() || load->getPointerOperand() != pointer) return;
    if (auto* bits = llvm::dyn_cast<Instruction>(value); bits != load && bits->use_empty()) bits->eraseFromParent();
    if (load->use_empty()) load->eraseFromParent();
  }

  /// The value that the exchange found in memory.
  [[nodiscard]] bool is_seen(const Value* v) const {
    const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(v);
    return part != nullptr && part->getAggregateOperand() == exchange_ && part->getIndices()[0] == 0;
  }
  [[nodiscard]] bool is_success(const Value* v) const {
    const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(v);
    return part != nullptr && part->getAggregateOperand() == exchange_ && part->getIndices()[0] == 1;
  }

  [[nodiscard]] bool leaves_on_success(bool leaves_if_true) const {
    Value* condition = branch_->getCondition();
    if (is_success(condition)) return leaves_if_true;
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (compare == nullptr || !compare->isEquality()) return false;
    Value* expected = exchange_->getCompareOperand();
    const bool same = (is_seen(compare->getOperand(0)) && compare->getOperand(1) == expected) ||
                      (is_seen(compare->getOperand(1)) && compare->getOperand(0) == expected);
    return same && leaves_if_true == (compare->getPredicate() == llvm::CmpInst::ICMP_EQ);
  }

  /// The expected value is loaded in each iteration, or it is what the exchange before has found.
  bool is_expected_right() {
    expected_ = bits_of(exchange_->getCompareOperand());
    if (load_ != nullptr) return expected_ == load_ && phi_ == nullptr;
    if (phi_ == nullptr || expected_ != phi_) return false;
    Value* next = bits_of(phi_->getIncomingValueForBlock(&block_));
    // *expected = r ? *expected : seen: the next iteration, which follows a failure, only gets `seen`.
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(next); select != nullptr && is_success(select->getCondition()))
      next = bits_of(select->getFalseValue());
    return is_seen(next);
  }

  [[nodiscard]] bool is_fixed(const Value* v) const {
    const auto* i = llvm::dyn_cast<Instruction>(v);
    return i == nullptr || i->getParent() != &block_;
  }

  bool find_operation() {
    auto* made = llvm::dyn_cast<Instruction>(bits_of(exchange_->getNewValOperand()));
    if (made == nullptr || made->getParent() != &block_ || made->getNumOperands() < 2) return false;
    const auto kind = kind_of(*made);
    if (!kind) return false;
    operation_ = *kind;
    const bool swaps = operation_ != AtomicRMWInst::Sub && operation_ != AtomicRMWInst::FSub;
    for (unsigned k = 0; k < (swaps ? 2U : 1U); ++k)
      if (bits_of(made->getOperand(k)) == expected_ && is_fixed(made->getOperand(1 - k))) {
        operand_ = made->getOperand(1 - k);
        return true;
      }
    return false;
  }

  static std::optional<AtomicRMWInst::BinOp> kind_of(const Instruction& i) {
    if (i.getType()->isVectorTy()) return std::nullopt;
    switch (i.getOpcode()) {
      case Instruction::Add:
        return AtomicRMWInst::Add;
      case Instruction::Sub:
        return AtomicRMWInst::Sub;
      case Instruction::And:
        return AtomicRMWInst::And;
      case Instruction::Or:
        return AtomicRMWInst::Or;
      case Instruction::Xor:
        return AtomicRMWInst::Xor;
      case Instruction::FAdd:
        return AtomicRMWInst::FAdd;
      case Instruction::FSub:
        return AtomicRMWInst::FSub;
      default:
        break;
    }
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    switch (call == nullptr ? llvm::Intrinsic::not_intrinsic : call->getIntrinsicID()) {
      case llvm::Intrinsic::smax:
        return AtomicRMWInst::Max;
      case llvm::Intrinsic::smin:
        return AtomicRMWInst::Min;
      case llvm::Intrinsic::umax:
        return AtomicRMWInst::UMax;
      case llvm::Intrinsic::umin:
        return AtomicRMWInst::UMin;
      case llvm::Intrinsic::maxnum:
        return AtomicRMWInst::FMax;
      case llvm::Intrinsic::minnum:
        return AtomicRMWInst::FMin;
      default:
        return std::nullopt;
    }
  }

  BasicBlock& block_;
  llvm::BranchInst* branch_ = nullptr;
  llvm::PHINode* phi_ = nullptr;  ///< what the exchange before has found
  llvm::LoadInst* load_ = nullptr;
  llvm::AtomicCmpXchgInst* exchange_ = nullptr;
  Value* expected_ = nullptr;
  AtomicRMWInst::BinOp operation_ = AtomicRMWInst::Xchg;
  Value* operand_ = nullptr;
};

bool simplify_exchange_loops(llvm::Function& function) {
  bool changed = false;
  for (BasicBlock& block : function) {
    ExchangeLoop loop(block);
    if (!loop.matches()) continue;
    loop.replace();
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses SimplifyExchangeLoopsPass::run(llvm::Module& module,
                                                       llvm::ModuleAnalysisManager& /*analyses*/) {
  return unless_changed(change_functions(module, simplify_exchange_loops));
}

}  // namespace lanewise
