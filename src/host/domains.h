// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which processors share a part of the memory system.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::host {

/// Processor numbers, ascending.
using CpuList = std::vector<unsigned>;

enum class Domain { numa, l4_cache, l3_cache, l2_cache, l1_cache };

/// The kernel's notation: "0-3,8,10-11". What is not a list gives what was read up to there.
CpuList parse_cpu_list(std::string_view text);

/// `cpus` cut into the sets that share one instance of `domain` (data caches; the node of NUMA), in the order of their
/// first processors. Empty if the system names no such domain for one of them. `root`: of the file system.
std::vector<CpuList> group_by(std::span<const unsigned> cpus, Domain domain, const std::string& root = "");

}  // namespace lanewise::host
