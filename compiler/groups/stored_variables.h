// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables that live in the storage of the program (program/variable_storage.h) become addresses in it:
///
///     %v = load i32, ptr addrspace(1) @lanewise.variable.0   %n = getelementptr i8, ptr addrspace(1) %variables, i64 8
///                                                       =>   %v = load i32, ptr addrspace(1) %n
///
/// Where a constant is only loaded from, its value is used instead, which needs no memory.
#pragma once

#include <llvm/IR/BasicBlock.h>

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// Replaces the variables that the function of `item` uses. `body` is its first block after the private variables.
void lower_stored_variables(const WorkItemFunction& item, llvm::BasicBlock& body);

}  // namespace lanewise
