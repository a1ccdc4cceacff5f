// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/call_graph.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/marks.h"
#include "compiler/base/shared_bodies.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/packets.h"
#include "compiler/kernel/flattening.h"
#include "compiler/kernel/group_waits.h"
#include "compiler/kernel/rename_user_functions.h"
#include "compiler/kernel/shared_calls.h"
#include "compiler/kernel/shared_reads.h"

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

const llvm::Function* callee_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call == nullptr ? nullptr : call->getCalledFunction();
}

/// Instructions of `function` after everything that is marked has been inlined into it; each barrier counts as
/// `barrier` of them.
std::uint64_t inlined_size(const llvm::Function& function, const Sizes& sizes, unsigned barrier) {
  std::uint64_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    size += is_barrier(instruction) ? barrier : 1;
    const llvm::Function* callee = callee_of(instruction);
    if (callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
        !callee->hasFnAttribute(marks::kSharedFunction))
      size += sizes.lookup(callee);
    size = std::min<std::uint64_t>(size, std::uint64_t{kLargestKernel} + 1);
  }
  return size;
}

/// True if `function` has operations of sub-groups, itself or in what will be inlined into it. `known`: of callees.
bool operates_on_sub_groups(const llvm::Function& function, const llvm::DenseSet<const llvm::Function*>& known) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& i) {
    const llvm::Function* callee = callee_of(i);
    return callee != nullptr && (known.contains(callee) || concerns_sub_groups(known_function(*callee)));
  });
}

/// Shares the functions whose copies make a kernel too large. Those of `optional` stay calls instead: the values of all
/// callers would live through a shared body, and work-items that disagree about the next call cannot be lanes there.
/// `order`: callees before callers.
llvm::Error share_large(llvm::ArrayRef<llvm::Function*> order, const llvm::DenseSet<llvm::Function*>& optional) {
  Sizes sizes;
  llvm::DenseSet<const llvm::Function*> sub_groups;
  std::uint64_t shared = 0;
  for (llvm::Function* function : order) {
    const std::uint64_t size = inlined_size(*function, sizes, kBarrierInstructions);
    sizes[function] = size;
    if (operates_on_sub_groups(*function, sub_groups)) sub_groups.insert(function);
    if (size + shared > kLargestKernel)
      return failure("function '" + source_name(*function) + "' is too large after inlining of what it calls");
    const bool copied = function->hasFnAttribute(llvm::Attribute::AlwaysInline) && function->hasNUsesOrMore(2) &&
                        size * function->getNumUses() > kCopiedInstructions;
    if (!copied || sub_groups.contains(function)) continue;
    if (optional.contains(function)) {
      function->removeFnAttr(llvm::Attribute::AlwaysInline);
      continue;
    }
    if (!can_share_body(*function)) continue;
    function->addFnAttr(marks::kSharedFunction);
    shared += size;
  }
  return llvm::Error::success();
}

using Order = llvm::SmallVector<llvm::Function*>;
using Functions = llvm::DenseSet<const llvm::Function*>;
using Cycle = llvm::ArrayRef<llvm::CallGraphNode*>;

llvm::Error failure_of(Cycle cycle, const llvm::Twine& reason) {
  std::string names;
  for (const llvm::CallGraphNode* node : cycle)
    names += (names.empty() ? "'" : ", '") + source_name(*node->getFunction()).str() + "'";
  return failure(reason + ": " + names);
}

bool takes_private_memory(const llvm::Function& function) {
  return llvm::any_of(function.args(), [](const llvm::Argument& argument) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    return pointer != nullptr && pointer->getAddressSpace() == private_space;
  });
}

/// Functions with a body that may stay calls.
const llvm::Function* kept_callee_of(const llvm::Instruction& instruction) {
  const llvm::Function* callee = callee_of(instruction);
  const bool kept =
      callee != nullptr && !callee->isDeclaration() && !callee->hasFnAttribute(llvm::Attribute::AlwaysInline);
  return kept ? callee : nullptr;
}

/// Functions that loops call, and all that these call. `order`: callees before callers.
Functions called_in_loops(const Order& order) {
  Functions found;
  for (llvm::Function* caller : llvm::reverse(order)) {
    std::optional<llvm::LoopInfo> loops;
    for (const llvm::Instruction& i : llvm::instructions(*caller)) {
      const llvm::Function* callee = kept_callee_of(i);
      if (callee == nullptr || found.contains(callee)) continue;
      if (!loops) loops.emplace(llvm::DominatorTree(*caller));
      if (found.contains(caller) || loops->getLoopFor(i.getParent()) != nullptr) found.insert(callee);
    }
  }
  return found;
}

