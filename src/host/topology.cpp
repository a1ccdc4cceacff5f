// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/topology.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "src/base/rounding.h"
#include "src/host/files.h"
#include "src/host/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lanewise::host {

namespace {

/// Calls `visit(line)` for each line of the text.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Where the files of a control group are: its own directory, and the mount point, which is its topmost ancestor.
struct Group {
  std::string mount;
  std::string path;  ///< below the mount, begins with '/'
};

/// The group of this process for a v1 controller ("cpu", "memory") or, with an empty name, in the v2 hierarchy.
std::optional<Group> find_group(std::string_view controller, const std::string& root) {
  const auto text = read_text(root + "/proc/self/cgroup");
  if (!text) return std::nullopt;
  std::optional<Group> group;
  for_each_line(*text, [&](std::string_view line) {
    // "hierarchy-ID:controller-list:path"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return;
    const std::string controllers = ',' + std::string(line.substr(first + 1, second - first - 1)) + ',';
    const bool matches = controller.empty()
                             ? controllers == ",,"
                             : controllers.find(',' + std::string(controller) + ',') != std::string::npos;
    if (!matches || group) return;
    const std::string mount = root + "/sys/fs/cgroup" + (controller.empty() ? "" : '/' + std::string(controller));
    group = Group{mount, std::string(line.substr(second + 1))};
  });
  return group;
}

/// Visits the directories of the group and of all its ancestors, up to the mount point. A path from another namespace
/// does not exist below the mount point; its missing files are skipped.
template <class Visit>
void for_each_ancestor(const Group& group, Visit&& visit) {
  std::string path = group.path == "/" ? "" : group.path;
  while (true) {
    visit(group.mount + path);
    if (path.empty()) return;
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
}

/// A size in the notation of the cache files, for example "512K".
std::uint64_t parse_size(std::string_view text) {
  const std::uint64_t value = parse_number(text).value_or(0);
  if (text.find('K') != std::string_view::npos) return value << 10;
  if (text.find('M') != std::string_view::npos) return value << 20;
  return value;
}

}  // namespace

std::optional<std::uint64_t> cpu_quota(const std::string& root) {
  std::optional<std::uint64_t> least;
  const auto limit = [&](std::uint64_t quota, std::uint64_t period) {
    if (period == 0) return;
    const std::uint64_t cpus = std::max<std::uint64_t>(1, divide_up(quota, period));
    least = std::min(cpus, least.value_or(cpus));
  };
  if (const auto group = find_group("", root)) {
    for_each_ancestor(*group, [&](const std::string& directory) {
      // "<quota or max> <period>", microseconds
      const auto text = read_text(directory + "/cpu.max", 64);
      if (!text) return;
      const auto quota = parse_number(*text);
      const std::size_t blank = text->find(' ');
      if (!quota || blank == std::string::npos) return;
      limit(*quota, parse_number(std::string_view(*text).substr(blank)).value_or(0));
    });
  }
  if (const auto group = find_group("cpu", root)) {
    for_each_ancestor(*group, [&](const std::string& directory) {
      // -1 means no limit and is not a number here.
      const auto quota = read_number(directory + "/cpu.cfs_quota_us");
      if (quota) limit(*quota, read_number(directory + "/cpu.cfs_period_us").value_or(0));
    });
  }
  return least;
}

std::vector<unsigned> allowed_cpus() {
  std::vector<unsigned> cpus;
  // The kernel refuses masks that are too small for the machine, so larger ones are tried, up to 64 Ki processors.
  for (unsigned capacity = 1024; capacity <= 65536; capacity *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(capacity), [](cpu_set_t* m) { CPU_FREE(m); });
    const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
    if (mask == nullptr || sched_getaffinity(0, bytes, mask.get()) != 0) continue;
    for (unsigned cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask.get())) cpus.push_back(cpu);
    }
    break;
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

unsigned usable_threads(unsigned allowed, unsigned user_limit, const std::string& root) {
  std::uint64_t threads = std::max(1u, allowed);
  threads = std::min(threads, cpu_quota(root).value_or(threads));
  if (user_limit != 0) threads = std::min<std::uint64_t>(threads, user_limit);
  return static_cast<unsigned>(threads);
}

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  if (pages <= 0) return std::uint64_t{1} << 30;
  return static_cast<std::uint64_t>(pages) * page_bytes();
}

std::uint64_t usable_memory(std::uint64_t physical, const std::string& root) {
  std::uint64_t least = physical;
  const auto limit_by = [&](std::string_view controller, const char* file) {
    if (const auto group = find_group(controller, root)) {
      for_each_ancestor(*group, [&](const std::string& directory) {
        const auto limit = read_number(directory + file);
        if (limit && *limit != 0) least = std::min(least, *limit);
      });
    }
  };
  limit_by("", "/memory.max");
  limit_by("memory", "/memory.limit_in_bytes");
  return least;
}

Caches read_caches(unsigned cpu, const std::string& root) {
  Caches caches;
  if (const std::uint32_t line = root.empty() ? data_line_bytes() : 0; line != 0) caches.line = line;
  std::uint64_t outermost = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string directory =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    const auto level = read_number(directory + "/level");
    if (!level) break;
    if (read_text(directory + "/type", 32).value_or("").starts_with("Instruction")) continue;
    const std::uint64_t size = parse_size(read_text(directory + "/size", 32).value_or(""));
    if (*level == 1) {
      caches.l1_data = size;
      const auto line = read_number(directory + "/coherency_line_size");
      if (line && *line != 0) caches.line = static_cast<std::uint32_t>(*line);
    }
    if (*level == 2) caches.l2 = size;
    if (*level >= outermost && size != 0) {
      outermost = *level;
      caches.last_level = size;
    }
  }
  return caches;
}

std::uint32_t max_clock_mhz(unsigned cpu, const std::string& root) {
  const std::string directory = root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
  if (const auto khz = read_number(directory + "/cpufreq/cpuinfo_max_freq"); khz && *khz != 0) {
    return static_cast<std::uint32_t>(*khz / 1000);
  }
#if defined(__x86_64__)
  // Leaf 0x16: EBX is the maximum frequency in MHz, EAX the base frequency. Absent or zero on AMD and in many guests.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (root.empty() && __get_cpuid(0x16, &eax, &ebx, &ecx, &edx) != 0) {
    const unsigned mhz = std::max(eax & 0xffff, ebx & 0xffff);
    if (mhz != 0) return mhz;
  }
#endif
  // For virtual machines: the frequency that the kernel measured.
  std::uint32_t mhz = 0;
  for_each_line(read_text(root + "/proc/cpuinfo").value_or(""), [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (mhz != 0 || !line.starts_with("cpu MHz") || colon == std::string_view::npos) return;
    mhz = static_cast<std::uint32_t>(parse_number(line.substr(colon + 1)).value_or(0));
  });
  return mhz;
}

}  // namespace lanewise::host
