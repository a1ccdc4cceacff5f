// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much of the machine this process may use: processors, memory, caches, clock.
///
/// Every function takes the root of the file system as its last argument, so that tests can show it another machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::host {

/// Numbers of the processors in the calling thread's affinity mask, ascending; at least one.
std::vector<unsigned> allowed_cpus();

/// Threads that make sense: processors allowed ∩ CPU quota of the control group (v1 or v2, every ancestor; rounded up)
/// ∩ `user_limit` (0: none). At least 1.
unsigned usable_threads(unsigned allowed, unsigned user_limit, const std::string& root = "");

/// Bytes of memory: physical ∩ limit of the control group (v1 or v2, every ancestor).
std::uint64_t usable_memory(std::uint64_t physical, const std::string& root = "");
std::uint64_t physical_memory();

struct Caches {
  std::uint64_t l1_data = 0;     ///< bytes, of one core
  std::uint64_t l2 = 0;          ///< bytes, of one core
  std::uint64_t last_level = 0;  ///< bytes, of the outermost level that the processor has
  std::uint32_t line = 64;       ///< bytes
};
Caches read_caches(unsigned cpu, const std::string& root = "");

/// Highest clock frequency in MHz that the system names for the processor; 0 if it names none.
std::uint32_t max_clock_mhz(unsigned cpu, const std::string& root = "");

}  // namespace lanewise::host