bool is_faster_inlined(const llvm::Function& function, std::uint64_t copies, bool in_loop) {
  return copies <= kInlinedForSpeed && (function.hasOneUse() || (in_loop && takes_private_memory(function)));
}

/// Work-items take turns in its loops (groups/turns.h).
bool waits(llvm::Function& function) {
  return may_wait_without_header(function) || !headers_of_waiting_loops(function).empty();
}

/// Functions that call each other in a circle. Through pointers they may seem to do so and never do; then they stay
/// calls, which work-items make one by one.
llvm::Error keep_circle(Cycle cycle, Functions& circles) {
  const auto function_of = [](const llvm::CallGraphNode* node) { return node->getFunction(); };
  const auto functions = llvm::map_range(cycle, function_of);
  if (llvm::none_of(functions, [](const llvm::Function* f) { return f->hasFnAttribute(marks::kCallsByPointer); }))
    return failure_of(cycle, "recursion is not supported");
  for (llvm::Function* function : functions) {
    if (needs_flattening(*function) || waits(*function))
      return failure_of(cycle,
                        "functions that may call each other again and again through pointers cannot have barriers, "
                        "local memory, printf or functions of work-items");
    function->removeFnAttr(llvm::Attribute::AlwaysInline);
    circles.insert(function);
  }
  return llvm::Error::success();
}

struct Marked {
  bool too_large = false;                    ///< a kernel with all that is marked
  Order for_speed;                           ///< marked, and could stay calls
  llvm::DenseSet<llvm::Function*> optional;  ///< the same, but vectors gain by it, or the source asks for it
};

/// Marks what needs it or gains from it. `in_loops`: what loops call, if it is to be fast whatever its size; null
/// otherwise.
Marked mark(const Order& order, const Functions& circles, bool for_vectors, const Functions* in_loops) {
  Sizes sizes;
  Sizes weights;
  Marked marked;
  for (llvm::Function* function : order) {
    const std::uint64_t size = inlined_size(*function, sizes, 1);
    sizes[function] = size;
    weights[function] = inlined_size(*function, weights, kBarrierInstructions);
    marked.too_large |= weights[function] > kLargestInlined;
    if (function->use_empty() || packets::takes(*function) || circles.contains(function)) continue;
    const std::uint64_t copies = size * function->getNumUses();
    const bool required = needs_flattening(*function) || private_bytes(*function) > kLargePrivateBytes ||
                          waits(*function) || (for_vectors && accesses_texels(*function));
    const bool asked_for = function->hasFnAttribute(llvm::Attribute::AlwaysInline);
    if (required) {
      force_inlining(*function);
    } else if (asked_for || (for_vectors && copies <= kInlinedForVectors)) {
      marked.optional.insert(function);
      force_inlining(*function);
    } else if (in_loops != nullptr && is_faster_inlined(*function, copies, in_loops->contains(function))) {
      marked.for_speed.push_back(function);
      force_inlining(*function);
    }
  }
  return marked;
}

llvm::Error mark_for_inlining(llvm::Module& module, bool for_vectors, bool for_speed) {
  llvm::CallGraph graph(module);
  Order order;
  Functions circles;
  // Callees come before callers. Nothing calls kernels themselves.
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    if (scc.hasCycle())
      if (llvm::Error error = keep_circle(*scc, circles)) return error;
    for (const llvm::CallGraphNode* node : *scc)
      if (llvm::Function* function = node->getFunction(); function != nullptr && !function->isDeclaration())
        order.push_back(function);
  }
  const Functions in_loops = for_speed ? called_in_loops(order) : Functions();
  Marked marked = mark(order, circles, for_vectors, for_speed ? &in_loops : nullptr);
  if (marked.too_large && !marked.for_speed.empty()) {
    for (llvm::Function* function : marked.for_speed) function->removeFnAttr(llvm::Attribute::AlwaysInline);
    marked = mark(order, circles, for_vectors, nullptr);
  }
  return marked.too_large ? share_large(order, marked.optional) : llvm::Error::success();
}

}  // namespace

void keep_large_calls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
    const std::uint64_t copies = std::uint64_t{function.getInstructionCount()} * function.getNumUses();
    if (copies > kLargestInlined && !function.hasOneUse()) function.addFnAttr(llvm::Attribute::NoInline);
  }
}

llvm::PreservedAnalyses MarkForInliningPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (llvm::Error error = mark_for_inlining(module, vectorises(context.options), context.options.optimise))
    context.fail(std::move(error));
  // Attributes that no analysis looks at.
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise
