// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an application can see of the tiers: the files of kernel code in its memory.
#pragma once

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace lanewise::test {

/// Files of kernel code that this process has mapped, as /proc lists them.
inline std::set<std::string> code_objects() {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> found;
  // In the cache, or in a folder of this process's own.
  for (std::string line; std::getline(maps, line);)
    if (line.find("r-xp") != std::string::npos &&
        (line.find("/code-objects/") != std::string::npos || line.find("/kernel-") != std::string::npos))
      found.insert(line);
  return found;
}

/// How many there are that are not in `before`. Those of earlier tests may still be unmapped meanwhile, so the total
/// would not be reliable.
inline std::size_t code_objects_since(const std::set<std::string>& before) {
  const auto now = code_objects();
  return static_cast<std::size_t>(
      std::count_if(now.begin(), now.end(), [&](const std::string& file) { return !before.contains(file); }));
}

}  // namespace lanewise::test
