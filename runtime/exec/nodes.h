// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nodes of a device: sets of processors that exchange cache lines faster among themselves than with others. Each
/// node has a part of every launch (parts.h).
///
/// If the system reports one node only, each processor is a node, or each few processors with consecutive numbers are:
/// a processor's own caches are nearer to it than those of its neighbours. Neighbouring work-groups, which may use the
/// same lines, then run on one processor, and the same groups do so launch after launch (docs/scaling.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/host/domains.h"

namespace lanewise {

/// The nodes of one device; constant.
class Nodes {
 public:
  /// @param cpus     the device's processors
  /// @param threads  the largest number of participants
  /// @param wanted   number of nodes; 0: the system's NUMA nodes. If there is one NUMA node only, its last-level
  ///                 caches, if several processors share each; else processors
  /// @param root     directory that contains the system's /sys; tests give another
  Nodes(const host::CpuList& cpus, unsigned threads, unsigned wanted, const std::string& root = "");

  [[nodiscard]] unsigned count() const { return count_; }
  /// The node of the processor on which the calling thread runs.
  [[nodiscard]] unsigned current() const;
  /// The node of a processor.
  [[nodiscard]] unsigned of(unsigned cpu) const { return cpu < node_of_.size() ? node_of_[cpu] : 0; }

 private:
  unsigned count_ = 1;
  std::vector<std::uint16_t> node_of_;  ///< indexed by processor; empty if there is one node
};

/// The node of a participant. The first call of `node` finds it: a participant that runs small commands never asks.
class Home {
 public:
  Home() = default;
  explicit Home(const Nodes& nodes) : nodes_(&nodes) {}

  [[nodiscard]] unsigned node() const {
    if (node_ == kUnknown) node_ = nodes_->current();
    return node_;
  }
  /// Notes that the thread runs on this processor now.
  void move(unsigned cpu) { node_ = nodes_->of(cpu); }
  /// Notes that the thread may run on any processor now.
  void forget() { node_ = kUnknown; }

 private:
  static constexpr unsigned kUnknown = ~0u;
  const Nodes* nodes_ = nullptr;
  mutable unsigned node_ = kUnknown;
};

}  // namespace lanewise
