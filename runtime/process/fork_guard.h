// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a fork leaves of the driver. The child has one thread, none of ours, and every mutex that another thread held
/// at that moment stays locked in it for ever, with what it guards half changed. So a child is one of two things:
///
/// * As good as new, if nobody was inside the driver and it had no threads and no helper process: before the first
///   queue and the first build. It may use OpenCL, with the objects of its parent too.
/// * Lost otherwise: `in_forked_child()`. The boundary of the API then touches nothing any more (icd/boundary.h), and
///   what runs there all the same, because a callback has forked, gives nothing back.
///
/// Handlers that take all mutexes before a fork and give them back afterwards would not do: every object has some,
/// the child would still be without the threads, and an application that forks while it holds a lock that one of its
/// callbacks wants would hang.
#pragma once

#include <atomic>

namespace lanewise {

/// From now on every fork marks its child. Called before the first thread or helper process is created; cheap to
/// repeat.
void watch_for_fork();

namespace detail {
enum class ForkState : unsigned char {
  counted,       ///< calls in progress are counted; a fork marks its child if another thread is inside of one
  watched,       ///< `watch_for_fork`
  lost,          ///< a marked child
  lost_in_call,  ///< a marked child in which even platform and device may be half made
};
extern std::atomic<ForkState> fork_state;
}  // namespace detail

/// True in a child that a fork has marked. Nothing may be enqueued, waited for, built or locked there; whoever would
/// have to answers CL_OUT_OF_RESOURCES.
inline bool in_forked_child() {
  return detail::fork_state.load(std::memory_order_relaxed) >= detail::ForkState::lost;
}
/// Whether a marked child may ask for what never changes: configuration, platform and devices.
inline bool forked_child_may_query() {
  return detail::fork_state.load(std::memory_order_relaxed) == detail::ForkState::lost;
}

/// A call of the API, from its first step to its last one. Costs a load once the driver is in full use.
class CallInProgress {
 public:
  CallInProgress() noexcept
      : counted_(detail::fork_state.load(std::memory_order_relaxed) == detail::ForkState::counted) {
    if (counted_) [[unlikely]]
      enter();
  }
  ~CallInProgress() {
    if (counted_) [[unlikely]]
      leave();
  }
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;

 private:
  static void enter() noexcept;
  static void leave() noexcept;

  const bool counted_;
};

}  // namespace lanewise
