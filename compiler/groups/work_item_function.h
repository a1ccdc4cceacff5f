// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// First step of the lowering: what one work-item does, as a function of its arguments and of an explicit context.
///
///     define void @k(ptr addrspace(1) %x) {               define internal void @k.item(ptr addrspace(1) %x,
///       %i = call i64 @_Z13get_global_idj(i32 0)                    i64 %local.id.x, ..., i64 %group.base.x, ...,
///       %v = load i32, ptr addrspace(3) @tile          =>           ptr addrspace(3) %local.memory, ptr %worker) {
///       ...                                                 private.variables:          ; every alloca of the kernel
///     }                                                       ...
///                                                             br label %body
///                                                           body:
///                                                             %i = add nuw i64 %group.base.x, %local.id.x
///                                                             ; @tile is %local.memory + 0
///
/// After this step no work-item function, fence, printf, __local or stored variable is left; barriers are still calls.
/// The context parameters are the only source of a work-item's identity.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

#include <array>
#include <cstdint>
#include <utility>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class DIGlobalVariableExpression;
}

namespace lanewise {

/// The context parameters, in order after the kernel's own. Those with a dimension take three in a row: x, y, z.
/// Except for local ids, sub-groups, sizes of a partial group and group numbers they are the same in a whole range.
enum class ContextParameter : unsigned {
  local_id = 0,            ///< varying
  local_linear = 3,        ///< varying: number of the work-item in its group, x fastest
  sub_group_id = 4,        ///< varying: number of its sub-group in the group
  sub_group_local_id = 5,  ///< varying: its number in the sub-group
  sub_group_size = 6,      ///< varying: the last sub-group of a group may be smaller
  local_size = 7,          ///< size of this group: the last group of a dimension may be smaller
  group_id = 10,
  group_base = 13,  ///< global id of the group's first work-item: offset + group * enqueued size
  enqueued_size = 16,
  global_size = 19,
  global_offset = 22,
  num_groups = 25,
  work_dim = 28,      ///< i32
  group_linear = 29,  ///< linear number of the group in the grid
  local_memory = 30,  ///< ptr addrspace(3): lanewise_worker::local_memory
  worker = 31,        ///< ptr: lanewise_worker
  areas = 32,         ///< i64 begin, i64 bytes of each memory area, see Area
  variables = 40,     ///< ptr addrspace(1): the storage of the program's variables
  full_group = 41,    ///< work-items of a full group
  count = 42,
};

/// The memory areas that are not global memory. Private variables may be in three of them (private_memory.h).
enum class Area : unsigned { local, stack, item_scratch, group_scratch, count };

/// The two context parameters of an area.
struct AreaParameters {
  llvm::Argument* begin;
  llvm::Argument* bytes;
};

/// Neighbouring work-groups of x that run together, a lane each (teams.h).
struct Team {
  unsigned groups = 1;                        ///< most groups of a team
  std::array<std::uint64_t, 3> group_size{};  ///< size of each group
  std::uint64_t local_bytes = 0;              ///< local memory of all groups
  std::uint64_t local_offset = 0;             ///< place of the local memory in group scratch

  [[nodiscard]] bool exists() const { return groups > 1; }
};

struct WorkItemFunction {
  llvm::Function* function = nullptr;
  unsigned kernel_args = 0;
  std::uint64_t local_bytes = 0;
  unsigned sub_group_size = 1;  ///< work-items in each sub-group of a group but the last
  /// Size of a group, or of a team, whose first dimension is the groups. Zeros: not known.
  std::array<std::uint64_t, 3> known_size{};
  Team team;
  unsigned row = 0;  ///< dimension of the innermost work-item loops, where sub-groups are single work-items
  llvm::SmallVector<std::pair<std::uint64_t, std::uint64_t>, 2> zeroed_local;  ///< {offset, bytes}: zero at group start
  bool uses_print = false;
  bool enqueues = false;  ///< calls functions of device queues
  /// {offset, debug info} of the __local variables, with -g.
  llvm::SmallVector<std::pair<std::uint64_t, llvm::DIGlobalVariableExpression*>, 2> described_local;

  /// Parameter `which` (of dimension `dim` where it has three).
  [[nodiscard]] llvm::Argument* context(ContextParameter which, unsigned dim = 0) const {
    return function->getArg(kernel_args + static_cast<unsigned>(which) + dim);
  }
  [[nodiscard]] AreaParameters area(Area which) const {
    const unsigned first = 2 * static_cast<unsigned>(which);
    return {context(ContextParameter::areas, first), context(ContextParameter::areas, first + 1)};
  }
  [[nodiscard]] bool is_varying(const llvm::Argument& argument) const {
    return argument.getArgNo() >= kernel_args &&
           argument.getArgNo() <= kernel_args + static_cast<unsigned>(ContextParameter::sub_group_size);
  }
};

/// Takes the body of `kernel` (which becomes a declaration). By-value structs become pointers into the argument block
/// where they are only read (`lanewise-constant` parameters), else private variables.
/// Errors: recursion, private arrays of variable size, a built-in without definition.
/// @param sub_group_size  power of two; with 1, operations on sub-groups are lowered, else they stay calls
[[nodiscard]] llvm::Expected<WorkItemFunction> make_work_item_function(llvm::Function& kernel,
                                                                       unsigned sub_group_size = 1);

}  // namespace lanewise
