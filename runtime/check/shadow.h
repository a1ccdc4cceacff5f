// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=race: who accessed each place of memory last.
///
/// For every four bytes there are three records: of the last write, of the reads and of the atomic writes. The last two
/// are of one work-item, of several of a group, or of several groups. Memory that is also accessed in smaller pieces
/// has them for every byte. A record is one word, so threads exchange it without locks. Two accesses of which one
/// writes, and which are not both atomic, are a race
///
///     of work-items of one group   in the same interval between barriers
///     of two groups                always, in global memory
///
/// What is lost: numbers of groups and intervals beyond the bits of a record, and readers of a place of which others
/// are known. That hides races and invents none.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanewise::check {

/// One access by one work-item.
struct AccessRecord {
  bool atomic = false;
  std::uint32_t item = 0;      ///< linear local id; kSeveralItems: more than one
  std::uint32_t place = 0;     ///< CheckCall::place
  std::uint32_t interval = 0;  ///< barriers passed; kLastInterval and more count as one that is not known
  std::uint32_t group = 0;     ///< linear number, cut to its bits; kSeveralGroups: more than one

  static constexpr std::uint32_t kSeveralItems = (1U << 13U) - 1;
  static constexpr std::uint32_t kLastInterval = (1U << 10U) - 1;
  static constexpr std::uint32_t kSeveralGroups = (1U << 27U) - 1;

  /// Never 0, which is no record.
  [[nodiscard]] std::uint64_t packed() const;
  static AccessRecord of(std::uint64_t packed);
};

/// Whether two accesses by work-items have no order, `before` being recorded and not 0. `ordered`: the group of `now`
/// has seen what other groups wrote, by an atomic and a fence.
[[nodiscard]] bool conflicts(const AccessRecord& before, const AccessRecord& now, bool across_groups, bool ordered);

/// The records of the memory that one launch reaches, made where they are needed. Thread-safe.
class Shadow {
 public:
  struct Cell {
    std::atomic<std::uint64_t> write{0};  ///< not atomic
    std::atomic<std::uint64_t> read{0};
    std::atomic<std::uint64_t> change{0};  ///< atomic writes
  };
  static constexpr std::size_t kPageBytes = std::size_t{16} << 10;  ///< bytes of memory
  static constexpr std::size_t kWord = 4;

  struct Page {
    std::atomic<Page*> next{nullptr};
    std::uint64_t number = 0;
    std::atomic<Cell*> words{nullptr};
    std::atomic<Cell*> bytes{nullptr};  ///< where there are any, they count
  };

  Shadow();
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// The page of an address. A thread keeps those that it used last. May throw std::bad_alloc.
  Page& page(std::uint64_t address);
  /// Forgets all records. Those that other threads add meanwhile may be kept.
  void clear() noexcept;

 private:
  Page& find(std::uint64_t number);

  static constexpr std::size_t kBuckets = 8192;
  const std::uint64_t number_;  ///< no other shadow of the process has it
  std::array<std::atomic<Page*>, kBuckets> buckets_{};
};

/// Records an access to [address, address + bytes) and returns an earlier one that has no order with it, or 0.
/// @param writes         the access writes; otherwise it only reads
/// @param across_groups  groups may meet there
/// @param ordered        as of `conflicts`
/// May throw std::bad_alloc.
std::uint64_t record_access(Shadow& shadow, std::uint64_t address, std::uint64_t bytes, const AccessRecord& now,
                            bool writes, bool across_groups, bool ordered);

}  // namespace lanewise::check
