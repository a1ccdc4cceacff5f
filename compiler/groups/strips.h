// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs neighbouring work-groups as one: where a kernel cannot tell which group a work-item belongs to, the groups that
/// are next to each other in x run as one longer row. Then small and odd local sizes cost no more than others:
///
///     groups of 7 x 1:   |0..6|7..13|14..20| ...   =>   |0..................................| one loop over x
///
/// With several rows in a group the strip is short, so that neighbouring rows still meet in the cache.
#pragma once

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// True if `item` does not depend on where groups end in x: it has no barrier (`has_barriers`), no local memory and no
/// printf (whose output is ordered by groups), and uses local id and group number of x only as their sum, the global
/// id.
[[nodiscard]] bool can_merge_groups(const WorkItemFunction& item, const abi::KernelInfo& info, bool has_barriers);

/// True if `item`, whose groups can be merged, does not depend on where they end in y and z either, nor on how many
/// there are: a launch may then have another local size than the application asked for.
[[nodiscard]] bool is_blind_to_groups(const WorkItemFunction& item);

/// Work-items of x in a strip of groups with several rows.
inline constexpr std::uint64_t kStripItems = 64;
/// The same for groups of one row: a row of work-items has less than 2^30 (kernel_abi.h).
inline constexpr std::uint64_t kLongStripItems = std::uint64_t{1} << 20U;

}  // namespace lanewise
