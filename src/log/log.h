// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Debug output on stderr. Nothing is written unless LANEWISE_DEBUG names the channel (LANEWISE_VERIFY adds
/// its own).
#pragma once

#include "src/config/config.h"

namespace lanewise {

[[nodiscard]] inline bool log_enabled(Channel channel) {
  return config().debug.has(channel);
}

/// One line, "lanewise <channel>: <text>", written with a single system call so that threads do not mix. Longer texts
/// than 1000 bytes are cut. Checks the channel itself; ask `log_enabled` first where the arguments cost something.
[[gnu::format(printf, 2, 3)]] void log_line(Channel channel, const char* format, ...) noexcept;

}  // namespace lanewise
