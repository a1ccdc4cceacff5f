// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/predicated_accesses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstdint>

namespace lanewise {
namespace {

/// The pointer comes first, the condition second in a load and third in a store.
void lower(llvm::CallInst& call, bool loads, std::uint64_t alignment) {
  llvm::Value* pointer = call.getArgOperand(0);
  llvm::Value* condition = call.getArgOperand(loads ? 1 : 2);
  llvm::Value* value = call.getArgOperand(loads ? 2 : 1);
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  const llvm::Align align =
      llvm::isPowerOf2_64(alignment) ? llvm::Align(alignment) : layout.getABITypeAlign(value->getType());
  llvm::BasicBlock* before = call.getParent();
  llvm::IRBuilder<> access(llvm::SplitBlockAndInsertIfThen(condition, &call, false));
  if (loads) {
    llvm::LoadInst* loaded = access.CreateAlignedLoad(value->getType(), pointer, align);
    llvm::IRBuilder<> behind(&call);
    llvm::PHINode* result = behind.CreatePHI(value->getType(), 2);
    result->addIncoming(loaded, loaded->getParent());
    result->addIncoming(value, before);
    result->takeName(&call);
    call.replaceAllUsesWith(result);
  } else {
    access.CreateAlignedStore(value, pointer, align);
  }
  call.eraseFromParent();
}

}  // namespace

void lower_predicated_accesses(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    const bool loads = name.consume_front("__lw_predicated_load.");
    if (!loads && !name.consume_front("__lw_predicated_store.")) continue;
    std::uint64_t alignment = 0;
    if (!function.isDeclaration() || function.arg_size() != 3 || name.consumeInteger(10, alignment)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call != nullptr && call->getCalledFunction() == &function)
        lower(*call, loads, alignment);
    if (function.use_empty()) function.eraseFromParent();
  }
}

}  // namespace lanewise
