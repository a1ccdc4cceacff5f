// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Second step: barriers get blocks and numbers, and the code falls into barrier-to-barrier continuations (Jaaskelainen
/// et al., "pocl", IJPP 2015, for the idea of work-item loops; Meyer et al., "Implementation Techniques for SPMD
/// Kernels on CPUs", IWOCL 2023, for continuation splitting).
///
///     header:                                   continuation 0: everything up to the barrier or the return, from the
///       br i1 %c, label %work, label %exit                      kernel's begin: header, work to the barrier, exit
///     work:                                     continuation 1: the same from after the barrier: the rest of work,
///       ...                                                     header, work to the barrier, exit
///       call void @_Z7barrierj(i32 1)
///       ...
///       br label %header
///
/// A block may belong to several continuations: each gets a copy of it. If that would make too many copies, one region
/// serves several continuations and is entered by a switch.
///
/// Turns (turns.h) end regions too, but a work-item that comes to one waits for nobody. Their continuations are one
/// region, which each work-item enters by a switch of its own, again and again until none of the group is at a turn.
/// With sub-groups, each is a region of its own, for the sub-groups that are at its turn; such a region has fewer loops
/// with several entries. They run one after the other.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/groups/uniformity.h"
#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// A barrier, or a turn, alone in its block: `call barrier; br continuation`. Numbers start at 1: 0 is the kernel's
/// begin as a continuation and its end as an exit.
struct Barrier {
  llvm::CallBase* call = nullptr;
  llvm::BasicBlock* block = nullptr;
  llvm::BasicBlock* continuation = nullptr;
  bool beyond_work_group = false;  ///< orders memory also for other groups and devices
  bool is_turn = false;            ///< does not wait for the other work-items
};

/// Code between barriers, run by one loop over the work-items.
struct Region {
  llvm::SmallVector<unsigned, 1> starts;              ///< continuations that begin here
  llvm::SmallSetVector<llvm::BasicBlock*, 8> blocks;  ///< blocks of the work-item function, without barrier blocks
  llvm::SmallVector<unsigned, 2> exits;               ///< barriers that end it, ascending
  bool returns = false;                               ///< the kernel's end is reachable
  bool splits = false;                                ///< some work-items may return while others stop at a barrier
  bool may_have_dead = false;                         ///< work-items may have returned before it begins
};

struct RegionGraph {
  llvm::SmallVector<Barrier> barriers;    ///< [number - 1]
  llvm::SmallVector<Region> regions;      ///< [0] begins at the kernel's begin
  llvm::SmallVector<unsigned> region_of;  ///< region of each continuation
  bool needs_alive = false;               ///< some region splits: each work-item has an "alive" byte
  bool rows_return_whole = false;         ///< all work-items of a row have the same "alive" byte
  unsigned turns = 0;                     ///< the first region after turns, the others follow; 0: there are none

  [[nodiscard]] bool is_behind_turns(unsigned region) const { return turns != 0 && region >= turns; }
  [[nodiscard]] bool is_turn(unsigned exit) const { return exit != 0 && barriers[exit - 1].is_turn; }
  /// Whether work-items may be at turns when all have come to the end of `region`.
  [[nodiscard]] bool has_turns(const Region& region) const {
    return llvm::any_of(region.exits, [this](unsigned exit) { return is_turn(exit); });
  }

  [[nodiscard]] llvm::BasicBlock* start_block(unsigned continuation, const WorkItemFunction& item) const {
    return continuation == 0 ? item.function->getEntryBlock().getSingleSuccessor()
                             : barriers[continuation - 1].continuation;
  }
};

/// Isolates and numbers the barriers and turns in program order.
[[nodiscard]] llvm::SmallVector<Barrier> isolate_barriers(const WorkItemFunction& item);

/// True unless `uniformity` shows that all work-items of a group come to the same barriers, as the language says that
/// they do.
[[nodiscard]] bool may_part_before_barriers(const WorkItemFunction& item,
                                            const llvm::SmallVectorImpl<Barrier>& barriers, Uniformity& uniformity);

/// Forms the regions. With more than `copied_instructions_limit` instructions in copied blocks, and more than four
/// times the function, all continuations share one region; 0: they always do.
[[nodiscard]] RegionGraph form_regions(const WorkItemFunction& item, llvm::SmallVector<Barrier> barriers,
                                       Uniformity& uniformity, unsigned copied_instructions_limit);

}  // namespace lanewise
