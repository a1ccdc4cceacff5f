// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/vector_loop.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/base/loop_properties.h"
#include "compiler/base/marks.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;

}  // namespace

unsigned vector_width(const llvm::Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  if (id == nullptr) return 0;
  for (const llvm::MDOperand& operand : llvm::drop_begin(id->operands())) {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(operand.get());
    if (node == nullptr || node->getNumOperands() != 2) continue;
    const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
    if (name == nullptr || name->getString() != marks::kVector) continue;
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(1))->getZExtValue());
  }
  return 0;
}

namespace {

/// The counter of `for (id = 0; id < limit; id += step)`, tested at the end; null if the loop is not of this form.
llvm::PHINode* counter(const llvm::Loop& loop, std::uint64_t step, Value*& limit) {
  const BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr || loop.getLoopPreheader() == nullptr || loop.getExitingBlock() != latch) return nullptr;
  auto* id = llvm::dyn_cast<llvm::PHINode>(&loop.getHeader()->front());
  if (id == nullptr || !llvm::hasSingleElement(loop.getHeader()->phis()) || !id->getType()->isIntegerTy(64))
    return nullptr;
  const auto* branch = llvm::dyn_cast<BranchInst>(latch->getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) != loop.getHeader()) return nullptr;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(id->getIncomingValueForBlock(latch));
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::ICMP_ULT || compare->getOperand(0) != next)
    return nullptr;
  if (next == nullptr || next->getOpcode() != Instruction::Add || next->getOperand(0) != id) return nullptr;
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  const auto* start = llvm::dyn_cast<llvm::ConstantInt>(id->getIncomingValueForBlock(loop.getLoopPreheader()));
  if (by == nullptr || by->getZExtValue() != step || start == nullptr || !start->isZero()) return nullptr;
  limit = compare->getOperand(1);
  return loop.isLoopInvariant(limit) ? id : nullptr;
}

/// Work-items that run side by side would each have one; the loops of the vectoriser keep them in memory.
bool value_leaves(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& i) {
      return llvm::any_of(i.users(),
                          [&](const llvm::User* user) { return !loop.contains(llvm::cast<Instruction>(user)); });
    });
  });
}

}  // namespace

void mark_vector_loop(Instruction& latch, unsigned width) {
  llvm::LLVMContext& c = latch.getContext();
  llvm::MDNode* before = latch.getMetadata(llvm::LLVMContext::MD_loop);
  llvm::MDNode* mark = metadata_of(c, {marks::kVector, width});
  latch.setMetadata(llvm::LLVMContext::MD_loop, llvm::makePostTransformationMetadata(c, before, {}, {mark}));
}

bool VectorLoop::read(llvm::Loop& vector_loop, bool share) {
  if (!read_form(vector_loop)) return false;
  if (share) shared = SharedBranches(*loop);
  read_rows();
  find_variables(marks::kLanes);
  find_dependences();
  return true;
}

bool VectorLoop::read_items(llvm::Loop& item_loop, bool with_rows) {
  if (!read_loop(item_loop, 1) || value_leaves(*loop)) return false;
  if (with_rows) read_rows();
  if (with_rows && rows.loop == nullptr) return false;
  find_variables(marks::kPrivate);
  find_dependences();
  return true;
}

bool VectorLoop::read_loop(llvm::Loop& counted, unsigned step) {
  loop = &counted;
  width = step;
  id = counter(*loop, step, count);
  enter = loop->getLoopPreheader();
  done = loop->getUniqueExitBlock();
  return id != nullptr && done != nullptr && done->phis().empty();
}

bool VectorLoop::read_form(llvm::Loop& vector_loop) {
  const unsigned lanes = vector_width(vector_loop);
  if (lanes == 0 || !read_loop(vector_loop, lanes)) return false;
  const BasicBlock* before = enter->getSinglePredecessor();
  if (before == nullptr || !enter->phis().empty() || enter->getSingleSuccessor() == nullptr) return false;
  const auto* branch = llvm::dyn_cast<BranchInst>(before->getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) != enter) return false;
  go = branch->getCondition();
  return true;
}

