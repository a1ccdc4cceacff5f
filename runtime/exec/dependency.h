// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The edges of the command graph. The dependent stores an edge, and the list of the event that it waits for links to
/// the edge. A dependent holds no reference to the events that it waits for, so destroying a long chain does not
/// recurse.
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

/// A dependency: `dependent` waits for the event whose list of successors contains this edge.
struct Edge {
  Edge* next = nullptr;
  Dependent* dependent = nullptr;
  bool carries_error = false;  ///< true for edges of a wait list; the order of a queue passes on no errors
};

/// Something that waits for events: a command. The thread that brings the count of open dependencies to zero makes it
/// run.
class Dependent {
 public:
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;

  /// Adds a dependency on the event that has the successors `list` (Event::precede). Only allowed while the first
  /// dependency, the enqueue itself, is still open. False: the event has ended already, and there is nothing to wait
  /// for.
  bool wait_for(Successors& list, Edge& edge, bool carries_error);
  /// Drops one open dependency; true if it was the last one.
  [[nodiscard]] bool drop_dependency() { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  [[nodiscard]] std::uint32_t open() const { return open_.load(std::memory_order_relaxed); }

  /// Notes that an event of the wait list has failed.
  void fail() { error_.store(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, std::memory_order_relaxed); }
  [[nodiscard]] cl_int dependency_error() const { return error_.load(std::memory_order_relaxed); }

  struct InList {
    static Dependent*& of(Dependent& dependent) { return dependent.link_; }
  };

 protected:
  Dependent() = default;
  ~Dependent() = default;

 private:
  std::atomic<std::uint32_t> open_{1};  ///< open dependencies; the first one is the enqueue itself
  std::atomic<cl_int> error_{CL_SUCCESS};
  Dependent* link_ = nullptr;
};

/// A list of dependents; each dependent is in at most one list.
using DependentList = ForwardList<Dependent, Dependent::InList>;

/// All dependents of one event.
class Successors {
 public:
  /// Adds an edge. False: the event has ended and its successors have been notified.
  [[nodiscard]] bool add(Edge& edge) { return edges_.push(edge); }
  /// Notifies the successors of the end of the event and appends those that became ready to `ready`. Called once.
  void tell(cl_int status, DependentList& ready);

 private:
  struct Next {
    static Edge*& of(Edge& edge) { return edge.next; }
  };
  ClosingStack<Edge, Next> edges_;  ///< closed when the successors are notified
};

/// The edges of one dependent. The first kInline are stored in place, more are allocated.
class Edges {
 public:
  static constexpr std::size_t kInline = 4;

  /// The edge for the order of the queue.
  [[nodiscard]] Edge& order() { return inline_[0]; }
  /// The edges for a wait list of `count` events, beside the edge for the order. Null: out of memory.
  [[nodiscard]] Edge* for_waits(std::size_t count) { return count < kInline ? inline_ + 1 : allocate(count); }
  /// All edges in place, for a marker or barrier that collects at most kInline commands and so has no wait list.
  [[nodiscard]] Edge* for_order() { return inline_; }
  /// The edges for a marker or barrier that collects more commands. Null: out of memory.
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
