// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of the driver after a fork. The child has one thread, none of the driver's, and every mutex that another
/// thread held at that moment stays locked in it forever, with its data half changed. So there are three kinds of
/// children:
///
/// * Children that go on: no thread was inside the driver, which had no threads and no helper process, because there had
///   been no queue and no build. The child may use OpenCL, even with objects of its parent.
/// * Children that begin anew, otherwise. The first API call puts the driver's static data back to what they were before
///   the parent's first call (static_data.h), whatever locks and threads there were. The parent's objects are no
///   objects of this process; its platform and devices are.
/// * Lost children, where that is not possible because the driver is on the stack of the only thread: a callback or
///   a native kernel has forked. The API boundary changes nothing there (icd/boundary.h), and code that runs
///   nevertheless, on the way back to the application, frees nothing (`in_forked_child`). After the call of the API
///   that was interrupted has returned, such a child begins anew too; on a thread of the driver there is none.
///
/// Fork handlers that lock all mutexes before a fork and unlock them afterwards would not be enough: every object has
/// mutexes, the child would still lack the threads, and an application that forks while it holds a lock that one of its
/// callbacks needs would hang.
#pragma once

#include <pthread.h>

#include <atomic>

namespace lanewise {

/// After this call no child goes on. Called before a thread or helper process is created; cheap to repeat.
void watch_for_fork();

struct Loan;  // object/object.h

namespace detail {
enum class ForkState : unsigned char {
  watched,   ///< `watch_for_fork` has been called
  unused,    ///< there has been no call yet
  saving,    ///< the first call notes the static data
  counted,   ///< calls in progress are counted; if another thread is inside of one at a fork, the child does not go on
  renewing,  ///< the first call in a child puts them back
  left_behind,   ///< a child that will begin anew with the first call
  lost,          ///< a lost child
  lost_in_call,  ///< a lost child in which even platform and device may be half initialised
};
extern std::atomic<ForkState> fork_state;

/// What the API boundary knows of a thread.
struct ThreadState {
  unsigned calls = 0;          ///< API calls that it is in; one more on a thread of the driver
  bool forked_inside = false;  ///< of such a call; this is the child
  Loan* loans = nullptr;       ///< of all of them
};
ThreadState& thread_state() noexcept;
}  // namespace detail

/// True in a lost child, and in one that has not begun anew yet. Nothing may be enqueued, waited for, built or locked
/// there; functions that would have to return CL_OUT_OF_RESOURCES.
inline bool in_forked_child() {
  return detail::fork_state.load(std::memory_order_relaxed) >= detail::ForkState::left_behind;
}
/// Whether a lost child may still query what never changes: configuration, platform and devices.
inline bool forked_child_may_query() {
  return detail::fork_state.load(std::memory_order_relaxed) == detail::ForkState::lost;
}
/// True in a child that has begun anew, and in its children.
[[nodiscard]] bool began_anew() noexcept;

/// What makes the first objects when a child begins anew, before any thread enters the driver. False: out of memory; the
/// child is lost.
using Renewal = bool (*)();
void set_renewal(Renewal renewal) noexcept;

/// Whether the calling thread is the driver's from now on: a child that is forked on it is lost.
void mark_thread_of_driver(bool is) noexcept;

/// The value of `key` on a child's only thread is the parent's, and is set to null. For at most 8 keys.
void forget_after_fork(pthread_key_t key) noexcept;

/// Exists during each API call. Once `watch_for_fork` has been called it costs a load and a counter of the thread.
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

  /// This is a lost child.
  [[nodiscard]] bool refused() const { return entry_ == Entry::refused; }
  [[nodiscard]] detail::ThreadState& thread() const { return thread_; }

 private:
  enum class Entry : unsigned char { free, counted, refused };
  static Entry enter(detail::ThreadState& thread) noexcept;
  static void leave() noexcept;

  detail::ThreadState& thread_;
  Entry entry_ = Entry::free;
};

/// As long as this object exists, other threads that fork wait, for at most a second; then their child is lost. Around
/// calls of the C library that take locks which glibc does not make free in a child: those of the dynamic linker, which
/// also new threads need. Nothing else is called meanwhile.
class ForkHeld {
 public:
  ForkHeld() noexcept;
  ~ForkHeld();
  ForkHeld(const ForkHeld&) = delete;
  ForkHeld& operator=(const ForkHeld&) = delete;
};

}  // namespace lanewise
