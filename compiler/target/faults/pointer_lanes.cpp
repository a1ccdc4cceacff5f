// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/pointer_lanes.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic pointer_lane_accesses{"align-pointer-lanes", "accesses", "masked accesses to pointers with less alignment"};

/// False where it stays as it is.
bool limit_alignment(llvm::IntrinsicInst& call, unsigned address, const llvm::Type& moved) {
  const llvm::Type* lane = moved.getScalarType();
  if (!lane->isPointerTy()) return false;
  const llvm::Align natural = call.getDataLayout().getPointerABIAlignment(lane->getPointerAddressSpace());
  if (call.getParamAlign(address).valueOrOne() <= natural) return false;
  ++pointer_lane_accesses;
  call.removeParamAttr(address, llvm::Attribute::Alignment);
  call.addParamAttr(address, llvm::Attribute::getWithAlignment(call.getContext(), natural));
  return true;
}

bool align_pointer_lanes(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) continue;
    if (call->getIntrinsicID() == llvm::Intrinsic::masked_load) changed |= limit_alignment(*call, 0, *call->getType());
    if (call->getIntrinsicID() == llvm::Intrinsic::masked_store)
      changed |= limit_alignment(*call, 1, *call->getArgOperand(0)->getType());
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses AlignPointerLanesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, align_pointer_lanes));
}

}  // namespace lanewise
