// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of the driver after a fork. The child has one thread, none of the driver's, and every mutex that another
/// thread held at that moment stays locked in it forever, with its data half changed. So there are two kinds of
/// children:
///
/// * Usable: no thread was inside the driver, which had no threads and no helper process, because there had been no
///   queue and no build. The child may use OpenCL, even with objects of its parent.
/// * Lost otherwise: `in_forked_child()`. The API boundary then changes nothing any more (icd/boundary.h), and code
///   that runs there nevertheless, because a callback has forked, frees nothing.
///
/// Fork handlers that lock all mutexes before a fork and unlock them afterwards would not be enough: every object has
/// mutexes, the child would still lack the threads, and an application that forks while it holds a lock that one of its
/// callbacks needs would hang.
#pragma once

#include <atomic>

namespace lanewise {

/// After this call every fork marks its child as lost. Called before a thread or helper process is created; cheap to
/// repeat.
void watch_for_fork();

namespace detail {
enum class ForkState : unsigned char {
  counted,       ///< calls in progress are counted; a fork marks its child if another thread is inside a call
  watched,       ///< `watch_for_fork` has been called; every fork marks its child
  lost,          ///< a marked child
  lost_in_call,  ///< a marked child in which even platform and device may be half initialised
};
extern std::atomic<ForkState> fork_state;
}  // namespace detail

/// True in a child that a fork has marked. Nothing may be enqueued, waited for, built or locked there; functions that
/// would have to return CL_OUT_OF_RESOURCES.
inline bool in_forked_child() {
  return detail::fork_state.load(std::memory_order_relaxed) >= detail::ForkState::lost;
}
/// Whether a marked child may still query what never changes: configuration, platform and devices.
inline bool forked_child_may_query() {
  return detail::fork_state.load(std::memory_order_relaxed) == detail::ForkState::lost;
}

/// Exists during each API call. Costs only a load once `watch_for_fork` has been called.
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
