// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/ternary_logic.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstddef>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Fewer operations the code generator merges by itself.
constexpr unsigned kFewest = 3;
constexpr unsigned kOperands = 3;
/// What is looked at on the way to three operands.
constexpr unsigned kMostLeaves = 5, kMostSteps = 12;
/// The bits of the operands in the rows of the table.
constexpr unsigned kBits[kOperands] = {0xf0, 0xcc, 0xaa};
constexpr unsigned kAll = 0xff;

bool is_logic(const Value* v) {
  const auto* i = llvm::dyn_cast<llvm::BinaryOperator>(v);
  return i != nullptr && i->isBitwiseLogicOp();
}

/// Whole registers of integers.
bool has_instruction(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector == nullptr || !vector->getElementType()->isIntegerTy()) return false;
  const unsigned element = vector->getScalarSizeInBits(), bits = element * vector->getNumElements();
  return (element == 8 || element == 16 || element == 32 || element == 64) &&
         (bits == 128 || bits == 256 || bits == 512);
}

/// A tree of operations above a root, which are used only inside of it.
class Cone {
 public:
  explicit Cone(Instruction& root) : root_(root) {
    operations_.insert(&root);
    add_leaves(root);
  }

  /// Takes an operand in that others use too. False: there are no three operands then.
  bool share(Instruction& part) {
    take_in(part);
    return leaves_.size() == kOperands;
  }

  /// Grows to as many operations on three operands as there are. False: not enough.
  bool grow() {
    std::size_t most = 0;
    llvm::SetVector<Value*> best;
    for (unsigned step = 0; step < kMostSteps && leaves_.size() <= kMostLeaves; ++step) {
      if (leaves_.size() == kOperands) {
        most = operations_.size();
        best = leaves_;
      }
      Instruction* next = next_leaf();
      if (next == nullptr) break;
      take_in(*next);
    }
    if (most < kFewest) return false;
    leaves_ = best;
    // Constants may be moved among the operands of a masked operation, with which the code generator has trouble
    // (bit_selects.h).
    return llvm::none_of(leaves_, [](Value* v) { return llvm::isa<llvm::Constant>(v); });
  }

  void replace() const {
    auto* type = llvm::cast<llvm::FixedVectorType>(root_.getType());
    llvm::IRBuilder<> b(&root_);
    const bool wide = type->getScalarSizeInBits() == 64;
    const unsigned bits = type->getScalarSizeInBits() * type->getNumElements();
    auto* words = llvm::FixedVectorType::get(b.getIntNTy(wide ? 64 : 32), bits / (wide ? 64 : 32));
    llvm::SmallVector<Value*, 4> arguments;
    for (Value* leaf : leaves_) arguments.push_back(b.CreateBitCast(leaf, words));
    arguments.push_back(b.getInt32(table(&root_)));
    Value* merged = b.CreateIntrinsic(intrinsic(bits, wide), arguments);
    root_.replaceAllUsesWith(b.CreateBitCast(merged, type));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&root_);
  }

 private:
  void take_in(Instruction& leaf) {
    leaves_.remove(&leaf);
    operations_.insert(&leaf);
    add_leaves(leaf);
  }

  void add_leaves(const Instruction& i) {
    for (Value* operand : i.operands()) {
      auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
      const bool plain = constant != nullptr && (constant->isNullValue() || constant->isAllOnesValue());
      if (!plain) leaves_.insert(operand);
    }
  }

  /// An operand that is an operation for this cone alone: the one that brings the fewest new operands.
  [[nodiscard]] Instruction* next_leaf() const {
    Instruction* chosen = nullptr;
    std::ptrdiff_t least = 0;
    for (Value* leaf : leaves_) {
      auto* i = llvm::dyn_cast<Instruction>(leaf);
      if (i == nullptr || !is_logic(i) || i->getParent() != root_.getParent() ||
          !llvm::all_of(i->users(), [&](llvm::User* u) { return operations_.contains(llvm::cast<Instruction>(u)); }))
        continue;
      const auto fresh = llvm::count_if(i->operands(), [&](Value* o) { return !leaves_.contains(o); });
      if (chosen == nullptr || fresh < least) {
        chosen = i;
        least = fresh;
      }
    }
    return chosen;
  }

  /// The values of `v` for all bits of the operands.
  [[nodiscard]] unsigned table(Value* v) const {
    for (unsigned k = 0; k < kOperands; ++k)
      if (leaves_[k] == v) return kBits[k];
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(v)) return constant->isNullValue() ? 0 : kAll;
    auto* i = llvm::cast<Instruction>(v);
    const unsigned a = table(i->getOperand(0)), b = table(i->getOperand(1));
    return i->getOpcode() == Instruction::And ? a & b : i->getOpcode() == Instruction::Or ? a | b : a ^ b;
  }

  static llvm::Intrinsic::ID intrinsic(unsigned bits, bool wide) {
    if (bits == 512)
      return wide ? llvm::Intrinsic::x86_avx512_pternlog_q_512 : llvm::Intrinsic::x86_avx512_pternlog_d_512;
    if (bits == 256)
      return wide ? llvm::Intrinsic::x86_avx512_pternlog_q_256 : llvm::Intrinsic::x86_avx512_pternlog_d_256;
    return wide ? llvm::Intrinsic::x86_avx512_pternlog_q_128 : llvm::Intrinsic::x86_avx512_pternlog_d_128;
  }

  Instruction& root_;
  llvm::SetVector<Instruction*> operations_;
  llvm::SetVector<Value*> leaves_;
};

