// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The built-in functions that the work-group lowering gives a meaning to, by their Itanium-mangled names (as Clang
/// declares them for spir64 and as the SPIR-V translator writes them).
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace lanewise {

enum class Known : unsigned char {
  none,
  barrier,              ///< barrier(flags), work_group_barrier(flags[, scope])
  mem_fence,            ///< mem_fence, read_mem_fence, write_mem_fence
  work_item_fence,      ///< atomic_work_item_fence(flags, order, scope)
  print,                ///< printf(format, ...)
  sub_group_barrier,    ///< sub_group_barrier(flags[, scope])
  sub_group_operation,  ///< what compiler/subgroup/operations.h lists
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

/// What `function` is; `none` for everything else and for functions with a body.
[[nodiscard]] Known known_function(const llvm::Function& function);

/// What `call` calls; `none` for indirect calls.
[[nodiscard]] Known known_call(const llvm::CallBase& call);

inline bool is_query(Known k) {
  return k >= Known::global_id;
}
/// True for everything whose meaning depends on what a sub-group is.
inline bool concerns_sub_groups(Known k) {
  return k == Known::sub_group_barrier || k == Known::sub_group_operation || k >= Known::sub_group_size;
}
inline bool is_barrier(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  return call != nullptr && known_call(*call) == Known::barrier;
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
