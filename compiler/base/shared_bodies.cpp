// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/shared_bodies.h"

#include <llvm/IR/Instructions.h>

namespace lanewise {

bool can_share_body(const llvm::Function& function) {
  return !function.isVarArg() && llvm::all_of(function.users(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    return call != nullptr && call->getCalledFunction() == &function && !call->isMustTailCall() &&
           !call->hasOperandBundles();
  });
}

}  // namespace lanewise
