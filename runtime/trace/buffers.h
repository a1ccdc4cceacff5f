// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of a trace: for each thread a chain of blocks, which only the thread appends to and any thread reads.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/trace/record.h"

namespace lanewise::trace {

/// All blocks together take no more.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;

/// A block of records, each with its text behind it.
struct Block {
  static constexpr std::size_t kBytes = (std::size_t{64} << 10) - 64;
  std::atomic<Block*> next{nullptr};
  std::atomic<std::size_t> used{0};  ///< bytes that are complete
  alignas(8) std::byte bytes[kBytes];
};

/// The records of one thread. Never freed: the writer may read them at any time.
struct ThreadBuffer {
  pid_t thread = 0;
  std::string name;
  Block first;
  Block* last = &first;          ///< used by the thread only
  ThreadBuffer* next = nullptr;  ///< next in the list of all
};

/// The newest buffer in the list of all; null: there is none.
[[nodiscard]] ThreadBuffer* all_buffers() noexcept;
/// Number of records that were lost because there was no room.
[[nodiscard]] std::uint64_t lost_records() noexcept;

/// Calls `visit(record, text)` for each complete record of a buffer, in the order in which they were added.
template <class Visit>
void for_each_record(const ThreadBuffer& buffer, const Visit& visit);

namespace detail {
/// The head of a record in a block. The text follows, then padding to 8 bytes.
struct Stored {
  Record record;
  std::uint64_t text_bytes = 0;
};
}  // namespace detail

template <class Visit>
void for_each_record(const ThreadBuffer& buffer, const Visit& visit) {
  for (const Block* block = &buffer.first; block != nullptr; block = block->next.load(std::memory_order_acquire)) {
    const std::size_t used = block->used.load(std::memory_order_acquire);
    for (std::size_t at = 0; at < used;) {
      const auto& stored = *reinterpret_cast<const detail::Stored*>(block->bytes + at);
      const auto* text = reinterpret_cast<const char*>(block->bytes + at + sizeof stored);
      visit(stored.record, std::string_view(text, stored.text_bytes));
      at += sizeof stored + (stored.text_bytes + 7) / 8 * 8;
    }
  }
}

}  // namespace lanewise::trace
