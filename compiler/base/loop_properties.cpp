// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/loop_properties.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>

namespace lanewise {

llvm::MDNode* metadata_of(llvm::LLVMContext& context, const LoopProperty& property) {
  llvm::SmallVector<llvm::Metadata*, 2> operands{llvm::MDString::get(context, property.name)};
  if (property.value)
    operands.push_back(
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), *property.value)));
  return llvm::MDNode::get(context, operands);
}

void set_loop_properties(llvm::Instruction& latch, llvm::ArrayRef<LoopProperty> properties) {
  llvm::LLVMContext& context = latch.getContext();
  llvm::SmallVector<llvm::MDNode*> nodes;
  for (const LoopProperty& property : properties) nodes.push_back(metadata_of(context, property));
  latch.setMetadata(llvm::LLVMContext::MD_loop, llvm::makePostTransformationMetadata(context, nullptr, {}, nodes));
}

}  // namespace lanewise
