// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sink for printf: it writes the text of a launch to stdout when the command ends, in the order of the
/// work-groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/base/mutex.h"

namespace lanewise {

/// The output of one launch. Its memory is bounded: a launch that prints more than `limit` bytes is flushed before its
/// end, and its text is then in order within each flushed part only.
class PrintSink {
 public:
  static constexpr std::size_t kLimit = std::size_t{16} << 20;  ///< bytes

  explicit PrintSink(std::size_t limit = kLimit) : limit_(limit) {}
  /// Adds the text of one call. Thread-safe. False: out of memory, and the text is lost.
  bool add(std::uint64_t group, const std::string& text) noexcept;
  /// Writes all text to stdout, ordered by group and within a group by call.
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
