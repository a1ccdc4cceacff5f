// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/handle_comparisons.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace lanewise {
namespace {

/// The function that compares two handles of that type; null if there is none.
llvm::Function* comparison(llvm::Module& module, llvm::Type* type) {
  const auto* handle = llvm::dyn_cast<llvm::TargetExtType>(type);
  if (handle == nullptr) return nullptr;
  const char* name = handle->getName() == "spirv.Queue"         ? "__lw_same_queue"
                     : handle->getName() == "spirv.DeviceEvent" ? "__lw_same_event"
                                                                : nullptr;
  if (name == nullptr) return nullptr;
  auto* signature = llvm::FunctionType::get(llvm::Type::getInt32Ty(module.getContext()), {type, type}, false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, signature).getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  return function;
}

}  // namespace

void complete_handle_comparisons(llvm::Module& module) {
  std::vector<llvm::ICmpInst*> found;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          compare != nullptr && compare->getOperand(0)->getType()->isTargetExtTy())
        found.push_back(compare);
  for (llvm::ICmpInst* compare : found) {
    llvm::Function* same = comparison(module, compare->getOperand(0)->getType());
    if (same == nullptr) continue;
    llvm::IRBuilder<> b(compare);
    llvm::CallInst* call = b.CreateCall(same, {compare->getOperand(0), compare->getOperand(1)});
    call->setCallingConv(same->getCallingConv());
    llvm::Value* result = b.CreateICmp(
        compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? llvm::CmpInst::ICMP_NE : llvm::CmpInst::ICMP_EQ, call,
        b.getInt32(0));
    result->takeName(compare);
    compare->replaceAllUsesWith(result);
    compare->eraseFromParent();
  }
}

}  // namespace lanewise
