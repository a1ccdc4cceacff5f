// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/link_files.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "src/file/scarce.h"

namespace lanewise {

namespace {

/// A new directory that no other user may access; empty if none can be made.
std::string make_temporary_directory() {
  const char* chosen = secure_getenv("TMPDIR");
  for (const char* base : {chosen, "/dev/shm", "/tmp", "/var/tmp"}) {
    if (base == nullptr || base[0] != '/') continue;
    std::string path = std::string(base) + "/lanewise-link-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) return path;
  }
  return {};
}

}  // namespace

OutputPipe::OutputPipe() : stop_(eventfd(0, EFD_CLOEXEC)) {
  if (poll(nullptr, 0, 0) != 0) return;  // the reader could not wait
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  read_ = file::Descriptor(ends[0]);
  write_ = file::Descriptor(ends[1]);
  if (!stop_ || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return;
  running_ = pthread_create(&thread_, nullptr, reader, this) == 0;
}

OutputPipe::~OutputPipe() {
  stop();
}

void OutputPipe::stop() {
  if (!running_) return;
  stopping_ = true;
  const std::uint64_t one = 1;
  while (write(stop_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  pthread_join(thread_, nullptr);
  running_ = false;
}

Bytes OutputPipe::finish() {
  stop();
  return std::move(bytes_);
}

void OutputPipe::read_available() {
  std::uint8_t block[65536];
  for (;;) {
    const ssize_t got = read(read_.get(), block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    bytes_.insert(bytes_.end(), block, block + got);
  }
}

void* OutputPipe::reader(void* self) {
  auto& pipe = *static_cast<OutputPipe*>(self);
  for (;;) {
    pollfd waits[2] = {{pipe.read_.get(), POLLIN, 0}, {pipe.stop_.get(), POLLIN, 0}};
    const bool stopping = pipe.stopping_;
    // The limit is for systems that refuse the write to `stop_`.
    if (poll(waits, 2, 200) < 0 && errno != EINTR) return nullptr;
    pipe.read_available();
    if (stopping || waits[1].revents != 0) return nullptr;
  }
}

LinkFiles::LinkFiles() {
  file::retry_when_scarce([&] {
    pipe_.emplace();
    return pipe_->good();
  });
  if (pipe_->good() && access(pipe_->path().c_str(), W_OK) == 0) return;
  pipe_.reset();
  directory_ = make_temporary_directory();
}

LinkFiles::~LinkFiles() {
  if (directory_.empty()) return;
  for (const std::string& name : names_) unlink(name.c_str());
  if (!pipe_) unlink(output().c_str());
  rmdir(directory_.c_str());
}

std::string LinkFiles::add(std::span<const std::uint8_t> bytes) {
  if (pipe_) {
    file::Descriptor input = file::retry_when_scarce([&] { return file::in_memory("lanewise", bytes); });
    if (input) return path_of(inputs_.emplace_back(std::move(input)));
    // There may be no files in memory.
    if (directory_.empty()) directory_ = make_temporary_directory();
  }
  if (directory_.empty()) return {};
  const std::string name = std::to_string(names_.size()) + ".o";
  names_.push_back(directory_ + "/" + name);
  return file::write_atomically(directory_, name, bytes) ? names_.back() : std::string();
}

std::string LinkFiles::output() const {
  if (pipe_) return pipe_->path();
  return directory_.empty() ? std::string() : directory_ + "/code-object";
}

Bytes LinkFiles::finish() {
  if (pipe_) return pipe_->finish();
  return file::read_all(output()).value_or(Bytes());
}

}  // namespace lanewise