/// The code generator makes one of these two.
bool is_pair(const Value* first, const Value* second) {
  return is_logic(first) && first->hasOneUse() && is_logic(second);
}

/// A user of `part` that is one operation of the processor together with it, and with no other.
bool takes_in(const llvm::User& user, const Instruction& part) {
  const auto* i = llvm::dyn_cast<Instruction>(&user);
  if (i == nullptr || !is_logic(i) || i->getParent() != part.getParent()) return false;
  const Value* other = i->getOperand(i->getOperand(0) == &part ? 1 : 0);
  if (other == &part || llvm::isa<llvm::Constant>(other) || is_pair(other, i)) return false;
  return !i->hasOneUse() || !is_pair(i, *i->user_begin());
}

/// An operation that several others use is a part of each of them, if it is then not needed by itself: `t = x ^ y; t ^
/// z; t ^ w` in two steps of MD5.
bool may_be_shared(const Instruction& part) {
  constexpr unsigned kMost = 4;
  return part.hasNUsesOrMore(2) && !part.hasNUsesOrMore(kMost + 1) &&
         llvm::none_of(part.operands(), [](const Value* v) { return llvm::isa<llvm::Constant>(v); }) &&
         llvm::all_of(part.users(), [&](const llvm::User* u) { return takes_in(*u, part); });
}

bool share(Instruction& part) {
  bool changed = false;
  const llvm::SmallVector<llvm::User*> users(part.users());
  for (llvm::User* user : users) {
    Cone cone(*llvm::cast<Instruction>(user));
    if (!cone.share(part)) continue;
    cone.replace();
    changed = true;
  }
  return changed;
}

bool merge_ternary_logic(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH> roots;
  for (Instruction& i : llvm::instructions(function))
    if (is_logic(&i) && has_instruction(i.getType())) roots.emplace_back(&i);
  bool changed = false;
  // From the last: what a larger tree has taken is gone by then.
  for (const llvm::WeakTrackingVH& root : llvm::reverse(roots)) {
    if (root == nullptr || root->use_empty()) continue;
    Cone cone(*llvm::cast<Instruction>(root));
    if (!cone.grow()) continue;
    cone.replace();
    changed = true;
  }
  for (const llvm::WeakTrackingVH& root : roots)
    if (root != nullptr && may_be_shared(*llvm::cast<Instruction>(root)))
      changed |= share(*llvm::cast<Instruction>(root));
  return changed;
}

}  // namespace

llvm::PreservedAnalyses MergeTernaryLogicPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, merge_ternary_logic));
}

}  // namespace lanewise
