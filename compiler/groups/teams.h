// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-groups as lanes. In some kernels neighbouring work-items of a group are far apart in memory, and neighbouring
/// groups are next to each other, as where each group sums a column of a matrix:
///
///     column = get_group_id(0); part = get_local_id(0);
///     for (row = part * n; row < (part + 1) * n; ++row) sum += x[row * columns + column];
///     tile[part] = sum; barrier(...); ...
///
/// A vector of work-items reads a line of memory for each lane, and uses one element of it. So neighbouring groups of x
/// form a team: the innermost loop goes over its groups, the next ones over the work-items of a group.
///
///     group.id.x    =>  group.id.x + local.id.x           the group in the team is what was the work-item in the row
///     local.id.x    =>  local.id.y
///     local.id.y    =>  local.id.z
///     tile[i]       =>  tiles[i][group in the team]       where all accesses are of one element, else tiles[group][i];
///                                                         an argument's size is not known, so it needs the first form
///
/// All groups of a team come to a barrier before one of them goes on. So a kernel whose groups might come to different
/// barriers, or wait for each other, forms none (`form_team`).
#pragma once

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// Makes `item` describe the work-items of teams, if its groups can form teams and their accesses to global memory are
/// much better along groups than along work-items (dimension_order.h). A copy takes the function's place then, and
/// `item.team` and `item.known_size` describe teams. To be called before anything looks at ids.
///
/// Expects `item.known_size`: the size of a group, whose z is 1; launches of an abi::Specialisation.
/// @param most    most groups of a team; there are fewer if what they keep would not stay in the cache
/// @param always  teams are formed also where they do not pay
void form_team(WorkItemFunction& item, const abi::KernelInfo& info, unsigned most, bool always);

}  // namespace lanewise
