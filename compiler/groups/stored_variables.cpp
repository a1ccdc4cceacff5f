// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/stored_variables.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/base/marks.h"

namespace lanewise {
namespace {

using llvm::GlobalVariable;
using llvm::Instruction;

std::uint64_t offset_of(const GlobalVariable& variable) {
  const llvm::MDNode* mark = variable.getMetadata(marks::kStored);
  return llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue();
}

/// True if the use only needs the variable's value and not its address.
bool is_loaded(const llvm::Use& use) {
  const auto* user = llvm::cast<Instruction>(use.getUser());
  if (llvm::isa<llvm::LoadInst>(user)) return true;
  if (llvm::isa<llvm::MemTransferInst>(user)) return use.getOperandNo() == 1;
  return llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user) && llvm::all_of(user->uses(), is_loaded);
}

/// Whether the variable has a place in the storage.
bool is_stored(const GlobalVariable& variable) {
  return variable.hasMetadata(marks::kStored);
}

}  // namespace

void lower_stored_variables(const WorkItemFunction& item, llvm::BasicBlock& body) {
  llvm::SmallVector<GlobalVariable*> variables;
  for (GlobalVariable& variable : item.function->getParent()->globals())
    if (is_stored(variable) && !variable.use_empty()) variables.push_back(&variable);
  // All of them before the first address is made, as for local variables: this puts instructions at the body's start.
  for (GlobalVariable* variable : variables) llvm::convertUsersOfConstantsToInstructions({variable}, item.function);
  llvm::IRBuilder<> b(&body, body.getFirstNonPHIIt());
  for (GlobalVariable* variable : variables) {
    const bool has_value = variable->isConstant() && variable->hasInitializer();
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : variable->uses()) {
      const auto* user = llvm::dyn_cast<Instruction>(use.getUser());
      if (user != nullptr && user->getFunction() == item.function && !(has_value && is_loaded(use)))
        uses.push_back(&use);
    }
    if (uses.empty()) continue;
    llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), item.context(ContextParameter::variables),
                                                        offset_of(*variable), variable->getName());
    if (address->getType() != variable->getType()) address = b.CreateAddrSpaceCast(address, variable->getType());
    for (llvm::Use* use : uses) use->set(address);
  }
}

}  // namespace lanewise
