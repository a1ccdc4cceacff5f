// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fifth step: the frame of the range function, which is everything but the work-item loops.
///
///     define void @symbol(ptr %launch, ptr %args, ptr %worker, i64 %first, i64 %last) {
///     entry:                      ; allocas; nothing to do if %first >= %last
///     range:                      ; loads of launch, arguments and worker, group numbers of %first: once per range
///     group:                      ; phis of the group numbers, sizes of this group (the last one may be smaller),
///                                 ; or of this strip of groups (strips.h)
///       br label %<first region>  ; regions branch to `group.end` when all work-items have finished
///     group.end:                  ; next group: carries, no division
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/Error.h>

#include <optional>

#include "compiler/groups/private_memory.h"
#include "compiler/groups/work_item_function.h"

namespace lanewise {

struct RangeFunction {
  llvm::Function* function = nullptr;
  llvm::BasicBlock* entry = nullptr;  ///< block of allocas; terminated
  llvm::BasicBlock* range = nullptr;  ///< block of what is the same in a whole range; terminated
  llvm::BasicBlock* group = nullptr;  ///< block in which a group begins; without terminator
  llvm::BasicBlock* group_end = nullptr;
  /// The values here of the work-item function's parameters, by number; null for the varying ones.
  llvm::SmallVector<llvm::Value*, 48> parameters;
  /// Copies of arguments that do not change while a kernel runs: descriptions of images, structs by value.
  llvm::SmallVector<llvm::AllocaInst*, 4> copies;
  /// Where kernel arguments that are values or global pointers lie in the argument block.
  llvm::SmallVector<std::optional<std::uint64_t>, 8> argument_offsets;
  llvm::Value* item_scratch = nullptr;
  llvm::Value* group_scratch = nullptr;
  llvm::Value* full_group = nullptr;  ///< work-items of a full group
  /// The dimension of the innermost loops. Not x where groups are known to be one work-item wide: columns become rows.
  unsigned row = 0;

  [[nodiscard]] llvm::Value* parameter(const WorkItemFunction& item, ContextParameter which, unsigned dim = 0) const {
    return parameters[item.context(which, dim)->getArgNo()];
  }
};

/// Reads `symbol`, `args`, `variables_offset`, `item_bytes` and `group_bytes` of `info`. With `strips`, several
/// neighbouring groups of a row run as one (strips.h). With `plain`, the function is for launches as
/// abi::Specialisation describes them. Error: `args` does not fit the parameters.
[[nodiscard]] llvm::Expected<RangeFunction> make_range_function(const WorkItemFunction& item,
                                                                const abi::KernelInfo& info, bool strips, bool plain);

}  // namespace lanewise
