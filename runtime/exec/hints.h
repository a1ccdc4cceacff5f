// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The hints of an application about a queue (cl_khr_priority_hints, cl_khr_throttle_hints).
#pragma once

#include <cstdint>

namespace lanewise {

enum class Hint : std::uint8_t { high, medium, low };

/// The hints about one queue.
struct QueueHints {
  Hint priority = Hint::medium;  ///< threads take commands of queues with higher priority first
  /// How long a worker that has run a part of a launch looks for the next command within its task: 100 us, 20 us, or
  /// not at all (participation.cpp).
  Hint throttle = Hint::medium;
};

}  // namespace lanewise
