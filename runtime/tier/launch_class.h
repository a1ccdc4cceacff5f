// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Classes of a kernel's launches: what second-tier code may assume beside the local size. A class has the formats of
/// the images and the samplers, because code for known formats has no branches on them
/// (abi::Specialisation::known_arguments). It also has the number of groups that run together if a launch has enough
/// groups (abi::Specialisation::team_groups), and says whether buffers overlap (abi::Specialisation::distinct_buffers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// A class of launches; the default is the class of all launches.
struct LaunchClass {
  std::uint64_t arguments = 0;    ///< `class_of_arguments`
  std::uint32_t team_groups = 0;  ///< `groups_of_teams`
  bool distinct_buffers = false;  ///< abi::Specialisation::distinct_buffers; only where the kernel gains by it

  /// Whether code for the class is usually several times as fast as other code.
  [[nodiscard]] bool gains_much() const { return arguments != 0 || distinct_buffers; }

  bool operator==(const LaunchClass&) const = default;
};

/// A number for the image formats and the samplers of a launch. Two launches have the same number if and only if their
/// formats and samplers are equal. 0: nothing is known.
/// @param block  the launch's argument block
[[nodiscard]] std::uint64_t class_of_arguments(const abi::KernelInfo& info, const std::byte* block);

/// abi::Specialisation::known_arguments for a number of `class_of_arguments`.
[[nodiscard]] std::vector<Bytes> known_arguments_of(const abi::KernelInfo& info, std::uint64_t arguments);

/// Number of groups in a team, such that each of `threads` threads has a team when a launch has `groups` groups in x.
/// 0: groups run one by one.
[[nodiscard]] std::uint32_t groups_of_teams(std::uint64_t groups, std::uint64_t threads);

}  // namespace lanewise
