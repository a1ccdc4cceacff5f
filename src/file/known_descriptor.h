// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A descriptor that is kept between calls of the application, which may close it: programs that become daemons close
/// every number from 3 up, and what they open next has the numbers of what they closed.
#pragma once

#include <sys/types.h>

#include "src/file/file.h"

namespace lanewise::file {

/// Knows its file by device and inode and neither uses nor closes another one. That tells sockets, pipes, and files with
/// or without a name apart, but not eventfds, epolls and other anonymous inodes, which all share one. Another thread may
/// still close the number between `get` and the system call.
class KnownDescriptor {
 public:
  KnownDescriptor() = default;
  explicit KnownDescriptor(Descriptor opened);
  KnownDescriptor(KnownDescriptor&& other) noexcept = default;
  KnownDescriptor& operator=(KnownDescriptor&& other) noexcept;
  ~KnownDescriptor();

  /// The number; -1 if it is closed, or belongs to another file. Costs an fstat.
  [[nodiscard]] int get() const;

 private:
  Descriptor descriptor_;
  bool known_ = false;  ///< false: the system did not say which file it is, so it is taken for the same
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace lanewise::file
