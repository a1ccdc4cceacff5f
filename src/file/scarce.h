// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Retries for code that needs a descriptor for a moment in a process that has hardly any left.
#pragma once

#include <type_traits>

#include "src/base/mutex.h"

namespace lanewise::file {

/// Whether this process has no descriptor left, or so few that another thread may have taken the last ones a moment
/// ago.
bool descriptors_are_scarce();

/// The one thread that retries holds this mutex, so that waiting threads do not take the descriptors from each other.
/// Functions called under it lock only mutexes that are declared ACQUIRED_AFTER it. The mutex is never held across a
/// compile, a callback or a kernel.
extern Mutex scarce_mutex;

namespace detail {
/// Waits some milliseconds. False: turn `turn` is at the time limit (about half a second).
bool wait_for_descriptor(int turn);
}  // namespace detail

/// Calls `make()` until it does not fail for lack of descriptors: the driver closes most of its own descriptors within
/// milliseconds. Returns the last result, which converts to bool (false: failed). `make` must be short.
template <class Make>
std::invoke_result_t<Make&> retry_when_scarce(Make&& make) EXCLUDES(scarce_mutex) {
  if (auto made = make()) return made;
  const MutexLock lock(scarce_mutex);
  for (int turn = 0;; ++turn) {
    auto made = make();
    if (made || !descriptors_are_scarce() || !detail::wait_for_descriptor(turn)) return made;
  }
}

}  // namespace lanewise::file
