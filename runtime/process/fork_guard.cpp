// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/fork_guard.h"

#include <pthread.h>

namespace lanewise {

using detail::ForkState;

namespace detail {
constinit std::atomic<ForkState> fork_state{ForkState::counted};
}

namespace {

constinit std::atomic<unsigned> g_calls{0};
/// How many of `g_calls` are this thread's. More than one in callbacks, which may fork.
constinit thread_local unsigned t_calls = 0;

/// Runs in the child, on its only thread. A thread of the parent raises the count before it locks anything, so if
/// another thread held a lock at the fork, the child's copy of the count shows it.
void after_fork() {
  const ForkState before = detail::fork_state.load();
  if (before == ForkState::counted && g_calls.load() != t_calls) detail::fork_state.store(ForkState::lost_in_call);
  if (before == ForkState::watched) detail::fork_state.store(ForkState::lost);
}

/// Registered when the library is loaded, because the very first call may be in progress when another thread forks.
[[maybe_unused]] const bool g_registered = pthread_atfork(nullptr, nullptr, after_fork) == 0;

}  // namespace

void watch_for_fork() {
  ForkState expected = ForkState::counted;  // a marked child stays marked
  detail::fork_state.compare_exchange_strong(expected, ForkState::watched);
}

void CallInProgress::enter() noexcept {
  ++t_calls;
  g_calls.fetch_add(1);
}

void CallInProgress::leave() noexcept {
  g_calls.fetch_sub(1);
  --t_calls;
}

}  // namespace lanewise
