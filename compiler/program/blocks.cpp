// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/blocks.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/frontend/link.h"

namespace lanewise {
namespace {

/// OpenCL C allows no kernel a generic pointer as an argument: only those of blocks have one.
bool is_of_block(const llvm::Function& kernel) {
  if (kernel.arg_empty()) return false;
  const auto* first = llvm::dyn_cast<llvm::PointerType>(kernel.getArg(0)->getType());
  return first != nullptr && first->getAddressSpace() == generic_space;
}

}  // namespace

void number_blocks(llvm::Module& module) {
  unsigned number = 0;
  for (llvm::Function* kernel : kernels_of(module)) {
    if (!is_of_block(*kernel)) continue;
    kernel->addFnAttr(marks::kBlock, llvm::utostr(++number));
    kernel->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

unsigned block_number(const llvm::Function& kernel) {
  unsigned number = 0;
  const llvm::Attribute mark = kernel.getFnAttribute(marks::kBlock);
  if (mark.isStringAttribute()) (void)mark.getValueAsString().getAsInteger(10, number);
  return number;
}

bool is_in_literal(const llvm::Function& function) {
  return function.hasLocalLinkage() && function.getName().contains("_block_invoke");
}

void replace_block_addresses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    auto* word = llvm::Type::getInt64Ty(module.getContext());
    const unsigned number = block_number(function);
    // Programs of C++ have other functions whose addresses are taken: destructors, constructors of variables.
    if (number == 0 && !is_in_literal(function)) continue;
    if (number != 0) function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    auto* value = llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(word, number), function.getType());
    function.replaceUsesWithIf(value, [](const llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call == nullptr || !call->isCallee(&use);
    });
  }
}

}  // namespace lanewise
