// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The dimension of the innermost loop of each region. The work-items of a group may run in any order between two
/// barriers, so each region has the order in which neighbours access neighbouring memory:
///
///     id = x * 16 + y                             x, y: local ids
///     tile[id / 18][id % 18] = in[...]            region 0: y innermost, as lanes of x were 16 elements apart
///     barrier
///     out[...] = tile[y][x] + tile[y][x + 1]      region 1: x innermost
///
/// Values that live across barriers lie in the order that most regions have, so that a tiled product of matrices, whose
/// rows are in x, is the same as one whose rows are in y:
///
///     tile_a[x][y] = a[row * n + t + y]; ...      all regions: y innermost; `sum` of x, y at x * rows + y
///     barrier
///     sum += tile_a[x][k] * tile_b[k][y]; ...
///
/// This is a loop interchange (Allen and Kennedy, "Automatic loop interchange", 1984) that needs no proof: the language
/// gives the work-items of a group no order. It is for OpenCV's medianBlur, and for tiled products of matrices whose
/// rows are in x, of which there are many. Whole kernels that cannot tell their order are turned as a whole
/// (dimension_order.h).
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "compiler/groups/live_values.h"
#include "compiler/groups/private_memory.h"
#include "compiler/groups/regions.h"

namespace lanewise {

struct RegionOrders {
  llvm::SmallVector<unsigned> innermost;  ///< dimension of the innermost loop, by region
  unsigned slots = 0;                     ///< dimension whose neighbours are neighbours in slots of item scratch
};

/// `dimension` for everything.
[[nodiscard]] RegionOrders same_order(const RegionGraph& graph, unsigned dimension);

/// `item.row`, or dimensions along which the accesses of a region, those to local memory and to values kept from before
/// a barrier included, cost much less. Only where `item.known_size` says that rows along them are long enough.
/// Expects sub-groups of one work-item.
[[nodiscard]] RegionOrders order_regions(const WorkItemFunction& item, const RegionGraph& graph,
                                         const PrivateMemory& memory, const LiveValues& live);

}  // namespace lanewise
