// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What has no vector form, one active lane after the other: atomics, calls, volatile accesses, conversions of vectors.
///
///     %old = atomicrmw add ptr %p, i32 %v     =>     br i1 (mask 0), %lane, %skip
///                                                    lane: %old.0 = atomicrmw add ptr %p.0, i32 %v.0
///                                                    skip: phi, insertelement; and so on for each lane
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/emitter.h"

namespace lanewise::spmd {

void Emitter::emit_per_lane(const Instruction& i, Value* mask) {
  const bool harmless = !i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i);
  if (harmless) mask = nullptr;
  llvm::Type* type = i.getType();
  llvm::SmallVector<Value*, 1> parts;
  if (!type->isVoidTy())
    for (unsigned p = 0; p < components(*type); ++p)
      parts.push_back(llvm::Constant::getNullValue(wide(component_type(*type, p))));
  for (unsigned l = 0; l < width_; ++l) {
    BasicBlock* after = nullptr;
    BasicBlock* skipped = nullptr;
    if (mask != nullptr) {
      BasicBlock* run = new_block("lane");
      after = new_block("lane.done");
      Value* active = b_.CreateExtractElement(mask, l);
      skipped = b_.GetInsertBlock();
      b_.CreateCondBr(active, run, after);
      b_.SetInsertPoint(run);
    }
    Instruction* copy = i.clone();
    for (llvm::Use& operand : copy->operands())
      if (!llvm::isa<llvm::Function>(operand.get())) operand.set(lane(operand.get(), l));
    b_.Insert(copy, i.getName());
    llvm::SmallVector<Value*, 1> updated(parts);
    for (unsigned p = 0; p < parts.size(); ++p) {
      Value* element = type->isVectorTy()   ? b_.CreateExtractElement(copy, p)
                       : type->isStructTy() ? b_.CreateExtractValue(copy, p)
                                            : copy;
      updated[p] = b_.CreateInsertElement(parts[p], element, l);
    }
    if (mask != nullptr) {
      BasicBlock* done = b_.GetInsertBlock();
      b_.CreateBr(after);
      b_.SetInsertPoint(after);
      for (unsigned p = 0; p < parts.size(); ++p) {
        llvm::PHINode* phi = b_.CreatePHI(parts[p]->getType(), 2);
        phi->addIncoming(parts[p], skipped);
        phi->addIncoming(updated[p], done);
        updated[p] = phi;
      }
    }
    parts = updated;
  }
  if (!type->isVoidTy()) lanes_[&i].parts = parts;
}

}  // namespace lanewise::spmd
