// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays in private memory whose length the build knows, but the producer of the module did not
/// (SPV_INTEL_variable_length_array): a specialisation constant, or what is computed of one. They become variables like
/// others, at the begin of their function:
///
///     entry:                                       entry:
///       ...                                          %a = alloca [24 x float]
///     block:                                         ...
///       %s = call ptr @llvm.stacksave()      =>    block:
///       %n = zext i32 24 to i64                      ...
///       %a = alloca float, i64 %n
///       ...
///       call void @llvm.stackrestore(ptr %s)
///
/// In a loop the array is the same in each iteration. That is only wrong if a pointer to it outlives the iteration, as
/// it may where the module does not restore the stack and keeps the pointer: such a module is refused. Arrays whose
/// length is known only at run time stay as they are. Lengths that are still not constant after inlining are refused by
/// the lowering (groups/work_item_function.h), because the private memory of a work-item has a size that is known
/// before the launch.
///
/// For programs of SYCL with `private_alloca` (sycl_ext_oneapi_private_alloca), for which DPC++ writes such modules. No
/// program that others wrote has run here yet: the modules of the tests have that form.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct PlaceVariableArraysPass : RequiredPass<PlaceVariableArraysPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
