// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/thread_limits.h"

#include <unistd.h>

#include <algorithm>

#include "src/host/topology.h"

namespace lanewise::host {

unsigned ThreadLimits::usable() const {
  std::uint64_t threads = std::max(1u, allowed);
  if (quota) threads = std::min(threads, *quota);
  if (option.most != 0) threads = std::min<std::uint64_t>(threads, option.most);
  if (option.share) threads = std::min<std::uint64_t>(threads, share().value_or(threads));
  return static_cast<unsigned>(threads);
}

unsigned ThreadLimits::shared() const {
  const unsigned machine = std::max(online, allowed);
  return static_cast<unsigned>(std::min<std::uint64_t>(machine, quota.value_or(machine)));
}

std::optional<unsigned> ThreadLimits::share() const {
  if (launcher.each != 0) return launcher.each;
  if (launcher.processes == 0) return std::nullopt;
  return std::max(1U, shared() / launcher.processes);
}

std::string ThreadLimits::text() const {
  std::string text =
      std::to_string(allowed) + " of " + std::to_string(std::max(online, allowed)) + " processors allowed";
  if (allowed < online) text += " (affinity mask)";
  if (quota) text += ", a CPU quota of " + std::to_string(*quota) + " (control group)";
  if (option.most != 0) text += ", LANEWISE_THREADS=" + std::to_string(option.most);
  if (option.share) {
    text += ", LANEWISE_THREADS=auto: ";
    const auto part = share();
    text += part ? std::to_string(*part) + " for each process (" + launcher.variable + ")" : "no launcher is known";
  }
  return text;
}

std::string ThreadLimits::hint() const {
  const auto part = share();
  if (option.most != 0 || option.share || !part || usable() <= *part) return {};
  const std::string text = launcher.processes != 0 ? std::to_string(launcher.processes) + " processes share " +
                                                         std::to_string(shared()) + " processors"
                                                   : "this process is to have " + std::to_string(*part);
  return text + " (" + launcher.variable + "), and this one uses " + std::to_string(usable()) +
         "; LANEWISE_THREADS=auto takes its part, " + std::to_string(*part);
}

ThreadLimits thread_limits() {
  const auto allowed = static_cast<unsigned>(allowed_cpus().size());
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return {.online = online > 0 ? static_cast<unsigned>(online) : allowed,
          .allowed = allowed,
          .quota = cpu_quota(),
          .option = config().threads,
          .launcher = read_launcher(from_environment)};
}

}  // namespace lanewise::host
