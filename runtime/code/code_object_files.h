// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files for code objects and their sources, for debuggers and profilers. These open a library by the path that the
/// dynamic linker was given, in a process of their own, perhaps after this process has ended.
///
/// The cache's folder `images` keeps code objects under their hash, its folder `sources` the sources of programs built
/// with -g. The least recently used files are removed. Without a cache, both are in a folder of this process
/// (code_object_folder.h). A set-user-ID program has no cache, so its user cannot choose where its code comes from.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/code_object_folder.h"
#include "src/base/hash.h"

namespace lanewise {

class CodeObjectFiles {
 public:
  /// @param cache  the cache's folder; empty: there is no cache
  /// @param limit  the largest size of all kept code objects in bytes; sources may take a quarter of that
  /// @param bases  directories for the folder of this process (CodeObjectFolder)
  CodeObjectFiles(const std::string& cache, std::uint64_t limit, std::vector<std::string> bases);
  /// The instance that the options describe. The folder of this process is removed at exit.
  static CodeObjectFiles& instance();

  /// The path of a file of exactly these bytes that stays when the process ends. Nothing: there is no usable cache.
  std::optional<std::string> keep(std::span<const std::uint8_t> elf, const Hash128& hash);
  /// The path of a file of these bytes that nobody else opens. The caller removes it with `unlink`; the end of the
  /// process removes it at the latest. Nothing: no file could be made.
  std::optional<std::string> make_private(std::span<const std::uint8_t> elf);
  /// Writes a source text and its embedded headers for debuggers. Returns the folder for abi::Source::folder; empty:
  /// there is none.
  std::string publish_sources(const abi::Source& source);

 private:
  void count_store();
  std::string source_folder(const Hash128& hash);

  std::string cache_;
  std::string code_objects_;  ///< empty: there is no cache, or it cannot hold code
  std::string sources_;       ///< empty: there is no cache
  std::uint64_t limit_;       ///< bytes
  std::atomic<unsigned> stores_{0};
  std::atomic<std::uint64_t> number_{0};  ///< number of the next private code object
  CodeObjectFolder folder_;
};

}  // namespace lanewise
