// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/register_blocking.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>

#include "compiler/base/context.h"
#include "compiler/base/debug_locations.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/transformations.h"

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
      if (loop_.shared.of(*m.original) != BranchSharing::none) share_branch(*m.original, *m.copy);
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
    if (tests == copies_.end()) return;  // made before the loop
    IRBuilder<> b(&branch);
    tally(Transformation::share_branches);
    const bool all = loop_.shared.of(original) == BranchSharing::all;
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
    copies.set(*loop.rows.id, rows);
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

namespace {

/// Whether the vector loop runs for a row, and for how many work-items.
struct RowSize {
  Value* go;
  Value* count;
};

/// Copies what the size of a row is computed from. `row` null: that does not depend on the row, and what does is left
/// out.
RowSize copy_size(const VectorLoop& loop, IRBuilder<>& b, Value* row) {
  llvm::DenseMap<const Value*, Value*> copies;
  if (row != nullptr) copies[loop.rows.id] = row;
  for (const Instruction* i : loop.between) {
    if (row == nullptr && (loop.of(*i) & on_row) != 0) continue;
    Instruction* copy = i->clone();
    for (llvm::Use& operand : copy->operands())
      if (Value* mapped = copies.lookup(operand.get())) operand.set(mapped);
    copies[i] = b.Insert(copy, i->getName());
  }
  const auto outside = [&](Value* v) { return copies.contains(v) ? copies.lookup(v) : v; };
  return {.go = outside(loop.go), .count = outside(loop.count)};
}

/// The nest of the rows that fill blocks, before the loop over y, which skips the vector loop for them:
///
///     before:  br (%rows), %enter, %header
///     top:     %row = phi [0], [%row + R]       where rows vary: br (all R rows are alike), ..., %header
///              the vectors of R rows
///     latch:   br (%row + R < %rows), %top, %header
///     header:  %done = phi [0, before], [%row, top], [%rows, latch]
class RowsNest {
 public:
  RowsNest(const VectorLoop& loop, Blocking blocking) : loop_(loop), blocking_(blocking) {}

  void emit();

 private:
  void emit_entry();
  BasicBlock* emit_test_of_rows();
  void emit_vectors(BasicBlock* from);
  void emit_rest();

