// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What needs a descriptor for a moment, in a process that has hardly any left.
#pragma once

#include <mutex>

namespace lanewise::file {

/// True if this process has no descriptor left, or so few that another thread may have taken the last ones a moment
/// ago.
bool descriptors_are_scarce();

namespace detail {
/// One retry at a time, so that those who wait do not take the descriptors from each other. Innermost but for what
/// `make` takes, which is nothing of ours; never held across a compile, a callback or a kernel.
std::mutex& scarce_mutex();
/// Some milliseconds; false if `turn` says that all patience is spent (about half a second).
bool wait_for_descriptor(int turn);
}  // namespace detail

/// `make()`, and again while it fails for want of descriptors: most of those that the driver itself takes are given
/// back within milliseconds. The result is `make`'s last one, which converts to bool (false: failed). `make` must be
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
