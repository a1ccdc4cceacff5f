// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/launcher.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "src/host/files.h"

namespace lanewise::host {

namespace {

/// The largest number of a list like "4(x2),3", in which "(x2)" repeats; 0: this is none.
unsigned largest(std::string_view list) {
  constexpr std::uint64_t kMost = 65536;
  std::uint64_t found = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const auto number = parse_number(list.substr(0, comma));
    if (!number || *number > kMost) return 0;
    found = std::max(found, *number);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return static_cast<unsigned>(found);
}

}  // namespace

Launcher read_launcher(const EnvironmentLookup& lookup) {
  Launcher launcher;
  const auto read = [&](const char* variable) {
    const unsigned number = largest(lookup(variable).value_or(""));
    if (number != 0) launcher.variable = variable;
    return number;
  };
  launcher.each = read("SLURM_CPUS_PER_TASK");
  if (launcher.each != 0) return launcher;
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                               "SLURM_STEP_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"}) {
    launcher.processes = read(variable);
    if (launcher.processes != 0) break;
  }
  return launcher;
}

}  // namespace lanewise::host