  const VectorLoop& loop_;
  Blocking blocking_;
  BasicBlock* before_ = loop_.rows.loop->getLoopPreheader();
  BasicBlock* header_ = loop_.rows.loop->getHeader();
  BasicBlock* enter_ = new_block(loop_, ".rows.enter");
  BasicBlock* top_ = new_block(loop_, ".rows.y");
  BasicBlock* latch_ = new_block(loop_, ".rows.y.end");
  Value* rows_ = nullptr;   ///< that fill blocks
  Value* count_ = nullptr;  ///< work-items in a row
  Value* wide_ = nullptr;   ///< of them, in full blocks of columns
  llvm::PHINode* row_ = nullptr;
};

void RowsNest::emit() {
  emit_entry();
  IRBuilder<> b(top_);
  row_ = b.CreatePHI(b.getInt64Ty(), 2, loop_.rows.id->getName() + ".rows");
  row_->addIncoming(b.getInt64(0), enter_);
  emit_vectors(loop_.rows.vary ? emit_test_of_rows() : top_);
  b.SetInsertPoint(latch_);
  Value* next = b.CreateNUWAdd(row_, b.getInt64(blocking_.rows));
  row_->addIncoming(next, latch_);
  b.CreateCondBr(b.CreateICmpULT(next, rows_), top_, header_);
  emit_rest();
}

void RowsNest::emit_entry() {
  before_->getTerminator()->eraseFromParent();
  IRBuilder<> b(before_);
  rows_ = b.CreateAnd(loop_.rows.count, b.getInt64(~std::uint64_t{blocking_.rows - 1}),
                      loop_.rows.vary ? "blocked.rows" : "");
  if (!loop_.rows.vary) {
    const RowSize size = copy_size(loop_, b, nullptr);
    count_ = size.count;
    rows_ = b.CreateSelect(size.go, rows_, b.getInt64(0), "blocked.rows");
  }
  b.CreateCondBr(b.CreateIsNotNull(rows_), enter_, header_);
  b.SetInsertPoint(enter_);
  const std::uint64_t step = std::uint64_t{loop_.width} * blocking_.columns;
  if (count_ != nullptr) wide_ = b.CreateAnd(count_, b.getInt64(~(step - 1)), "blocked.items");
  b.CreateBr(top_);
}

/// Rows end where a kernel's own condition says so (`if (y >= height) return`): the first block with rows that differ
/// is the end of the nest.
BasicBlock* RowsNest::emit_test_of_rows() {
  IRBuilder<> b(top_);
  Value* alike = nullptr;
  for (unsigned r = 0; r < blocking_.rows; ++r) {
    const RowSize size = copy_size(loop_, b, r == 0 ? row_ : b.CreateNUWAdd(row_, b.getInt64(r)));
    if (r == 0) count_ = size.count;
    alike = r == 0 ? size.go : b.CreateAnd(alike, b.CreateAnd(size.go, b.CreateICmpEQ(size.count, count_)));
  }
  const std::uint64_t step = std::uint64_t{loop_.width} * blocking_.columns;
  wide_ = b.CreateAnd(count_, b.getInt64(~(step - 1)), "blocked.items");
  BasicBlock* alike_block = new_block(loop_, ".rows.alike");
  b.CreateCondBr(b.CreateFreeze(alike), alike_block, header_);
  return alike_block;
}

void RowsNest::emit_vectors(BasicBlock* from) {
  IRBuilder<> b(from);
  if (blocking_.columns == 1) {
    emit_blocked(loop_, blocking_, from, b.getInt64(0), count_, latch_, row_, ".rows");
    return;
  }
  BasicBlock* go = new_block(loop_, ".rows.wide");
  BasicBlock* rest = new_block(loop_, ".rows.rest");
  b.CreateCondBr(b.CreateIsNotNull(wide_), go, rest);
  emit_blocked(loop_, blocking_, go, b.getInt64(0), wide_, rest, row_, ".rows.columns");
  b.SetInsertPoint(rest);
  go = new_block(loop_, ".rows.narrow");
  b.CreateCondBr(b.CreateICmpULT(wide_, count_), go, latch_);
  emit_blocked(loop_, {blocking_.rows, 1}, go, wide_, count_, latch_, row_, ".rows");
}

/// The loop over y goes on after the rows that are done.
void RowsNest::emit_rest() {
  IRBuilder<> b(header_, header_->getFirstInsertionPt());
  auto* done = llvm::PHINode::Create(b.getInt64Ty(), 4, "rows.done", header_->begin());
  done->addIncoming(b.getInt64(0), before_);
  done->addIncoming(rows_, latch_);
  loop_.rows.id->addIncoming(b.getInt64(0), latch_);
  if (loop_.rows.vary) {
    done->addIncoming(row_, top_);
    loop_.rows.id->addIncoming(b.getInt64(0), top_);
  }
  done->addIncoming(done, loop_.rows.loop->getLoopLatch());
  BasicBlock* check = new_block(loop_, ".rows.check");
  loop_.enter->getSinglePredecessor()->getTerminator()->setSuccessor(0, check);
  b.SetInsertPoint(check);
  b.CreateCondBr(b.CreateICmpULT(loop_.rows.id, done), loop_.done, loop_.enter);
}

}  // namespace

void emit_rows(const VectorLoop& loop, Blocking blocking) {
  RowsNest(loop, blocking).emit();
}

namespace {

struct BlockedLoop {
  std::string loop;  ///< name of its header
  unsigned width;    ///< of its vectors
  Blocking blocking;
};

/// @param share  also those with branches that the vectors have to share
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
      blocked.push_back(
          {loop->getHeader()->getName().str(), vector.width, {both.rows, std::max(both.columns, columns.columns)}});
      llvm::SmallPtrSet<const BasicBlock*, 32> old;
      for (const BasicBlock& block : function) old.insert(&block);
      if (columns.columns > 1) {
        tally(Transformation::block_columns);
        emit_columns(vector, columns.columns);
      }
      if (both.rows > 1) {
        tally(vector.rows.vary ? Transformation::block_unequal_rows : Transformation::block_rows);
        emit_rows(vector, both);
      }
      // The copies are not blocked again.
      for (const BasicBlock& block : function)
        if (!old.contains(&block)) seen.insert(&block);
      again = true;
      break;
    }
  }
  return blocked;
}

