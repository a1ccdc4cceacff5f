// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A stack that any thread may add to without a lock, until one closes it and takes what is there.
#pragma once

#include <atomic>
#include <cstddef>

namespace lanewise {

/// The objects contain their links: `Links::of(object)` is the pointer to the next one (list.h). The stack owns nothing.
template <class T, class Links>
class ClosingStack {
 public:
  constexpr ClosingStack() = default;
  ClosingStack(const ClosingStack&) = delete;
  ClosingStack& operator=(const ClosingStack&) = delete;

  /// Any thread. False: it has been closed. Otherwise the object belongs to whoever closes the stack.
  [[nodiscard]] bool push(T& object) {
    T* top = top_.load(std::memory_order_acquire);
    do {
      if (top == mark()) return false;
      Links::of(object) = top;
    } while (!top_.compare_exchange_weak(top, &object, std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
  }
  [[nodiscard]] bool closed() const { return top_.load(std::memory_order_acquire) == mark(); }
  /// From now on nothing can be added. Returns the object that was added last, which leads to the others; null if there
  /// is none, or the stack had been closed before.
  T* close() {
    T* top = top_.exchange(mark(), std::memory_order_acq_rel);
    return top == mark() ? nullptr : top;
  }
  /// The same, but the object that was added first leads to the others.
  T* close_in_order() {
    T* first = nullptr;
    for (T* object = close(); object != nullptr;) {
      T*& link = Links::of(*object);
      T* below = link;
      link = first;
      first = object;
      object = below;
    }
    return first;
  }

 private:
  /// What a closed stack points to. It is compared, and never read: an object cannot lie there.
  static T* mark() { return reinterpret_cast<T*>(&mark_); }
  static inline constinit std::max_align_t mark_{};

  std::atomic<T*> top_{nullptr};
};

}  // namespace lanewise
