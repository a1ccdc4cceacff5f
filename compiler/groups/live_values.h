// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fourth step: which SSA values live across which barrier, and how each is kept.
///
///     %i = phi ...               uniform loop counter:     Keep::group, an alloca of the range function
///     %p = gep %x, %global.id    cheap, of known values:   Keep::recompute, computed again after the barrier
///     %v = load %p               everything else:          Keep::item, one place per work-item in item scratch
///     call barrier
///     use %i, %p, %v
///
/// Item scratch is an array of values per slot, indexed by the linear local id: contiguous for neighbouring
/// work-items. Two values share a slot if no barrier sees both alive.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include "compiler/groups/private_memory.h"
#include "compiler/groups/regions.h"

namespace lanewise {

enum class Keep : unsigned char { recompute, group, item };

/// Slot of item scratch: `offset` x (work-items of a full group) + linear local id x `bytes` from its start.
struct ItemSlot {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  llvm::Align align;
};

struct LiveValue {
  Keep keep = Keep::item;
  ItemSlot slot;  ///< place of a value that is Keep::item
};

/// Where the operands of an operation of the work-group (collectives.h) wait for the last work-item.
struct OperandPlaces {
  ItemSlot value;
  bool is_kept = false;               ///< `value` is the operand's own slot, because it also lives across the barrier
  Keep keep_index = Keep::recompute;  ///< how a broadcast's index is kept; recompute: a constant
  ItemSlot index;                     ///< place of an index that is Keep::item
};

using ValueSet = llvm::SmallSetVector<llvm::Instruction*, 8>;

struct LiveValues {
  llvm::MapVector<llvm::Instruction*, LiveValue> values;
  llvm::SmallVector<ValueSet> at;  ///< earlier values that a continuation or what follows uses, by continuation
  llvm::SmallVector<OperandPlaces> operands;  ///< places of operands, by continuation
  ItemSlot alive;                             ///< one byte, if RegionGraph::needs_alive
  ItemSlot turn;  ///< i32, if RegionGraph::turns: the turn at which the work-item is, 0 for none
  llvm::DenseMap<const llvm::AllocaInst*, ItemSlot> variables;  ///< private variables in item scratch
  std::uint64_t item_bytes = 0;
};

/// The type of a value of `type` that lives across a barrier, in its place in memory. Integers, and those in vectors,
/// are widened to whole bytes (i1 to one, parts of structs with 48 bits to eight), because elements of vectors of other
/// widths have no addresses.
[[nodiscard]] llvm::Type* stored_type(llvm::Type* type);

[[nodiscard]] LiveValues find_live_values(const WorkItemFunction& item, const RegionGraph& graph,
                                          const PrivateMemory& memory, Uniformity& uniformity);

}  // namespace lanewise
