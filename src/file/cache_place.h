// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the cache of compiled programs lies.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise {

/// The cache directory that the options and the environment choose, absolute or as given; empty: there is no cache.
std::string cache_directory();

/// How often a look into the cache has found a program. Recent ones count: the numbers are halved now and then.
struct CacheLookups {
  std::uint64_t found = 0;
  std::uint64_t missed = 0;
};
/// Adds one to those of a cache directory, for all processes. Nothing happens where that cannot be written.
void count_lookup(const std::string& directory, bool found) noexcept;
CacheLookups cache_lookups(const std::string& directory);

}  // namespace lanewise
