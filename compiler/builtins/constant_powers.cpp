// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/constant_powers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <vector>

#include "compiler/base/statistic.h"

namespace lanewise::builtins {
namespace {

using llvm::Constant;
using llvm::ConstantFP;
using llvm::Value;

Statistic powers_multiplied{"multiply-constant-powers", "calls", "calls of pow made products"};

/// The exponent of all components; nothing if it is no constant, or not the same.
std::optional<double> exponent_of(const llvm::CallInst& call) {
  const auto* constant = llvm::dyn_cast<Constant>(call.getArgOperand(1));
  if (constant == nullptr) return std::nullopt;
  if (constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  if (const auto* whole = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    return static_cast<double>(whole->getSExtValue());
  const auto* number = llvm::dyn_cast_or_null<ConstantFP>(constant);
  if (number == nullptr) return std::nullopt;
  llvm::APFloat value = number->getValueAPF();
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

/// The square root of -0 is -0 and that of -infinity NaN; powers of 1/2 are 0 and infinity.
Value* root(llvm::IRBuilder<>& b, Value* x) {
  llvm::Type* type = x->getType();
  Value* with_zero = b.CreateFAdd(b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x), ConstantFP::get(type, 0.0));
  Value* lowest = b.CreateFCmpOEQ(x, ConstantFP::getInfinity(type, true));
  return b.CreateSelect(lowest, ConstantFP::getInfinity(type), with_zero);
}

/// Null: not one of those exponents.
Value* power(llvm::IRBuilder<>& b, Value* x, double exponent) {
  if (exponent == 0.0) return ConstantFP::get(x->getType(), 1.0);
  if (exponent == 1.0) return x;
  if (exponent == -1.0) return b.CreateFDiv(ConstantFP::get(x->getType(), 1.0), x);
  if (exponent == 0.5) return root(b, x);
  if (exponent != 2.0 && exponent != 3.0 && exponent != 4.0) return nullptr;
  Value* square = b.CreateFMul(x, x);
  return exponent == 2.0 ? square : b.CreateFMul(square, exponent == 3.0 ? x : square);
}

bool multiply_constant_powers(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& f : module) {
    const bool is_power = f.getName().starts_with("_Z3pow") || f.getName().starts_with("_Z4pown");
    if (!is_power || !f.isDeclaration() || f.arg_size() != 2 || !f.getReturnType()->isFPOrFPVectorTy()) continue;
    for (llvm::User* user : f.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call != nullptr && call->getCalledOperand() == &f)
        calls.push_back(call);
  }
  bool changed = false;
  for (llvm::CallInst* call : calls) {
    const std::optional<double> exponent = exponent_of(*call);
    if (!exponent) continue;
    llvm::IRBuilder<> b(call);
    if (llvm::isa<llvm::FPMathOperator>(call)) b.setFastMathFlags(call->getFastMathFlags());
    Value* result = power(b, call->getArgOperand(0), *exponent);
    if (result == nullptr) continue;
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    ++powers_multiplied;
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses MultiplyConstantPowersPass::run(llvm::Module& module,
                                                        llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(multiply_constant_powers(module));
}

}  // namespace lanewise::builtins
