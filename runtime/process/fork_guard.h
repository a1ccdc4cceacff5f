// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of the driver after a fork. The child has one thread, none of the driver's. Every mutex that another
/// thread held at the fork stays locked in the child forever, with its data half changed. There are therefore three
/// kinds of children:
///
/// * Children that go on. No thread was inside the driver, and the driver had no threads and no helper process, because
///   there had been no queue and no build. The child may use OpenCL, even with objects of its parent.
/// * Children that begin anew: all others that are not lost. Their first API call restores the driver's static data to
///   the values before the parent's first call (static_data.h), whatever locks and threads there were. The platform and
///   the devices of the parent are objects of such a child; all other objects of the parent are not.
/// * Lost children. The static data cannot be restored, because the driver is on the stack of the only thread: a
///   callback or a native kernel has forked. The API boundary changes nothing there (icd/boundary.h), and driver code
///   on the way back to the application frees nothing (`in_forked_child`). When the interrupted API call has returned,
///   the child begins anew. A child forked on a thread of the driver has no such call and stays lost.
///
/// Fork handlers that lock all mutexes before a fork and unlock them afterwards would not suffice: every object has
/// mutexes, the child would still lack the threads, and an application that forks while it holds a lock that one of its
/// callbacks needs would hang.
#pragma once

#include <pthread.h>

#include <atomic>

namespace lanewise {

/// Makes sure that no later child goes on. Called before a thread or helper process is created; cheap to repeat.
void watch_for_fork();

struct Loan;  // object/object.h

namespace detail {
/// The state of this process. States from `left_behind` on are those of `in_forked_child`.
enum class ForkState : unsigned char {
  watched,       ///< `watch_for_fork` has been called
  unused,        ///< there has been no API call
  saving,        ///< the first call saves the static data
  counted,       ///< calls in progress are counted; a child forked during another thread's call does not go on
  renewing,      ///< the first call in a child restores the static data
  left_behind,   ///< a child that will begin anew with its first call
  lost,          ///< a lost child
  lost_in_call,  ///< a lost child whose platform and device may be half initialised
};
extern std::atomic<ForkState> fork_state;

/// The state of a thread at the API boundary.
struct ThreadState {
  unsigned calls = 0;          ///< number of API calls that the thread is in; one more on a thread of the driver
  bool forked_inside = false;  ///< this is a child that was forked inside such a call
  Loan* loans = nullptr;       ///< the loans of all these calls
};
ThreadState& thread_state() noexcept;
}  // namespace detail

/// Whether this is a lost child, or a child that has not begun anew yet. Nothing may be enqueued, waited for, built or
/// locked there: functions that would have to do so return CL_OUT_OF_RESOURCES.
inline bool in_forked_child() {
  return detail::fork_state.load(std::memory_order_relaxed) >= detail::ForkState::left_behind;
}
/// Whether this lost child may still query what never changes: configuration, platform and devices.
inline bool forked_child_may_query() {
  return detail::fork_state.load(std::memory_order_relaxed) == detail::ForkState::lost;
}
/// Whether this is a child that has begun anew, or a child of one.
[[nodiscard]] bool began_anew() noexcept;

/// A function that creates the first objects when a child begins anew, before any thread enters the driver. False: out
/// of memory, and the child is lost.
using Renewal = bool (*)();
void set_renewal(Renewal renewal) noexcept;

/// Sets whether the calling thread is one of the driver's: a child that is forked on such a thread is lost.
void mark_thread_of_driver(bool is) noexcept;

/// Sets the value of `key`, which is the parent's, to null on a child's only thread. Supports at most 8 keys.
void forget_after_fork(pthread_key_t key) noexcept;

/// Counts an API call while the object exists. After `watch_for_fork` it costs a load and a counter of the thread.
class CallInProgress {
 public:
  CallInProgress() noexcept : thread_(detail::thread_state()) {
    ++thread_.calls;
    if (detail::fork_state.load(std::memory_order_relaxed) != detail::ForkState::watched) [[unlikely]]
      entry_ = enter(thread_);
  }
  ~CallInProgress() {
    if (entry_ == Entry::counted) [[unlikely]]
      leave();
    --thread_.calls;
  }
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;

  /// Whether this is a lost child.
  [[nodiscard]] bool refused() const { return entry_ == Entry::refused; }
  [[nodiscard]] detail::ThreadState& thread() const { return thread_; }

 private:
  enum class Entry : unsigned char { free, counted, refused };
  static Entry enter(detail::ThreadState& thread) noexcept;
  static void leave() noexcept;

  detail::ThreadState& thread_;
  Entry entry_ = Entry::free;
};

/// Makes other threads that fork wait while the object exists, for at most one second; after that their child is lost.
/// It encloses calls of the C library that take locks which glibc does not release in a child: those of the dynamic
/// linker, which new threads need, too. Nothing else may be called meanwhile.
class ForkHeld {
 public:
  ForkHeld() noexcept;
  ~ForkHeld();
  ForkHeld(const ForkHeld&) = delete;
  ForkHeld& operator=(const ForkHeld&) = delete;
};

}  // namespace lanewise
