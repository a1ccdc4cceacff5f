// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the number of compute units follows from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/config/config.h"
#include "src/host/launcher.h"

namespace lanewise::host {

/// The limits of the number of threads. The smallest one counts.
struct ThreadLimits {
  unsigned online = 1;                 ///< processors that the machine has switched on
  unsigned allowed = 1;                ///< processors in the affinity mask
  std::optional<std::uint64_t> quota;  ///< processors' worth of time that the control groups grant, rounded up
  ThreadCount option;                  ///< LANEWISE_THREADS
  Launcher launcher;                   ///< a limit only if the option is "auto"

  [[nodiscard]] unsigned usable() const;
  /// The processors that all processes of the machine, or of the container, have together.
  [[nodiscard]] unsigned shared() const;
  /// The part of this process where a launcher has started several; nothing: there is no such launcher.
  [[nodiscard]] std::optional<unsigned> share() const;
  /// "1 of 8 processors allowed (affinity mask), LANEWISE_THREADS=4": the machine and each limit, without the result.
  [[nodiscard]] std::string text() const;
  /// What to do if the process uses more than its part, because the launcher did not bind it: "4 processes share 2
  /// processors ...". Empty: nothing.
  [[nodiscard]] std::string hint() const;
};

/// The limits of this process.
ThreadLimits thread_limits();

}  // namespace lanewise::host
