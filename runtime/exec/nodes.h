// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nodes of a device: sets of processors that exchange cache lines faster among themselves than with others, each
/// of which has a part of every launch (parts.h).
///
/// Where the system reports one node only, each processor is one, or several that are numbered in a row: its own caches are
/// nearer to it than those of its neighbours. Neighbouring work-groups, which may use the same lines, then run on one
/// processor, and the same groups launch after launch (docs/scaling.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/host/domains.h"

namespace lanewise {

class Nodes {
 public:
  /// @param cpus     those of the device
  /// @param threads  that may take part
  /// @param wanted   number of nodes to divide them into; 0: what the system reports, NUMA nodes or, where there is one
  ///                 node only, caches of the last level, if several processors share each; else processors
  Nodes(const host::CpuList& cpus, unsigned threads, unsigned wanted, const std::string& root = "");

  [[nodiscard]] unsigned count() const { return count_; }
  /// That of the processor on which the calling thread runs.
  [[nodiscard]] unsigned current() const;
  [[nodiscard]] unsigned of(unsigned cpu) const { return cpu < node_of_.size() ? node_of_[cpu] : 0; }

 private:
  unsigned count_ = 1;
  std::vector<std::uint16_t> node_of_;  ///< by processor; empty where there is one node
};

/// The node of a thread that takes part. It is found out where it is first asked for: who runs small commands never asks.
class Home {
 public:
  Home() = default;
  explicit Home(const Nodes& nodes) : nodes_(&nodes) {}

  [[nodiscard]] unsigned node() const {
    if (node_ == kUnknown) node_ = nodes_->current();
    return node_;
  }
  /// The thread runs on this processor now.
  void move(unsigned cpu) { node_ = nodes_->of(cpu); }
  /// The thread may run on any processor now.
  void forget() { node_ = kUnknown; }

 private:
  static constexpr unsigned kUnknown = ~0u;
  const Nodes* nodes_ = nullptr;
  mutable unsigned node_ = kUnknown;
};

}  // namespace lanewise
