// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/robustness/processes.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace lanewise::robustness {

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<pid_t> processes_named(const std::string& name) {
  const char* tag = std::getenv(kTag);
  const std::string mark = std::string(kTag) + "=" + (tag != nullptr ? tag : "");
  std::vector<pid_t> found;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return found;
  while (const dirent* entry = readdir(proc)) {
    const std::string base = std::string("/proc/") + entry->d_name;
    const auto pid = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
    if (pid <= 1 || pid == getpid() || !file_text(base + "/comm").starts_with(name)) continue;
    const std::string environment = '\0' + file_text(base + "/environ");
    if (environment.find('\0' + mark + '\0') != std::string::npos) found.push_back(pid);
  }
  closedir(proc);
  return found;
}

}  // namespace lanewise::robustness
