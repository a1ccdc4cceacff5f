// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/two_forms.h"

#include "compiler/base/marks.h"

namespace lanewise::spmd {

/// Both forms, with `mark` on the branch between them.
static Parts emit_marked(VectorState& s, const char* mark, llvm::Value* test, const FormNames& names,
                         llvm::function_ref<Parts()> fast, llvm::function_ref<Parts()> general) {
  llvm::BasicBlock* from = s.b.GetInsertBlock();
  Parts result = emit_either(s, test, names, fast, general);
  from->getTerminator()->setMetadata(mark, llvm::MDNode::get(s.b.getContext(), {}));
  return result;
}

Parts emit_fast_or_general(VectorState& s, llvm::Value* test, const FormNames& names, llvm::function_ref<Parts()> fast,
                           llvm::function_ref<Parts()> general) {
  return emit_marked(s, marks::kForms, test, names, fast, general);
}

Parts emit_guess(VectorState& s, llvm::Value* test, const FormNames& names, llvm::function_ref<Parts()> fast,
                 llvm::function_ref<Parts()> general) {
  return emit_marked(s, marks::kGuess, test, names, fast, general);
}

Parts emit_either(VectorState& s, llvm::Value* test, const FormNames& names, llvm::function_ref<Parts()> if_true,
                  llvm::function_ref<Parts()> if_false) {
  llvm::BasicBlock* one = s.new_block(names.if_true);
  llvm::BasicBlock* other = s.new_block(names.if_false);
  llvm::BasicBlock* after = s.new_block(names.after);
  s.b.CreateCondBr(test, one, other);
  s.b.SetInsertPoint(one);
  Parts result = if_true();
  llvm::BasicBlock* one_end = s.b.GetInsertBlock();
  s.b.CreateBr(after);
  s.b.SetInsertPoint(other);
  const Parts second = if_false();
  llvm::BasicBlock* other_end = s.b.GetInsertBlock();
  s.b.CreateBr(after);
  s.b.SetInsertPoint(after);
  for (unsigned p = 0; p < result.size(); ++p) {
    llvm::PHINode* phi = s.b.CreatePHI(result[p]->getType(), 2);
    phi->addIncoming(result[p], one_end);
    phi->addIncoming(second[p], other_end);
    result[p] = phi;
  }
  return result;
}

}  // namespace lanewise::spmd
