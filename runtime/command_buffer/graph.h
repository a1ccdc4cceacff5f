// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Graphs of works. A run enqueues the works as children of its command (Queue::submit_child), and does not wait for
/// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/exec/queue.h"
#include "runtime/exec/work.h"

namespace lanewise {

/// A graph: works with dependencies between them.
class Graph final : public Work {
 public:
  struct GraphNode {
    WorkPtr work;                      ///< null: nothing to do
    std::uint32_t place = 0;           ///< index of the queue
    std::vector<std::uint32_t> after;  ///< indices of the earlier nodes that it waits for
  };
  explicit Graph(std::vector<GraphNode> nodes);

  /// Enqueues all nodes as children of the command that runs on `worker`: each to the queue of its place, or to the
  /// queue of the parent if `queues` is empty. Returns CL_SUCCESS, or the error of the first node that could not be
  /// enqueued; the nodes before it run nevertheless.
  cl_int enqueue(Worker& worker, std::span<const Ref<Queue>> queues) const noexcept;

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return ns_; }
  [[nodiscard]] bool stoppable() const override { return true; }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override;

 private:
  std::vector<GraphNode> nodes_;
  std::uint64_t ns_ = 0;  ///< nanoseconds of all nodes; 0: not known
};

/// One run of a graph whose nodes are for several queues.
class GraphOnQueues final : public Work {
 public:
  /// @param graph  a Graph
  GraphOnQueues(WorkPtr graph, std::vector<Ref<Queue>> queues) : graph_(std::move(graph)), queues_(std::move(queues)) {}

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return graph_->piece_ns(); }
  [[nodiscard]] bool stoppable() const override { return true; }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override;

 private:
  WorkPtr graph_;
  std::vector<Ref<Queue>> queues_;
};

}  // namespace lanewise
