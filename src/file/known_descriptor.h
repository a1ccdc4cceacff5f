// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Descriptors that the driver keeps between calls, while the application may close them: programs that become daemons
/// close every number from 3 up, and their next files get the same numbers.
#pragma once

#include <sys/types.h>

#include "src/file/file.h"

namespace lanewise::file {

/// A descriptor that knows its file by device and inode, and neither uses nor closes another file. This tells sockets,
/// pipes and files with or without a name apart, but not eventfds, epolls and other anonymous inodes, which all share
/// one inode. Another thread may still close the number between `get` and the system call.
class KnownDescriptor {
 public:
  KnownDescriptor() = default;
  explicit KnownDescriptor(Descriptor opened);
  KnownDescriptor(KnownDescriptor&& other) noexcept = default;
  KnownDescriptor& operator=(KnownDescriptor&& other) noexcept;
  ~KnownDescriptor();

  /// The number; -1: it is closed, or belongs to another file. Costs an fstat.
  [[nodiscard]] int get() const;

 private:
  Descriptor descriptor_;
  bool known_ = false;  ///< false: fstat failed at the start, so any file counts as the same
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace lanewise::file
