// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/cache_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "src/config/config.h"
#include "src/file/file.h"

namespace lanewise {

namespace {

/// The size of such a file is a count: the system appends a byte for all processes without a lock, and a look at it
/// reads nothing.
constexpr std::array kCounts{"/lookups.missed", "/lookups.found"};
/// From this size of either file on, both are halved.
constexpr off_t kMostCounted = off_t{1} << 16;

/// 0: there is none.
off_t size_of(const std::string& path) {
  struct stat info{};
  return lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) ? info.st_size : 0;
}

}  // namespace

std::string cache_directory() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  if (const char* base = secure_getenv("XDG_CACHE_HOME"); base != nullptr && base[0] == '/')
    return std::string(base) + "/lanewise";
  const char* home = secure_getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/lanewise";
  return {};
}

void count_lookup(const std::string& directory, bool found) noexcept try {
  const std::string path = directory + kCounts[found ? 1 : 0];
  constexpr mode_t kOwner = 0600;
  const file::Descriptor opened(
      open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY, kOwner));
  constexpr std::uint8_t kOne[]{0};
  if (!opened || !file::write_all(opened.get(), kOne) || size_of(path) < kMostCounted) return;
  for (const char* name : kCounts) {
    const std::string each = directory + name;
    static_cast<void>(!truncate(each.c_str(), size_of(each) / 2));
  }
} catch (const std::exception&) {
  return;
}

CacheLookups cache_lookups(const std::string& directory) {
  return {.found = static_cast<std::uint64_t>(size_of(directory + kCounts[1])),
          .missed = static_cast<std::uint64_t>(size_of(directory + kCounts[0]))};
}

}  // namespace lanewise
