// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/robustness/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace lanewise::robustness {

std::string file_text(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char part[4096];
  for (ssize_t size; (size = read(file, part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(size));
  close(file);
  return text;
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
