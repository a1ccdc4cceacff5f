// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/unit_strides.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/prepare/row_lines.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// There is a copy of all of them.
constexpr unsigned kMostInTwoForms = 400;
constexpr std::size_t kMostStrides = 4;

/// The loops over y and z around a loop of work-items: they count from 0, and contain nothing else.
llvm::Loop* nest_of(llvm::Loop& items) {
  llvm::Loop* root = &items;
  for (llvm::Loop* around = root->getParentLoop(); around != nullptr; around = around->getParentLoop()) {
    const auto* id = llvm::dyn_cast<llvm::PHINode>(&around->getHeader()->front());
    const BasicBlock* before = around->getLoopPreheader();
    if (id == nullptr || before == nullptr || around->getSubLoops().size() != 1 || !around->isLoopSimplifyForm()) break;
    const auto* start = llvm::dyn_cast<llvm::ConstantInt>(id->getIncomingValueForBlock(before));
    if (start == nullptr || !start->isZero() || !llvm::hasSingleElement(around->getHeader()->phis())) break;
    root = around;
  }
  return root;
}

/// A loop of work-items, and the products that are indices with a stride from outside.
class Strides {
 public:
  Strides(llvm::Loop& items, const ItemLoop& form) : items_(items), root_(*nest_of(items)), lines_(form) {}

  bool read() {
    unsigned instructions = 0;
    for (BasicBlock* block : root_.blocks())
      for (Instruction& i : *block) {
        if (++instructions > kMostInTwoForms || !may_be_copied(i)) return false;
        auto* product = llvm::dyn_cast<llvm::BinaryOperator>(&i);
        if (product != nullptr && product->getOpcode() == Instruction::Mul && items_.contains(product)) note(*product);
      }
    const BasicBlock* exit = root_.getExitBlock();
    return !products_.empty() && strides_.size() <= kMostStrides && root_.isLoopSimplifyForm() && exit != nullptr &&
           exit->phis().empty();
  }

  void version();

 private:
  struct Product {
    llvm::BinaryOperator* product;
    unsigned line;  ///< the operand that is no stride
  };

  [[nodiscard]] bool may_be_copied(const Instruction& i) const {
    const auto stays = [&](const llvm::User* user) { return root_.contains(llvm::cast<Instruction>(user)); };
    if (!llvm::all_of(i.users(), stays)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (i.getType()->isTokenTy() || (call != nullptr && (call->isConvergent() || call->cannotDuplicate())))
      return false;
    return llvm::none_of(i.operands(), [](const Value* operand) {
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(operand);
      return variable != nullptr && variable->hasMetadata(marks::kPrivate);
    });
  }

  [[nodiscard]] bool is_outside(const Value& v) const {
    const auto* i = llvm::dyn_cast<Instruction>(&v);
    return i == nullptr || !root_.contains(i);
  }

  [[nodiscard]] static Value& without_casts(Value& v) {
    Value* number = &v;
    while (auto* cast = llvm::dyn_cast<llvm::CastInst>(number)) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(cast)) break;
      if (cast->getDestTy()->getScalarSizeInBits() < 8) break;  // a 1 of one bit becomes -1
      number = cast->getOperand(0);
    }
    return *number;
  }

  void note(llvm::BinaryOperator& product) {
    for (unsigned k = 0; k < 2; ++k) {
      Value& stride = without_casts(*product.getOperand(k));
      const bool may_be_one = stride.getType()->isIntegerTy() && stride.getType()->getIntegerBitWidth() >= 8;
      if (llvm::isa<llvm::Constant>(stride) || !is_outside(stride) || !may_be_one) continue;
      const auto line = lines_.of_counter(*product.getOperand(1 - k));
      if (line != RowLines::Stride(1) || !makes_line(product)) continue;
      strides_.insert(&stride);
      products_.push_back({&product, 1 - k});
      return;
    }
  }

  /// Whether the product is an index to which nothing else is added that differs from iteration to iteration. It would
  /// be a row of a matrix otherwise, whose columns are walked through.
  [[nodiscard]] bool makes_line(const Instruction& number, unsigned depth = 0) const {
    constexpr unsigned kDeepest = 6;
    return depth < kDeepest && llvm::any_of(
                                   number.users(),
                                   [&](const llvm::User* u) {
                                     const auto* user = llvm::cast<Instruction>(u);
                                     if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
                                       return is_line(*address);
                                     if (llvm::isa<llvm::CastInst, llvm::PHINode>(user))
                                       return makes_line(*user, depth + 1);
                                     if (user->getOpcode() != Instruction::Add && user->getOpcode() != Instruction::Sub)
                                       return false;
                                     Value& other =
                                         without_casts(*user->getOperand(user->getOperand(0) == &number ? 1 : 0));
                                     return is_outside(other) && makes_line(*user, depth + 1);
                                   });
  }

  /// Whether all other parts of the address are from outside.
  [[nodiscard]] bool is_line(const llvm::GetElementPtrInst& address) const {
    const auto is_fixed = [&](const llvm::GetElementPtrInst& part) {
      return llvm::all_of(part.indices(),
                          [&](const llvm::Use& index) { return is_outside(without_casts(*index.get())); });
    };
    const Value* base = address.getPointerOperand();
    for (const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(base); part != nullptr && is_fixed(*part);
         part = llvm::dyn_cast<llvm::GetElementPtrInst>(base))
      base = part->getPointerOperand();
    return address.getNumIndices() == 1 && is_outside(*base) && llvm::all_of(address.users(), [&](const llvm::User* u) {
             const auto* further = llvm::dyn_cast<llvm::GetElementPtrInst>(u);
             return further == nullptr || is_fixed(*further);
           });
  }

  llvm::Loop& items_;
  llvm::Loop& root_;
  RowLines lines_;
  llvm::SmallSetVector<Value*, 4> strides_;
  llvm::SmallVector<Product> products_;
};

