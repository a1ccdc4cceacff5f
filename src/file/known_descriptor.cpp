// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/known_descriptor.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace lanewise::file {

KnownDescriptor::KnownDescriptor(Descriptor opened) : descriptor_(std::move(opened)) {
  struct stat info{};
  known_ = descriptor_ && fstat(descriptor_.get(), &info) == 0;
  device_ = info.st_dev;
  inode_ = info.st_ino;
}

KnownDescriptor& KnownDescriptor::operator=(KnownDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(known_, other.known_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

KnownDescriptor::~KnownDescriptor() {
  if (get() < 0) (void)descriptor_.release();
}

int KnownDescriptor::get() const {
  if (!descriptor_ || !known_) return descriptor_.get();
  struct stat info{};
  if (fstat(descriptor_.get(), &info) != 0) return errno == EBADF ? -1 : descriptor_.get();
  return info.st_dev == device_ && info.st_ino == inode_ ? descriptor_.get() : -1;
}

}  // namespace lanewise::file
