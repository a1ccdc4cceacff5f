// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/shared_reads.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/base/marks.h"
#include "compiler/builtins/sub_group_operations.h"

namespace lanewise {
namespace {

using llvm::CallInst;
using llvm::Function;

/// `verb`: read or write. The library's names begin with the lengths of the functions' names.
bool is_on_images(const Function& function, llvm::StringRef verb) {
  llvm::StringRef name = function.getName();
  if (function.isDeclaration() || !name.consume_front("_Z")) return false;
  name = name.drop_while(llvm::isDigit);
  name.consume_front("__lw_first_");
  return name.consume_front(verb) && name.starts_with("_image");
}

bool reads_image(const Function* function) {
  return function != nullptr && is_on_images(*function, "read");
}

bool has_loop(const Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

/// What the program defines, as opposed to the library.
bool is_user_function(const Function& function) {
  return !function.isDeclaration() && !function.getName().starts_with("_Z");
}

/// Its code will be in one place of one kernel.
bool is_copied_once(const Function& function) {
  if (function.use_empty()) return true;
  const auto* call = llvm::dyn_cast<CallInst>(*function.user_begin());
  return function.hasOneUse() && call != nullptr && call->getCalledFunction() == &function &&
         is_copied_once(*call->getFunction());
}

/// Calls of one function with the same image and sampler.
using Key = std::pair<const Function*, std::pair<const llvm::Value*, const llvm::Value*>>;

Key key_of(const CallInst& call) {
  const llvm::Value* image = call.getArgOperand(0);
  const llvm::Value* sampler = call.arg_size() > 2 ? call.getArgOperand(1) : nullptr;
  return {call.getCalledFunction(), {image, sampler}};
}

bool share_in(llvm::BasicBlock& block) {
  llvm::MapVector<Key, llvm::SmallVector<CallInst*>> groups;
  for (llvm::Instruction& i : block)
    if (auto* call = llvm::dyn_cast<CallInst>(&i); call != nullptr && reads_image(call->getCalledFunction()))
      groups[key_of(*call)].push_back(call);
  bool any = false;
  for (const auto& [key, calls] : groups) {
    if (calls.size() < kFewestSharedReads) continue;
    llvm::ValueToValueMapTy map;
    Function* shared = llvm::CloneFunction(calls.front()->getCalledFunction(), map);
    shared->setName(key.first->getName() + ".shared");
    shared->setLinkage(llvm::GlobalValue::InternalLinkage);
    shared->addFnAttr(llvm::Attribute::AlwaysInline);
    shared->addFnAttr(marks::kSharedFunction);
    for (CallInst* call : calls) call->setCalledFunction(shared);
    any = true;
  }
  return any;
}

bool share_image_reads(llvm::Module& module) {
  for (const Function& function : module)
    if (is_user_function(function) && (has_loop(function) || uses_sub_groups(function))) return false;
  bool any = false;
  for (Function& function : module) {
    if (!is_user_function(function) || !is_copied_once(function)) continue;
    for (llvm::BasicBlock& block : function) any |= share_in(block);
  }
  return any;
}

}  // namespace

bool accesses_texels(const Function& function) {
  return is_on_images(function, "read") || is_on_images(function, "write");
}

llvm::PreservedAnalyses ShareImageReadsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return unless_changed(share_image_reads(module));
}

}  // namespace lanewise
