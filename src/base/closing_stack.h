// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A stack to which any thread may add without a lock, until a thread closes it and takes all objects.
#pragma once

#include <atomic>
#include <cstddef>

namespace lanewise {

/// The stack. The objects contain their links: `Links::of(object)` is the pointer to the next object (list.h). The
/// stack owns nothing.
template <class T, class Links>
class ClosingStack {
 public:
  constexpr ClosingStack() = default;
  ClosingStack(const ClosingStack&) = delete;
  ClosingStack& operator=(const ClosingStack&) = delete;

  /// Adds an object, which then belongs to the thread that closes the stack. Thread-safe. False: the stack has been
  /// closed.
  [[nodiscard]] bool push(T& object) {
    T* top = top_.load(std::memory_order_acquire);
    do {
      if (top == mark()) return false;
      Links::of(object) = top;
    } while (!top_.compare_exchange_weak(top, &object, std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
  }
  [[nodiscard]] bool closed() const { return top_.load(std::memory_order_acquire) == mark(); }
  /// Closes the stack: nothing can be added any more. Returns the object that was added last, which links to the
  /// others. Null: there is none, or the stack had been closed before.
  T* close() {
    T* top = top_.exchange(mark(), std::memory_order_acq_rel);
    return top == mark() ? nullptr : top;
  }
  /// Closes the stack. Returns the object that was added first, which links to the others in their order.
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
  /// The address that a closed stack points to. It is compared and never read: no object can lie there.
  static T* mark() { return reinterpret_cast<T*>(&mark_); }
  static inline constinit std::max_align_t mark_{};

  std::atomic<T*> top_{nullptr};
};

}  // namespace lanewise
