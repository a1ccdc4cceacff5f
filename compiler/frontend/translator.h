// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Client of the SPIR-V translator, which runs in a process of its own (compiler/spirv).
#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>

#include "compiler/spirv/protocol.h"
#include "src/file/file.h"

namespace lanewise {

/// The process is started at the first job and kept; each job is served by a forked copy of it, so that several run at
/// once and none sees what another did. The process ends with its caller.
class Translator {
 public:
  static Translator& instance();

  /// Blocks until there is an answer. If the copy ends without one, the answer is a failure whose reason includes what
  /// the translator printed. Never throws anything but std::bad_alloc. Thread-safe.
  /// @param directory  the driver's private one, with the program
  spirv::Answer run(const std::string& directory, const spirv::Job& job);

 private:
  struct Conversation {
    file::Descriptor socket;
    file::Descriptor print;  ///< the reading end of a pipe; output that does not fit into it is dropped
  };

  bool open(const std::string& directory, Conversation& conversation);
  bool start(const std::string& directory);

  std::mutex mutex_;  ///< guards what follows; held across the start of the process, never across a job
  file::Descriptor control_;
  pid_t process_ = 0;
};

}  // namespace lanewise
