// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The built-in functions that the compiler gives a meaning to, by their names: those of the work-group lowering by
/// their Itanium-mangled ones (as Clang declares them for spir64 and as the SPIR-V translator writes them), and what
/// the built-in library (kernels-builtin/subgroup) leaves to the compiler, with which all other sub-group functions are
/// written:
///
///     long  __lw_sub_group_ballot(int p)             bit of each active work-item whose p is not zero
///     T     __lw_sub_group_broadcast_T(T v, uint i)  v of work-item i, which is the same for all
///     T     __lw_sub_group_shuffle_T(T v, uint i)    v of work-item i
///     T     __lw_sub_group_reduce_OP_T(T v)          combination of v of all active work-items
///     T     __lw_sub_group_scan_inclusive_OP_T(T v)  of those up to the work-item itself
///     T     __lw_sub_group_scan_exclusive_OP_T(T v)  of those before it; the identity of OP for the first
///     T     __lw_sub_group_clustered_OP_T(T v, uint size)   of the active ones in each `size` consecutive work-items
///
/// OP is add, mul, min, max, and, or, xor; T an integer or floating-point type of OpenCL C by its name.
///
/// And what all work-items of a work-group do together, which is a barrier as well (kernels-builtin/workgroup,
/// compiler/workgroup/collectives.h):
///
///     T     __lw_work_group_broadcast_T(T v, size_t i)   v of the work-item with the linear local id i
///     T     __lw_work_group_reduce_OP_T(T v)
///     T     __lw_work_group_scan_inclusive_OP_T(T v)
///     T     __lw_work_group_scan_exclusive_OP_T(T v)
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace lanewise {

enum class Known : unsigned char {
  none,
  barrier,               ///< barrier(flags), work_group_barrier(flags[, scope])
  work_group_operation,  ///< work_group_operation() says which; a barrier as well
  mem_fence,             ///< mem_fence, read_mem_fence, write_mem_fence
  work_item_fence,       ///< atomic_work_item_fence(flags, order, scope)
  print,                 ///< printf(format, ...)
  to_global,             ///< to_global(p), to_local(p), to_private(p): p if it points there, else null
  to_local,
  to_private,
  get_fence,         ///< get_fence(p)
  image_descriptor,  ///< of these three compiler/codegen/image_handles.h says the meaning
  sampler_word,
  sampler_initializer,
  sub_group_barrier,    ///< sub_group_barrier(flags[, scope])
  sub_group_operation,  ///< SubGroupCall says which
  global_id,            ///< from here on: functions of a dimension
  local_id,
  group_id,
  local_size,
  enqueued_local_size,
  global_size,
  num_groups,
  global_offset,
  work_dim,  ///< from here on: functions of nothing
  global_linear_id,
  local_linear_id,
  sub_group_size,  ///< from here on: functions of the sub-group
  max_sub_group_size,
  num_sub_groups,
  enqueued_num_sub_groups,
  sub_group_id,
  sub_group_local_id,
};

/// What the work-items of a sub-group do together; those of a work-group broadcast, reduce and scan.
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

/// What `function` is; `none` for everything else and for functions with a body.
[[nodiscard]] Known known_function(const llvm::Function& function);

/// What `call` calls; `none` for indirect calls.
[[nodiscard]] Known known_call(const llvm::CallBase& call);

/// The operation that a declaration stands for; nothing for all other functions.
[[nodiscard]] std::optional<SubGroupCall> sub_group_operation(const llvm::Function& function);
/// What `i` calls.
[[nodiscard]] std::optional<SubGroupCall> sub_group_call(const llvm::Instruction& i);

/// The same for operations of a work-group.
[[nodiscard]] std::optional<SubGroupCall> work_group_operation(const llvm::Function& function);
[[nodiscard]] std::optional<SubGroupCall> work_group_call(const llvm::Instruction& i);

inline bool is_query(Known k) {
  return k >= Known::global_id;
}
/// True for everything whose meaning depends on what a sub-group is.
inline bool concerns_sub_groups(Known k) {
  return k == Known::sub_group_barrier || k == Known::sub_group_operation || k >= Known::sub_group_size;
}
/// True for what asks where a generic pointer points.
inline bool asks_address_space(Known k) {
  return k == Known::to_global || k == Known::to_local || k == Known::to_private || k == Known::get_fence;
}

/// All work-items of a group have to come here before one goes on.
inline bool is_barrier(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  const Known what = known_call(*call);
  return what == Known::barrier || what == Known::work_group_operation;
}

/// memory_scope and memory_order as Clang's OpenCL header numbers them.
enum MemoryScope : unsigned {
  scope_work_item = 0,
  scope_work_group = 1,
  scope_device = 2,
  scope_all_devices = 3,
  scope_sub_group = 4
};

/// True unless the scope argument (number `index`) is a constant of at most work-group scope.
[[nodiscard]] bool beyond_work_group(const llvm::CallBase& call, unsigned index);

}  // namespace lanewise
