// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/pointer_lanes.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace lanewise {
namespace {

void limit_alignment(llvm::IntrinsicInst& call, unsigned address, const llvm::Type& moved) {
  const llvm::Type* lane = moved.getScalarType();
  if (!lane->isPointerTy()) return;
  const llvm::Align natural = call.getDataLayout().getPointerABIAlignment(lane->getPointerAddressSpace());
  if (call.getParamAlign(address).valueOrOne() <= natural) return;
  call.removeParamAttr(address, llvm::Attribute::Alignment);
  call.addParamAttr(address, llvm::Attribute::getWithAlignment(call.getContext(), natural));
}

}  // namespace

void align_pointer_lanes(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (call == nullptr) continue;
      if (call->getIntrinsicID() == llvm::Intrinsic::masked_load) limit_alignment(*call, 0, *call->getType());
      if (call->getIntrinsicID() == llvm::Intrinsic::masked_store)
        limit_alignment(*call, 1, *call->getArgOperand(0)->getType());
    }
}

}  // namespace lanewise
