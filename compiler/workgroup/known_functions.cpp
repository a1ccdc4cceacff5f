// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/known_functions.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

#include "compiler/subgroup/operations.h"

namespace lanewise {

Known known_function(const llvm::Function& function) {
  if (!function.isDeclaration() || function.isIntrinsic()) return Known::none;
  if (sub_group_operation(function)) return Known::sub_group_operation;
  return llvm::StringSwitch<Known>(function.getName())
      .Cases({"_Z7barrierj", "_Z18work_group_barrierj", "_Z18work_group_barrierj12memory_scope"}, Known::barrier)
      .Cases({"_Z9mem_fencej", "_Z14read_mem_fencej", "_Z15write_mem_fencej"}, Known::mem_fence)
      .Case("_Z22atomic_work_item_fencej12memory_order12memory_scope", Known::work_item_fence)
      .Case("printf", Known::print)
      .Case("_Z13get_global_idj", Known::global_id)
      .Case("_Z12get_local_idj", Known::local_id)
      .Case("_Z12get_group_idj", Known::group_id)
      .Case("_Z14get_local_sizej", Known::local_size)
      .Case("_Z23get_enqueued_local_sizej", Known::enqueued_local_size)
      .Case("_Z15get_global_sizej", Known::global_size)
      .Case("_Z14get_num_groupsj", Known::num_groups)
      .Case("_Z17get_global_offsetj", Known::global_offset)
      .Cases({"_Z12get_work_dimv", "_Z12get_work_dim"}, Known::work_dim)
      .Case("_Z20get_global_linear_idv", Known::global_linear_id)
      .Case("_Z19get_local_linear_idv", Known::local_linear_id)
      .Cases({"_Z17sub_group_barrierj", "_Z17sub_group_barrierj12memory_scope"}, Known::sub_group_barrier)
      .Case("_Z18get_sub_group_sizev", Known::sub_group_size)
      .Case("_Z22get_max_sub_group_sizev", Known::max_sub_group_size)
      .Case("_Z18get_num_sub_groupsv", Known::num_sub_groups)
      .Case("_Z27get_enqueued_num_sub_groupsv", Known::enqueued_num_sub_groups)
      .Case("_Z16get_sub_group_idv", Known::sub_group_id)
      .Case("_Z22get_sub_group_local_idv", Known::sub_group_local_id)
      .Default(Known::none);
}

Known known_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr ? Known::none : known_function(*callee);
}

bool beyond_work_group(const llvm::CallBase& call, unsigned index) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index));
  if (scope == nullptr) return true;
  return scope->equalsInt(scope_device) || scope->equalsInt(scope_all_devices);
}

}  // namespace lanewise
