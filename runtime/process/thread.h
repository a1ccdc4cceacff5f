// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that the driver makes: the workers of oneTBB (tbb_calls.cpp), threads that wait for what others do, and
/// threads with a larger stack than the application's. Signal handlers of the application run on none of them.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "runtime/process/fork_guard.h"

namespace lanewise {

/// Makes a thread whose stack has at least `stack` bytes, and not less than other threads of the process have.
/// @param state  PTHREAD_CREATE_DETACHED or PTHREAD_CREATE_JOINABLE
/// @return false: the system gives none
[[nodiscard]] bool make_thread(pthread_t& thread, void* (*routine)(void*), void* argument, std::size_t stack,
                               int state) noexcept;

/// Runs `body` on a new thread of the driver, which nobody joins: an exit of the process never waits for it. From now
/// on a fork marks its child. False: no thread can be made.
template <class Body>
[[nodiscard]] bool start_detached(Body body) {
  watch_for_fork();
  std::unique_ptr<Body> owned(new (std::nothrow) Body(std::move(body)));
  const auto run = [](void* argument) -> void* {
    const std::unique_ptr<Body> body(static_cast<Body*>(argument));
    mark_thread_of_driver(true);
    (*body)();
    return nullptr;
  };
  pthread_t thread{};
  if (owned == nullptr || !make_thread(thread, run, owned.get(), 0, PTHREAD_CREATE_DETACHED)) return false;
  static_cast<void>(owned.release());
  return true;
}

/// Runs `body` on a thread with so much stack, and returns when it has ended. False: no thread can be made.
template <class Body>
[[nodiscard]] bool run_with_stack(std::size_t stack, Body body) {
  const auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  pthread_t thread{};
  return make_thread(thread, run, &body, stack, PTHREAD_CREATE_JOINABLE) && pthread_join(thread, nullptr) == 0;
}

}  // namespace lanewise
