// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/restrict.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {
namespace {

bool synchronises(const llvm::Instruction& i) {
  if (i.isAtomic()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  switch (known_call(*call)) {
    case Known::barrier:
    case Known::work_group_operation:
    case Known::mem_fence:
    case Known::work_item_fence:
    case Known::sub_group_barrier:
    case Known::sub_group_operation:
      return true;
    default:
      return false;
  }
}

/// SPIR-V's calls have the attribute as well, and inlining would make scopes of it.
bool narrow(llvm::CallBase& call) {
  bool changed = false;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    changed |= call.getParamAttr(i, llvm::Attribute::NoAlias).isValid();
    call.removeParamAttr(i, llvm::Attribute::NoAlias);
  }
  return changed;
}

bool narrow(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) changed |= narrow(*call);
  for (llvm::Argument& parameter : function.args()) {
    if (!parameter.hasAttribute(llvm::Attribute::NoAlias)) continue;
    function.removeParamAttr(parameter.getArgNo(), llvm::Attribute::NoAlias);
    function.addParamAttr(parameter.getArgNo(), llvm::Attribute::get(function.getContext(), marks::kRestrict));
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses NarrowRestrictPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  const bool exchanges = llvm::any_of(module, [](llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) { return synchronises(i); });
  });
  // Functions that were not inlined yet may be called around a barrier.
  return keeping_blocks(exchanges &&
                        change_functions(module, [](llvm::Function& function) { return narrow(function); }));
}

}  // namespace lanewise
