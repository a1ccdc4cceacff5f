// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/per_lane.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/marks.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/emit/lane_loop.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::Value;

namespace {

bool is_rare(const Instruction& i) {
  return i.getParent()->getTerminator()->hasMetadata(marks::kRare);
}

}  // namespace

void emit_per_lane(VectorState& s, const Instruction& i, Value* mask) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call != nullptr && (s.economy.calls_in_loops || is_rare(i)) && can_loop_over_lanes(*call))
    return emit_lane_loop(s, *call, mask);
  const bool harmless = !i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i);
  if (harmless) mask = nullptr;
  llvm::Type* type = i.getType();
  llvm::SmallVector<Value*, 1> parts;
  if (!type->isVoidTy())
    for (unsigned p = 0; p < components(*type); ++p)
      parts.push_back(llvm::Constant::getNullValue(s.b.wide(component_type(*type, p))));
  for (unsigned l = 0; l < s.width; ++l) {
    llvm::BasicBlock* after = nullptr;
    llvm::BasicBlock* skipped = nullptr;
    if (mask != nullptr) {
      llvm::BasicBlock* run = s.new_block("lane");
      after = s.new_block("lane.done");
      Value* active = s.b.CreateExtractElement(mask, l);
      skipped = s.b.GetInsertBlock();
      s.b.CreateCondBr(active, run, after);
      s.b.SetInsertPoint(run);
    }
    Instruction* copy = i.clone();
    for (llvm::Use& operand : copy->operands())
      if (!llvm::isa<llvm::Function>(operand.get())) operand.set(s.lane(operand.get(), l));
    s.b.Insert(copy, i.getName());
    llvm::SmallVector<Value*, 1> updated(parts);
    for (unsigned p = 0; p < parts.size(); ++p) {
      Value* element = type->isVectorTy()   ? s.b.CreateExtractElement(copy, p)
                       : type->isStructTy() ? s.b.CreateExtractValue(copy, p)
                                            : copy;
      updated[p] = s.b.CreateInsertElement(parts[p], element, l);
    }
    if (mask != nullptr) {
      llvm::BasicBlock* done = s.b.GetInsertBlock();
      s.b.CreateBr(after);
      s.b.SetInsertPoint(after);
      for (unsigned p = 0; p < parts.size(); ++p) {
        llvm::PHINode* phi = s.b.CreatePHI(parts[p]->getType(), 2);
        phi->addIncoming(parts[p], skipped);
        phi->addIncoming(updated[p], done);
        updated[p] = phi;
      }
    }
    parts = updated;
  }
  if (!type->isVoidTy()) s.set_parts(i, parts);
}

}  // namespace lanewise::spmd
