// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/register_blocking.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Copies of a loop's body, with a copy of each instruction for every row and column that it depends on.
class Copies {
 public:
  Copies(const VectorLoop& loop, Blocking blocking) : loop_(loop), blocking_(blocking) {}

  /// The copies of `value` for all rows or columns that it depends on.
  void set(const Value& value, llvm::ArrayRef<Value*> copies) { copies_[&value].assign(copies.begin(), copies.end()); }

  /// Replaces each private variable by an array of copies.
  void copy_variables() {
    for (llvm::AllocaInst* variable : loop_.variables) {
      llvm::SmallVector<Value*> all{variable};
      while (all.size() < std::size_t{blocking_.rows} * blocking_.columns) {
        Instruction* copy = variable->clone();
        copy->insertAfter(variable->getIterator());
        all.push_back(copy);
      }
      set(*variable, all);
    }
  }

  /// Appends the copies of `i` to `block`; operands are set later.
  void append(const Instruction& i, BasicBlock& block) {
    llvm::SmallVector<Value*> all;
    for (unsigned k = 0; k < (i.isTerminator() ? 1 : number_of(i)); ++k) {
      Instruction* copy = i.clone();
      copy->insertInto(&block, block.end());
      if (!i.getType()->isVoidTy()) copy->setName(i.getName());
      made_.push_back({&i, copy, row_of(i, k), column_of(i, k)});
      all.push_back(copy);
    }
    set(i, all);
  }

  void finish(const llvm::DenseMap<const BasicBlock*, BasicBlock*>& blocks) {
    for (const Made& m : made_) {
      for (llvm::Use& operand : m.copy->operands())
        if (Value* copy = find(*operand.get(), m.row, m.column)) operand.set(copy);
      if (loop_.shared.of(*m.original) != Sharing::none) share_branch(*m.original, *m.copy);
      for (unsigned s = 0; m.copy->isTerminator() && s < m.copy->getNumSuccessors(); ++s)
        if (BasicBlock* to = blocks.lookup(m.copy->getSuccessor(s))) m.copy->setSuccessor(s, to);
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(m.copy))
        for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
          if (BasicBlock* from = blocks.lookup(phi->getIncomingBlock(k))) phi->setIncomingBlock(k, from);
    }
  }

 private:
  struct Made {
    const Instruction* original;
    Instruction* copy;
    unsigned row;
    unsigned column;
  };

  [[nodiscard]] bool by_row(const Value& v) const { return (loop_.of(v) & on_row) != 0; }
  [[nodiscard]] bool by_column(const Value& v) const { return (loop_.of(v) & on_column) != 0; }
  [[nodiscard]] unsigned number_of(const Value& v) const {
    return (by_row(v) ? blocking_.rows : 1) * (by_column(v) ? blocking_.columns : 1);
  }
  [[nodiscard]] unsigned row_of(const Value& v, unsigned k) const { return by_column(v) ? k / blocking_.columns : k; }
  [[nodiscard]] unsigned column_of(const Value& v, unsigned k) const {
    return by_column(v) ? k % blocking_.columns : 0;
  }

  [[nodiscard]] Value* find(const Value& v, unsigned row, unsigned column) const {
    const auto known = copies_.find(&v);
    if (known == copies_.end()) return nullptr;
    const unsigned r = by_row(v) ? row : 0;
    return known->second[by_column(v) ? r * blocking_.columns + column : r];
  }

  /// Makes one condition of those of all rows and columns.
  void share_branch(const Instruction& original, Instruction& branch) {
    const auto tests = copies_.find(llvm::cast<llvm::BranchInst>(original).getCondition());
    if (tests == copies_.end()) return;  // made in front of the loop
    IRBuilder<> b(&branch);
    const bool all = loop_.shared.of(original) == Sharing::all;
    llvm::cast<llvm::BranchInst>(branch).setCondition(all ? b.CreateAnd(tests->second) : b.CreateOr(tests->second));
  }

  const VectorLoop& loop_;
  Blocking blocking_;
  llvm::DenseMap<const Value*, llvm::SmallVector<Value*, 4>> copies_;
  llvm::SmallVector<Made> made_;
};

BasicBlock* new_block(const VectorLoop& loop, const llvm::Twine& name) {
  BasicBlock* header = loop.loop->getHeader();
  return BasicBlock::Create(header->getContext(), header->getName() + name, header->getParent(), header);
}

