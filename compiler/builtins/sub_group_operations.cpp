// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/sub_group_operations.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace lanewise {
namespace {

using llvm::Value;

Value* at_size_one(llvm::IRBuilderBase& b, llvm::CallInst& call, const SubGroupCall& operation) {
  Value* v = call.getArgOperand(0);
  switch (operation.what) {
    case SubGroupOperation::ballot:
      return b.CreateZExt(b.CreateIsNotNull(v), call.getType());
    case SubGroupOperation::scan_exclusive:
      return identity(operation, *call.getType());
    default:
      return v;
  }
}

void protect(llvm::Function& declaration) {
  declaration.addFnAttr(llvm::Attribute::Convergent);
  declaration.addFnAttr(llvm::Attribute::NoMerge);
  declaration.addFnAttr(llvm::Attribute::NoUnwind);
  declaration.addFnAttr(llvm::Attribute::WillReturn);
  declaration.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

}  // namespace

Value* combine(llvm::IRBuilderBase& b, const SubGroupCall& call, Value* left, Value* right) {
  using llvm::Intrinsic::ID;
  const bool floating = left->getType()->isFPOrFPVectorTy();
  const auto choose = [&](ID of_floats, ID of_signed, ID of_unsigned) {
    return b.CreateBinaryIntrinsic(floating ? of_floats : call.is_signed ? of_signed : of_unsigned, left, right);
  };
  switch (call.combine) {
    case Combine::add:
      return floating ? b.CreateFAdd(left, right) : b.CreateAdd(left, right);
    case Combine::mul:
      return floating ? b.CreateFMul(left, right) : b.CreateMul(left, right);
    case Combine::min:
      return choose(llvm::Intrinsic::minnum, llvm::Intrinsic::smin, llvm::Intrinsic::umin);
    case Combine::max:
      return choose(llvm::Intrinsic::maxnum, llvm::Intrinsic::smax, llvm::Intrinsic::umax);
    case Combine::bit_and:
      return b.CreateAnd(left, right);
    case Combine::bit_or:
      return b.CreateOr(left, right);
    default:
      return b.CreateXor(left, right);
  }
}

llvm::Constant* identity(const SubGroupCall& call, llvm::Type& type) {
  const bool floating = type.isFPOrFPVectorTy();
  const unsigned bits = type.getScalarSizeInBits();
  const auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(&type, value); };
  switch (call.combine) {
    case Combine::mul:
      return floating ? llvm::ConstantFP::get(&type, 1.0) : llvm::ConstantInt::get(&type, 1);
    case Combine::min:
      if (floating) return llvm::ConstantFP::getInfinity(&type);
      return number(call.is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits));
    case Combine::max:
      if (floating) return llvm::ConstantFP::getInfinity(&type, /*Negative=*/true);
      return number(call.is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits));
    case Combine::bit_and:
      return llvm::Constant::getAllOnesValue(&type);
    default:
      return llvm::Constant::getNullValue(&type);
  }
}

bool uses_sub_groups(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call != nullptr && concerns_sub_groups(known_call(*call));
  });
}

llvm::PreservedAnalyses ProtectSubGroupOperationsPass::run(llvm::Module& module,
                                                           llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (!sub_group_operation(function)) continue;
    protect(function);
    changed = true;
  }
  return unless_changed(changed);
}

llvm::Value* any_of_sub_group(llvm::IRBuilderBase& b, llvm::Value* condition) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  auto ballot = module.getOrInsertFunction("__lw_sub_group_ballot", b.getInt64Ty(), b.getInt32Ty());
  protect(*llvm::cast<llvm::Function>(ballot.getCallee()));
  return b.CreateIsNotNull(b.CreateCall(ballot, b.CreateZExt(condition, b.getInt32Ty())), "any");
}

void lower_at_size_one(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (sub_group_call(i)) calls.push_back(llvm::cast<llvm::CallInst>(&i));
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> b(call);
    call->replaceAllUsesWith(at_size_one(b, *call, *sub_group_call(*call)));
    call->eraseFromParent();
  }
}

llvm::PreservedAnalyses LowerSubGroupsOfOnePass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& /*analyses*/) {
  lower_at_size_one(function);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace lanewise
