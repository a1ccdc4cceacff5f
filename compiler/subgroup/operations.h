// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What work-items of a sub-group do together, in the form that the built-in library (kernels-builtin/subgroup) leaves
/// to the compiler. All other sub-group functions of OpenCL C are written with these:
///
///     long  __lw_sub_group_ballot(int p)             bit of each active work-item whose p is not zero
///     T     __lw_sub_group_broadcast_T(T v, uint i)  v of work-item i, which is the same for all
///     T     __lw_sub_group_shuffle_T(T v, uint i)    v of work-item i
///     T     __lw_sub_group_reduce_OP_T(T v)          combination of v of all active work-items
///     T     __lw_sub_group_scan_inclusive_OP_T(T v)  of those up to the work-item itself
///     T     __lw_sub_group_scan_exclusive_OP_T(T v)  of those before it; the identity of OP for the first
///     T     __lw_sub_group_clustered_OP_T(T v, uint size)   of the active ones in each `size` consecutive work-items
///
/// OP is add, mul, min, max, and, or, xor; T an integer or floating-point type of OpenCL C by its name. The vectoriser
/// (compiler/spmd) gives them lanes; a sub-group of one work-item needs nothing but `lower_at_size_one`.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace lanewise {

enum class SubGroupOperation : unsigned char {
  ballot,
  broadcast,
  shuffle,
  reduce,
  scan_inclusive,
  scan_exclusive,
  clustered,
};

enum class Combine : unsigned char { none, add, mul, min, max, bit_and, bit_or, bit_xor };

struct SubGroupCall {
  SubGroupOperation what = SubGroupOperation::ballot;
  Combine combine = Combine::none;
  bool is_signed = false;  ///< of integers: min and max depend on it

  /// All active work-items get the same result.
  [[nodiscard]] bool is_uniform() const {
    return what == SubGroupOperation::ballot || what == SubGroupOperation::broadcast ||
           what == SubGroupOperation::reduce;
  }
};

/// Sizes that a kernel may require.
inline constexpr unsigned kSubGroupSizes[] = {4, 8, 16, 32, 64};

/// The operation that a declaration stands for; nothing for all other functions.
[[nodiscard]] std::optional<SubGroupCall> sub_group_operation(const llvm::Function& function);
/// What `i` calls.
[[nodiscard]] std::optional<SubGroupCall> sub_group_call(const llvm::Instruction& i);

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
