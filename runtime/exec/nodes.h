// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nodes of a device: sets of processors that exchange cache lines faster among themselves than with others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/host/domains.h"

namespace lanewise {

class Nodes {
 public:
  /// @param cpus    those of the device
  /// @param wanted  number of nodes to divide them into; 0: what the system reports, NUMA nodes or, where there is one
  ///                node only, caches of the last level, if several processors share each
  Nodes(const host::CpuList& cpus, unsigned wanted, const std::string& root = "");

  [[nodiscard]] unsigned count() const { return count_; }
  /// That of the processor on which the calling thread runs.
  [[nodiscard]] unsigned current() const;
  [[nodiscard]] unsigned of(unsigned cpu) const { return cpu < node_of_.size() ? node_of_[cpu] : 0; }

 private:
  unsigned count_ = 1;
  std::vector<std::uint16_t> node_of_;  ///< by processor; empty where there is one node
};

}  // namespace lanewise
