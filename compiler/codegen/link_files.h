// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files for a linker that only knows names: inputs in memory, output through a pipe. Nothing touches the disk.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <pthread.h>

#include <string>
#include <utility>

#include "src/base/bytes.h"

namespace lanewise {

/// A descriptor that closes itself, and the name under which this process can open it again.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  [[nodiscard]] bool good() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_ = -1;
};

/// An unnamed file in memory with these bytes; not good() without memory or descriptors.
Descriptor memory_file(llvm::StringRef bytes);

/// Collects what is written to `path()`.
///
/// lld replaces a regular output file by a rename, which an unnamed file does not survive; to a pipe it just writes. A
/// thread empties the pipe meanwhile. It stops when told to, not at the pipe's end: a process forked by the application
/// in between may hold the other end open for ever.
class OutputPipe {
 public:
  OutputPipe();
  ~OutputPipe();
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;

  [[nodiscard]] bool good() const { return running_; }
  [[nodiscard]] std::string path() const { return write_.path(); }
  /// Everything written until now. To be called once, after the writer has finished.
  Bytes finish();

 private:
  static void* reader(void* self);
  void read_available();
  void stop();

  Descriptor read_;
  Descriptor write_;
  Descriptor stop_;
  Bytes bytes_;
  pthread_t thread_{};
  bool running_ = false;
};

}  // namespace lanewise
