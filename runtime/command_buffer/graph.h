// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Works with dependencies between them. A run enqueues them as children of the command that it is, and does not wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/exec/queue.h"
#include "runtime/exec/work.h"

namespace lanewise {

class Graph final : public Work {
 public:
  struct Node {
    WorkPtr work;                      ///< null: nothing to do
    std::uint32_t place = 0;           ///< index of its queue
    std::vector<std::uint32_t> after;  ///< the earlier nodes that it waits for
  };
  explicit Graph(std::vector<Node> nodes);

  /// Enqueues all nodes as children of what runs on `worker`: each to the queue of its place, or to that of the parent
  /// where there are none. CL_SUCCESS, or why one could not be enqueued; those before it run then.
  cl_int enqueue(Worker& worker, std::span<const Ref<Queue>> queues) const noexcept;

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return ns_; }
  [[nodiscard]] bool stoppable() const override { return true; }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override;

 private:
  std::vector<Node> nodes_;
  std::uint64_t ns_ = 0;  ///< of all nodes; 0: not known
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
