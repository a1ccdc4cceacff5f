// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the text of printf goes: to stdout, in the order of the work-groups, when the command ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/base/mutex.h"

namespace lanewise {

/// The output of one launch. Its memory is bounded: a launch that prints more than `limit` bytes is flushed before it
/// ends, and its text is then in order within each flushed part only.
class PrintSink {
 public:
  static constexpr std::size_t kLimit = std::size_t{16} << 20;

  explicit PrintSink(std::size_t limit = kLimit) : limit_(limit) {}
  /// Called by any thread. False: out of memory, the text is lost.
  bool add(std::uint64_t group, const std::string& text) noexcept;
  /// Writes everything to stdout, ordered by group and within a group in the order of the calls.
  void flush() noexcept;

 private:
  struct Piece {
    std::uint64_t group;
    std::size_t begin;
    std::size_t size;
  };
  void write() noexcept REQUIRES(mutex_);

  const std::size_t limit_;
  Mutex mutex_;
  std::vector<Piece> pieces_ GUARDED_BY(mutex_);
  std::string text_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
