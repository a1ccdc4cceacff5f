// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/function_pointers.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/base/marks.h"
#include "compiler/program/blocks.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::CallInst;
using llvm::Constant;
using llvm::Function;

/// `llvm.used` and the like: lists for LLVM and for frontend/cxx_programs.h, which nothing reads at run time.
bool is_in_lists_only(const Constant& constant) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return variable->getName().starts_with("llvm.");
  if (llvm::isa<llvm::GlobalValue>(constant)) return false;
  return llvm::all_of(constant.users(), [](const llvm::User* user) {
    const auto* outer = llvm::dyn_cast<Constant>(user);
    return outer != nullptr && is_in_lists_only(*outer);
  });
}

/// Whether the use takes the function's address, so that a call may happen elsewhere.
bool takes_address(const llvm::Use& use) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser())) return !call->isCallee(&use);
  if (llvm::isa<llvm::GlobalAlias>(use.getUser())) return false;
  const auto* constant = llvm::dyn_cast<Constant>(use.getUser());
  return constant == nullptr || !is_in_lists_only(*constant);
}

/// Functions that a virtual table names where a class has none of its own. Nobody may call them.
bool is_absent(const Function& function) {
  return function.isDeclaration() &&
         (function.getName() == "__cxa_pure_virtual" || function.getName() == "__cxa_deleted_virtual");
}

bool may_be_pointed_to(const Function& function) {
  if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL || function.isIntrinsic() || is_in_literal(function))
    return false;
  if (function.isDeclaration() && !is_absent(function)) return false;
  return function.hasFnAttribute(marks::kReferencedIndirectly) || llvm::any_of(function.uses(), takes_address);
}

/// The calls through pointers. Clang calls functions that it knows through casts of their addresses to the space that
/// pointers to functions have; such calls become direct.
std::vector<CallInst*> calls_by_pointer_in(llvm::Module& module) {
  std::vector<CallInst*> calls;
  for (Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<CallInst>(&instruction);
      if (call == nullptr || call->isInlineAsm() || call->getCalledFunction() != nullptr) continue;
      auto* callee = llvm::dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
      if (callee == nullptr) {
        calls.push_back(call);
      } else if (callee->getFunctionType() == call->getFunctionType()) {
        call->setCalledFunction(callee);
      }
    }
  return calls;
}

/// The pointers to functions of a program, by their functions.
using Pointers = llvm::MapVector<Function*, std::uint64_t>;

/// A number that is no address of a process, even, and the same in each program that has the function.
std::uint64_t pointer_of(llvm::StringRef name) {
  constexpr std::uint64_t kNoAddress = std::uint64_t{1} << 62;
  constexpr std::uint64_t kPart = (kNoAddress - 1) & ~std::uint64_t{15};
  return kNoAddress | (llvm::xxh3_64bits(name) & kPart);
}

Pointers pointers_of(llvm::Module& module) {
  Pointers pointers;
  llvm::DenseSet<std::uint64_t> taken;
  for (Function& function : module) {
    if (!may_be_pointed_to(function)) continue;
    std::uint64_t pointer = pointer_of(function.getName());
    while (!taken.insert(pointer).second) pointer += 16;
    pointers[&function] = pointer;
  }
  return pointers;
}

/// Replaces the call by calls of the functions that it may mean.
void choose_function(CallInst& call, const Pointers& pointers) {
  llvm::IRBuilder<> b(&call);
  BasicBlock* before = call.getParent();
  llvm::Value* number = b.CreatePtrToInt(call.getCalledOperand(), b.getInt64Ty());
  BasicBlock* after = llvm::SplitBlock(before, &call);
  after->setName("called");
  BasicBlock* none = BasicBlock::Create(call.getContext(), "none", before->getParent(), after);
  llvm::BranchInst::Create(after, none);
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  llvm::SwitchInst* which = b.CreateSwitch(number, none);
  llvm::PHINode* result = nullptr;
  if (!call.getType()->isVoidTy()) {
    result = llvm::PHINode::Create(call.getType(), 2, "", after->begin());
    result->takeName(&call);
    result->addIncoming(Constant::getNullValue(call.getType()), none);
  }
  const llvm::SmallVector<llvm::Value*> operands(call.args());
  for (const auto& [function, pointer] : pointers) {
    if (function->getFunctionType() != call.getFunctionType() || function->isDeclaration()) continue;
    BasicBlock* block = BasicBlock::Create(call.getContext(), function->getName(), before->getParent(), none);
    which->addCase(b.getInt64(pointer), block);
    b.SetInsertPoint(block);
    b.SetCurrentDebugLocation(call.getDebugLoc());
    CallInst* made = b.CreateCall(function, operands);
    made->setCallingConv(function->getCallingConv());
    // What the caller says of its operands is what it expects of any function of the type.
    made->setAttributes(function->getAttributes().removeFnAttributes(call.getContext()));
    b.CreateBr(after);
    if (result != nullptr) result->addIncoming(made, block);
  }
  if (result != nullptr) call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Notes the functions that other modules may name.
void note(llvm::Module& module, const Pointers& pointers) {
  llvm::LLVMContext& context = module.getContext();
  for (const auto& [function, pointer] : pointers) {
    function->removeFnAttr(marks::kReferencedIndirectly);  // a program that is linked again has the note
    if (function->hasLocalLinkage() || function->isDeclaration()) continue;
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), pointer);
    module.getOrInsertNamedMetadata(marks::kFunctionPointers)
        ->addOperand(llvm::MDNode::get(
            context, {llvm::MDString::get(context, function->getName()), llvm::ConstantAsMetadata::get(number)}));
  }
}

}  // namespace

void replace_function_pointers(llvm::Module& module) {
  const std::vector<CallInst*> calls = calls_by_pointer_in(module);
  const Pointers pointers = pointers_of(module);
  for (CallInst* call : calls) {
    call->getFunction()->addFnAttr(marks::kCallsByPointer);
    choose_function(*call, pointers);
  }
  note(module, pointers);
  for (const auto& [function, pointer] : pointers) {
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), pointer);
    function->replaceUsesWithIf(llvm::ConstantExpr::getIntToPtr(number, function->getType()), takes_address);
    if (is_absent(*function) && function->use_empty()) function->eraseFromParent();
  }
}

std::vector<abi::FunctionPointer> function_pointers_of(const llvm::Module& module) {
  std::vector<abi::FunctionPointer> found;
  const llvm::NamedMDNode* noted = module.getNamedMetadata(marks::kFunctionPointers);
  if (noted == nullptr) return found;
  for (const llvm::MDNode* entry : noted->operands()) {
    if (entry->getNumOperands() != 2) continue;  // a binary may be damaged
    const auto* name = llvm::dyn_cast_or_null<llvm::MDString>(entry->getOperand(0).get());
    const auto* number = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(entry->getOperand(1));
    if (name != nullptr && number != nullptr && number->getBitWidth() == 64)
      found.push_back({.name = name->getString().str(), .pointer = number->getZExtValue()});
  }
  return found;
}

llvm::PreservedAnalyses ReplaceFunctionPointersPass::run(llvm::Module& module,
                                                         llvm::ModuleAnalysisManager& /*analyses*/) {
  replace_function_pointers(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
