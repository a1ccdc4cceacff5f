// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operations among the work-items of a sub-group (listed in compiler/builtins/known_functions.h). The vectoriser
/// (compiler/lanes) turns them into vector code; for sub-groups of one work-item there is `lower_at_size_one`.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/pass.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {

/// Sizes that a kernel may require.
inline constexpr unsigned kSubGroupSizes[] = {4, 8, 16, 32, 64};

/// The combination of two values (of a scalar or vector type).
[[nodiscard]] llvm::Value* combine(llvm::IRBuilderBase& b, const SubGroupCall& call, llvm::Value* left,
                                   llvm::Value* right);
/// The identity of the combination.
[[nodiscard]] llvm::Constant* identity(const SubGroupCall& call, llvm::Type& type);

/// True if `kernel` has a query about sub-groups or an operation of them.
[[nodiscard]] bool uses_sub_groups(const llvm::Function& kernel);

/// Gives the declarations of all operations attributes that keep LLVM from merging two calls, or from moving one to a
/// place where other work-items are active.
struct ProtectSubGroupOperationsPass : RequiredPass<ProtectSubGroupOperationsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Writes a ballot of the sub-group: an i1, whether `condition` is true for a work-item.
[[nodiscard]] llvm::Value* any_of_sub_group(llvm::IRBuilderBase& b, llvm::Value* condition);

/// Replaces every operation in `function` by its meaning for a single work-item.
void lower_at_size_one(llvm::Function& function);

struct LowerSubGroupsOfOnePass : RequiredPass<LowerSubGroupsOfOnePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise
