// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cache of compiled programs (design D7): a directory of files with checksums, one per key. A fault of the cache
/// is never an error of a build.
///
/// The key is a hash over every input of a build: the whole request, the identity of the compiler and of the built-in
/// library, and the ABI versions. Entries are written under a temporary name and renamed, so readers need no lock; they
/// contain their key and a checksum, so a damaged entry is a miss; one whose reply its user refuses is made again. The directory must belong to the user and be
/// inaccessible to others, because it holds machine code. Above the size limit the least recently used entries are
/// removed; a file that is not an entry by its name and its first bytes is never touched.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "include/lanewise/compiler_abi.h"
#include "src/base/hash.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// The cache directory that the options and the environment choose, absolute or as given; empty if there is none.
std::string cache_directory();

/// The files of the cache. Any number of threads and processes may use the same directory.
class CacheStore {
 public:
  /// @param limit  bytes that all entries together may take
  CacheStore(std::string directory, std::uint64_t limit) : directory_(std::move(directory)), limit_(limit) {}

  /// The entry, if it exists, is undamaged, and a search for the headers of its build would have the same result today.
  /// Costs a stat for each path where the build found no header, and a read of each file that it included.
  std::optional<abi::Reply> load(const Hash128& key);
  /// Stores an entry. A failure (disk full, read-only, not our directory) is silent; the next build compiles again.
  void store(const Hash128& key, const abi::Reply& reply);

 private:
  bool usable();
  void evict();

  std::string directory_;
  std::uint64_t limit_;
  Mutex mutex_;  ///< nothing is called under it that could block for long
  std::optional<bool> usable_ GUARDED_BY(mutex_);
  unsigned stores_until_scan_ GUARDED_BY(mutex_) = 0;
};

/// The key of a request on this installation.
Hash128 cache_key(const abi::Request& request);

/// The reply from the cache or from the compiler; a successful compile is stored. Simultaneous requests of this process
/// with the same key are compiled once. Blocks the calling thread; holds no lock while it waits. Errors:
/// CL_OUT_OF_RESOURCES in a forked child. A failed build is a reply with a status and a log.
Result<abi::Reply> cached_run(const abi::Request& request);

/// The same from the compiler alone, in place of a reply that cannot be used: its entry in the cache may have been
/// changed, checksum and all. What is stored replaces it.
Result<abi::Reply> run_anew(const abi::Request& request);

/// The answer, if the cache has it.
std::optional<abi::Reply> cached_reply(const abi::Request& request);

}  // namespace lanewise