/// Emits `for (x = start; x < end; x += W * columns) body`; end - start is a multiple of W * columns, and not 0. The
/// loop is entered from the end of `from` and exits to `after`. `row`: the first row; null: the loop's own row.
void emit_blocked(const VectorLoop& loop, Blocking blocking, BasicBlock* from, Value* start, Value* end,
                  BasicBlock* after, Value* row, const llvm::Twine& name) {
  Copies copies(loop, blocking);
  copies.copy_variables();
  IRBuilder<> b(from);
  if (row != nullptr) {
    llvm::SmallVector<Value*> rows{row};
    while (rows.size() < blocking.rows) rows.push_back(b.CreateNUWAdd(row, b.getInt64(rows.size())));
    copies.set(*loop.row, rows);
    for (const Instruction* i : loop.between) copies.append(*i, *from);
  }
  llvm::DenseMap<const BasicBlock*, BasicBlock*> blocks;
  for (const BasicBlock* block : loop.loop->blocks())
    blocks[block] = new_block(loop, name + (block == loop.loop->getHeader() ? "" : "." + block->getName()));
  BasicBlock* top = blocks.lookup(loop.loop->getHeader());
  b.SetInsertPoint(from);
  b.CreateBr(top);

  b.SetInsertPoint(top);
  const std::uint64_t step = std::uint64_t{loop.width} * blocking.columns;
  auto* id = b.CreatePHI(b.getInt64Ty(), 2, loop.id->getName() + name);
  id->addIncoming(start, from);
  llvm::SmallVector<Value*> ids{id};
  for (unsigned c = 1; c < blocking.columns; ++c)
    ids.push_back(llvm::BinaryOperator::CreateNUWAdd(id, b.getInt64(std::uint64_t{loop.width} * c), "", top));
  copies.set(*loop.id, ids);
  const BasicBlock* latch = loop.loop->getLoopLatch();
  for (const BasicBlock* block : loop.loop->blocks())
    for (const Instruction& i : *block)
      if (&i != loop.id && !(block == latch && i.isTerminator())) copies.append(i, *blocks.lookup(block));
  copies.finish(blocks);

  BasicBlock* bottom = blocks.lookup(latch);
  b.SetInsertPoint(bottom);
  Value* next = b.CreateNUWAdd(id, b.getInt64(step));
  id->addIncoming(next, bottom);
  auto* branch = b.CreateCondBr(b.CreateICmpULT(next, end), top, after);
  branch->setMetadata(llvm::LLVMContext::MD_loop,
                      llvm::makePostTransformationMetadata(branch->getContext(), loop.loop->getLoopID(), {}, {}));
}

}  // namespace

void emit_columns(const VectorLoop& loop, unsigned columns) {
  BasicBlock* top = loop.loop->getHeader();
  loop.enter->getTerminator()->eraseFromParent();
  IRBuilder<> b(loop.enter);
  Value* start = loop.id->getIncomingValueForBlock(loop.enter);
  const std::uint64_t step = std::uint64_t{loop.width} * columns;
  Value* count = b.CreateAnd(loop.count, b.getInt64(~(step - 1)), "blocked.items");
  BasicBlock* go = new_block(loop, ".columns.enter");
  BasicBlock* rest = new_block(loop, ".columns.end");
  BasicBlock* one = new_block(loop, ".enter");
  b.CreateCondBr(b.CreateICmpULT(start, count), go, one);
  emit_blocked(loop, {1, columns}, go, start, count, rest, nullptr, ".columns");
  b.SetInsertPoint(rest);
  b.CreateCondBr(b.CreateICmpULT(count, loop.count), one, loop.done);
  b.SetInsertPoint(one);
  auto* from = b.CreatePHI(b.getInt64Ty(), 2);
  from->addIncoming(start, loop.enter);
  from->addIncoming(count, rest);
  b.CreateBr(top);
  loop.id->setIncomingValue(static_cast<unsigned>(loop.id->getBasicBlockIndex(loop.enter)), from);
  loop.id->replaceIncomingBlockWith(loop.enter, one);
}

