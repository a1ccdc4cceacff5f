// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The edges of the command graph. A dependency is an edge that the *dependent* stores and that hangs in the list of the
/// event that it waits for. An event holds no reference to what it waits for, so a long chain never dies recursively.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace lanewise {

class Dependent;
class Event;

/// "`dependent` waits for the event in whose list of successors this hangs."
struct Edge {
  Edge* next = nullptr;
  Dependent* dependent = nullptr;
  bool carries_error = false;  ///< from a wait list; the order of a queue carries none
};

/// What waits for events. Whoever brings the count of open dependencies to zero makes it run.
class Dependent {
 public:
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;

  /// Waits for `before` as well. Only before the first dependency, which is the enqueue itself, has been dropped.
  void wait_for(Event& before, Edge& edge, bool carries_error);
  /// Drops one open dependency; true if it was the last one.
  [[nodiscard]] bool drop_dependency() { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  [[nodiscard]] std::uint32_t open() const { return open_.load(std::memory_order_relaxed); }

  /// Something of its wait list has failed.
  void fail() { error_.store(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, std::memory_order_relaxed); }
  [[nodiscard]] cl_int dependency_error() const { return error_.load(std::memory_order_relaxed); }

 protected:
  Dependent() = default;
  ~Dependent() = default;

 private:
  friend class DependentList;
  std::atomic<std::uint32_t> open_{1};
  std::atomic<cl_int> error_{CL_SUCCESS};
  Dependent* link_ = nullptr;
};

/// Singly linked queue; each dependent is in at most one.
class DependentList {
 public:
  [[nodiscard]] bool empty() const { return head_ == nullptr; }
  void push(Dependent& dependent) {
    dependent.link_ = nullptr;
    (tail_ != nullptr ? tail_->link_ : head_) = &dependent;
    tail_ = &dependent;
  }
  Dependent* pop() {
    Dependent* first = head_;
    if (first != nullptr) {
      head_ = first->link_;
      if (head_ == nullptr) tail_ = nullptr;
    }
    return first;
  }

 private:
  Dependent* head_ = nullptr;
  Dependent* tail_ = nullptr;
};

/// Who waits for one event.
class Successors {
 public:
  /// False: they have been told.
  [[nodiscard]] bool add(Edge& edge);
  /// Tells them, once, of the end of the event, and appends those that became ready to `ready`.
  void tell(cl_int status, DependentList& ready);

 private:
  std::atomic<Edge*> head_{nullptr};  ///< closed with a sentinel
};

/// Room for the edges of one dependent. A few are part of it.
class Edges {
 public:
  static constexpr std::size_t kInline = 4;

  /// The one for the order of the queue.
  [[nodiscard]] Edge& order() { return inline_[0]; }
  /// For a wait list, beside that one. Null: out of memory.
  [[nodiscard]] Edge* for_waits(std::size_t count) { return count < kInline ? inline_ + 1 : allocate(count); }
  /// All that are part of it: for a marker or barrier that collects, which has no wait list.
  [[nodiscard]] Edge* for_order() { return inline_; }
  /// For one that collects more than that. Null: out of memory.
  [[nodiscard]] Edge* for_order(std::size_t count) { return allocate(count); }

 private:
  Edge* allocate(std::size_t count) {
    more_.reset(new (std::nothrow) Edge[count]);
    return more_.get();
  }

  Edge inline_[kInline];
  std::unique_ptr<Edge[]> more_;
};

}  // namespace lanewise
