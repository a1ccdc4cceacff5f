// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/plan.h"

#include <algorithm>
#include <utility>

#include "runtime/command_buffer/graph.h"
#include "runtime/command_buffer/sequence.h"

namespace lanewise {

namespace {

/// Nanoseconds up to which steps that could run in parallel are still run by one thread.
constexpr std::uint64_t kSharedNs = 30'000;

/// Steps [first, last) that become one node.
struct Segment {
  std::uint32_t first;
  std::uint32_t last;
  std::uint64_t ns;
  bool small;
};

bool has_work(const Step& step) {
  return step.work && step.work->pieces() != 0;
}

std::vector<Segment> divide(std::span<const Step> steps) {
  std::vector<Segment> segments;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const std::uint64_t ns = has_work(step) ? cost_of(*step.work) : 0;
    const bool small = !has_work(step) || (ns != 0 && ns <= kSmallWorkNs && !step.work->has_children());
    if (small && i != 0 && segments.back().small && steps[i - 1].place == step.place) {
      Segment& open = segments.back();
      const bool follows = std::find(step.after.begin(), step.after.end(), i - 1) != step.after.end();
      if (follows || open.ns + ns <= kSharedNs) {
        open.last = i + 1;
        open.ns += ns;
        continue;
      }
    }
    segments.push_back({i, i + 1, ns, small});
  }
  return segments;
}

/// The segments that segment `which` waits for, each once.
std::vector<std::uint32_t> predecessors(std::span<const Step> steps, const Segment& segment, std::uint32_t which,
                                        const std::vector<std::uint32_t>& owner, std::vector<std::uint32_t>& seen) {
  std::vector<std::uint32_t> before;
  for (std::uint32_t i = segment.first; i < segment.last; ++i) {
    for (const std::uint32_t earlier : steps[i].after) {
      const std::uint32_t other = owner[earlier];
      if (other == which || seen[other] == which) continue;
      seen[other] = which;
      before.push_back(other);
    }
  }
  return before;
}

WorkPtr work_of(std::span<const Step> steps, const Segment& segment,
                const std::shared_ptr<std::atomic<bool>>& outgrown) {
  if (segment.last - segment.first == 1) return steps[segment.first].work.share();
  auto sequence = std::make_unique<Sequence>(outgrown);
  for (std::uint32_t i = segment.first; i < segment.last; ++i) sequence->add(steps[i].work.share());
  return sequence;
}

}  // namespace

CommandPlan::CommandPlan(std::span<const Step> steps) : outgrown_(std::make_shared<std::atomic<bool>>(false)) {
  const std::vector<Segment> segments = divide(steps);
  if (segments.empty()) return;
  if (segments.size() == 1 && steps.front().place == 0) {
    whole_ = work_of(steps, segments.front(), outgrown_);
    return;
  }
  std::vector<std::uint32_t> owner(steps.size());
  std::vector<std::uint32_t> seen(segments.size(), ~std::uint32_t{0});
  std::vector<Graph::GraphNode> nodes;
  nodes.reserve(segments.size());
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    std::fill(owner.begin() + segment.first, owner.begin() + segment.last, i);
    nodes.push_back(
        {work_of(steps, segment, outgrown_), steps[segment.first].place, predecessors(steps, segment, i, owner, seen)});
  }
  whole_ = std::make_unique<Graph>(std::move(nodes));
  is_graph_ = true;
}

WorkPtr CommandPlan::work(std::vector<Ref<Queue>> queues) const {
  if (!is_graph_) return work();
  return std::make_unique<GraphOnQueues>(whole_.share(), std::move(queues));
}

}  // namespace lanewise
