// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rights of a thread: they decide which files it may read, and which files its paths lead to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::host {

/// The rights. Two threads with equal rights read the same files. Values that the system does not tell count as equal:
/// without /proc, these are the label and all namespaces except that of mounts. Landlock and system-call filters cannot
/// be queried.
struct Rights {
  std::array<std::uint32_t, 4> users{};   ///< user ids: real, effective, saved, of the file system
  std::array<std::uint32_t, 4> groups{};  ///< group ids: real, effective, saved, of the file system
  std::vector<std::uint32_t> more_groups;
  std::array<std::uint32_t, 6> capabilities{};  ///< two words each: effective, permitted, inheritable
  std::array<std::uint64_t, 3>
      root{};  ///< device, inode and mount of the root directory; mounts differ between namespaces
  std::array<std::uint64_t, 4> namespaces{};  ///< inodes of the namespaces of mounts, users, processes, network
  std::string label;                          ///< label of a security module, such as AppArmor or SELinux

  bool operator==(const Rights&) const = default;
};

/// The rights of the calling thread. Costs about 15 system calls, 20 us.
Rights rights_of_this_thread();

/// The text of the rights that executing a program changes: exec makes the effective ids the ids of the file system,
/// and gives root its capabilities back.
std::string text_of_rights(const Rights& rights);
/// Restricts the rights of the calling thread to those of the text.
void take_rights(const char* text);

/// Whether the next child would be the first process of a new namespace of processes. Its end would end all others
/// there.
bool next_child_is_init();

}  // namespace lanewise::host
