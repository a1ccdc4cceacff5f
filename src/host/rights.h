// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What decides which files a thread may read, and which files its paths lead to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::host {

/// Two threads with equal rights read the same. What the system does not tell counts as equal: without /proc that is
/// the namespaces other than that of mounts, and the label. Landlock and system-call filters cannot be asked for.
struct Rights {
  std::array<std::uint32_t, 4> users{};   ///< real, effective, saved, of the file system
  std::array<std::uint32_t, 4> groups{};  ///< the same
  std::vector<std::uint32_t> more_groups;
  std::array<std::uint32_t, 6> capabilities{};  ///< effective, permitted, inheritable
  std::array<std::uint64_t, 3> root{};          ///< device, inode, mount; each namespace of mounts has its own mounts
  std::array<std::uint64_t, 4> namespaces{};    ///< inodes: mounts, users, processes, network
  std::string label;                            ///< of a security module, such as AppArmor or SELinux

  bool operator==(const Rights&) const = default;
};

/// Some 15 system calls, 20 µs.
Rights rights_of_this_thread();

/// The part of them that executing a program changes: it makes the ids of the file system the effective ones, and gives
/// root its capabilities back. `take_rights` gives the thread no more than the text says.
std::string text_of_rights(const Rights& rights);
void take_rights(const char* text);

/// Whether the next child would be the first process of a new namespace of processes, whose end ends all others in it.
bool next_child_is_init();

}  // namespace lanewise::host
