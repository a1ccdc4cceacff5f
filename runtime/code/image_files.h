// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names for kernel images and their sources, under which debuggers and profilers find them: they open a library by the
/// name that the dynamic linker was given, in a process of their own, perhaps after this one has ended.
///
/// Images are kept in the cache's folder `images` under their hash, sources of programs built with -g in its folder
/// `sources`; those used least recently go. Without a cache both lie in a folder of this process (image_folder.h). A
/// set-user-ID program has no cache, so the user who starts it cannot choose where its code comes from.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/image_folder.h"
#include "src/base/hash.h"

namespace lanewise {

class ImageFiles {
 public:
  /// @param cache  the cache's folder; empty: none
  /// @param limit  bytes that kept images may take, and a quarter of it sources
  /// @param bases  for the folder of this process, see ImageFolder
  ImageFiles(const std::string& cache, std::uint64_t limit, std::vector<std::string> bases);
  /// As the options say; the folder of this process goes at exit.
  static ImageFiles& instance();

  /// A file of exactly these bytes that stays when the process ends. Nothing where there is no usable cache.
  std::optional<std::string> keep(std::span<const std::uint8_t> elf, const Hash128& hash);
  /// A file of these bytes that nobody else opens, to be removed with `unlink`; it goes when the process ends.
  std::optional<std::string> make_private(std::span<const std::uint8_t> elf);
  /// Writes the source of a request and its embedded headers where a debugger can open them: the folder, for
  /// abi::Request::source_folder. Empty if there is no place.
  std::string publish_sources(const abi::Request& request);

 private:
  void count_store();
  std::string source_folder(const Hash128& hash);

  std::string cache_;
  std::string images_;   ///< empty: there is no cache, or not for code
  std::string sources_;  ///< empty: there is no cache
  std::uint64_t limit_;
  std::atomic<unsigned> stores_{0};
  std::atomic<std::uint64_t> number_{0};  ///< of the next private image
  ImageFolder folder_;
};

}  // namespace lanewise
