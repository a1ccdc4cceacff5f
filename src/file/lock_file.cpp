// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lanewise::file {

namespace {

/// Above the standard streams, which an application that has closed them may open again.
Descriptor lifted(const Descriptor& low) {
  return Descriptor(fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

}  // namespace

LockFile::LockFile(std::string path, KnownDescriptor descriptor)
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

LockFile::LockFile(LockFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::move(other.descriptor_)),
      owned_(std::exchange(other.owned_, false)) {}

LockFile::~LockFile() {
  if (!owned_) return;
  if (in_place()) unlink(path_.c_str());
  // A forked child may have the descriptor too, so closing it is not enough.
  if (const int number = descriptor_.get(); number >= 0) flock(number, LOCK_UN);
}

std::optional<LockFile> LockFile::open(std::string path) {
  // Not blocking: opening a FIFO would wait.
  const Descriptor low(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY, 0600));
  struct stat info{};
  if (!low || fstat(low.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return std::nullopt;
  Descriptor opened = lifted(low);
  if (!opened) return std::nullopt;
  return LockFile(std::move(path), KnownDescriptor(std::move(opened)));
}

LockFile::State LockFile::try_lock() {
  const int number = descriptor_.get();
  if (number < 0 || !in_place()) return State::ended;
  // Where the system has no locks, nobody works under one.
  if (flock(number, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? State::taken : State::ended;
  if (in_place()) {
    owned_ = true;
    return State::owned;
  }
  flock(number, LOCK_UN);
  return State::ended;
}

bool LockFile::in_place() const {
  struct stat here{};
  struct stat own{};
  return stat(path_.c_str(), &here) == 0 && fstat(descriptor_.get(), &own) == 0 && here.st_dev == own.st_dev &&
         here.st_ino == own.st_ino;
}

}  // namespace lanewise::file
