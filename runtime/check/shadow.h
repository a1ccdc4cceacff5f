// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=race: the records of who accessed each place of memory last (check_abi.h, race_record).
///
/// A record is FastTrack's epoch (Flanagan and Freund, PLDI 2009): one word that names a work-item and its time, where
/// the time is the number of barriers that its group has passed. Three planes of records are shadow cells as those of
/// ThreadSanitizer (Serebryany and Iskhodzhanov, WBIA 2009), found by an addition and a multiplication: the last write,
/// the reads, and the atomic writes of a cell. As in HiRace (Jacobson, Burtscher and Gopalakrishnan, SC 2024) the
/// readers of a cell are one work-item, several of a group, or several groups, and no list. Code tests and writes
/// records in line and for all lanes at once (compiler/check/races.h); it calls the runtime where a test fails, for
/// atomic operations, and where the memory is not an argument's.
///
/// Two accesses of which one writes, and which are not both atomic, are a race
///
///     of work-items of one group   in the same interval between barriers
///     of two groups                always, in global memory
///
/// Memory of which no argument is written by the kernel has no records. What is lost: numbers of groups beyond the bits
/// of a record, and readers of a cell of which others are known. That hides races and invents none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "include/lanewise/check_abi.h"
#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/kernel_abi.h"
#include "src/base/mutex.h"

namespace lanewise::check {

/// Which accesses meet: those of local memory, of global memory, or of global memory in a kernel without groups
/// (AccessFlag::linear).
enum class Meeting : std::uint8_t { in_group, anywhere, without_groups };

/// Whether two accesses by work-items have no order, `before` being a record or 0. `ordered`: the group of `now` has
/// seen what other groups wrote, by an atomic and a fence.
[[nodiscard]] bool conflicts(std::uint64_t before, std::uint64_t now, Meeting meeting, bool ordered);

/// The records of a cell, one in each plane.
struct RecordCell {
  std::uint64_t* write = nullptr;   ///< the last write that is not atomic
  std::uint64_t* read = nullptr;    ///< who reads
  std::uint64_t* change = nullptr;  ///< who writes by atomic operations
};

/// What is done with an access: it is compared and recorded; or, of a write, it is compared before it is made,
/// recorded, and compared with other writes when it has been made. The lanes of a vector do each step together, so that
/// only in the last one they see each other, and what is there then.
enum class AccessStep : std::uint8_t { whole, announced, recorded, made };

/// One access of a work-item to memory where others may meet it.
struct SharedAccess {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t record = 0;
  bool writes = false;
  bool ordered = false;  ///< parameter of `conflicts`
  Meeting meeting = Meeting::anywhere;
  AccessStep step = AccessStep::whole;
};

/// Does one step of an access to a cell, and returns an earlier access that has no order with it, or 0.
std::uint64_t touch(const RecordCell& cell, const SharedAccess& access);

/// Zeroed memory for records, which goes from one user to the next. Records of earlier users have other epochs, so
/// nobody clears them.
class RecordMemory {
 public:
  RecordMemory() = default;
  /// Without memory `begin` is null.
  explicit RecordMemory(std::uint64_t bytes) noexcept;
  ~RecordMemory();
  RecordMemory(RecordMemory&& other) noexcept;
  RecordMemory& operator=(RecordMemory&& other) noexcept;

  [[nodiscard]] char* begin() const { return block_.begin; }
  [[nodiscard]] std::uint64_t bytes() const { return block_.bytes; }
  /// The epoch in its bits of a record.
  [[nodiscard]] std::uint64_t epoch() const { return std::uint64_t{block_.epoch} << race_record::kEpochShift; }
  /// Makes all records those of an earlier epoch.
  void begin_epoch() noexcept;

 private:
  struct Block {
    char* begin = nullptr;
    std::uint64_t bytes = 0;
    std::uint32_t epoch = 0;  ///< 1 to 255
  };
  friend class RecordPool;
  Block block_;
};

/// The records of one run of a kernel in global memory. Thread-safe.
class RunRecords {
 public:
  /// @param arguments  the memory of each argument
  /// @param variables  memory of the program
  /// May throw std::bad_alloc.
  RunRecords(const abi::KernelInfo& info, std::span<const lanewise_bounds> arguments,
             std::span<const lanewise_bounds> variables);

  /// What code needs to find them; the members for local memory are zeros.
  [[nodiscard]] const lanewise_races& races() const { return races_; }

  /// The cell of an address. Null pointers: nobody watches it. May throw std::bad_alloc.
  RecordCell cell(std::uint64_t address, unsigned granule_log2);

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t shift = 0;  ///< lanewise_races::shifts
    bool written = false;
  };
  void add(const lanewise_bounds& bounds, bool written);
  void merge();

  std::vector<Range> ranges_;  ///< ranges in the order of their begins, without overlap
  std::vector<std::uint64_t> shifts_;
  RecordMemory memory_;
  lanewise_races races_{};
  bool elsewhere_ = false;  ///< the kernel writes to memory that is in no range
  Mutex mutex_;             ///< innermost
  /// Records of memory that is in no range, by number of page.
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint64_t[]>> pages_ GUARDED_BY(mutex_);
};

/// The records that a worker uses while it runs a kernel.
class WorkerRecords {
 public:
  /// To be called before `begin`. Null: nobody looks for races.
  void use(RunRecords* run) { run_ = run; }
  /// Where code finds them, until the next call; null: nobody looks for races. Groups run from now on.
  const lanewise_races* begin(const void* local_memory, std::uint64_t local_bytes) noexcept;
  /// Does a step of an access to all its cells. Returns the first that has no order with it, or 0. May throw
  /// std::bad_alloc.
  std::uint64_t touch(const SharedAccess& access, unsigned granule_log2);

 private:
  RunRecords* run_ = nullptr;
  RecordMemory local_;
  lanewise_races races_{};
};

}  // namespace lanewise::check
