// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "compiler/tools/info/machine.h"
#include "src/config/config.h"
#include "src/file/cache_place.h"
#include "src/file/file.h"

namespace lanewise::info {

namespace {

struct Content {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// The regular files of a folder whose names end with `suffix`, and of its own folders with `deep`.
Content content_of(const std::string& folder, std::string_view suffix, bool deep) {
  Content found;
  DIR* opened = opendir(folder.c_str());
  if (opened == nullptr) return found;
  while (const dirent* entry = readdir(opened)) {
    const std::string name = entry->d_name;
    struct stat info{};
    if (name == "." || name == ".." || fstatat(dirfd(opened), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(info.st_mode) && deep) {
      const Content inner = content_of(folder + "/" + name, suffix, false);
      found.files += inner.files;
      found.bytes += inner.bytes;
    } else if (S_ISREG(info.st_mode) && name.ends_with(suffix)) {
      ++found.files;
      found.bytes += static_cast<std::uint64_t>(info.st_size);
    }
  }
  closedir(opened);
  return found;
}

/// Why the folder cannot be the cache (file::make_private_directory); empty: it can, or can be made.
Problem fault_of(const std::string& folder) {
  struct stat info{};
  if (stat(folder.c_str(), &info) != 0) {
    if (errno != ENOENT) return {folder + " cannot be reached: " + std::strerror(errno), "set LANEWISE_CACHE_DIR"};
    // As the driver does: rights alone do not tell, for instance below /proc.
    if (file::make_private_directory(folder)) return {};
    return {folder + " cannot be made: " + std::strerror(errno),
            "make it for this user, or set LANEWISE_CACHE_DIR to a folder that can be written"};
  }
  if (!S_ISDIR(info.st_mode)) return {folder + " is no folder", "remove it, or set LANEWISE_CACHE_DIR"};
  if (info.st_uid != geteuid())
    return {
        folder + " belongs to user " + std::to_string(info.st_uid) + ", and this is user " + std::to_string(geteuid()),
        "set LANEWISE_CACHE_DIR to a folder of this user; under sudo, set HOME as well (sudo -H)"};
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return {"others may write to " + folder + ", which would hold machine code", "chmod go-w " + folder};
  if (access(folder.c_str(), W_OK) != 0)
    return {folder + " cannot be written: " + std::strerror(errno), "set LANEWISE_CACHE_DIR to a folder that can"};
  return {};
}

void add_content(Value& cache, const std::string& folder) {
  const Content programs = content_of(folder, ".lwc", false);
  const Content code_objects = content_of(folder + "/code-objects", ".so", false);
  const Content sources = content_of(folder + "/sources", "", true);
  const auto text = [](const Content& content) {
    return std::to_string(content.files) + (content.files == 1 ? " file, " : " files, ") + size_text(content.bytes);
  };
  cache.add("programs", text(programs)).add("code objects", text(code_objects)).add("sources", text(sources));
  cache.add("limit", size_text(config().cache_size));
}

}  // namespace

Value describe_cache(Problems& problems) {
  Value cache;
  const std::string folder = cache_directory();
  cache.add("place", folder.empty() ? "none" : folder);
  Problem fault;
  if (!config().cache) {
    cache.add("used", false).add("why not", "LANEWISE_CACHE=off");
    return cache;
  }
  fault = folder.empty() ? Problem{"neither HOME nor XDG_CACHE_HOME names a folder", "set LANEWISE_CACHE_DIR"}
                         : fault_of(folder);
  cache.add("used", fault.what.empty());
  if (!fault.what.empty()) {
    cache.add("why not", fault.what);
    problems.push_back({"Each process compiles all programs again: " + fault.what, fault.remedy});
    return cache;
  }
  add_content(cache, folder);
  struct statvfs mount{};
  if (statvfs(folder.c_str(), &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0)
    problems.push_back({folder +
                            " is on a file system that allows no code: debuggers and profilers do not find kernels "
                            "after the process has ended",
                        "set LANEWISE_CACHE_DIR to another file system"});
  const CacheLookups lookups = cache_lookups(folder);
  const std::uint64_t all = lookups.found + lookups.missed;
  return cache.add("hits", all == 0 ? "none looked for"
                                    : std::to_string(lookups.found) + " of " + std::to_string(all) + " (" +
                                          std::to_string(lookups.found * 100 / all) + " %)");
}

}  // namespace lanewise::info
