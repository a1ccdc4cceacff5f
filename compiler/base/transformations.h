// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts what the compiler did to kernels, for tests that ask which transformations their kernels reach. Passes are
/// counted by comparing the IR before and after them (PipelineObserver::changed); what is part of a pass
/// (compiler/base/transformations.def) counts itself.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lanewise {

enum class Transformation : std::uint8_t {
#define LANEWISE_TRANSFORMATION(name, what) name,
#include "compiler/base/transformations.def"
};

inline constexpr const char* kTransformations[] = {
#define LANEWISE_TRANSFORMATION(name, what) #name,
#include "compiler/base/transformations.def"
};

/// How often each has been done since the process began, on all threads.
inline std::array<std::atomic<std::uint32_t>, std::size(kTransformations)> transformation_counts{};

/// Called where a transformation changes code. Costs one addition to a number that nobody else reads.
inline void tally(Transformation transformation) {
  transformation_counts[static_cast<std::size_t>(transformation)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace lanewise
