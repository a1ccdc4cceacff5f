// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/nodes.h"

#include <sched.h>

#include <algorithm>

namespace lanewise {

namespace {

constexpr std::size_t kLeastCpus = 4;  ///< of a node: to divide among fewer costs more than it saves
constexpr unsigned kMostNodes = 64;

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

}  // namespace

Nodes::Nodes(const host::CpuList& cpus, unsigned wanted, const std::string& root) {
  const std::vector<host::CpuList> nodes = wanted > 1 ? divide(cpus, wanted) : found(cpus, root);
  if (wanted == 1 || nodes.size() < 2) return;
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
