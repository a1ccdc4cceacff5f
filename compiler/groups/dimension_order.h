// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which dimension of the NDRange is the innermost loop. It is x, as OpenCL's users expect; but many kernels count rows
/// in x and columns in y, as matrices and NumPy do, so that neighbouring work-items of x are a row of memory apart:
///
///     int row = get_global_id(0), column = get_global_id(1);
///     c[row * n + column] = ...                                 // y walks through memory
///
/// Where the kernel cannot tell in what order its work-items run, that dimension changes places with x, in the code
/// and, by `abi::NDRangeShape::first_dimension`, in each launch. The decision is a comparison of the accesses to global
/// memory along each dimension, as in Allen and Kennedy, "Automatic loop interchange" (1984), weighted by the depth of
/// loops.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <array>
#include <cstdint>
#include <memory>

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// The dimension that should be the first, 0 to 2. `item` does not depend on groups (is_blind_to_groups).
[[nodiscard]] unsigned choose_first_dimension(const WorkItemFunction& item);

/// The approximate cost of the accesses of a vector of work-items to global memory, along each dimension: in accesses,
/// weighted by the depth of loops.
[[nodiscard]] std::array<std::uint64_t, 3> access_costs(const WorkItemFunction& item);

/// An access of a vector of work-items that has a place of its own for each of them, in accesses; about.
inline constexpr unsigned kGatherCost = 16;

/// The same for parts of a kernel, and with accesses to local memory, which count as those to global memory. Quotients
/// and remainders count as they are in most vectors.
class AccessCosts {
 public:
  /// `item` must outlive this object.
  explicit AccessCosts(const WorkItemFunction& item);
  ~AccessCosts();
  AccessCosts(const AccessCosts&) = delete;
  AccessCosts& operator=(const AccessCosts&) = delete;
  [[nodiscard]] std::array<std::uint64_t, 3> of(llvm::ArrayRef<llvm::BasicBlock*> blocks) const;

 private:
  friend std::array<std::uint64_t, 3> access_costs(const WorkItemFunction& item);
  struct Analyses;
  std::unique_ptr<Analyses> analyses_;
};

/// Another order must save accesses by at least this factor: that is more than a wrong guess at the extents of
/// dimensions loses.
inline constexpr unsigned kExchangeGain = 4;

/// Whether some accesses to global memory walk along x and jump along y, and others walk along y and jump along x, as
/// in a transposition: work-items that share a line of memory are then neighbours in both, and groups should be
/// squares.
[[nodiscard]] bool crosses_dimensions(const WorkItemFunction& item);

/// Exchanges dimension `other` with x in ids, sizes, offsets and numbers of groups.
void exchange_dimensions(const WorkItemFunction& item, unsigned other);

}  // namespace lanewise
