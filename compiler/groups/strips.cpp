// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/strips.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {
namespace {

using llvm::Value;

bool is_sum(const llvm::User& user, const Value& a, const Value& b) {
  return llvm::cast<llvm::Instruction>(user).getOpcode() == llvm::Instruction::Add &&
         ((user.getOperand(0) == &a && user.getOperand(1) == &b) ||
          (user.getOperand(0) == &b && user.getOperand(1) == &a));
}

/// `start` is used only in sums with the local id, which are counted in `sums`.
bool only_in_sums(const Value& start, const Value& local_id, std::size_t& sums) {
  for (const llvm::User* user : start.users()) {
    if (!is_sum(*user, start, local_id)) return false;
    ++sums;
  }
  return true;
}

/// Local id and group number of a dimension are used only in their sum, the global id.
bool only_global_ids(const WorkItemFunction& item, unsigned dim) {
  const Value& local_id = *item.context(ContextParameter::local_id, dim);
  const Value& base = *item.context(ContextParameter::group_base, dim);
  const Value& offset = *item.context(ContextParameter::global_offset, dim);
  std::size_t sums = 0;
  for (const llvm::User* user : base.users()) {
    const auto& i = llvm::cast<llvm::Instruction>(*user);
    if (is_sum(i, base, local_id)) {
      ++sums;
    } else if (i.getOpcode() != llvm::Instruction::Sub || i.getOperand(0) != &base || i.getOperand(1) != &offset ||
               !only_in_sums(i, local_id, sums)) {
      return false;
    }
  }
  return local_id.hasNUses(static_cast<unsigned>(sums));
}

}  // namespace

bool can_merge_groups(const WorkItemFunction& item, const abi::KernelInfo& info, bool has_barriers) {
  if (has_barriers || item.uses_print || item.enqueues || item.local_bytes != 0 || !item.zeroed_local.empty())
    return false;
  for (const abi::ArgInfo& arg : info.args)
    if (arg.kind == abi::ArgKind::local_pointer) return false;
  for (const ContextParameter which :
       {ContextParameter::local_linear, ContextParameter::local_size, ContextParameter::group_id,
        ContextParameter::group_linear, ContextParameter::local_memory})
    if (!item.context(which)->use_empty()) return false;
  for (const llvm::Instruction& i : llvm::instructions(*item.function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call != nullptr && call->isConvergent()) return false;
  }
  return only_global_ids(item, 0);
}

bool is_blind_to_groups(const WorkItemFunction& item) {
  for (const ContextParameter which :
       {ContextParameter::sub_group_id, ContextParameter::sub_group_local_id, ContextParameter::sub_group_size})
    if (!item.context(which)->use_empty()) return false;
  for (const unsigned dim : {0U, 1U, 2U}) {
    for (const ContextParameter which : {ContextParameter::local_size, ContextParameter::group_id,
                                         ContextParameter::enqueued_size, ContextParameter::num_groups})
      if (!item.context(which, dim)->use_empty()) return false;
    if (!only_global_ids(item, dim)) return false;
  }
  return true;
}

}  // namespace lanewise
