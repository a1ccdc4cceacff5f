// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/phase.h"

#include <ctime>

#include "src/log/log.h"

namespace lanewise {
namespace {

double milliseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

Phase::Phase(const char* name, std::string_view of) : name_(name), of_(of), running_(log_enabled(Channel::time)) {
  if (!running_) return;
  wall_ = milliseconds(CLOCK_MONOTONIC);
  cpu_ = milliseconds(CLOCK_THREAD_CPUTIME_ID);
}

void Phase::stop() {
  if (!running_) return;
  running_ = false;
  log_line(Channel::time, "%8.2f ms (%8.2f ms processor) %s%s%.*s", milliseconds(CLOCK_MONOTONIC) - wall_,
           milliseconds(CLOCK_THREAD_CPUTIME_ID) - cpu_, name_, of_.empty() ? "" : " of ", static_cast<int>(of_.size()),
           of_.data());
}

}  // namespace lanewise
