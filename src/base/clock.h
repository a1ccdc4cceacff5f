// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one clock of the driver, for event profiling, clGetHostTimer and clGetDeviceAndHostTimer.
#pragma once

#include <ctime>

#include <cstdint>

namespace lanewise {

/// Nanoseconds on CLOCK_MONOTONIC; never decreases, not related to the time of day.
inline std::uint64_t now_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Nanoseconds on the same clock at the last tick of the system, which may be some milliseconds ago. Costs a fifth.
inline std::uint64_t coarse_now_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace lanewise