/// Finds the loop over y, if all that the body uses of it can be computed for several rows at once, before them.
void VectorLoop::read_rows() {
  rows.loop = loop->getParentLoop();
  if (rows.loop == nullptr) return;
  rows.id = counter(*rows.loop, 1, rows.count);
  bool good = rows.id != nullptr && rows.loop->getLoopPreheader() != nullptr;
  for (const BasicBlock* block : loop->blocks())
    for (const Instruction& i : *block)
      for (Value* operand : i.operands()) good = good && collect_between(*operand);
  good = good && (go == nullptr || collect_between(*go)) && collect_between(*count);
  if (good) return;
  rows = {};
  between.clear();
}

bool VectorLoop::collect_between(Value& value) {
  auto* i = llvm::dyn_cast<Instruction>(&value);
  if (i == nullptr || i == rows.id || !rows.loop->contains(i) || loop->contains(i) || llvm::is_contained(between, i))
    return true;
  if (llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(i)) return false;
  for (Value* operand : i->operands())
    if (!collect_between(*operand)) return false;
  between.push_back(i);
  return true;
}

void VectorLoop::find_variables(const char* mark) {
  const auto is_used = [&](const llvm::AllocaInst& variable) {
    return llvm::any_of(variable.users(), [&](const llvm::User* u) {
      const auto* user = llvm::cast<Instruction>(u);
      return loop->contains(user) || llvm::is_contained(between, user);
    });
  };
  const llvm::Function& function = *loop->getHeader()->getParent();
  for (const Instruction& i : function.getEntryBlock()) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    if (variable != nullptr && variable->hasMetadata(mark) && is_used(*variable))
      variables.push_back(const_cast<llvm::AllocaInst*>(variable));
  }
}

unsigned char VectorLoop::transfer(const Instruction& i) const {
  unsigned char result = on_nothing;
  for (const Value* operand : i.operands()) result |= depends_.lookup(operand);
  const bool simple = llvm::isa<llvm::LoadInst, llvm::StoreInst>(i) ? !i.isAtomic() && !i.isVolatile() : false;
  // Each work-item executes it, even if all do the same.
  if (i.mayReadOrWriteMemory() && !simple && !is_masked_access(i)) result |= on_both;
  return result;
}

void VectorLoop::find_dependences() {
  depends_[id] = on_column;
  if (rows.id != nullptr) depends_[rows.id] = on_row;
  for (const llvm::AllocaInst* variable : variables) depends_[variable] = on_both;
  for (const Instruction* i : between) depends_[i] = transfer(*i);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : loop->blocks())
      for (const Instruction& i : *block) {
        const auto known = depends_.lookup(&i);
        const auto now = static_cast<unsigned char>(known | transfer(i));
        if (now == known) continue;
        depends_[&i] = now;
        changed = true;
      }
  }
  for (const BasicBlock* block : loop->blocks()) {
    const Instruction* end = block->getTerminator();
    if (block == loop->getLoopLatch() || shared.of(*end) != BranchSharing::none) continue;
    if (const auto* branch = llvm::dyn_cast<BranchInst>(end); branch != nullptr && branch->isUnconditional()) continue;
    branches_ |= depends_.lookup(llvm::isa<BranchInst>(end) ? llvm::cast<BranchInst>(end)->getCondition()
                                                            : static_cast<const Value*>(end));
  }
  rows.vary = rows.loop != nullptr && ((depends_.lookup(go) | depends_.lookup(count)) & on_row) != 0;
}

bool VectorLoop::uses_rows() const {
  for (const BasicBlock* block : loop->blocks())
    for (const Instruction& i : *block)
      for (const Value* operand : i.operands())
        if ((of(*operand) & on_row) != 0) return true;
  return false;
}

}  // namespace lanewise::spmd
