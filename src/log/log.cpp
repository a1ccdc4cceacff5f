// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/log/log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

#include "src/host/cancellation.h"

namespace lanewise {

namespace {

constexpr std::array<const char*, 9> kChannelNames{"api",       "build", "vectorize", "barriers", "cache",
                                                   "scheduler", "time",  "verify",    "crash"};

}  // namespace

// NOLINTNEXTLINE(modernize-avoid-variadic-functions): the compiler checks its format as printf's.
void log_line(Channel channel, const char* format, ...) noexcept {
  if (!log_enabled(channel)) return;
  std::array<char, 1024> line;
  const int used =
      std::snprintf(line.data(), line.size(), "lanewise %s: ", kChannelNames[static_cast<std::size_t>(channel)]);
  if (used < 0) return;
  std::va_list args;
  va_start(args, format);
  const std::size_t room = line.size() - static_cast<std::size_t>(used) - 1;
  const int wanted = std::vsnprintf(line.data() + used, room, format, args);
  va_end(args);
  if (wanted < 0) return;
  std::size_t length = static_cast<std::size_t>(used) + std::min(static_cast<std::size_t>(wanted), room - 1);
  line[length++] = '\n';
  // Needed because quick API calls do not disable cancellation themselves.
  const host::CancellationHeld held;
  // If stderr is closed or full, the line is lost.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), length);
}

}  // namespace lanewise
