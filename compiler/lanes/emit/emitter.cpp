// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/emitter.h"

#include "compiler/lanes/emit/control.h"

namespace lanewise::spmd {

void emit_body(const BodyForm& form, LaneStorage& storage, llvm::IRBuilder<>& builder, llvm::Value* id,
               llvm::Value* mask, llvm::Value* full) {
  VectorState state(form, storage);
  Masks masks(state, mask, full);
  state.b.SetInsertPoint(builder.GetInsertBlock());
  state.set_base(form.local_id, id);
  Control(state, masks).emit_level(form.body.top(), mask);
  builder.SetInsertPoint(state.b.GetInsertBlock());
}

}  // namespace lanewise::spmd
