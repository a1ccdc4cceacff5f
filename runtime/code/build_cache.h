// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The disk cache around the compiler (design D7).
///
/// One file per entry, `<key>.lwc` in a private directory: magic, version, key, stamps of the toolchain's files, the
/// encoded reply, checksum. Written to a temporary name and renamed; every read is verified in full, so a torn, stale
/// or damaged entry is a miss and is removed. Nothing that goes wrong with the cache is ever an error of a build.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "src/base/hash.h"
#include "src/base/result.h"

namespace lanewise {

struct CacheOptions {
  bool enabled = true;
  std::string directory;                     ///< absolute; empty: no cache
  std::uint64_t limit = std::uint64_t{1} << 30;  ///< bytes; the oldest entries go when it is exceeded
  std::string compiler_directory;            ///< of the compiler library and the built-in libraries: part of the key

  static CacheOptions from_config();
};

namespace code {
struct CacheState;
}

class BuildCache {
 public:
  using Compile = std::function<Result<abi::Reply>(const abi::Request&)>;

  /// `compile` answers what the cache cannot; it is called without any lock held.
  BuildCache(CacheOptions options, Compile compile);
  ~BuildCache();
  BuildCache(const BuildCache&) = delete;
  BuildCache& operator=(const BuildCache&) = delete;

  /// The cache of this process in front of CompilerClient::instance(); never destroyed.
  static BuildCache& instance();

  /// The answer to a request, from the disk or from the compiler. Threads that ask for the same key at the same time
  /// share one compile. Only successful builds are stored. Errors: those of `compile`.
  Result<abi::Reply> run(const abi::Request& request);

  /// Hash over everything that can change the answer: request, ABI versions, compiler and built-in library.
  [[nodiscard]] Hash128 key(const abi::Request& request) const;

  struct Counts {
    std::uint64_t hits = 0, misses = 0, shared = 0, stored = 0, evicted = 0, damaged = 0;
  };
  [[nodiscard]] Counts counts() const;

 private:
  code::CacheState& state() const;

  const CacheOptions options_;
  const Compile compile_;
  mutable std::atomic<code::CacheState*> state_{nullptr};
};

/// `BuildCache::instance().run(request)`: what the program part calls for every compile, link and build.
Result<abi::Reply> cached_run(const abi::Request& request);

}  // namespace lanewise
