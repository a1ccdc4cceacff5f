// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Debug output on stderr. A channel is written only if LANEWISE_DEBUG names it (LANEWISE_VERIFY enables its own
/// channel).
#pragma once

#include "src/config/config.h"

namespace lanewise {

[[nodiscard]] inline bool log_enabled(Channel channel) {
  return config().debug.has(channel);
}

/// Writes one line, "lanewise <channel>: <text>", with a single system call, so that lines of several threads do not
/// mix. Texts longer than about 1000 bytes are cut. The function checks the channel; callers with expensive arguments
/// should test `log_enabled` first.
[[gnu::format(printf, 2, 3)]] void log_line(Channel channel, const char* format, ...) noexcept;

}  // namespace lanewise
