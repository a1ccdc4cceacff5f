// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/thread_limits.h"

#include <unistd.h>

#include <algorithm>

#include "src/host/topology.h"

namespace lanewise::host {

unsigned ThreadLimits::usable() const {
  std::uint64_t threads = std::max(1u, allowed);
  if (quota) threads = std::min(threads, *quota);
  if (option != 0) threads = std::min<std::uint64_t>(threads, option);
  return static_cast<unsigned>(threads);
}

std::string ThreadLimits::text() const {
  std::string text =
      std::to_string(allowed) + " of " + std::to_string(std::max(online, allowed)) + " processors allowed";
  if (allowed < online) text += " (affinity mask)";
  if (quota) text += ", a CPU quota of " + std::to_string(*quota) + " (control group)";
  if (option != 0) text += ", LANEWISE_THREADS=" + std::to_string(option);
  return text;
}

ThreadLimits read_thread_limits(unsigned allowed, unsigned option, const std::string& root) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return {.online = online > 0 ? static_cast<unsigned>(online) : allowed,
          .allowed = allowed,
          .quota = cpu_quota(root),
          .option = option};
}

}  // namespace lanewise::host
