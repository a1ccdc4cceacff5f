// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels-builtin/tools/levels.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <vector>

#include "compiler/base/analyses.h"

namespace lanewise::shards {

namespace {

/// Functions up to this many instructions are always inlined: vector forms (48 for 16 components) and functions whose
/// call costs as much as their body.
constexpr unsigned kSmall = 64;
/// The prefixes of steps (float_math.h) and of machine operations (compiler/builtins/machine_operations.h).
constexpr llvm::StringLiteral kStep = "__lw_step_", kOperation = "__lw_op_";

llvm::AttributeList without_strings(llvm::LLVMContext& context, llvm::AttributeList list) {
  auto set = list.getFnAttrs();
  llvm::AttributeMask drop;
  for (const auto& attribute : set)
    if (attribute.isStringAttribute()) drop.addAttribute(attribute.getKindAsString());
  drop.addAttribute(llvm::Attribute::NoInline);
  drop.addAttribute(llvm::Attribute::OptimizeNone);
  drop.addAttribute(llvm::Attribute::NoBuiltin);
  drop.addAttribute(llvm::Attribute::Convergent);
  return list.removeFnAttributes(context, drop);
}

/// Barriers, and the operations of groups, at which work-items wait for each other as well.
bool is_for_groups(const llvm::Function& f) {
  const llvm::StringRef name = f.getName();
  return name.starts_with("_Z7barrier") || name.starts_with("_Z18work_group_barrier") ||
         name.starts_with("_Z17sub_group_barrier") || name.starts_with("__lw_work_group_") ||
         name.starts_with("__lw_sub_group_");
}

/// Only functions that come to one of these are convergent; all others may be moved like ordinary code.
void mark_convergent(llvm::Module& module) {
  std::vector<llvm::Function*> reached;
  for (auto& f : module)
    if (is_for_groups(f)) reached.push_back(&f);
  while (!reached.empty()) {
    llvm::Function* const f = reached.back();
    reached.pop_back();
    if (f->isConvergent()) continue;
    f->setConvergent();
    for (auto* user : f->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        call->setConvergent();
        reached.push_back(call->getFunction());
      }
  }
}

void define_out_of_range(llvm::Function& f) {
  std::vector<llvm::Instruction*> casts;
  for (auto& i : llvm::instructions(f))
    if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(i)) casts.push_back(&i);
  for (auto* cast : casts) {
    llvm::IRBuilder<> builder(cast->getNextNode());
    auto* defined = builder.CreateFreeze(cast);
    cast->replaceUsesWithIf(defined, [&](llvm::Use& use) { return use.getUser() != defined; });
  }
}

void soften_fma(llvm::Module& module) {
  std::vector<llvm::IntrinsicInst*> calls;
  for (auto& f : module)
    for (auto& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::fma && !call->getType()->getScalarType()->isHalfTy())
        calls.push_back(call);
  for (auto* call : calls) {
    llvm::IRBuilder<> builder(call);
    auto* soft =
        module.getFunction(call->getType()->getScalarType()->isFloatTy() ? "__lw_fma_float" : "__lw_fma_double");
    llvm::Value* result = nullptr;
    const auto once = [&](auto component) {
      return builder.CreateCall(
          soft, {component(call->getOperand(0)), component(call->getOperand(1)), component(call->getOperand(2))});
    };
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call->getType())) {
      result = llvm::PoisonValue::get(vector);
      for (unsigned n = 0; n < vector->getNumElements(); ++n)
        result = builder.CreateInsertElement(
            result, once([&](llvm::Value* v) { return builder.CreateExtractElement(v, n); }), n);
    } else {
      result = once([](llvm::Value* v) { return v; });
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

/// For processors whose minimum of a number and a NaN that signals is NaN: such a NaN counts as missing, as a quiet one
/// does. That costs nothing where the operands come from arithmetic, which quiets them, as conversions of half do.
void ignore_signals(llvm::Module& module) {
  for (auto& f : module)
    for (auto& i : llvm::instructions(f)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (call == nullptr || call->getType()->getScalarType()->isHalfTy()) continue;
      const auto turn_into = [&](llvm::Intrinsic::ID id) {
        call->setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(&module, id, call->getType()));
      };
      if (call->getIntrinsicID() == llvm::Intrinsic::minnum) turn_into(llvm::Intrinsic::minimumnum);
      if (call->getIntrinsicID() == llvm::Intrinsic::maxnum) turn_into(llvm::Intrinsic::maximumnum);
    }
}

/// Replaces the general forms by the forms `__lw_x<suffix>`, or drops the latter.
void choose_forms(llvm::Module& module, llvm::StringRef suffix, bool chosen) {
  std::vector<llvm::Function*> forms;
  for (auto& f : module)
    if (f.getName().starts_with("__lw_") && f.getName().ends_with(suffix)) forms.push_back(&f);
  for (auto* form : forms) {
    if (chosen) {
      const auto name = form->getName().drop_back(suffix.size()).str();
      if (auto* lower = module.getFunction(name + "_v3"); lower != nullptr && lower != form) lower->eraseFromParent();
      auto* general = module.getFunction(name);
      general->replaceAllUsesWith(form);
      general->eraseFromParent();
      form->setName(name);
    } else {
      form->eraseFromParent();
    }
  }
}

/// Inlines the steps, in the form that was chosen for the level, into their callers, and simplifies these.
void inline_steps(llvm::Module& module) {
  for (auto& f : module) {
    if (f.getName().starts_with(kOperation)) f.setSpeculatable();
    if (f.isDeclaration() || !f.getName().starts_with(kStep)) continue;
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  Analyses analyses;
  llvm::FunctionPassManager simplify;
  simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  simplify.addPass(llvm::EarlyCSEPass());
  simplify.addPass(llvm::InstCombinePass());
  simplify.addPass(llvm::SimplifyCFGPass());
  simplify.addPass(llvm::ADCEPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
  passes.run(module, analyses.modules);
}

}  // namespace

void normalise(llvm::Module& module) {
  auto& context = module.getContext();
  for (auto& f : module) {
    f.setCallingConv(llvm::CallingConv::C);
    if (!f.isIntrinsic()) f.setAttributes(without_strings(context, f.getAttributes()));
    f.clearMetadata();
    if (!f.hasLocalLinkage()) f.setDSOLocal(false);
    for (auto& i : llvm::instructions(f)) {
      i.setMetadata(llvm::LLVMContext::MD_fpmath, nullptr);
      i.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) {
        call->setCallingConv(llvm::CallingConv::C);
        call->setAttributes(without_strings(context, call->getAttributes()));
      }
    }
    define_out_of_range(f);
  }
  mark_convergent(module);
  while (!module.named_metadata_empty()) module.eraseNamedMetadata(&*module.named_metadata_begin());
}

void specialise(llvm::Module& module, Isa isa) {
  choose_forms(module, "_v4", isa.covers(IsaLevel::x86_64_v4));
  choose_forms(module, "_v3", isa.covers(IsaLevel::x86_64_v3));
  choose_forms(module, "_arm", isa.architecture() == Architecture::aarch64);
  inline_steps(module);
  if (isa.architecture() == Architecture::aarch64) ignore_signals(module);
  if (!isa.has_fused_multiply_add()) soften_fma(module);
  for (auto& f : module) {
    if (f.isDeclaration()) continue;
    f.setDoesNotThrow();
    if (f.getInstructionCount() <= kSmall) f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace lanewise::shards
