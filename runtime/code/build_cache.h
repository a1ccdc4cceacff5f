// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cache of compiled programs (design D7): a directory of files with checksums, one for each key. A fault of the
/// cache is never an error of a build.
///
/// The key is a hash of every input of a build: the whole request (of a job for one kernel the hash of the program's
/// IR), the identity of the compiler and of the built-in library, and the ABI versions. Entries are written under a
/// temporary name and renamed, so readers need no lock. Entries contain their key and a checksum, so a damaged entry is
/// a miss. An entry whose reply its user refuses is compiled again. The directory must belong to the user and be
/// inaccessible to others, because it holds machine code. Above the size limit the least recently used entries are
/// removed. A file whose name or first bytes are not those of an entry is never touched.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/asked_job.h"
#include "runtime/code/compile_turn.h"
#include "src/base/hash.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// The files of the cache. Any number of threads and processes may use the same directory.
class CacheStore {
 public:
  /// @param limit  the largest size of all entries together, in bytes
  CacheStore(std::string directory, std::uint64_t limit) : directory_(std::move(directory)), limit_(limit) {}

  /// Reads an entry. Nothing: it does not exist, is damaged, or a search for the headers of its build would have
  /// another result today. Costs a stat for each path where the build found no header, and a read of each file that it
  /// included.
  std::optional<abi::Reply> load(const Hash128& key);
  /// Whether there is an entry, of whatever content.
  bool has(const Hash128& key);
  /// Stores an entry. A failure (full disk, read-only or foreign directory) is silent; the next build compiles again.
  void store(const Hash128& key, const abi::Reply& reply);
  /// Counts a request that the cache has answered, or has not (cache_place.h).
  void count(bool found);
  /// Waits, for a limited time, while another process of this machine compiles what the entry is to hold.
  CompileTurn turn(const Hash128& key);

 private:
  bool usable();
  void evict();

  std::string directory_;
  std::uint64_t limit_;
  Mutex mutex_;  ///< nothing that may block for long is called under it
  std::optional<bool> usable_ GUARDED_BY(mutex_);
  unsigned stores_until_scan_ GUARDED_BY(mutex_) = 0;
};

/// The IR of an executable, Reply::ir, hashed once for the jobs of all of its kernels.
struct ProgramIr {
  ProgramIr() = default;
  explicit ProgramIr(std::span<const std::uint8_t> ir) : bytes(ir), hash(hash_bytes(ir)) {}

  std::span<const std::uint8_t> bytes;  ///< a view
  Hash128 hash;
};

// In the functions below `ir` is the IR of a job for one kernel, whose request comes without it and gets a copy if the
// compiler has to run; null: the request is complete.

/// The key of a request on this installation.
Hash128 cache_key(const abi::Request& request, const ProgramIr* ir = nullptr);

/// Takes the reply from the cache, or from the compiler and stores it if the compile succeeds. Simultaneous requests
/// of this process with the same key are compiled once, and those of other processes too if they have this cache.
/// Blocks the calling thread; holds no lock while it waits. A failed build is a reply with a status and a log. Errors:
/// CL_OUT_OF_RESOURCES in a forked child.
/// @param asked  nobody waits for the reply until this says so; null: somebody does
Result<abi::Reply> cached_run(const abi::Request& request, const ProgramIr* ir = nullptr,
                              const std::shared_ptr<AskedJob>& asked = nullptr);

/// Takes the reply from the compiler and stores it, because the cached reply cannot be used: somebody may have changed
/// the entry together with its checksum.
Result<abi::Reply> run_anew(const abi::Request& request, const ProgramIr* ir = nullptr,
                            const std::shared_ptr<AskedJob>& asked = nullptr);

/// Whether the cache has an entry for the request with this key, which may turn out to be damaged.
[[nodiscard]] bool is_cached(const Hash128& key);

/// Takes the reply to the request with this key from the cache; nothing: the cache does not have it.
std::optional<abi::Reply> cached_reply(const Hash128& key);

}  // namespace lanewise
