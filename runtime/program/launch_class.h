// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What launches of a kernel may have in common beside their sizes: the formats of its images, and what its samplers do.
/// Code for that alone has no branches on formats (abi::Request::known_arguments).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// A number that says all of it: launches of a kernel are of one class just where their numbers are equal. 0: nothing
/// to be known. `block` is a launch's argument block.
[[nodiscard]] std::uint64_t launch_class_of(const abi::KernelInfo& info, const std::byte* block);

/// abi::Request::known_arguments for a class.
[[nodiscard]] std::vector<Bytes> known_arguments_of(const abi::KernelInfo& info, std::uint64_t launch_class);

}  // namespace lanewise
