// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of the machine that this process may use: processors, memory, caches, clock.
///
/// Functions that read files take the root of the file system as last argument, so that tests can simulate machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanewise::host {

/// The numbers of the processors in the calling thread's affinity mask, ascending; at least one.
std::vector<unsigned> allowed_cpus();

/// How many processors' worth of time the control groups (v1 or v2, with all ancestors) grant, rounded up. Nothing:
/// they set no limit.
std::optional<std::uint64_t> cpu_quota(const std::string& root = "");

/// The useful number of threads: the smallest of `allowed`, the CPU quota of the control group (v1 or v2, with all
/// ancestors; rounded up) and `user_limit` (0: none). At least 1.
unsigned usable_threads(unsigned allowed, unsigned user_limit, const std::string& root = "");

/// The bytes of usable memory: the smaller of `physical` and the limit of the control group (v1 or v2, with all
/// ancestors).
std::uint64_t usable_memory(std::uint64_t physical, const std::string& root = "");
std::uint64_t physical_memory();

/// The bytes of a page, in which the system maps memory: a power of two, at least 4096. Systems for AArch64 have pages
/// of 4, 16 or 64 KiB.
std::size_t page_bytes() noexcept;

/// The caches of a processor.
struct Caches {
  std::uint64_t l1_data = 0;     ///< bytes of one core
  std::uint64_t l2 = 0;          ///< bytes of one core
  std::uint64_t last_level = 0;  ///< bytes of the outermost level that the processor has
  std::uint32_t line = 64;       ///< bytes
};
Caches read_caches(unsigned cpu, const std::string& root = "");

/// The highest clock frequency that the system reports for the processor, in MHz; 0: it reports none.
std::uint32_t max_clock_mhz(unsigned cpu, const std::string& root = "");

}  // namespace lanewise::host
