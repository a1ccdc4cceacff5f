// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/relaxed.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <string>
#include <vector>

namespace lanewise::builtins {
namespace {

constexpr llvm::StringLiteral kPrefix = "__lw_relaxed_";

/// `_Z3powff` -> `_Z16__lw_relaxed_powff`; empty for other names. The rest of a mangled name never refers back to the
/// name of the function, so it stays as it is.
std::string relaxed_name(llvm::StringRef mangled) {
  unsigned size = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, size) || size > mangled.size()) return {};
  return "_Z" + std::to_string(size + kPrefix.size()) + kPrefix.str() + mangled.str();
}

bool approximate(const llvm::User& user, const llvm::Function& callee) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
  return call != nullptr && call->getCalledOperand() == &callee && llvm::isa<llvm::FPMathOperator>(call) &&
         call->hasApproxFunc();
}

}  // namespace

void call_relaxed_forms(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef)> defines) {
  std::vector<llvm::Function*> candidates;
  for (auto& f : module)
    if (f.isDeclaration() && !f.isIntrinsic() && !f.use_empty()) candidates.push_back(&f);
  for (auto* f : candidates) {
    std::vector<llvm::CallInst*> calls;
    for (auto* user : f->users())
      if (approximate(*user, *f)) calls.push_back(llvm::cast<llvm::CallInst>(user));
    const std::string name = calls.empty() ? std::string() : relaxed_name(f->getName());
    if (name.empty() || !defines(name)) continue;
    auto form = module.getOrInsertFunction(name, f->getFunctionType(), f->getAttributes());
    llvm::cast<llvm::Function>(form.getCallee())->setCallingConv(f->getCallingConv());
    for (auto* call : calls) call->setCalledFunction(form);
  }
}

}  // namespace lanewise::builtins
