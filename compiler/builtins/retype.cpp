// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/retype.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace lanewise::builtins {

namespace {

/// In the library target types occur only as whole values: events that are passed through.
class ToPointer final : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) override {
    return type->isTargetExtTy() ? llvm::PointerType::get(type->getContext(), 0) : type;
  }
};

llvm::FunctionType* plain(llvm::FunctionType* type, ToPointer& map) {
  llvm::SmallVector<llvm::Type*, 8> parameters;
  for (auto* parameter : type->params()) parameters.push_back(map.remapType(parameter));
  return llvm::FunctionType::get(map.remapType(type->getReturnType()), parameters, type->isVarArg());
}

}  // namespace

llvm::Error opaque_types_to_pointers(llvm::Module& module) {
  ToPointer map;
  llvm::SmallVector<llvm::Function*, 16> affected;
  for (auto& f : module)
    if (plain(f.getFunctionType(), map) != f.getFunctionType()) affected.push_back(&f);
  if (affected.empty()) return llvm::Error::success();
  if (auto error = module.materializeAll()) return error;
  for (auto* f : affected) {
    auto* twin = llvm::Function::Create(plain(f->getFunctionType(), map), f->getLinkage(), "", module);
    twin->takeName(f);
    if (!f->isDeclaration()) {
      llvm::ValueToValueMapTy values;
      auto to = twin->arg_begin();
      for (auto& from : f->args()) values[&from] = &*to++;
      llvm::SmallVector<llvm::ReturnInst*, 4> returns;
      llvm::CloneFunctionInto(twin, f, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns, "", nullptr,
                              &map);
    } else {
      twin->copyAttributesFrom(f);
    }
    f->replaceAllUsesWith(twin);
    f->eraseFromParent();
  }
  return llvm::Error::success();
}

}  // namespace lanewise::builtins
