// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/machine_operations.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

namespace lanewise {

bool is_machine_operation(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().starts_with(kMachineOperationPrefix);
}

llvm::Function& machine_operation(llvm::Module& module, llvm::StringRef name, llvm::FunctionType& type) {
  return *llvm::cast<llvm::Function>(
      module.getOrInsertFunction((kMachineOperationPrefix + name).str(), &type).getCallee());
}

llvm::Function& wide_machine_operation(const llvm::Function& scalar, unsigned width) {
  const auto wide = [&](llvm::Type* type) -> llvm::Type* {
    return type->isPointerTy() ? type : llvm::FixedVectorType::get(type, width);
  };
  llvm::SmallVector<llvm::Type*> parameters;
  for (const llvm::Argument& a : scalar.args()) parameters.push_back(wide(a.getType()));
  auto* type = llvm::FunctionType::get(wide(scalar.getReturnType()), parameters, false);
  const std::string name = (scalar.getName() + "." + llvm::Twine(width)).str();
  auto* module = const_cast<llvm::Module*>(scalar.getParent());
  auto* function = llvm::cast<llvm::Function>(module->getOrInsertFunction(name, type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return *function;
}

}  // namespace lanewise
