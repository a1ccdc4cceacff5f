// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/vector_counters.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace lanewise {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Larger vectors are data.
constexpr unsigned kMostComponents = 4;

/// The index of a component, if it is known.
std::optional<unsigned> component_number(const Value& index, unsigned count) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&index);
  if (number == nullptr || number->getValue().uge(count)) return std::nullopt;
  return static_cast<unsigned>(number->getZExtValue());
}

class VectorCounter {
 public:
  VectorCounter(PHINode& phi, const llvm::Loop& loop)
      : phi_(phi),
        loop_(loop),
        before_(loop.getLoopPreheader()),
        latch_(loop.getLoopLatch()),
        count_(llvm::cast<llvm::FixedVectorType>(phi.getType())->getNumElements()),
        replaced_(count_) {}

  void split() {
    if (!find_replaced() || !counts()) return;
    llvm::SmallVector<Value*> components;
    for (unsigned k = 0; k < count_; ++k) components.push_back(make_component(k));
    if (added_ != nullptr) add(components);
    replace(components);
  }

 private:
  /// Finds what an iteration puts in the place of components. False if it does something else.
  bool find_replaced() {
    Value* v = phi_.getIncomingValueForBlock(latch_);
    while (v != &phi_) {
      if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(v)) {
        const auto k = component_number(*insert->getOperand(2), count_);
        if (!k) return false;
        if (replaced_[*k] == nullptr) replaced_[*k] = insert->getOperand(1);
        v = insert->getOperand(0);
        continue;
      }
      auto* sum = llvm::dyn_cast<BinaryOperator>(v);
      if (sum == nullptr || sum->getOpcode() != Instruction::Add) return false;
      for (unsigned i = 0; i < 2; ++i)
        if (sum->getOperand(i) == &phi_ && loop_.isLoopInvariant(sum->getOperand(1 - i)))
          added_ = sum->getOperand(1 - i);
      if (added_ == nullptr) return false;
      v = &phi_;
    }
    return true;
  }

  [[nodiscard]] bool counts() const {
    for (unsigned k = 0; k < count_; ++k) {
      using namespace llvm::PatternMatch;
      const Value* step = nullptr;
      if (replaced_[k] == nullptr) return true;
      const auto own = m_ExtractElt(m_Specific(&phi_), m_SpecificInt(k));
      if (match(replaced_[k], m_c_Add(own, m_Value(step))) && loop_.isLoopInvariant(step)) return true;
    }
    return false;
  }

  /// Component `k` of a vector that does not change in the loop, computed before it.
  [[nodiscard]] Value* before_loop(Value* vector, unsigned k) const {
    Value* v = vector;
    while (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(v)) {
      const auto at = component_number(*insert->getOperand(2), count_);
      if (!at) break;
      if (*at == k) return insert->getOperand(1);
      v = insert->getOperand(0);
    }
    return llvm::IRBuilder<>(before_->getTerminator()).CreateExtractElement(v, k);
  }

  /// A phi, without its value from the latch where that is still to be added; or the value itself, if it stays.
  Value* make_component(unsigned k) {
    Value* start = before_loop(phi_.getIncomingValueForBlock(before_), k);
    if (replaced_[k] == nullptr && added_ == nullptr) return start;
    PHINode* component = llvm::IRBuilder<>(&phi_).CreatePHI(start->getType(), 2, phi_.getName() + "." + llvm::Twine(k));
    component->addIncoming(start, before_);
    if (replaced_[k] != nullptr) component->addIncoming(replaced_[k], latch_);
    return component;
  }

  void add(llvm::ArrayRef<Value*> components) {
    for (unsigned k = 0; k < count_; ++k) {
      if (replaced_[k] != nullptr) continue;
      auto& component = llvm::cast<PHINode>(*components[k]);
      Value* step = before_loop(added_, k);
      component.addIncoming(llvm::IRBuilder<>(latch_->getTerminator()).CreateAdd(&component, step), latch_);
    }
  }

  void replace(llvm::ArrayRef<Value*> components) {
    for (llvm::User* user : llvm::make_early_inc_range(phi_.users())) {
      auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
      const auto k = extract != nullptr ? component_number(*extract->getIndexOperand(), count_) : std::nullopt;
      if (!k) continue;
      extract->replaceAllUsesWith(components[*k]);
      extract->eraseFromParent();
    }
    Value* next = phi_.getIncomingValueForBlock(latch_);
    phi_.setIncomingValueForBlock(latch_, llvm::PoisonValue::get(phi_.getType()));
    const llvm::WeakTrackingVH vector(&phi_);  // gone with `next` if nothing else uses it
    llvm::RecursivelyDeleteTriviallyDeadInstructions(next);
    if (!vector.pointsToAliveValue()) return;
    for (llvm::Use& use : llvm::make_early_inc_range(phi_.uses())) use.set(whole_at(use, components));
    phi_.eraseFromParent();
  }

  /// The vector, put together beside its use: so it is not kept across barriers.
  [[nodiscard]] Value* whole_at(const llvm::Use& use, llvm::ArrayRef<Value*> components) const {
    auto* user = llvm::cast<Instruction>(use.getUser());
    auto* choice = llvm::dyn_cast<PHINode>(user);
    llvm::IRBuilder<> b(choice != nullptr ? choice->getIncomingBlock(use)->getTerminator() : user);
    Value* whole = llvm::PoisonValue::get(phi_.getType());
    for (unsigned k = 0; k < count_; ++k) whole = b.CreateInsertElement(whole, components[k], k);
    return whole;
  }

  PHINode& phi_;
  const llvm::Loop& loop_;
  llvm::BasicBlock* before_;
  llvm::BasicBlock* latch_;
  unsigned count_;
  llvm::SmallVector<Value*, kMostComponents> replaced_;  ///< by component: what takes its place; null: nothing
  Value* added_ = nullptr;                               ///< a vector that is added to the other components
};

}  // namespace

void split_vector_counters(const llvm::Loop& loop) {
  llvm::SmallVector<PHINode*> vectors;
  for (PHINode& phi : loop.getHeader()->phis()) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
    if (type != nullptr && type->getElementType()->isIntegerTy() && type->getNumElements() <= kMostComponents)
      vectors.push_back(&phi);
  }
  for (PHINode* phi : vectors) VectorCounter(*phi, loop).split();
}

}  // namespace lanewise
