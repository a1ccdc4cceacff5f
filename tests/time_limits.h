// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long tests wait for what is to happen.
///
/// Limits are written as for an ordinary build. Under a sanitizer or an emulator each step takes many times as long, so they
/// are multiplied by kTimeFactor there, as those of ctest are (tests/time_limits.cmake, which has the number).
#pragma once

#include <chrono>
#include <thread>

#ifndef LANEWISE_TIME_FACTOR
#define LANEWISE_TIME_FACTOR 1
#endif

namespace lanewise::test {

inline constexpr int kTimeFactor = LANEWISE_TIME_FACTOR;
/// Whether tests that do the same many times do it less often.
inline constexpr bool kSlow = kTimeFactor > 1;

/// @param limit  in an ordinary build
inline std::chrono::steady_clock::time_point time_limit(std::chrono::milliseconds limit) {
  return std::chrono::steady_clock::now() + kTimeFactor * limit;
}

/// Looks every millisecond whether `done()`. False: it was not within `limit`, which is that of an ordinary build.
template <class Done>
bool within(std::chrono::milliseconds limit, const Done& done) {
  const auto end = time_limit(limit);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace lanewise::test
