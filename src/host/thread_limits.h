// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the number of compute units follows from, for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanewise::host {

/// The limits of the number of threads. The smallest one counts.
struct ThreadLimits {
  unsigned online = 1;                 ///< processors that the machine has switched on
  unsigned allowed = 1;                ///< processors in the affinity mask
  std::optional<std::uint64_t> quota;  ///< processors' worth of time that the control groups grant, rounded up
  unsigned option = 0;                 ///< LANEWISE_THREADS; 0: no limit

  [[nodiscard]] unsigned usable() const;
  /// "1 of 8 processors allowed (affinity mask), LANEWISE_THREADS=4": the machine and each limit, without the result.
  [[nodiscard]] std::string text() const;
};

/// The limits of this process.
/// @param root  root of the file system to read; tests give another
ThreadLimits read_thread_limits(unsigned allowed, unsigned option, const std::string& root = "");

}  // namespace lanewise::host
