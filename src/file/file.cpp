// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>

namespace lanewise::file {

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::optional<Mapping> Mapping::of(int descriptor) {
  struct stat info{};
  if (fstat(descriptor, &info) != 0 || info.st_size <= 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(info.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return std::nullopt;
  return Mapping(static_cast<const std::uint8_t*>(data), size);
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(const_cast<std::uint8_t*>(data_), size_);
}

Descriptor in_memory(const char* name, std::span<const std::uint8_t> bytes) {
  Descriptor made(memfd_create(name, MFD_CLOEXEC));
  if (made && !write_all(made.get(), bytes)) return {};
  return made;
}

Descriptor open_read(const std::string& path, bool must_own) {
  // Not blocking: opening a FIFO would wait for its writer.
  Descriptor opened(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (must_own ? O_NOFOLLOW : 0)));
  if (!opened || !must_own) return opened;
  struct stat info{};
  const bool ours = fstat(opened.get(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                    (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return ours ? std::move(opened) : Descriptor();
}

std::optional<Bytes> read_all(const std::string& path) {
  const Descriptor opened = open_read(path);
  struct stat info{};
  if (!opened || fstat(opened.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return read_all(opened.get());
}

std::optional<Bytes> read_all(int descriptor) {
  Bytes out;
  std::uint8_t block[65536];
  for (;;) {
    const ssize_t got = read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return out;
    out.insert(out.end(), block, block + got);
  }
}

namespace {

/// Beyond RLIMIT_FSIZE a write fails with EFBIG, and by default SIGXFSZ ends the process, even for files in memory. As
/// long as this object exists, writes of this thread only fail.
class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) != 0;
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~FileSizeSignalHeld() {
    const timespec now{};
    if (exceeded_ && !was_pending_) {
      while (sigtimedwait(&set_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;
  void exceeded() { exceeded_ = true; }

 private:
  sigset_t set_{};
  sigset_t before_{};
  bool was_pending_ = false;
  bool exceeded_ = false;
};

}  // namespace

bool write_all(int descriptor, std::span<const std::uint8_t> bytes) {
  FileSizeSignalHeld held;
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EFBIG) held.exceeded();
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_atomically(const std::string& directory, const std::string& name, std::span<const std::uint8_t> bytes) {
  static std::atomic<unsigned> counter{0};
  char suffix[64];
  std::snprintf(suffix, sizeof suffix, ".%d.%u.tmp", getpid(), counter.fetch_add(1, std::memory_order_relaxed));
  const std::string temporary = directory + "/" + name + suffix;
  {
    const Descriptor made(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!made) return false;
    if (!write_all(made.get(), bytes)) {
      unlink(temporary.c_str());
      return false;
    }
  }
  if (rename(temporary.c_str(), (directory + "/" + name).c_str()) == 0) return true;
  unlink(temporary.c_str());
  return false;
}

namespace {

/// A symbolic link is as good as who made it: in a folder that all may write to, others can make one too.
bool is_own_link(const std::string& path) {
  struct stat info{};
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode) && (info.st_uid == geteuid() || info.st_uid == 0);
}

}  // namespace

bool make_private_directory(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string parent = path.substr(0, end);
    if (mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST) break;  // the last mkdir reports it
  }
  // On a read-only mount of NFS the call says EROFS of a folder that is there, because it does not look it up.
  const int refused = mkdir(path.c_str(), 0700) != 0 && errno != EEXIST ? errno : 0;
  const int opened = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (is_own_link(path) ? 0 : O_NOFOLLOW));
  const Descriptor folder(opened);
  if (!folder && refused != 0) errno = refused;
  struct stat info{};
  if (!folder || fstat(folder.get(), &info) != 0) return false;
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace lanewise::file
