// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/cxx_programs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "include/lanewise/variable_kernels.h"

namespace lanewise {
namespace {

using llvm::Function;
using llvm::GlobalVariable;

constexpr const char* kConstructorList = "llvm.global_ctors";
constexpr llvm::StringRef kStub = "__dtor_";

struct Constructor {
  std::uint64_t priority;
  std::size_t place;  ///< in the list: among those of one priority the first comes first
  Function* function;
};

std::vector<Constructor> constructors_of(llvm::Module& module) {
  std::vector<Constructor> found;
  const GlobalVariable* list = module.getNamedGlobal(kConstructorList);
  const auto* entries = list == nullptr || !list->hasInitializer()
                            ? nullptr
                            : llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (entries == nullptr) return found;
  for (const llvm::Use& use : entries->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(use.get());
    if (entry == nullptr) continue;
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(entry->getOperand(0));
    auto* function = llvm::dyn_cast<Function>(entry->getOperand(1)->stripPointerCasts());
    if (priority != nullptr && function != nullptr) found.push_back({priority->getZExtValue(), found.size(), function});
  }
  llvm::sort(found, [](const Constructor& a, const Constructor& b) {
    return std::pair(a.priority, a.place) < std::pair(b.priority, b.place);
  });
  return found;
}

/// The variable that a stub destroys, by the stub's name.
GlobalVariable* destroyed_by(Function& stub) {
  llvm::StringRef name = stub.getName();
  return name.consume_front(kStub) ? stub.getParent()->getNamedGlobal(name) : nullptr;
}

/// What says whether a variable has been constructed; null: it is, before any kernel runs.
GlobalVariable* guard_of(GlobalVariable& variable) {
  llvm::StringRef name = variable.getName();
  return name.consume_front("_Z") ? variable.getParent()->getNamedGlobal(("_ZGV" + name).str()) : nullptr;
}

void pass_object(Function& stub, GlobalVariable& object) {
  for (llvm::Instruction& instruction : llvm::instructions(stub)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    Function* destructor = call == nullptr ? nullptr : llvm::dyn_cast<Function>(call->getCalledOperand());
    if (destructor == nullptr || destructor->arg_empty() || call->arg_empty() ||
        !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(0)))
      continue;
    call->setArgOperand(
        0, llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(&object, destructor->getArg(0)->getType()));
  }
}

/// In the order of the source.
std::vector<llvm::CallInst*> calls_of(Function& callee) {
  std::vector<llvm::CallInst*> calls;
  for (Function& function : *callee.getParent())
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && call->getCalledOperand() == &callee)
        calls.push_back(call);
  return calls;
}

void list_destructor(Function& stub, GlobalVariable* guard) {
  llvm::Metadata* condition = guard == nullptr ? nullptr : llvm::ValueAsMetadata::get(guard);
  stub.getParent()
      ->getOrInsertNamedMetadata(kDestructors)
      ->addOperand(llvm::MDNode::get(stub.getContext(), {llvm::ValueAsMetadata::get(&stub), condition}));
}

/// Reads an entry of the module's list: {stub, guard or null}.
std::pair<Function*, GlobalVariable*> entry_of(const llvm::MDNode& node) {
  const auto value = [&](unsigned i) -> llvm::Value* {
    auto* found = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node.getOperand(i).get());
    return found == nullptr ? nullptr : found->getValue();
  };
  return {llvm::dyn_cast_or_null<Function>(value(0)), llvm::dyn_cast_or_null<GlobalVariable>(value(1))};
}

Function* make_kernel(llvm::Module& module, const char* name) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  Function* kernel = Function::Create(type, Function::ExternalLinkage, name, module);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  kernel->setDoesNotThrow();
  llvm::BasicBlock::Create(module.getContext(), "entry", kernel);
  return kernel;
}

void call(llvm::IRBuilder<>& b, Function& function) {
  b.CreateCall(&function)->setCallingConv(function.getCallingConv());
}

/// Calls `stub` if the first byte of `guard` says that there is something to destroy.
void call_if_constructed(llvm::IRBuilder<>& b, Function& stub, GlobalVariable& guard) {
  Function* kernel = b.GetInsertBlock()->getParent();
  auto* destroy = llvm::BasicBlock::Create(b.getContext(), "destroy", kernel);
  auto* next = llvm::BasicBlock::Create(b.getContext(), "next", kernel);
  llvm::Value* constructed = b.CreateLoad(b.getInt8Ty(), &guard);
  b.CreateCondBr(b.CreateICmpNE(constructed, b.getInt8(0)), destroy, next);
  b.SetInsertPoint(destroy);
  call(b, stub);
  b.CreateBr(next);
  b.SetInsertPoint(next);
}

void make_destructors(llvm::Module& module) {
  const llvm::NamedMDNode* list = module.getNamedMetadata(kDestructors);
  if (list == nullptr || list->getNumOperands() == 0) return;
  std::vector<std::pair<Function*, GlobalVariable*>> entries;
  for (const llvm::MDNode* node : list->operands())
    if (const auto entry = entry_of(*node); entry.first != nullptr) entries.push_back(entry);
  std::reverse(entries.begin(), entries.end());
  llvm::IRBuilder<> b(&make_kernel(module, kDestructors)->getEntryBlock());
  for (const auto& [stub, guard] : entries)
    if (guard != nullptr) call_if_constructed(b, *stub, *guard);
  for (const auto& [stub, guard] : entries)
    if (guard == nullptr) call(b, *stub);
  b.CreateRetVoid();
}

}  // namespace

void complete_destructors(llvm::Module& module) {
  for (const Constructor& constructor : constructors_of(module))
    constructor.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  Function* registers = module.getFunction("atexit");
  if (registers == nullptr || !registers->isDeclaration()) return;
  for (llvm::CallInst* call : calls_of(*registers)) {
    auto* stub = call->arg_empty() ? nullptr : llvm::dyn_cast<Function>(call->getArgOperand(0));
    GlobalVariable* object = stub == nullptr ? nullptr : destroyed_by(*stub);
    if (object == nullptr) continue;
    pass_object(*stub, *object);
    list_destructor(*stub, guard_of(*object));
    call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  if (registers->use_empty()) registers->eraseFromParent();
}

void make_variable_kernels(llvm::Module& module) {
  if (const auto constructors = constructors_of(module); !constructors.empty()) {
    llvm::IRBuilder<> b(&make_kernel(module, kConstructors)->getEntryBlock());
    for (const Constructor& constructor : constructors) call(b, *constructor.function);
    b.CreateRetVoid();
  }
  make_destructors(module);
  drop_variable_kernels(module);
}

void drop_variable_kernels(llvm::Module& module) {
  if (GlobalVariable* list = module.getNamedGlobal(kConstructorList)) list->eraseFromParent();
  if (llvm::NamedMDNode* list = module.getNamedMetadata(kDestructors)) module.eraseNamedMetadata(list);
}

}  // namespace lanewise
