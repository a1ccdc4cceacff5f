// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/link_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lanewise {

OutputPipe::OutputPipe() : stop_(eventfd(0, EFD_CLOEXEC)) {
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
    if (poll(waits, 2, -1) < 0 && errno != EINTR) return nullptr;
    pipe.read_available();
    if ((waits[1].revents & POLLIN) != 0) return nullptr;
  }
}

}  // namespace lanewise
