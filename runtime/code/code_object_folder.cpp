// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/code_object_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "runtime/process/fork_lock.h"
#include "src/config/config.h"
#include "src/file/file.h"

namespace lanewise {

namespace {

constexpr std::string_view kProcess = "process-";
constexpr std::string_view kTemplate = "XXXXXX";
constexpr int kAttempts = 4;

template <class Predicate>
bool has_form(std::string_view name, std::string_view prefix, std::string_view suffix, Predicate&& middle) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix))
    return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  return middle(name);
}

bool all_of(std::string_view text, int (*kind)(int)) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return kind(static_cast<unsigned char>(c)) != 0; });
}

bool is_process_name(std::string_view name) {
  return has_form(name, kProcess, "",
                  [](std::string_view m) { return m.size() == kTemplate.size() && all_of(m, isalnum); });
}

/// Opens a folder of this user. Its descriptor is above those of the standard streams, which the application may have
/// closed and may reopen.
file::Descriptor open_folder(const std::string& path) {
  const file::Descriptor opened(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info{};
  if (!opened || fstat(opened.get(), &info) != 0 || info.st_uid != geteuid()) return {};
  return file::Descriptor(fcntl(opened.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

bool lock(const file::Descriptor& folder) {
  return flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* opened = opendir(folder.c_str());
  if (opened == nullptr) return names;
  while (const dirent* item = readdir(opened)) names.emplace_back(item->d_name);
  closedir(opened);
  return names;
}

/// Removes what this driver puts into such a folder, and the folder if nothing else is in it.
void remove_folder(const std::string& path) {
  for (const std::string& name : names_in(path)) {
    const std::string item = path + "/" + name;
    std::error_code ignored;
    if (CodeObjectFolder::is_code_object_name(name)) unlink(item.c_str());
    if (CodeObjectFolder::is_source_name(name)) std::filesystem::remove_all(item, ignored);
  }
  rmdir(path.c_str());
}

/// Removes the folders whose processes have ended: nobody holds their lock.
void collect(const std::string& parent) {
  for (const std::string& name : names_in(parent)) {
    if (!is_process_name(name)) continue;
    const std::string path = parent + "/" + name;
    const file::Descriptor folder = open_folder(path);
    if (folder && lock(folder)) remove_folder(path);
  }
}

std::string folder_of_user(const std::string& base) {
  return base + "/lanewise-" + std::to_string(geteuid());
}

}  // namespace

std::vector<std::string> local_bases() {
  return {from_environment("XDG_RUNTIME_DIR").value_or(""), from_environment("TMPDIR").value_or(""), "/tmp",
          "/dev/shm"};
}

std::string local_folder_of_user() {
  for (const std::string& base : local_bases()) {
    if (!base.starts_with('/')) continue;
    std::string folder = folder_of_user(base);
    if (file::make_private_directory(folder) && keeps_mapped_files(folder)) return folder;
  }
  return {};
}

bool CodeObjectFolder::is_code_object_name(const std::string& name) {
  return has_form(name, "kernel-", ".so", [](std::string_view m) { return all_of(m, isdigit); });
}

bool CodeObjectFolder::is_source_name(const std::string& name) {
  constexpr std::size_t kDigits = 32;
  return has_form(name, "source-", "", [](std::string_view m) { return m.size() == kDigits && all_of(m, isxdigit); });
}

bool takes_code(const std::string& folder) {
  if (folder.find('$') != std::string::npos) return false;
  struct statvfs flags{};
  return statvfs(folder.c_str(), &flags) == 0 && (flags.f_flag & ST_NOEXEC) == 0;
}

bool keeps_mapped_files(const std::string& folder) {
  struct statfs kind{};
  if (statfs(folder.c_str(), &kind) != 0) return false;
  // Those of <linux/magic.h>, and three that it lacks: GPFS, Lustre, and the older CIFS.
  constexpr unsigned long kNetwork[] = {NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC, AFS_SUPER_MAGIC,
                                        CEPH_SUPER_MAGIC, CODA_SUPER_MAGIC, V9FS_MAGIC,       FUSE_SUPER_MAGIC,
                                        0x47504653,       0x0bd00bd0,       0xff534d42};
  const auto magic = static_cast<unsigned long>(kind.f_type) & 0xffffffffUL;
  return std::find(std::begin(kNetwork), std::end(kNetwork), magic) == std::end(kNetwork);
}

std::optional<std::string> CodeObjectFolder::make_in(const std::string& parent) {
  if (!file::make_private_directory(parent) || !takes_code(parent)) return std::nullopt;
  collect(parent);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string path = parent + "/" + std::string(kProcess) + std::string(kTemplate);
    if (mkdtemp(path.data()) == nullptr) return std::nullopt;
    file::Descriptor folder = open_folder(path);
    struct stat info{};
    // Another process may have removed the folder before it was locked.
    if (folder && lock(folder) && fstat(folder.get(), &info) == 0 && info.st_nlink != 0) {
      (void)folder.release();  // the lock ends with the process
      return path;
    }
    rmdir(path.c_str());
  }
  return std::nullopt;
}

std::optional<std::string> CodeObjectFolder::path() {
  if (!lock_unless_forked(mutex_)) return std::nullopt;
  const MutexLock lock(mutex_, std::adopt_lock);
  // The folder may be gone: an application that closes all descriptors loses the lock.
  if (owner_ == getpid() && access(path_.c_str(), W_OK) == 0) return path_;
  for (const std::string& base : bases_) {
    if (base.empty() || base.front() != '/') continue;
    auto made = make_in(folder_of_user(base));
    if (!made) continue;
    path_ = std::move(*made);
    owner_ = getpid();
    return path_;
  }
  return std::nullopt;
}

void CodeObjectFolder::remove() {
  if (!mutex_.try_lock()) return;  // at exit another thread may be making it
  const MutexLock lock(mutex_, std::adopt_lock);
  if (owner_ != getpid()) return;
  remove_folder(path_);
  owner_ = 0;
}

}  // namespace lanewise
