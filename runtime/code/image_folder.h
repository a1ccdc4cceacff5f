// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A folder that belongs to this process alone and goes when it does.
///
/// It lies in `<base>/lanewise-<user>`, which only the user may enter, as `process-XXXXXX`, and the process holds a
/// lock on it as long as it lives. A process that ends without a word (a signal, _exit) leaves it behind; whoever makes
/// the next folder there takes the lock of such leftovers and removes them. Process numbers would not do: another
/// container may share the base, and /proc may be missing.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

class ImageFolder {
 public:
  /// @param bases  where to look for a place, best first: absolute, others are passed over
  explicit ImageFolder(std::vector<std::string> bases) : bases_(std::move(bases)) {}

  /// The folder, made at the first call; in a forked child another one. Nothing where no base takes files that may be
  /// executed. In a forked child also where another thread was inside this function at the fork.
  std::optional<std::string> path();
  /// Removes the folder if this process made it.
  void remove();

  /// The names that are removed with a folder; nothing else ever is.
  static bool is_image_name(const std::string& name);   ///< kernel-<number>.so
  static bool is_source_name(const std::string& name);  ///< source-<32 hexadecimal digits>, a folder

 private:
  std::optional<std::string> make_in(const std::string& parent);

  std::vector<std::string> bases_;
  std::mutex mutex_;  ///< guards what follows; only file-system calls are made under it
  std::string path_;
  pid_t owner_ = 0;
};

/// Whether files in `folder` may be mapped as code: no `noexec` mount; and no `$`, which the dynamic linker would
/// replace in names.
[[nodiscard]] bool takes_code(const std::string& folder);
/// Whether a file stays readable as long as it is mapped: in a network file system another machine may remove it.
[[nodiscard]] bool keeps_mapped_files(const std::string& folder);

}  // namespace lanewise
