// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/rights.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "src/host/files.h"

namespace lanewise::host {

namespace {

constexpr long kQuery = -1;  // no id: setfsuid and setfsgid change nothing, and return the present one

std::vector<std::uint32_t> more_groups() {
  std::vector<std::uint32_t> groups;
  // Another thread may add some between the two calls.
  for (int turn = 0; turn < 4; ++turn) {
    const int count = getgroups(0, nullptr);
    if (count <= 0) return {};
    groups.resize(static_cast<std::size_t>(count));
    const int got = getgroups(count, groups.data());
    if (got < 0) continue;
    groups.resize(static_cast<std::size_t>(got));
    std::ranges::sort(groups);
    return groups;
  }
  return groups;
}

std::array<std::uint32_t, 6> capabilities() {
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  if (syscall(SYS_capget, &head, sets.data()) != 0) return {};
  return {sets[0].effective, sets[1].effective,   sets[0].permitted,
          sets[1].permitted, sets[0].inheritable, sets[1].inheritable};
}

std::array<std::uint64_t, 3> root() {
  struct statx info{};
  if (statx(AT_FDCWD, "/", AT_STATX_DONT_SYNC, STATX_INO | STATX_MNT_ID, &info) != 0) return {};
  return {std::uint64_t{info.stx_dev_major} << 32 | info.stx_dev_minor, info.stx_ino, info.stx_mnt_id};
}

/// 0 if it cannot be told.
std::uint64_t inode_of(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

}  // namespace

Rights rights_of_this_thread() {
  Rights rights;
  auto& [user, effective_user, saved_user, file_user] = rights.users;
  if (getresuid(&user, &effective_user, &saved_user) != 0) rights.users = {};
  file_user = static_cast<std::uint32_t>(syscall(SYS_setfsuid, kQuery));
  auto& [group, effective_group, saved_group, file_group] = rights.groups;
  if (getresgid(&group, &effective_group, &saved_group) != 0) rights.groups = {};
  file_group = static_cast<std::uint32_t>(syscall(SYS_setfsgid, kQuery));
  rights.more_groups = more_groups();
  rights.capabilities = capabilities();
  rights.root = root();
  const char* const kinds[] = {"mnt", "user", "pid", "net"};
  std::ranges::transform(kinds, rights.namespaces.begin(),
                         [](const char* kind) { return inode_of(std::string("/proc/thread-self/ns/") + kind); });
  rights.label = read_text("/proc/thread-self/attr/current", 256).value_or("");
  return rights;
}

std::string text_of_rights(const Rights& rights) {
  const std::array<std::uint32_t, 6> words{rights.users[3],        rights.groups[3],       rights.capabilities[0],
                                           rights.capabilities[1], rights.capabilities[2], rights.capabilities[3]};
  std::string text;
  for (const std::uint32_t word : words) text += std::to_string(word) + ".";
  return text;
}

void take_rights(const char* text) {
  std::array<std::uint32_t, 6> words{};
  for (std::uint32_t& word : words) {
    char* end = nullptr;
    word = static_cast<std::uint32_t>(strtoul(text, &end, 10));
    if (*end != '.') return;
    text = end + 1;
  }
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  syscall(SYS_setfsgid, words[1]);
  syscall(SYS_setfsuid, words[0]);
  if (syscall(SYS_capget, &head, sets.data()) != 0) return;
  for (unsigned i = 0; i < 2; ++i) {
    sets[i].effective &= words[2 + i] & words[4 + i];
    sets[i].permitted &= words[4 + i];
  }
  syscall(SYS_capset, &head, sets.data());
}

bool next_child_is_init() {
  // Until that child exists the link is there but leads nowhere (before Linux 4.12 there is no link).
  const char* link = "/proc/thread-self/ns/pid_for_children";
  struct stat info{};
  return lstat(link, &info) == 0 && stat(link, &info) != 0 && errno == ENOENT;
}

}  // namespace lanewise::host