/// Writes a nest for the rows that fill blocks in front of the loop over y, which then skips the vector loop for them.
void emit_rows(const VectorLoop& loop, Blocking blocking) {
  BasicBlock* before = loop.rows->getLoopPreheader();
  BasicBlock* header = loop.rows->getHeader();
  BasicBlock* enter = new_block(loop, ".rows.enter");
  BasicBlock* top = new_block(loop, ".rows.y");
  BasicBlock* latch = new_block(loop, ".rows.y.end");
  before->getTerminator()->eraseFromParent();

  IRBuilder<> b(before);
  llvm::DenseMap<const Value*, Value*> copies;
  for (const Instruction* i : loop.between) {
    if ((loop.of(*i) & on_row) != 0) continue;
    Instruction* copy = i->clone();
    for (llvm::Use& operand : copy->operands())
      if (Value* mapped = copies.lookup(operand.get())) operand.set(mapped);
    copies[i] = b.Insert(copy, i->getName());
  }
  const auto outside = [&](Value* v) { return copies.contains(v) ? copies.lookup(v) : v; };
  Value* count = outside(loop.count);
  Value* rows = b.CreateAnd(loop.row_count, b.getInt64(~std::uint64_t{blocking.rows - 1}));
  rows = b.CreateSelect(outside(loop.go), rows, b.getInt64(0), "blocked.rows");
  b.CreateCondBr(b.CreateIsNotNull(rows), enter, header);

  b.SetInsertPoint(enter);
  const std::uint64_t step = std::uint64_t{loop.width} * blocking.columns;
  Value* wide = b.CreateAnd(count, b.getInt64(~(step - 1)), "blocked.items");
  b.CreateBr(top);
  b.SetInsertPoint(top);
  auto* row = b.CreatePHI(b.getInt64Ty(), 2, loop.row->getName() + ".rows");
  row->addIncoming(b.getInt64(0), enter);
  BasicBlock* rest = latch;
  if (blocking.columns > 1) {
    BasicBlock* go = new_block(loop, ".rows.wide");
    rest = new_block(loop, ".rows.rest");
    b.CreateCondBr(b.CreateIsNotNull(wide), go, rest);
    emit_blocked(loop, blocking, go, b.getInt64(0), wide, rest, row, ".rows.columns");
    b.SetInsertPoint(rest);
    go = new_block(loop, ".rows.narrow");
    b.CreateCondBr(b.CreateICmpULT(wide, count), go, latch);
    emit_blocked(loop, {blocking.rows, 1}, go, wide, count, latch, row, ".rows");
  } else {
    emit_blocked(loop, blocking, top, b.getInt64(0), count, latch, row, ".rows");
  }
  b.SetInsertPoint(latch);
  Value* next = b.CreateNUWAdd(row, b.getInt64(blocking.rows));
  row->addIncoming(next, latch);
  b.CreateCondBr(b.CreateICmpULT(next, rows), top, header);

  b.SetInsertPoint(header, header->getFirstInsertionPt());
  auto* done = llvm::PHINode::Create(b.getInt64Ty(), 3, "rows.done", header->begin());
  done->addIncoming(b.getInt64(0), before);
  done->addIncoming(rows, latch);
  done->addIncoming(done, loop.rows->getLoopLatch());
  loop.row->addIncoming(b.getInt64(0), latch);
  BasicBlock* check = new_block(loop, ".rows.check");
  loop.enter->getSinglePredecessor()->getTerminator()->setSuccessor(0, check);
  b.SetInsertPoint(check);
  b.CreateCondBr(b.CreateICmpULT(loop.row, done), loop.done, loop.enter);
}

std::vector<BlockedLoop> block_registers(llvm::Function& function, Isa isa, bool share) {
  std::vector<BlockedLoop> blocked;
  // One at a time: each changes the loops of the function.
  llvm::SmallPtrSet<const BasicBlock*, 8> seen;
  for (bool again = true; again;) {
    again = false;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      VectorLoop vector;
      if (!seen.insert(loop->getHeader()).second || !vector.read(*loop, share)) continue;
      const Blocking both = choose_blocking(vector, isa, true);
      const Blocking columns = choose_blocking(vector, isa, false);
      if (both.rows == 1 && columns.columns == 1) continue;
      blocked.push_back({loop->getHeader()->getName().str(), {both.rows, std::max(both.columns, columns.columns)}});
      llvm::SmallPtrSet<const BasicBlock*, 32> old;
      for (const BasicBlock& block : function) old.insert(&block);
      if (columns.columns > 1) emit_columns(vector, columns.columns);
      if (both.rows > 1) emit_rows(vector, both);
      // The copies are not blocked again.
      for (const BasicBlock& block : function)
        if (!old.contains(&block)) seen.insert(&block);
      again = true;
      break;
    }
  }
  return blocked;
}

}  // namespace lanewise::spmd
