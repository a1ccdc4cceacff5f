// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/image_handles.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/builtins/known_functions.h"
#include "compiler/marks.h"
#include "include/lanewise/image_abi.h"

namespace lanewise {
namespace {

using llvm::Value;

/// The word of a sampler that the program made: the range of its level of detail has no limits.
Value* program_sampler(llvm::IRBuilder<>& b, Value* bits) {
  constexpr std::uint64_t kBits =
      LANEWISE_SAMPLER_NORMALISED | LANEWISE_SAMPLER_ADDRESSING | LANEWISE_SAMPLER_NEAREST | LANEWISE_SAMPLER_LINEAR;
  constexpr std::uint64_t kHighest = ((std::uint64_t{1} << LANEWISE_SAMPLER_LOD_BITS) - 1) << LANEWISE_SAMPLER_LOD_MAX;
  Value* word = b.CreateAnd(b.CreateZExt(bits, b.getInt64Ty()), kBits);
  return b.CreateIntToPtr(b.CreateOr(word, kHighest), b.getPtrTy());
}

/// What `call` stands for; null: nothing of ours.
Value* meaning(llvm::CallInst& call) {
  if (call.arg_size() != 1) return nullptr;
  llvm::IRBuilder<> b(&call);
  Value* operand = call.getArgOperand(0);
  switch (known_call(call)) {
    case Known::image_descriptor:
      return operand;
    case Known::sampler_word:
      return b.CreatePtrToInt(operand, call.getType());
    case Known::sampler_initializer:
      return program_sampler(b, operand);
    default:
      return nullptr;
  }
}

}  // namespace

void resolve_image_handles(llvm::Module& module, llvm::ArrayRef<abi::KernelInfo*> kernels) {
  for (const abi::KernelInfo* info : kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr || kernel->arg_size() != info->args.size()) continue;
    for (const auto& [i, arg] : llvm::enumerate(info->args))
      if (arg.kind == abi::ArgKind::image)
        kernel->addParamAttr(static_cast<unsigned>(i),
                             llvm::Attribute::get(module.getContext(), marks::kConstantPointee));
  }
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr || call->getCalledFunction() != &function) continue;
      Value* value = meaning(*call);
      if (value == nullptr) continue;
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

}  // namespace lanewise
