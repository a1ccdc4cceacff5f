// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/domains.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "src/host/files.h"

namespace lanewise::host {

namespace {

constexpr std::size_t kLongestList = std::size_t{64} * 1024;  ///< bytes

std::optional<unsigned> take_number(std::string_view& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

unsigned level_of(Domain domain) {
  switch (domain) {
    case Domain::l4_cache:
      return 4;
    case Domain::l3_cache:
      return 3;
    case Domain::l2_cache:
      return 2;
    default:
      return 1;
  }
}

/// The processors that share the data cache of `level` with `cpu`; nothing if it has none.
std::optional<CpuList> cache_sharers(unsigned cpu, unsigned level, const std::string& root) {
  for (int index = 0; index < 8; ++index) {
    const std::string directory =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    const auto found = read_number(directory + "/level");
    if (!found) break;
    if (*found != level || read_text(directory + "/type", 32).value_or("").starts_with("Instruction")) continue;
    const auto list = read_text(directory + "/shared_cpu_list", kLongestList);
    if (list) return parse_cpu_list(*list);
  }
  return std::nullopt;
}

std::vector<CpuList> nodes(const std::string& root) {
  std::vector<CpuList> out;
  const auto online = read_text(root + "/sys/devices/system/node/online", kLongestList);
  for (const unsigned node : parse_cpu_list(online.value_or(""))) {
    const auto list =
        read_text(root + "/sys/devices/system/node/node" + std::to_string(node) + "/cpulist", kLongestList);
    if (list) out.push_back(parse_cpu_list(*list));
  }
  return out;
}

}  // namespace

CpuList parse_cpu_list(std::string_view text) {
  CpuList out;
  while (const auto first = take_number(text)) {
    unsigned last = *first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = take_number(text).value_or(*first);
    }
    for (unsigned cpu = *first; cpu <= last && out.size() < kLongestList; ++cpu) out.push_back(cpu);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<CpuList> group_by(std::span<const unsigned> cpus, Domain domain, const std::string& root) {
  const auto all_nodes = domain == Domain::numa ? nodes(root) : std::vector<CpuList>{};
  const auto sharers = [&](unsigned cpu) -> std::optional<CpuList> {
    if (domain != Domain::numa) return cache_sharers(cpu, level_of(domain), root);
    for (const auto& node : all_nodes)
      if (std::binary_search(node.begin(), node.end(), cpu)) return node;
    return std::nullopt;
  };
  std::vector<CpuList> groups;
  CpuList placed;
  for (const unsigned cpu : cpus) {
    if (std::find(placed.begin(), placed.end(), cpu) != placed.end()) continue;
    const auto shared = sharers(cpu);
    if (!shared || !std::binary_search(shared->begin(), shared->end(), cpu)) return {};
    CpuList group;
    for (const unsigned other : cpus)
      if (std::binary_search(shared->begin(), shared->end(), other)) group.push_back(other);
    placed.insert(placed.end(), group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace lanewise::host
