// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sets of processors that share a part of the memory system.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::host {

/// Processor numbers, ascending.
using CpuList = std::vector<unsigned>;

enum class Domain { numa, l4_cache, l3_cache, l2_cache, l1_cache };

/// Reads Linux's notation: "0-3,8,10-11". Stops at text that does not belong to it.
CpuList parse_cpu_list(std::string_view text);

/// Divides `cpus` into sets that share one instance of `domain` (a data cache or a NUMA node), in the order of their
/// first processors. Empty: the system reports no such domain for one of them.
/// @param root  root of the file system to read; tests give another
std::vector<CpuList> group_by(std::span<const unsigned> cpus, Domain domain, const std::string& root = "");

}  // namespace lanewise::host
