// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A folder that belongs to this process alone and is removed when the process ends.
///
/// It is `<base>/lanewise-<user>/process-XXXXXX`, in a directory that only the user may enter, and the process holds a
/// lock on it as long as it lives. A process that ends without cleaning up (a signal, _exit) leaves it behind; the next
/// process that creates a folder there takes the lock of such leftovers and removes them. Process numbers would not do
/// instead of locks: another container may share the base, and /proc may be missing.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "src/base/mutex.h"
#include "src/file/scarce.h"

namespace lanewise {

class ImageFolder {
 public:
  /// @param bases  directories to try, best first; those that are not absolute are skipped
  explicit ImageFolder(std::vector<std::string> bases) : bases_(std::move(bases)) {}

  /// The folder, created at the first call; a forked child gets another one. Nothing if files may be executed in none
  /// of the bases, or, in a forked child, if another thread was inside this function at the fork.
  std::optional<std::string> path();
  /// Removes the folder if this process created it.
  void remove();

  /// The names of what is removed with a folder; nothing else is ever removed.
  static bool is_image_name(const std::string& name);   ///< kernel-<number>.so
  static bool is_source_name(const std::string& name);  ///< source-<32 hexadecimal digits>, a folder

 private:
  std::optional<std::string> make_in(const std::string& parent);

  std::vector<std::string> bases_;
  Mutex mutex_ ACQUIRED_AFTER(file::scarce_mutex);  ///< only file-system calls are made under it
  std::string path_ GUARDED_BY(mutex_);
  pid_t owner_ GUARDED_BY(mutex_) = 0;
};

/// Whether files in `folder` can be mapped as code: it is on no `noexec` mount, and its path has no `$`, which the
/// dynamic linker would expand.
[[nodiscard]] bool takes_code(const std::string& folder);
/// Whether a file stays readable as long as it is mapped: in a network file system another machine may remove it.
[[nodiscard]] bool keeps_mapped_files(const std::string& folder);

}  // namespace lanewise
