// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/image_handles.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Endian.h>

#include <cstddef>

#include "compiler/base/context.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"
#include "include/lanewise/image_abi.h"

namespace lanewise {
namespace {

using llvm::Value;

/// The word of a sampler that the program defines: its level of detail is not limited.
Value* program_sampler(llvm::IRBuilder<>& b, Value* bits) {
  constexpr std::uint64_t kBits =
      LANEWISE_SAMPLER_NORMALISED | LANEWISE_SAMPLER_ADDRESSING | LANEWISE_SAMPLER_NEAREST | LANEWISE_SAMPLER_LINEAR;
  constexpr std::uint64_t kHighest = ((std::uint64_t{1} << LANEWISE_SAMPLER_LOD_BITS) - 1) << LANEWISE_SAMPLER_LOD_MAX;
  Value* word = b.CreateAnd(b.CreateZExt(bits, b.getInt64Ty()), kBits);
  return b.CreateIntToPtr(b.CreateOr(word, kHighest), b.getPtrTy());
}

/// The value that replaces `call`; null if it calls none of the three functions.
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

/// A copy of the description that `image` points to, with a known texel.
Value* known_image(llvm::Argument& image, llvm::ArrayRef<std::uint8_t> texel) {
  static_assert(sizeof(lanewise_texel) % 4 == 0 && offsetof(lanewise_image, texel) % 4 == 0 &&
                offsetof(lanewise_image, texel) + sizeof(lanewise_texel) <= sizeof(lanewise_image));
  llvm::BasicBlock& entry = image.getParent()->getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.begin());
  auto* copy = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), sizeof(lanewise_image)), nullptr, image.getName());
  copy->setAlignment(llvm::Align(alignof(lanewise_image)));
  b.CreateMemCpy(copy, copy->getAlign(), &image, copy->getAlign(), offsetof(lanewise_image, texel));
  for (unsigned offset = 0; offset < texel.size(); offset += 4) {
    Value* to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy, offsetof(lanewise_image, texel) + offset);
    b.CreateAlignedStore(b.getInt32(llvm::support::endian::read32le(texel.data() + offset)), to, llvm::Align(4));
  }
  return copy;
}

/// Puts what is known of its images and samplers into a kernel.
void keep_known(llvm::Function& kernel, const abi::KernelInfo& info, llvm::ArrayRef<Bytes> known) {
  for (const auto& [bytes, arg, parameter] : llvm::zip(known, info.args, kernel.args())) {
    if (parameter.use_empty()) continue;
    if (arg.kind == abi::ArgKind::sampler && bytes.size() == sizeof(std::uint64_t)) {
      auto* word = llvm::ConstantInt::get(llvm::Type::getInt64Ty(kernel.getContext()),
                                          llvm::support::endian::read64le(bytes.data()));
      parameter.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(word, parameter.getType()));
    } else if (arg.kind == abi::ArgKind::image && bytes.size() == sizeof(lanewise_texel)) {
      llvm::SmallVector<llvm::Use*> uses;
      for (llvm::Use& use : parameter.uses()) uses.push_back(&use);
      Value* copy = known_image(parameter, bytes);
      for (llvm::Use* use : uses) use->set(copy);
    }
  }
}

/// `known` is of the only kernel, if it is not empty.
void resolve_image_handles(llvm::Module& module, llvm::ArrayRef<abi::KernelInfo*> kernels,
                           llvm::ArrayRef<Bytes> known) {
  for (const abi::KernelInfo* info : kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr || kernel->arg_size() != info->args.size()) continue;
    for (const auto& [i, arg] : llvm::enumerate(info->args))
      if (arg.kind == abi::ArgKind::image)
        kernel->addParamAttr(static_cast<unsigned>(i),
                             llvm::Attribute::get(module.getContext(), marks::kConstantPointee));
    if (!kernel->isDeclaration()) keep_known(*kernel, *info, known);
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

}  // namespace

llvm::PreservedAnalyses ResolveImageHandlesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  llvm::ArrayRef<Bytes> known;
  if (context.options.launches != nullptr) known = context.options.launches->known_arguments;
  resolve_image_handles(module, context.kernels, known);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
