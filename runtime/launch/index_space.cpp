// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/index_space.h"

#include <algorithm>
#include <utility>

#include "runtime/kernel/kernel.h"
#include "runtime/launch/local_size.h"

namespace lanewise {

namespace {

bool is_required(const Sizes& local, const abi::KernelInfo& info) {
  return local == info.reqd_work_group_size;
}

/// Whether groups of this size, whose product does not overflow, have as many sub-groups as the kernel requires.
bool has_required_sub_groups(const Sizes& local, const abi::KernelInfo& info) {
  const std::uint64_t last = info.sub_group_size - 1;
  return info.reqd_sub_groups == 0 || (product_of(local) + last) / info.sub_group_size == info.reqd_sub_groups;
}

/// From the sizes that the application gives to those that code has (NDRangeShape::first_dimension), and back.
Sizes in_code(const abi::KernelInfo& info, Sizes sizes) {
  std::swap(sizes[0], sizes[info.shape.first_dimension]);
  return sizes;
}

/// @param range  has work-items, or the kernel requires the result
Sizes choose_local_size(const Kernel& kernel, const Device& device, const NdRange& range) {
  const abi::KernelInfo& info = kernel.info();
  const unsigned dims = std::max(range.dims, info.shape.first_dimension + 1);
  return in_code(info, suggest_local_size(info, device.facts(), kernel.max_work_group_size(device), dims,
                                          in_code(info, range.global), !kernel.traits().uniform_work_groups));
}

}  // namespace

Result<CheckedRange> check_range(const Kernel& kernel, const Device& device, const NdRange& range) {
  const abi::KernelInfo& info = kernel.info();
  const bool required = info.reqd_work_group_size[0] != 0;
  const bool required_somehow = required || info.reqd_sub_groups != 0;
  CheckedRange checked{range};
  Sizes& local = checked.local;
  if (range.local.has_value())
    local = *range.local;
  else if (required_somehow || !range.empty())
    local = choose_local_size(kernel, device, range);
  if (!range.local.has_value() && !required_somehow) return checked;
  // A product that overflows is found to be too large below; it is 0 only if a size is.
  if (std::find(local.begin(), local.end(), 0) != local.end())
    return Error{CL_INVALID_WORK_GROUP_SIZE, "a local size is zero"};
  if (required && !is_required(local, info))
    return Error{CL_INVALID_WORK_GROUP_SIZE, "the local size differs from reqd_work_group_size"};
  // Checked before the limit of the whole group: if one dimension alone is too large, this is the more precise error.
  for (unsigned i = 0; i < range.dims; ++i) {
    if (local[i] > device.facts().max_work_item_sizes[i]) return Error{CL_INVALID_WORK_ITEM_SIZE, "dimension"};
  }
  if (product_of(local) > kernel.max_work_group_size(device)) return Error{CL_INVALID_WORK_GROUP_SIZE, "too large"};
  if (!has_required_sub_groups(local, info))
    return Error{CL_INVALID_WORK_GROUP_SIZE, "not the number of sub-groups that the kernel requires"};
  if (!kernel.traits().uniform_work_groups) return checked;
  for (unsigned i = 0; i < range.dims; ++i) {
    if (range.global[i] % local[i] != 0) return Error{CL_INVALID_WORK_GROUP_SIZE, "does not divide the global size"};
  }
  return checked;
}

CodeRange range_in_code(const Kernel& kernel, const Device& device, const CheckedRange& range) {
  const abi::KernelInfo& info = kernel.info();
  CodeRange made{.dims = range.given.dims,
                 .offset = in_code(info, range.given.offset),
                 .global = in_code(info, range.given.global),
                 .local = in_code(info, range.local)};
  if (range.given.local.has_value())
    made.local = launched_local_size(info, device.facts(), kernel.max_work_group_size(device), 3, made.global,
                                     !kernel.traits().uniform_work_groups, made.local);
  return made;
}

}  // namespace lanewise
