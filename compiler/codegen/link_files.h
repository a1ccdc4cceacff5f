// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files for a linker that only knows names: inputs in memory, output through a pipe. Nothing touches the disk.
#pragma once

#include <pthread.h>

#include <string>

#include "src/base/bytes.h"
#include "src/file/file.h"

namespace lanewise {

/// The name under which this process can open a descriptor's file again.
inline std::string path_of(const file::Descriptor& descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor.get());
}

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
  [[nodiscard]] std::string path() const { return path_of(write_); }
  /// Everything written until now. To be called once, after the writer has finished.
  Bytes finish();

 private:
  static void* reader(void* self);
  void read_available();
  void stop();

  file::Descriptor read_;
  file::Descriptor write_;
  file::Descriptor stop_;
  Bytes bytes_;
  pthread_t thread_{};
  bool running_ = false;
};

}  // namespace lanewise
