// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cache of compiled programs (design D7): a directory of checked files, one per key, never a source of errors.
///
/// The key is a hash over every input of a build: the whole request, the compiler's and the built-in library's identity
/// and the ABI versions. Entries are written under a temporary name and renamed, so readers never lock; they carry
/// their key and a checksum, so damage is a miss. The directory must belong to the user and be closed to others,
/// because it holds machine code. Above its size limit the entries used least recently go; a file there that is not an
/// entry by its name and its first bytes is never touched.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "include/lanewise/compiler_abi.h"
#include "src/base/hash.h"
#include "src/base/result.h"

namespace lanewise {

/// Where the options and the environment want the cache: absolute or as given; empty: nowhere.
std::string cache_directory();

/// The files. Stateless but for bookkeeping of its size; usable from any thread and any number of processes.
class CacheStore {
 public:
  /// @param limit  bytes that all entries together may take
  CacheStore(std::string directory, std::uint64_t limit) : directory_(std::move(directory)), limit_(limit) {}

  /// The entry, if it is there, whole, and its build would find the same files on disk, and not find the same others.
  /// Costs a stat for each place where the build looked in vain, and a read of each file that it included.
  std::optional<abi::Reply> load(const Hash128& key);
  /// Keeps an entry. A failure (disk full, read-only, not our directory) is silent; the next build compiles again.
  void store(const Hash128& key, const abi::Reply& reply);

 private:
  bool usable();
  void evict();

  std::string directory_;
  std::uint64_t limit_;
  std::mutex mutex_;  ///< guards what follows; nothing is called under it that could block for long
  std::optional<bool> usable_;
  unsigned stores_until_scan_ = 0;
};

/// The key of a request on this installation.
Hash128 cache_key(const abi::Request& request);

/// Answers from the cache or from the compiler; a successful compile is kept. Requests with one key that meet in this
/// process are compiled once. Blocks the calling thread, holds no lock while it waits. Errors: CL_OUT_OF_RESOURCES in a
/// forked child. A failed build is a reply with a status and a log.
Result<abi::Reply> cached_run(const abi::Request& request);

}  // namespace lanewise
