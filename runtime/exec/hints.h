// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The hints of an application about a queue (cl_khr_priority_hints, cl_khr_throttle_hints).
#pragma once

#include <cstdint>

namespace lanewise {

enum class Hint : std::uint8_t { high, medium, low };

struct QueueHints {
  Hint priority = Hint::medium;  ///< threads take commands of queues with higher priority first
  Hint throttle = Hint::medium;  ///< how long a worker without work stays awake: high is long, low is not at all
};

}  // namespace lanewise
