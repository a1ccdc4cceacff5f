// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The built-in functions that the compiler itself implements, recognised by their names. Those that the work-group
/// lowering replaces have Itanium-mangled names (as Clang declares them for spir64 and as the SPIR-V translator writes
/// them). The others are the operations that the built-in library (kernels-builtin/subgroup) leaves to the compiler;
/// all other sub-group functions are written with them:
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
/// The operations of a whole work-group, each of which is also a barrier (kernels-builtin/workgroup,
/// compiler/groups/collectives.h):
///
///     T     __lw_work_group_broadcast_T(T v, size_t i)   v of the work-item with the linear local id i
///     T     __lw_work_group_reduce_OP_T(T v)
///     T     __lw_work_group_scan_inclusive_OP_T(T v)
///     T     __lw_work_group_scan_exclusive_OP_T(T v)
#pragma once

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace lanewise {

enum class Known : unsigned char {
  none,
  barrier,               ///< barrier(flags), work_group_barrier(flags[, scope]), intel_work_group_barrier_wait likewise
  work_group_operation,  ///< work_group_operation() says which; it is also a barrier
  mem_fence,             ///< mem_fence, read_mem_fence, write_mem_fence, intel_work_group_barrier_arrive
  work_item_fence,       ///< atomic_work_item_fence(flags, order, scope)
  print,                 ///< printf(format, ...)
  enqueue,               ///< __lw_enqueue(what), __lw_device_queue(what, first, second): services (kernel_abi.h)
  device_queue,
  check,  ///< this and the next four: see compiler/check/calls.h
  check_shared,
  check_bounds,
  check_races,
  check_id,
  to_global,  ///< to_global(p), to_local(p), to_private(p): p if it points there, else null
  to_local,
  to_private,
  get_fence,         ///< get_fence(p)
  image_descriptor,  ///< this and the next two: see compiler/kernel/image_handles.h
  sampler_word,
  sampler_initializer,
  sub_group_barrier,    ///< sub_group_barrier(flags[, scope])
  named_barrier,        ///< named_barrier_init(count): memory of its own for each call (kernels-builtin/subgroup)
  sub_group_operation,  ///< SubGroupCall says which
  global_id,            ///< get_global_id(d); this and the next ones take a dimension
  local_id,
  group_id,
  local_size,
  enqueued_local_size,
  global_size,
  num_groups,
  global_offset,
  work_dim,  ///< get_work_dim(); this and the next ones have no arguments
  global_linear_id,
  local_linear_id,
  sub_group_size,  ///< get_sub_group_size(); this and the next ones ask about the sub-group
  max_sub_group_size,
  num_sub_groups,
  enqueued_num_sub_groups,
  sub_group_id,
  sub_group_local_id,
};

/// A call that a check is made of.
constexpr bool is_check(Known what) {
  return what >= Known::check && what <= Known::check_id;
}

/// The operations among the work-items of a sub-group. Work-groups have only broadcast, reduce and the two scans.
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
  bool is_signed = false;  ///< matters for min and max of integers

  /// All active work-items get the same result.
  [[nodiscard]] bool is_uniform() const {
    return what == SubGroupOperation::ballot || what == SubGroupOperation::broadcast ||
           what == SubGroupOperation::reduce;
  }
};

/// Which of these functions `function` is; `none` for all others and for functions with a body.
[[nodiscard]] Known known_function(const llvm::Function& function);

/// Which of these functions `call` calls; `none` for indirect calls.
[[nodiscard]] Known known_call(const llvm::CallBase& call);

/// The operation that a declaration stands for; nullopt for all other functions.
[[nodiscard]] std::optional<SubGroupCall> sub_group_operation(const llvm::Function& function);
/// The operation that `i` calls; nullopt if it is not such a call.
[[nodiscard]] std::optional<SubGroupCall> sub_group_call(const llvm::Instruction& i);

/// The same for operations of a work-group.
[[nodiscard]] std::optional<SubGroupCall> work_group_operation(const llvm::Function& function);
[[nodiscard]] std::optional<SubGroupCall> work_group_call(const llvm::Instruction& i);

/// True for the library's copies between global and local memory, which a group's work-items make together:
/// async_work_group_copy and its like. Their last argument is an event, and they return one.
[[nodiscard]] bool is_work_group_copy(const llvm::Function& function);
/// True for the library's wait_group_events(number, events).
[[nodiscard]] bool is_wait_for_copies(const llvm::Function& function);

inline bool is_query(Known k) {
  return k >= Known::global_id;
}
/// True for functions whose meaning depends on how a work-group is divided into sub-groups.
inline bool concerns_sub_groups(Known k) {
  return k == Known::sub_group_barrier || k == Known::sub_group_operation || k >= Known::sub_group_size;
}
/// True for functions that ask where a generic pointer points.
inline bool asks_address_space(Known k) {
  return k == Known::to_global || k == Known::to_local || k == Known::to_private || k == Known::get_fence;
}

/// True if all work-items of a group have to reach `i` before any of them continues.
inline bool is_barrier(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  const Known what = known_call(*call);
  return what == Known::barrier || what == Known::work_group_operation;
}

inline bool has_barrier(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) { return is_barrier(i); });
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
