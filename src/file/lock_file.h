// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A file whose lock shows other processes of this machine that one of them is at work.
#pragma once

#include <optional>
#include <string>

#include "src/file/known_descriptor.h"

namespace lanewise::file {

/// An empty file with a lock (flock). The lock ends with its owner's process, however that ends, unless the process has
/// forked children that go on. An owner that ends its work removes the file, so whoever gets the lock later can tell a
/// work that ended from an owner that died. No function waits.
class LockFile {
 public:
  /// Opens the file and makes it if it does not exist. Nothing: the folder takes no files, or what has this name is no
  /// file that belongs to this user alone.
  static std::optional<LockFile> open(std::string path);
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();  ///< removes the file and unlocks it, if this object has the lock

  enum class State {
    owned,  ///< this object has the lock: nobody had it, or its owner died
    taken,  ///< another owner is at work
    ended,  ///< the last owner has ended its work
  };
  /// Takes the lock if it is free.
  State try_lock();

 private:
  LockFile(std::string path, KnownDescriptor descriptor);
  /// Whether the path still leads to this file.
  [[nodiscard]] bool in_place() const;

  std::string path_;
  KnownDescriptor descriptor_;
  bool owned_ = false;
};

}  // namespace lanewise::file