std::vector<BlockedLoop> block_items(llvm::Function& function, Isa isa, llvm::ArrayRef<std::string> loops) {
  std::vector<BlockedLoop> blocked;
  for (const std::string& name : loops) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo found(dominators);
    for (llvm::Loop* loop : found.getLoopsInPreorder()) {
      VectorLoop items;
      if (loop->getHeader()->getName() != name || !items.read_items(*loop, false)) continue;
      const Blocking blocking = choose_blocking(items, isa, false);
      if (blocking.columns == 1) continue;
      emit_columns(items, blocking.columns);
      blocked.push_back({name, 1, blocking});
      break;
    }
  }
  return blocked;
}

/// Says it as an optimisation remark.
void announce(const BlockedLoop& b, const llvm::Function& function) {
  llvm::OptimizationRemarkEmitter(&function).emit([&] {
    return llvm::OptimizationRemark("lanewise-block-registers", "Blocked", llvm::DebugLoc(), &function.getEntryBlock())
           << llvm::ore::NV("Loop", b.loop) << ": blocks of " << llvm::ore::NV("Rows", b.blocking.rows) << " x "
           << llvm::ore::NV("Columns", b.blocking.columns) << (b.width > 1 ? " vectors" : " work-items");
  });
}

/// Tells the runtime what an iteration does, and the report, in which `suffix` is not part of a loop's name.
void note(llvm::ArrayRef<BlockedLoop> blocked, const llvm::Function& function, llvm::StringRef suffix,
          const KernelContext& context) {
  abi::KernelInfo* info =
      context.kernels.size() == 1 && !context.lowered_as_vectors ? context.kernels.front() : nullptr;
  const llvm::StringRef kernel = context.kernels.size() == 1 ? context.kernels.front()->name : function.getName();
  for (const BlockedLoop& b : blocked) {
    announce(b, function);
    if (info != nullptr && b.width > 1) info->shape.rows = std::max(info->shape.rows, b.blocking.rows);
    if (info != nullptr && info->shape.row_items != 0 && info->shape.team_groups == 0)
      info->shape.row_items = std::max(info->shape.row_items, b.width * b.blocking.columns);
    if (context.report == nullptr) continue;
    for (abi::LoopReport& loop : *context.report) {
      if (loop.kernel != kernel || b.loop != loop.loop + suffix.str()) continue;
      loop.rows = b.blocking.rows;
      loop.columns = b.blocking.columns;
    }
  }
}

/// False, with an error in the context, if the function is not valid.
bool verify(llvm::Function& function, KernelContext& context) {
  if (!llvm::verifyFunction(function)) return true;
  context.fail(failure("internal compiler error: blocks of registers in " + function.getName()));
  return false;
}

}  // namespace

llvm::PreservedAnalyses BlockRegistersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  const bool share = context.effort == Effort::full && !context.lowered_as_vectors;
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const auto blocked = block_registers(*function, context.options.isa, share);
    if (blocked.empty()) continue;
    changed = true;
    if (!verify(*function, context)) break;
    if (has_variables_described(module)) drop_unreachable_locations(*function);
    note(blocked, *function, ".vector", context);
  }
  return unless_changed(changed);
}

llvm::PreservedAnalyses BlockItemsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const auto loops = context.own_vectors.find(function->getName().str());
    if (loops == context.own_vectors.end()) continue;
    const auto blocked = block_items(*function, context.options.isa, loops->second);
    if (blocked.empty()) continue;
    changed = true;
    if (!verify(*function, context)) break;
    note(blocked, *function, "", context);
  }
  return unless_changed(changed);
}

}  // namespace lanewise::spmd
