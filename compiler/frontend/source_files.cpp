// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/source_files.h"

#include <fcntl.h>
#include <llvm/Support/Errc.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "src/base/hash.h"

namespace lanewise {
namespace {

using State = abi::Dependency::State;

std::error_code absent() {
  return make_error_code(llvm::errc::no_such_file_or_directory);
}

}  // namespace

/// An open regular file. The hash of what is read from it becomes part of the record.
class SourceFiles::RegularFile final : public llvm::vfs::File {
 public:
  RegularFile(SourceFiles& owner, std::string path, int descriptor, const llvm::sys::fs::file_status& found)
      : owner_(owner),
        path_(std::move(path)),
        descriptor_(descriptor),
        status_(llvm::vfs::Status::copyWithNewName(found, path_)) {}
  ~RegularFile() override { (void)RegularFile::close(); }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool terminated, bool is_volatile) override {
    auto text =
        llvm::MemoryBuffer::getOpenFile(descriptor_, name, static_cast<std::uint64_t>(size), terminated, is_volatile);
    if (!text) return text;
    const llvm::StringRef bytes = (*text)->getBuffer();
    const Hash128 hash = hash_bytes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    owner_.asked_[path_] = {.path = path_, .hash_low = hash.low, .hash_high = hash.high, .state = State::text};
    return text;
  }

  std::error_code close() override {
    if (const int open = std::exchange(descriptor_, -1); open >= 0) ::close(open);
    return {};
  }

 private:
  void setPath(const llvm::Twine& path) override { status_ = llvm::vfs::Status::copyWithNewName(status_, path); }

  SourceFiles& owner_;
  std::string path_;
  int descriptor_;
  llvm::vfs::Status status_;
};

// The process's own file system can be shared, because its working directory is never changed.
SourceFiles::SourceFiles(std::string hidden)
    : ProxyFileSystem(llvm::vfs::getRealFileSystem()), hidden_(std::move(hidden)) {}

llvm::ErrorOr<llvm::vfs::Status> SourceFiles::status(const llvm::Twine& path) {
  const std::string name = path.str();
  if (name.starts_with(hidden_)) return absent();
  auto found = ProxyFileSystem::status(path);
  if (found && found->isDirectory()) return found;
  if (found && found->isRegularFile()) {
    note(name, State::present);
    return found;
  }
  note(name, State::nothing);
  if (!found) return found;
  note_refused(name);
  return absent();
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> SourceFiles::openFileForRead(const llvm::Twine& path) {
  const std::string name = path.str();
  // First check by name, because merely opening a device can have an effect.
  const auto before = status(path);
  if (!before) return before.getError();
  if (before->isDirectory()) {
    note(name, State::no_file);
    return make_error_code(llvm::errc::is_a_directory);
  }
  // Then open without waiting and check again: a FIFO may have taken the file's place.
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return std::error_code(errno, std::generic_category());
  llvm::sys::fs::file_status found;
  if (llvm::sys::fs::status(descriptor, found) || found.type() != llvm::sys::fs::file_type::regular_file) {
    ::close(descriptor);
    return absent();
  }
  return std::make_unique<RegularFile>(*this, name, descriptor, found);
}

std::vector<abi::Dependency> SourceFiles::dependencies() const {
  std::vector<abi::Dependency> all;
  all.reserve(asked_.size());
  for (const auto& [path, dependency] : asked_) all.push_back(dependency);
  return all;
}

/// An entry with a file's hash says more than one that the file exists, so it is never replaced.
void SourceFiles::note(const std::string& path, State state) {
  abi::Dependency& dependency = asked_[path];
  if (dependency.state != State::text || dependency.path.empty()) dependency = {.path = path, .state = state};
}

void SourceFiles::note_refused(const std::string& path) {
  if (std::find(refused_.begin(), refused_.end(), path) == refused_.end()) refused_.push_back(path);
}

}  // namespace lanewise
