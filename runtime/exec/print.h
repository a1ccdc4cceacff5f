// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf of OpenCL C (6.15.14): turns the records that kernels write (kernel_abi.h) into text, which goes to stdout in
/// the order of the work-groups when the command ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

/// Appends the text of one call. `records` and `count` are those of `lanewise_services::print`. False if the format or
/// an argument is not legal; a specification that cannot be converted is copied as written. May throw std::bad_alloc.
bool format_print(std::string& out, const char* format, std::span<const std::uint8_t> records, std::uint32_t count);

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
  void write() noexcept;

  const std::size_t limit_;
  std::mutex mutex_;
  std::vector<Piece> pieces_;
  std::string text_;
};

/// What `lanewise_worker::services` points to.
const lanewise_services& kernel_services();

}  // namespace lanewise
