// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/nodes.h"

#include <sched.h>

#include <algorithm>

namespace lanewise {

namespace {

constexpr std::size_t kLeastCpus = 4;  ///< of a node: to divide among fewer costs more than it saves
constexpr unsigned kMostNodes = 64;
/// On a single node. A thread that has nothing left looks at all parts, and who enqueues prepares all; with more,
/// simulated machines of 32 to 128 processors gained nothing and lost in short launches (docs/scaling.md).
constexpr unsigned kMostShares = 16;

std::vector<host::CpuList> divide(const host::CpuList& cpus, unsigned parts) {
  std::vector<host::CpuList> nodes(std::min<std::size_t>(parts, kMostNodes));
  for (std::size_t i = 0; i < cpus.size(); ++i) nodes[i * nodes.size() / cpus.size()].push_back(cpus[i]);
  return nodes;
}

std::vector<host::CpuList> found(const host::CpuList& cpus, const std::string& root) {
  for (const host::Domain domain : {host::Domain::numa, host::Domain::l3_cache}) {
    std::vector<host::CpuList> nodes = host::group_by(cpus, domain, root);
    if (nodes.size() > 1 && nodes.size() <= kMostNodes && cpus.size() / nodes.size() >= kLeastCpus) return nodes;
  }
  return {};
}

std::vector<host::CpuList> nodes_of(const host::CpuList& cpus, unsigned threads, unsigned wanted,
                                    const std::string& root) {
  if (wanted != 0) return divide(cpus, wanted);
  std::vector<host::CpuList> nodes = found(cpus, root);
  if (!nodes.empty()) return nodes;
  return divide(cpus, std::min({kMostShares, threads, static_cast<unsigned>(cpus.size())}));
}

}  // namespace

Nodes::Nodes(const host::CpuList& cpus, unsigned threads, unsigned wanted, const std::string& root) {
  const std::vector<host::CpuList> nodes = nodes_of(cpus, threads, wanted, root);
  if (nodes.size() < 2) return;
  count_ = static_cast<unsigned>(nodes.size());
  node_of_.resize(*std::max_element(cpus.begin(), cpus.end()) + std::size_t{1});
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const unsigned cpu : nodes[i]) node_of_[cpu] = static_cast<std::uint16_t>(i);
}

unsigned Nodes::current() const {
  if (count_ == 1) return 0;
  const int cpu = sched_getcpu();
  return cpu < 0 ? 0 : of(static_cast<unsigned>(cpu));
}

}  // namespace lanewise
