// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The edges of the command graph. A dependency is an edge that the *dependent* stores and that is linked into the list
/// of the event that it waits for. An event holds no reference to what it waits for, so destroying a long chain does
/// not recurse.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "src/base/closing_stack.h"
#include "src/base/list.h"

namespace lanewise {

class Dependent;
class Successors;

/// "`dependent` waits for the event in whose list of successors this edge is."
struct Edge {
  Edge* next = nullptr;
  Dependent* dependent = nullptr;
  bool carries_error = false;  ///< true for an edge of a wait list; the order of a queue passes on no errors
};

/// Something that waits for events. Whoever brings the count of open dependencies to zero makes it run.
class Dependent {
 public:
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;

  /// Waits for what has these successors as well (Event::precede). Only allowed while the first dependency, the enqueue
  /// itself, is still open. False: they have been notified already, and there is nothing to wait for.
  bool wait_for(Successors& list, Edge& edge, bool carries_error);
  /// Drops one open dependency; true if it was the last one.
  [[nodiscard]] bool drop_dependency() { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  [[nodiscard]] std::uint32_t open() const { return open_.load(std::memory_order_relaxed); }

  /// An event of its wait list has failed.
  void fail() { error_.store(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, std::memory_order_relaxed); }
  [[nodiscard]] cl_int dependency_error() const { return error_.load(std::memory_order_relaxed); }

  struct InList {
    static Dependent*& of(Dependent& dependent) { return dependent.link_; }
  };

 protected:
  Dependent() = default;
  ~Dependent() = default;

 private:
  std::atomic<std::uint32_t> open_{1};
  std::atomic<cl_int> error_{CL_SUCCESS};
  Dependent* link_ = nullptr;
};

/// Each dependent is in at most one of them.
using DependentList = ForwardList<Dependent, Dependent::InList>;

/// Everything that waits for one event.
class Successors {
 public:
  /// False: the event has ended and its successors have been notified.
  [[nodiscard]] bool add(Edge& edge) { return edges_.push(edge); }
  /// Notifies them, once, of the end of the event, and appends those that became ready to `ready`.
  void tell(cl_int status, DependentList& ready);

 private:
  struct Next {
    static Edge*& of(Edge& edge) { return edge.next; }
  };
  ClosingStack<Edge, Next> edges_;  ///< closed when they are notified
};

/// The edges of one dependent. A few are stored in place, more are allocated.
class Edges {
 public:
  static constexpr std::size_t kInline = 4;

  /// The edge for the order of the queue.
  [[nodiscard]] Edge& order() { return inline_[0]; }
  /// The edges for a wait list, in addition to that one. Null: out of memory.
  [[nodiscard]] Edge* for_waits(std::size_t count) { return count < kInline ? inline_ + 1 : allocate(count); }
  /// All edges in place, for a marker or barrier that collects and so has no wait list.
  [[nodiscard]] Edge* for_order() { return inline_; }
  /// The edges for one that collects more than that. Null: out of memory.
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
