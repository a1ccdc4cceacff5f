// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace lanewise::check {

namespace {

using namespace race_record;

/// Other threads write records too. Which of two is kept does not matter.
std::uint64_t load(const std::uint64_t* record) {
  return __atomic_load_n(record, __ATOMIC_RELAXED);
}
void store(std::uint64_t* record, std::uint64_t value) {
  __atomic_store_n(record, value, __ATOMIC_RELAXED);
}

/// The record of two accesses that are of the same kind.
std::uint64_t joined(std::uint64_t before, std::uint64_t now, Meeting meeting) {
  const std::uint64_t other = before ^ now;
  if (other >> kEpochShift != 0 || other >> kItemShift == 0) return now;
  const std::uint64_t both = now & ~(~before & kAtomic);
  if (meeting == Meeting::without_groups) return both | kSeveralIds;
  if (other >> kGroupShift != 0) return meeting == Meeting::in_group ? now : both | kSeveralGroups;
  return other >> kIntervalShift != 0 ? now : both | kSeveralItems;
}

/// A cell by its number.
RecordCell cell_at(const lanewise_records& records, std::uint64_t cell, unsigned granule_log2) {
  const auto record = [&](unsigned plane) {
    return reinterpret_cast<std::uint64_t*>(records.records + plane * (records.plane >> granule_log2)) + cell;
  };
  return {record(kWrites), record(kReads), record(kChanges)};
}

constexpr std::uint64_t kRecordBytes = sizeof(std::uint64_t);
/// An argument with more is memory of the application, of which nobody knows where it ends.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46U;
constexpr unsigned kPlanes = 3;
/// Bytes of memory whose records are made together.
constexpr std::uint64_t kPageBytes = 4096;
/// Addresses of records are those of memory times a power of two, so ranges begin at multiples of the largest cell.
constexpr std::uint64_t kRangeAlign = 128;

}  // namespace

bool conflicts(std::uint64_t before, std::uint64_t now, Meeting meeting, bool ordered) {
  const std::uint64_t other = before ^ now;
  if (other >> kEpochShift != 0 || (before & now & kAtomic) != 0) return false;
  if (meeting == Meeting::without_groups) return other >> kItemShift != 0;
  if (other >> kGroupShift != 0) return meeting == Meeting::anywhere && !ordered;
  return other >> kIntervalShift == 0 && other >> kItemShift != 0 && (~now & kLastInterval) != 0;
}

std::uint64_t touch(const RecordCell& cell, const SharedAccess& access) {
  std::uint64_t found = 0;
  const auto compare = [&](const std::uint64_t* record) {
    const std::uint64_t before = load(record);
    if (found == 0 && conflicts(before, access.record, access.meeting, access.ordered)) found = before;
  };
  const bool is_atomic = (access.record & kAtomic) != 0;
  if (access.step != AccessStep::recorded) compare(cell.write);
  if (access.step == AccessStep::whole || access.step == AccessStep::announced) {
    if (!is_atomic) compare(cell.change);
    if (access.writes) compare(cell.read);
  }
  if (access.step == AccessStep::announced || access.step == AccessStep::made) return found;
  if (access.writes && !is_atomic) {
    store(cell.write, access.record);
    return found;
  }
  std::uint64_t* record = access.writes ? cell.change : cell.read;
  const std::uint64_t before = load(record);
  if (const std::uint64_t both = joined(before, access.record, access.meeting); both != before) store(record, both);
  return found;
}

/// Blocks that nobody uses.
class RecordPool {
 public:
  /// Never destroyed: threads may use it while the process exits.
  static RecordPool& instance() {
    static auto* const pool = new RecordPool;
    return *pool;
  }
  RecordMemory::Block take(std::uint64_t bytes) noexcept {
    bytes = std::bit_ceil(std::max(bytes, kPageBytes));
    {
      const MutexLock lock(mutex_);
      for (RecordMemory::Block& block : unused_)
        if (block.bytes == bytes) return std::exchange(block, {});
    }
    void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return {};
    madvise(made, bytes, MADV_HUGEPAGE);
    return {.begin = static_cast<char*>(made), .bytes = bytes};
  }
  void give(RecordMemory::Block block) noexcept {
    if (block.begin == nullptr) return;
    if (block.bytes <= kMostBytes) {
      const MutexLock lock(mutex_);
      std::swap(unused_[next_++ % unused_.size()], block);
    }
    if (block.begin != nullptr) munmap(block.begin, block.bytes);
  }

 private:
  /// Larger blocks are not kept; a third of a block has memory at most.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
  Mutex mutex_;  ///< innermost
  std::array<RecordMemory::Block, 4> unused_ GUARDED_BY(mutex_){};
  unsigned next_ GUARDED_BY(mutex_) = 0;
};

RecordMemory::RecordMemory(std::uint64_t bytes) noexcept : block_(RecordPool::instance().take(bytes)) {
  begin_epoch();
}

RecordMemory::~RecordMemory() {
  RecordPool::instance().give(block_);
}

RecordMemory::RecordMemory(RecordMemory&& other) noexcept : block_(std::exchange(other.block_, {})) {}

RecordMemory& RecordMemory::operator=(RecordMemory&& other) noexcept {
  std::swap(block_, other.block_);
  return *this;
}

