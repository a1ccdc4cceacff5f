// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/signals.h"

namespace lanewise {

/// Runs `body` on a new thread of the driver, which nobody joins: an exit of the process never waits for it. The
/// application's signal handlers do not run on it, and from now on a fork marks its child. False: no thread can be made.
template <class Body>
[[nodiscard]] bool start_detached(Body body) {
  watch_for_fork();
  const BlockSignals block;
  try {
    const ForkHeld no_fork;
    std::thread([body = std::move(body)]() mutable {
      mark_thread_of_driver(true);
      body();
    }).detach();
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace lanewise
