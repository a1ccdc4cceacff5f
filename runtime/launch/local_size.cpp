// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/local_size.h"

#include <algorithm>
#include <optional>

namespace lanewise {

namespace {

constexpr std::uint64_t kGroupItems = 256;   ///< enough to hide the cost of a group, small enough to stay in cache
constexpr std::uint64_t kGroupsPerUnit = 4;  ///< so many that cores do not idle during the last groups
constexpr std::uint64_t kRows = 4;           ///< rows that the compiler may run together (register_blocking.h)
constexpr std::uint64_t kLanes = 16;         ///< lanes of the widest vectors, for 32-bit elements
constexpr std::uint64_t kColumn = 64;        ///< work-items of y whose lines of memory stay in the cache
constexpr std::uint64_t kOneSet = 1024;      ///< elements of 32 bits between lines that share a set of the first cache

/// The largest divisor of `size` that is at most `limit` and a multiple of `step`; 0 if there is none.
std::uint64_t divisor(std::uint64_t size, std::uint64_t limit, std::uint64_t step) {
  for (std::uint64_t d = std::min(limit, size) / step * step; d != 0; d -= step) {
    if (size % d == 0) return d;
  }
  return 0;
}

std::uint64_t choose_x(std::uint64_t global, std::uint64_t target, std::uint64_t max, bool lone, bool non_uniform) {
  if (global <= target) return global;
  if (const auto d = divisor(global, target, kLanes); d * 2 >= target || (d != 0 && !non_uniform)) return d;
  if (non_uniform) return std::max(target / kLanes * kLanes, std::min(target, kLanes));
  if (const auto d = divisor(global, target, kLanes / 2); d != 0) return d;
  const auto d = divisor(global, target, 1);
  // A row without useful divisors becomes one group if there are enough other rows for all cores.
  if (d < kLanes / 2 && global <= max && !lone) return global;
  return d;
}

/// Groups of one row run as one long row, in the order of memory: a tenth faster for kernels on pictures, unless they
/// run several rows at once. Stencils on buffers gain from groups of several rows.
bool runs_long_rows(const abi::KernelInfo& info) {
  const auto is_image = [](const abi::ArgInfo& arg) { return arg.kind == abi::ArgKind::image; };
  return info.shape.row_items != 0 && info.shape.rows == 1 && std::any_of(info.args.begin(), info.args.end(), is_image);
}

/// Groups in which neighbours in x and in y meet in the cache, for kernels that walk through memory along both; nothing
/// if the range does not have them. A transposition takes half the time that it takes in long rows.
std::optional<Sizes> squares(const DeviceFacts& facts, std::uint64_t most, const Sizes& global) {
  const auto& caps = facts.max_work_item_sizes;
  // Rows that all begin in one set drive each other out of the first cache, so that fewer of them are better.
  const std::uint64_t width = global[0] % kOneSet == 0 ? kLanes / 2 : kLanes;
  Sizes local{divisor(global[0], std::min<std::uint64_t>(width, caps[0]), 1), 1, 1};
  if (local[0] < width / 2) return {};
  local[1] = divisor(global[1], std::min<std::uint64_t>({kColumn, caps[1], most / local[0]}), 1);
  if (local[1] < kLanes / 2) return {};
  return local;
}

}  // namespace

Sizes suggest_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                         const Sizes& global, bool non_uniform) {
  if (info.reqd_work_group_size[0] != 0) return info.reqd_work_group_size;
  if (info.reqd_sub_groups != 0) return {std::uint64_t{info.reqd_sub_groups} * info.sub_group_size, 1, 1};
  const auto& caps = facts.max_work_item_sizes;
  std::uint64_t items = global[0];
  for (unsigned i = 1; i < dims; ++i) {
    if (__builtin_mul_overflow(items, global[i], &items)) items = ~std::uint64_t{0};
  }
  const std::uint64_t share = items / (kGroupsPerUnit * std::max<std::uint64_t>(facts.compute_units, 1));
  const std::uint64_t most = std::max<std::uint64_t>(max_items, 1);
  const std::uint64_t target = std::min(std::clamp(share / kLanes * kLanes, kLanes, kGroupItems), most);

  if (info.shape.crosses && dims > 1)
    if (const auto local = squares(facts, std::min(std::max(target, share), most), global)) return *local;
  Sizes local{1, 1, 1};
  const bool lone = items / global[0] < kGroupsPerUnit * facts.compute_units;
  local[0] = choose_x(global[0], std::min<std::uint64_t>(target, caps[0]), std::min<std::uint64_t>(most, caps[0]), lone,
                      non_uniform);
  for (unsigned i = 1; i < dims; ++i) {
    const std::uint64_t items_so_far = local[0] * local[1] * local[2];
    std::uint64_t room = target / items_so_far;
    const bool several = items_so_far * kRows <= std::min({share, most, kGroupItems * kRows});
    const bool divided = local[0] < global[0];
    if (i == 1 && several && !(divided && runs_long_rows(info))) room = std::max(room, kRows);
    if (room > 1) local[i] = divisor(global[i], std::min<std::uint64_t>(room, caps[i]), 1);
  }
  return local;
}

Sizes launched_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                          const Sizes& global, bool non_uniform, const Sizes& given) {
  const std::uint64_t rows = info.shape.crosses ? kColumn : info.shape.rows;
  const bool few_rows = rows > 1 && given[1] < std::min(rows, global[1]) && given[2] == 1;
  if (!info.shape.any_local_size || !few_rows || info.reqd_work_group_size[0] != 0) [[likely]]
    return given;
  const Sizes chosen = suggest_local_size(info, facts, max_items, dims, global, non_uniform);
  return chosen[1] > given[1] ? chosen : given;
}

}  // namespace lanewise