void RecordMemory::begin_epoch() noexcept {
  if (block_.begin == nullptr) return;
  if (++block_.epoch <= kLastEpoch) return;
  madvise(block_.begin, block_.bytes, MADV_DONTNEED);
  block_.epoch = 1;
}

RunRecords::RunRecords(const abi::KernelInfo& info, std::span<const lanewise_bounds> arguments,
                       std::span<const lanewise_bounds> variables)
    : shifts_(arguments.size(), kNotWatched), elsewhere_(info.writes_elsewhere) {
  const auto is_endless = [&](std::size_t i) { return arguments[i].readable > kMostBytes; };
  for (std::size_t i = 0; i < arguments.size(); ++i) elsewhere_ = elsewhere_ || (is_endless(i) && info.args[i].written);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (info.args[i].kind != abi::ArgKind::local_pointer) add(arguments[i], info.args[i].written || elsewhere_);
  for (const lanewise_bounds& bounds : variables) add(bounds, elsewhere_);
  merge();
  std::uint64_t bytes = 0;
  for (Range& range : ranges_) {
    if (!range.written) continue;
    range.shift = bytes - range.begin;
    bytes += range.end - range.begin;
  }
  const std::uint64_t plane = bytes * kRecordBytes;
  if (bytes != 0) memory_ = RecordMemory(plane * kPlanes);
  races_.shifts = shifts_.data();
  const auto records = reinterpret_cast<std::uintptr_t>(memory_.begin());
  races_.global = {records, records, plane, memory_.epoch()};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (const Range& range : ranges_)
      if (range.written && records != 0 && arguments[i].begin - range.begin < range.end - range.begin)
        shifts_[i] = range.shift;
    if (is_endless(i) && elsewhere_) shifts_[i] = kByCall;
  }
}

void RunRecords::add(const lanewise_bounds& bounds, bool written) {
  const std::uint64_t bytes = std::max(bounds.readable, bounds.writable);
  if (bounds.begin == 0 || bytes == 0 || bytes > kMostBytes) return;
  ranges_.push_back({.begin = bounds.begin / kRangeAlign * kRangeAlign,
                     .end = (bounds.begin + bytes + kRangeAlign - 1) / kRangeAlign * kRangeAlign,
                     .written = written});
}

void RunRecords::merge() {
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range& range : ranges_) {
    if (merged.empty() || merged.back().end <= range.begin) {
      merged.push_back(range);
    } else {
      merged.back().end = std::max(merged.back().end, range.end);
      merged.back().written = merged.back().written || range.written;
    }
  }
  ranges_ = std::move(merged);
}

const lanewise_races* WorkerRecords::begin(const void* local_memory, std::uint64_t local_bytes) noexcept {
  if (run_ == nullptr) return nullptr;
  races_ = run_->races();
  races_.local_shift = kNotWatched;
  if (local_bytes == 0) return &races_;
  const std::uint64_t plane = local_bytes * kRecordBytes;
  if (local_.bytes() < plane * kPlanes)
    local_ = RecordMemory(plane * kPlanes);
  else
    local_.begin_epoch();
  const auto records = reinterpret_cast<std::uintptr_t>(local_.begin());
  if (records == 0) return &races_;
  races_.local = {records, records, plane, local_.epoch()};
  races_.local_shift = 0 - reinterpret_cast<std::uintptr_t>(local_memory);
  return &races_;
}

std::uint64_t WorkerRecords::touch(const SharedAccess& access, unsigned granule_log2) {
  if (run_ == nullptr) return 0;
  const bool in_local = access.meeting == Meeting::in_group;
  if (in_local && (races_.local_shift & kNotWatched) != 0) return 0;
  std::uint64_t found = 0;
  for (std::uint64_t offset = 0; offset < access.bytes; offset += std::uint64_t{1} << granule_log2) {
    const std::uint64_t address = access.address + offset;
    const RecordCell cell = in_local
                                ? cell_at(races_.local, (address + races_.local_shift) >> granule_log2, granule_log2)
                                : run_->cell(address, granule_log2);
    if (cell.write == nullptr) continue;
    const std::uint64_t other = check::touch(cell, access);
    if (found == 0) found = other;
  }
  return found;
}

RecordCell RunRecords::cell(std::uint64_t address, unsigned granule_log2) {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](std::uint64_t at, const Range& range) { return at < range.begin; });
  const Range* range = after == ranges_.begin() ? nullptr : &*std::prev(after);
  if (range != nullptr && address < range->end) {
    if (!range->written || memory_.begin() == nullptr) return {};
    return cell_at(races_.global, (address + range->shift) >> granule_log2, granule_log2);
  }
  if (!elsewhere_) return {};
  const MutexLock lock(mutex_);
  std::unique_ptr<std::uint64_t[]>& page = pages_[address / kPageBytes];
  if (page == nullptr) page = std::make_unique<std::uint64_t[]>(kPageBytes * kPlanes);
  const auto begin = reinterpret_cast<std::uintptr_t>(page.get());
  return cell_at({begin, begin, kPageBytes * kRecordBytes, 0}, address % kPageBytes >> granule_log2, 0);
}

}  // namespace lanewise::check
