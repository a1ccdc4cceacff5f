// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of work-items or work-groups in the three dimensions of an index space.
#pragma once

#include <array>
#include <cstdint>

namespace lanewise {

/// Unused dimensions have size 1 and offset 0.
using Sizes = std::array<std::uint64_t, 3>;

}  // namespace lanewise
