// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an application says about a queue (cl_khr_priority_hints, cl_khr_throttle_hints).
#pragma once

#include <cstdint>

namespace lanewise {

enum class Hint : std::uint8_t { high, medium, low };

struct QueueHints {
  Hint priority = Hint::medium;  ///< whose commands the threads of the device take first
  Hint throttle = Hint::medium;  ///< how long a thread that ran out of work stays awake for more
};

}  // namespace lanewise
