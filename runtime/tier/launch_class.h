// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What launches of a kernel may have in common beside their local size: the formats of its images, and what its samplers
/// do, because code for that alone has no branches on formats (abi::Specialisation::known_arguments); and whether they have so
/// many groups that some may run together (abi::Specialisation::team_groups).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

struct LaunchClass {
  std::uint64_t arguments = 0;    ///< class_of_arguments
  std::uint32_t team_groups = 0;  ///< groups_of_teams

  bool operator==(const LaunchClass&) const = default;
};

/// A number that says all of images and samplers: launches have the same just where their numbers are equal. 0: nothing
/// to be known. `block` is a launch's argument block.
[[nodiscard]] std::uint64_t class_of_arguments(const abi::KernelInfo& info, const std::byte* block);

/// abi::Specialisation::known_arguments for such a number.
[[nodiscard]] std::vector<Bytes> known_arguments_of(const abi::KernelInfo& info, std::uint64_t arguments);

/// Of how many groups a team may be when a launch has `groups` of them in x, so that each of `threads` has a team;
/// 0: groups run one by one.
[[nodiscard]] std::uint32_t groups_of_teams(std::uint64_t groups, std::uint64_t threads);

}  // namespace lanewise
