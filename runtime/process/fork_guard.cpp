// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/fork_guard.h"

#include <sched.h>

#include <chrono>
#include <mutex>
#include <new>

#include "runtime/process/static_data.h"
#include "src/base/survives_fork.h"

namespace lanewise {

using detail::ForkState;
using detail::ThreadState;

namespace detail {
LANEWISE_SURVIVES_FORK constinit std::atomic<ForkState> fork_state{ForkState::unused};

ThreadState& thread_state() noexcept {
  static constinit thread_local ThreadState state;
  return state;
}
}  // namespace detail

namespace {

constinit std::atomic<unsigned> g_calls{0};

LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_began_anew{false};
LANEWISE_SURVIVES_FORK constinit std::atomic<Renewal> g_renewal{nullptr};

constexpr unsigned kMostKeys = 8;
LANEWISE_SURVIVES_FORK constinit std::atomic<pthread_key_t> g_keys[kMostKeys] = {};
LANEWISE_SURVIVES_FORK constinit std::atomic<unsigned> g_key_count{0};

/// Held by threads that must not be in the middle of something at a fork, and by the thread that forks.
LANEWISE_SURVIVES_FORK constinit std::timed_mutex g_fork_mutex;
constexpr std::chrono::seconds kPatience{1};
/// The thread that forks has the mutex. Written by that thread only, between its handlers.
constinit thread_local bool t_holds = false;

void before_fork() {
  t_holds = g_fork_mutex.try_lock_for(kPatience);
}
void after_fork_in_parent() {
  if (t_holds) g_fork_mutex.unlock();
}

/// What is left of the parent on the only thread of a child, which is not inside the driver.
void forget_thread() {
  restore_thread_data();
  for (unsigned i = 0; i < g_key_count.load() && i < kMostKeys; ++i) pthread_setspecific(g_keys[i].load(), nullptr);
}

/// How a child continues that cannot go on.
/// @param lost  if it cannot begin anew either
void begin_anew_later(ForkState lost, bool possible) {
  ThreadState& thread = detail::thread_state();
  if (possible && thread.calls == 0) {
    forget_thread();
    detail::fork_state.store(ForkState::left_behind);
    return;
  }
  thread.forked_inside = possible;
  detail::fork_state.store(lost);
}

/// Runs in the child, on its only thread. A thread of the parent raises the count before it locks anything, so if
/// another thread held a lock at the fork, the child's copy of the count shows it.
void after_fork_in_child() {
  const bool possible = t_holds && static_data_saved();
  new (&g_fork_mutex) std::timed_mutex;
  switch (const ForkState before = detail::fork_state.load()) {
    case ForkState::unused:
    case ForkState::saving:
      detail::fork_state.store(ForkState::unused);
      return;
    case ForkState::counted:
      if (g_calls.load() == detail::thread_state().calls) return;
      return begin_anew_later(ForkState::lost_in_call, possible);
    case ForkState::watched:
      return begin_anew_later(ForkState::lost, possible);
    case ForkState::lost:
    case ForkState::lost_in_call:
      return begin_anew_later(before, possible);
    case ForkState::renewing:
    case ForkState::left_behind:
      return begin_anew_later(ForkState::lost_in_call, possible);
  }
}

/// Registered when the library is loaded, because the very first call may be in progress when another thread forks.
[[maybe_unused]] const bool g_registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;

/// The calling thread is the only one in the driver.
void begin_anew() {
  restore_static_data();
  g_began_anew.store(true);
  const Renewal renewal = g_renewal.load();
  const bool renewed = renewal == nullptr || renewal();
  detail::fork_state.store(renewed ? ForkState::counted : ForkState::lost_in_call);
}

}  // namespace

void watch_for_fork() {
  for (ForkState expected : {ForkState::counted, ForkState::unused})  // a marked child stays marked
    detail::fork_state.compare_exchange_strong(expected, ForkState::watched);
}

bool began_anew() noexcept {
  return g_began_anew.load(std::memory_order_relaxed);
}

void set_renewal(Renewal renewal) noexcept {
  g_renewal.store(renewal);
}

void mark_thread_of_driver(bool is) noexcept {
  unsigned& calls = detail::thread_state().calls;
  calls = is ? calls + 1 : calls - 1;
}

void forget_after_fork(pthread_key_t key) noexcept {
  const unsigned place = g_key_count.load();
  if (place == kMostKeys) return;
  g_keys[place].store(key);
  g_key_count.store(place + 1);
}

CallInProgress::Entry CallInProgress::enter(ThreadState& thread) noexcept {
  for (;;) {
    ForkState now = detail::fork_state.load();
    switch (now) {
      case ForkState::watched:
        return Entry::free;
      case ForkState::counted:
        g_calls.fetch_add(1);
        return Entry::counted;
      case ForkState::unused:
        if (!detail::fork_state.compare_exchange_strong(now, ForkState::saving)) break;
        {
          const ForkHeld no_fork;  // the dynamic linker lists the library's sections
          save_static_data();
        }
        detail::fork_state.store(ForkState::counted);
        break;
      case ForkState::left_behind:
        if (detail::fork_state.compare_exchange_strong(now, ForkState::renewing)) begin_anew();
        break;
      case ForkState::saving:
      case ForkState::renewing:
        sched_yield();
        break;
      case ForkState::lost:
      case ForkState::lost_in_call:
        // The thread that has forked inside of a call has returned from it.
        if (!thread.forked_inside || thread.calls != 1) return Entry::refused;
        detail::fork_state.store(ForkState::renewing);
        forget_thread();
        thread.calls = 1;
        begin_anew();
        break;
    }
  }
}

void CallInProgress::leave() noexcept {
  g_calls.fetch_sub(1);
}

ForkHeld::ForkHeld() noexcept {
  g_fork_mutex.lock();
}
ForkHeld::~ForkHeld() {
  g_fork_mutex.unlock();
}

}  // namespace lanewise
