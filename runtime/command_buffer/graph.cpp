// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/graph.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "runtime/command_buffer/sequence.h"
#include "runtime/exec/worker.h"

namespace lanewise {

Graph::Graph(std::vector<GraphNode> nodes) : nodes_(std::move(nodes)) {
  bool known = true;
  for (const GraphNode& node : nodes_) {
    if (!node.work || node.work->pieces() == 0) continue;
    const std::uint64_t ns = cost_of(*node.work);
    known = known && ns != 0;
    ns_ += ns;
  }
  if (!known) ns_ = 0;
}

cl_int Graph::run(Worker& worker, std::uint64_t /*first*/, std::uint64_t /*last*/) const noexcept {
  return enqueue(worker, {});
}

cl_int Graph::enqueue(Worker& worker, std::span<const Ref<Queue>> queues) const noexcept {
  const Event& parent = *worker.running();
  const std::unique_ptr<Ref<Event>[]> events(new (std::nothrow) Ref<Event>[nodes_.size()]);
  std::size_t most = 0;
  for (const GraphNode& node : nodes_) most = std::max(most, node.after.size());
  const std::unique_ptr<Event*[]> waits(new (std::nothrow) Event*[most]);
  if (events == nullptr || waits == nullptr) return CL_OUT_OF_HOST_MEMORY;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& node = nodes_[i];
    for (std::size_t j = 0; j < node.after.size(); ++j) waits[j] = events[node.after[j]].get();
    Queue& queue = queues.empty() ? *parent.queue() : *queues[node.place];
    auto made = queue.submit_child(
        worker, {.type = parent.type(), .work = node.work.share(), .waits = {waits.get(), node.after.size()}});
    if (!made.ok()) return made.error().code;
    events[i] = std::move(made).value();
  }
  return CL_SUCCESS;
}

cl_int GraphOnQueues::run(Worker& worker, std::uint64_t /*first*/, std::uint64_t /*last*/) const noexcept {
  return static_cast<const Graph&>(*graph_).enqueue(worker, queues_);
}

}  // namespace lanewise
