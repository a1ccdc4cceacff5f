// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files for a linker that takes file names only: inputs are in memory, and the output goes through a pipe. The disk is
/// used only where /proc is not mounted, which gives names to the files that a process has open, or the system refuses
/// one of them.
#pragma once

#include <pthread.h>

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
/// in between may hold the other end open forever.
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
  std::atomic<bool> stopping_{false};  ///< set before `stop_` is signalled
  bool running_ = false;
};

/// The inputs and the output of one link.
class LinkFiles {
 public:
  LinkFiles();
  ~LinkFiles();
  LinkFiles(const LinkFiles&) = delete;
  LinkFiles& operator=(const LinkFiles&) = delete;

  /// A name for the input. Empty if there is no memory, no descriptor or no room for it.
  [[nodiscard]] std::string add(std::span<const std::uint8_t> bytes);
  /// Where the linker writes to; empty if there is no such place.
  [[nodiscard]] std::string output() const;
  /// What the linker has written. To be called once, after it.
  Bytes finish();

 private:
  std::optional<OutputPipe> pipe_;
  std::vector<file::Descriptor> inputs_;
  std::string directory_;           ///< a private one, for what has no other place
  std::vector<std::string> names_;  ///< names of the inputs in `directory_`
};

}  // namespace lanewise
