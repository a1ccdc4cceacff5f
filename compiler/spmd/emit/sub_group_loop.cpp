// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/sub_group_loop.h"

#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

namespace {

/// The first `count` of `width` lanes.
Value* first_lanes(IRBuilder<>& b, Value* count, unsigned width) {
  llvm::SmallVector<llvm::Constant*> numbers;
  for (unsigned l = 0; l < width; ++l) numbers.push_back(b.getInt32(l));
  Value* limit = b.CreateVectorSplat(width, b.CreateTrunc(count, b.getInt32Ty()));
  return b.CreateICmpULT(llvm::ConstantVector::get(numbers), limit, "lanes");
}

}  // namespace

void emit_sub_group_loop(llvm::Loop& loop, Value& size, const SubGroupLoop& form, const BodyForm& body,
                         LaneStorage& storage) {
  BasicBlock* header = loop.getHeader();
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* exit = loop.getUniqueExitBlock();
  const unsigned width = form.width;
  const auto block = [&](const char* suffix) {
    return BasicBlock::Create(header->getContext(), header->getName() + suffix, header->getParent(), header);
  };
  BasicBlock* top = block(".vector");
  BasicBlock* rest = form.flattened ? nullptr : block(".rest");
  before->getTerminator()->eraseFromParent();
  IRBuilder<> b(before);
  // A flattened loop masks all vectors; the other one only the last.
  Value* count = form.flattened ? &size : b.CreateAnd(&size, b.getInt64(~std::uint64_t{width - 1}), "vector.items");
  if (form.flattened)
    b.CreateBr(top);
  else
    b.CreateCondBr(b.CreateIsNotNull(count), top, rest);
  b.SetInsertPoint(top);
  llvm::PHINode* first = b.CreatePHI(b.getInt64Ty(), 2, body.local_id.getName() + ".vector");
  first->addIncoming(b.getInt64(0), before);
  Value* mask = nullptr;
  if (form.flattened)
    mask = first_lanes(
        b, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateNUWSub(&size, first), b.getInt64(width)), width);
  emit_body(body, storage, b, first, mask);
  Value* next = b.CreateNUWAdd(first, b.getInt64(width));
  first->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, count), top, form.flattened ? exit : rest);
  if (form.flattened) return;

  BasicBlock* tail = block(".tail");
  b.SetInsertPoint(rest);
  Value* left = b.CreateAnd(&size, b.getInt64(width - 1), "rest.items");
  b.CreateCondBr(b.CreateIsNotNull(left), tail, exit);
  b.SetInsertPoint(tail);
  emit_body(body, storage, b, count, first_lanes(b, left, width));
  b.CreateBr(exit);
}

}  // namespace lanewise::spmd
