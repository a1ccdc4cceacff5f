// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A folder that belongs to this process alone and is removed when the process ends.
///
/// The folder is `<base>/lanewise-<user>/process-XXXXXX`, in a directory that only the user may enter. The process
/// holds a lock on it as long as it lives. A process that ends without cleaning up (a signal, _exit) leaves its folder.
/// The next process that creates a folder there takes the locks of such folders and removes them. Process numbers
/// cannot replace the locks: another container may share the base, and /proc may be missing.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "src/base/mutex.h"
#include "src/file/scarce.h"

namespace lanewise {

class CodeObjectFolder {
 public:
  /// @param bases  directories to try, best first; paths that are not absolute are skipped
  explicit CodeObjectFolder(std::vector<std::string> bases) : bases_(std::move(bases)) {}

  /// The folder, created by the first call; a forked child gets another one. Nothing: no base allows executing files,
  /// or another thread was inside this function when this child was forked.
  std::optional<std::string> path();
  /// Removes the folder if this process created it.
  void remove();

  /// Whether a name is that of an entry that is removed with a folder. No other entry is ever removed.
  static bool is_code_object_name(const std::string& name);  ///< kernel-<number>.so
  static bool is_source_name(const std::string& name);       ///< source-<32 hexadecimal digits>, a folder

 private:
  std::optional<std::string> make_in(const std::string& parent);

  std::vector<std::string> bases_;
  Mutex mutex_ ACQUIRED_AFTER(file::scarce_mutex);  ///< only file-system calls happen under it
  std::string path_ GUARDED_BY(mutex_);
  pid_t owner_ GUARDED_BY(mutex_) = 0;  ///< the process that created the folder
};

/// Directories of this machine that may take a folder of the user, best first; some may not exist.
[[nodiscard]] std::vector<std::string> local_bases();
/// A folder on this machine that belongs to this user alone, not in a network file system; empty: there is none.
[[nodiscard]] std::string local_folder_of_user();
/// Whether files in `folder` can be mapped as code: its mount is not `noexec`, and its path has no `$`, which the
/// dynamic linker would expand.
[[nodiscard]] bool takes_code(const std::string& folder);
/// Whether a file in `folder` stays readable while it is mapped. In a network file system, another machine may remove
/// it.
[[nodiscard]] bool keeps_mapped_files(const std::string& folder);

}  // namespace lanewise
