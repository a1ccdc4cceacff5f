// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What work-items of a sub-group do together: the operations that compiler/builtins/known_functions.h lists. The
/// vectoriser (compiler/spmd) gives them lanes; a sub-group of one work-item needs nothing but `lower_at_size_one`.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/builtins/known_functions.h"

namespace lanewise {

/// Sizes that a kernel may require.
inline constexpr unsigned kSubGroupSizes[] = {4, 8, 16, 32, 64};

/// The combination of two values (of a scalar or vector type).
[[nodiscard]] llvm::Value* combine(llvm::IRBuilderBase& b, const SubGroupCall& call, llvm::Value* left,
                                   llvm::Value* right);
/// What changes nothing when combined with.
[[nodiscard]] llvm::Constant* identity(const SubGroupCall& call, llvm::Type& type);

/// Operations of different work-items must neither be merged nor moved to where others are active: says so in the
/// attributes of all declarations.
void protect_sub_group_operations(llvm::Module& module);

/// Replaces every operation in `function` by what it is for a single work-item.
void lower_at_size_one(llvm::Function& function);

}  // namespace lanewise
