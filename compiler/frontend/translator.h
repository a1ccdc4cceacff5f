// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Client of the SPIR-V translator, which runs in a process of its own (compiler/spirv).
#pragma once

#include <sys/types.h>

#include <string>

#include "compiler/spirv/protocol.h"
#include "src/base/mutex.h"
#include "src/file/file.h"

namespace lanewise {

/// The process is started at the first job and kept; each job is served by a forked copy of it, so that several run at
/// once and none sees what another did. The process ends with its caller.
class Translator {
 public:
  static Translator& instance();

  /// Blocks until there is an answer. If the copy ends without one by itself, the module is the reason, and the answer
  /// includes what the translator printed. If it could not be made, or has been killed or stopped from outside, the job
  /// is done once more, up to four times. Never throws anything but std::bad_alloc. Thread-safe.
  /// @param directory  the driver's private one, with the program
  spirv::Answer run(const std::string& directory, const spirv::Job& job);

 private:
  class Conversation;
  enum class Opened { yes, no_program, lack };

  Opened open(const std::string& directory, Conversation& conversation);
  Opened start(const std::string& directory) REQUIRES(mutex_);
  /// Ends the process, unless another one has taken its place.
  void end(pid_t process);

  Mutex mutex_;  ///< held across the start of the process, never across a job
  file::Descriptor control_ GUARDED_BY(mutex_);
  pid_t process_ GUARDED_BY(mutex_) = 0;
};

}  // namespace lanewise
