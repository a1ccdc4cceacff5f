// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/call_graph.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/frontend/diagnostics.h"
#include "compiler/workgroup/workgroup.h"

namespace lanewise {
namespace {

llvm::StringRef source_name(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  name.consume_front("__clang_ocl_kern_imp_");
  name.consume_back(kUserFunctionSuffix);
  return name;
}

std::uint64_t private_bytes(const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (slot == nullptr) continue;
    const auto size = slot->getAllocationSize(layout);
    bytes += size && !size->isScalable() ? size->getFixedValue() : kLargePrivateBytes;
  }
  return bytes;
}

void force_inlining(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->removeFnAttr(llvm::Attribute::NoInline);
}

using Sizes = llvm::DenseMap<const llvm::Function*, std::uint64_t>;

/// Instructions of `function` after everything that is marked has been inlined into it.
std::uint64_t inlined_size(const llvm::Function& function, const Sizes& sizes) {
  std::uint64_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    ++size;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline)) size += sizes.lookup(callee);
    size = std::min<std::uint64_t>(size, std::uint64_t{kLargestKernel} + 1);
  }
  return size;
}

llvm::Error recursion(llvm::ArrayRef<llvm::CallGraphNode*> cycle) {
  std::string names;
  for (const llvm::CallGraphNode* node : cycle)
    names += (names.empty() ? "'" : ", '") + source_name(*node->getFunction()).str() + "'";
  return failure("recursion is not supported: " + names);
}

}  // namespace

llvm::Error mark_for_inlining(llvm::Module& module, bool for_vectors) {
  llvm::CallGraph graph(module);
  Sizes sizes;
  // Callees come before callers. Kernels themselves are called by nobody.
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    if (scc.hasCycle()) return recursion(*scc);
    llvm::Function* function = scc->front()->getFunction();
    if (function == nullptr || function->isDeclaration()) continue;
    const std::uint64_t size = inlined_size(*function, sizes);
    sizes[function] = size;
    if (size > kLargestKernel)
      return failure("function '" + source_name(*function) + "' is too large after inlining of what it calls");
    if (function->use_empty()) continue;
    const bool small = for_vectors && size * function->getNumUses() <= kInlinedForVectors;
    if (small || needs_flattening(*function) || private_bytes(*function) > kLargePrivateBytes)
      force_inlining(*function);
  }
  return llvm::Error::success();
}

}  // namespace lanewise
