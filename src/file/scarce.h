// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For code that needs a descriptor for a moment in a process that has hardly any left.
#pragma once

#include <mutex>

namespace lanewise::file {

/// True if this process has no descriptor left, or so few that another thread may have taken the last ones a moment
/// ago.
bool descriptors_are_scarce();

namespace detail {
/// One thread retries at a time, so that waiting threads do not take the descriptors from each other. `make` must lock
/// no mutex of ours; never held across a compile, a callback or a kernel.
std::mutex& scarce_mutex();
/// Waits some milliseconds; false if by `turn` the time limit has been reached (about half a second).
bool wait_for_descriptor(int turn);
}  // namespace detail

/// Calls `make()`, and again as long as it fails for lack of descriptors: the driver itself closes most of its
/// descriptors within milliseconds. Returns the last result, which converts to bool (false: failed). `make` must be
/// short.
template <class Make>
auto retry_when_scarce(Make&& make) -> decltype(make()) {
  if (auto made = make()) return made;
  const std::lock_guard lock(detail::scarce_mutex());
  for (int turn = 0;; ++turn) {
    auto made = make();
    if (made || !descriptors_are_scarce() || !detail::wait_for_descriptor(turn)) return made;
  }
}

}  // namespace lanewise::file
