// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Generic pointers (address space 4) are plain addresses on a CPU: conversions to them cost nothing, and a load does
/// not depend on where they point. Only these functions do:
///
///     %g = call ptr addrspace(1) @__to_global(ptr addrspace(4) %p)
///     %f = call i32 @_Z9get_fencePU3AS4v(ptr addrspace(4) %p)
///   =>
///     %a = ptrtoint ptr addrspace(4) %p to i64             ; in local memory?
///     %d = sub i64 %a, %local.begin
///     %is.local = icmp ult i64 %d, %local.bytes            ; the same for private memory
///     ...
///     %f = select i1 %is.local, i32 1, i32 2
///
/// Where the code shows what a pointer points to, there is nothing to compare.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/builtins/known_functions.h"
#include "compiler/groups/work_item_function.h"

namespace lanewise {

struct RangeFunction;

/// Replaces a call for which `asks_address_space` holds.
void lower_address_space_query(llvm::CallInst& call, Known what, const WorkItemFunction& item);

/// Gives `range` the addresses and sizes of the areas that the function of `item` asks about; `builder` is where the
/// worker is loaded. An area that the kernel does not have (`item_bytes`, `group_bytes` of `info`) is empty.
/// @param local  lanewise_worker::local_memory
void describe_areas(llvm::IRBuilder<>& builder, RangeFunction& range, const WorkItemFunction& item,
                    const abi::KernelInfo& info, llvm::Value& local);

}  // namespace lanewise