/// The copy is a loop of its own.
void make_distinct(Instruction& branch) {
  if (llvm::MDNode* old = branch.getMetadata(llvm::LLVMContext::MD_loop))
    branch.setMetadata(llvm::LLVMContext::MD_loop,
                       llvm::makePostTransformationMetadata(branch.getContext(), old, {}, {}));
}

void Strides::version() {
  BasicBlock* before = root_.getLoopPreheader();
  BasicBlock* header = root_.getHeader();
  llvm::Function& function = *header->getParent();
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<BasicBlock*> copies;
  BasicBlock* enter = BasicBlock::Create(header->getContext(), header->getName() + ".unit.enter", &function, header);
  map[before] = enter;
  for (BasicBlock* block : root_.blocks()) {
    copies.push_back(llvm::CloneBasicBlock(block, map, ".unit", &function));
    map[block] = copies.back();
    copies.back()->moveBefore(header);
    make_distinct(*copies.back()->getTerminator());
  }
  llvm::remapInstructionsInBlocks(copies, map);
  BasicBlock* other = BasicBlock::Create(header->getContext(), header->getName() + ".enter", &function, header);
  llvm::BranchInst::Create(llvm::cast<BasicBlock>(static_cast<Value*>(map.lookup(header))), enter);
  llvm::BranchInst::Create(header, other);
  header->replacePhiUsesWith(before, other);
  llvm::IRBuilder<> b(before->getTerminator());
  Value* all = b.getTrue();
  for (Value* stride : strides_)
    all = b.CreateAnd(all, b.CreateICmpEQ(b.CreateFreeze(stride), llvm::ConstantInt::get(stride->getType(), 1)));
  b.CreateCondBr(all, enter, other);
  before->getTerminator()->eraseFromParent();
  for (const Product& p : products_) {
    auto* copy = llvm::cast<Instruction>(static_cast<Value*>(map.lookup(p.product)));
    copy->replaceAllUsesWith(copy->getOperand(p.line));
    copy->eraseFromParent();
  }
}

}  // namespace

bool version_unit_strides(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (items_metadata(*loop) == nullptr || sub_group_loop(*loop).width != 0) continue;
    ItemLoop form{loop};
    if (find_count(form).refused()) continue;
    Strides strides(*loop, form);
    if (!strides.read()) continue;
    strides.version();
    tally(Transformation::version_unit_strides);
    changed = true;
  }
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return changed;
}

}  // namespace lanewise::spmd
