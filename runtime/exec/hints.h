// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The hints of an application about a queue (cl_khr_priority_hints, cl_khr_throttle_hints).
#pragma once

#include <cstdint>

namespace lanewise {

enum class Hint : std::uint8_t { high, medium, low };

struct QueueHints {
  Hint priority = Hint::medium;  ///< threads take the commands of queues of higher priority first
  Hint throttle = Hint::medium;  ///< how long a worker without work stays awake to wait for more
};

}  // namespace lanewise
