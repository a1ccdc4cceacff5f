// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The disk as the preprocessor may see it: directories and regular files, and a record of what it asked for.
///
/// Opening a FIFO, a terminal or a device may wait forever, and reading one may never end, so only regular files and
/// directories exist here, whatever path leads to them. The record is what a cached program depends on. It includes the
/// places where a search found nothing, because a file that appears there later would be found first.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

class SourceFiles final : public llvm::vfs::ProxyFileSystem {
 public:
  /// @param hidden  paths with this prefix are not looked for on disk: they are files in memory, or do not exist
  explicit SourceFiles(std::string hidden);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  /// What was asked for until now, sorted by path. Directories that exist are not part of it.
  [[nodiscard]] std::vector<abi::Dependency> dependencies() const;

  /// Paths that lead to something that is neither a regular file nor a directory, in order.
  [[nodiscard]] const std::vector<std::string>& refused() const { return refused_; }

 private:
  class RegularFile;

  void note(const std::string& path, abi::Dependency::State state);
  void note_refused(const std::string& path);

  std::string hidden_;
  std::map<std::string, abi::Dependency> asked_;
  std::vector<std::string> refused_;
};

}  // namespace lanewise
