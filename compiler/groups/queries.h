// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lowering of single calls to arithmetic on the context, fences and calls of the runtime's services.
#pragma once

#include "compiler/base/pass.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// Tells the optimiser what it cannot see before the queries are lowered: their results are never undefined (so no id
/// is frozen, which could not be computed again after a barrier), they read no memory, and local ids are small (so
/// that signed remainders of them become masks).
struct DescribeQueriesPass : RequiredPass<DescribeQueriesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Replaces a work-item query: `get_local_size(d)` becomes a parameter, or selects by `d` where it is not constant.
/// Out of range dimensions give 0 for ids and offsets, 1 for sizes and counts (OpenCL C 6.15.1).
void lower_query(llvm::CallInst& call, Known what, const WorkItemFunction& item);

/// Replaces a fence. A work-group runs on one thread, so up to work-group scope only the compiler must keep the order.
void lower_fence(llvm::CallInst& call, Known what);

/// Replaces printf by packing its arguments and calling lanewise_services::print (records: see kernel_abi.h).
void lower_print(llvm::CallInst& call, const WorkItemFunction& item);

/// Replaces a call of a check (compiler/check/calls.h) by that of the service, with the work-item's number.
void lower_check_call(llvm::CallInst& call, Known what, const WorkItemFunction& item);

/// Replaces a call of the built-in library (kernels-builtin/enqueue) by that of the service for it.
void lower_device_queue_call(llvm::CallInst& call, Known what, const WorkItemFunction& item);

}  // namespace lanewise
