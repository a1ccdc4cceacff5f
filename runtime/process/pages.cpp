// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <new>
#include <vector>

#include "src/base/happens_before.h"
#include "src/base/mutex.h"
#include "src/base/poison.h"
#include "src/base/rounding.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

/// The smallest page that systems have. Where pages are larger, a small block takes a whole one.
constexpr std::size_t kPage = 4096;
/// Up to this size, classes are multiples of a page; above, multiples of an eighth of a power of two.
constexpr std::size_t kFine = 8 * kPage;

std::size_t class_bytes(std::size_t bytes) {
  const std::size_t step = bytes <= kFine ? kPage : std::bit_floor(bytes - 1) / 8;
  return round_up(bytes, step);
}

/// @param bytes  a result of class_bytes, at most kMostLentBytes
std::size_t class_index(std::size_t bytes) {
  if (bytes <= kFine) return bytes / kPage - 1;
  const std::size_t floor = std::bit_floor(bytes - 1);
  const auto octave = static_cast<std::size_t>(std::countr_zero(floor / kFine));
  return 8 + octave * 8 + (bytes - floor) / (floor / 8) - 1;
}

constexpr std::size_t kClasses = 8 + 8 * std::size_t{std::countr_zero(kMostLentBytes / kFine)};

/// Bytes before and behind a block that belong to nobody, which AddressSanitizer knows.
std::size_t surroundings() noexcept {
  return has_address_sanitizer() ? kPage : 0;
}

/// Null: out of memory. Of the block's bytes those from `used` on belong to nobody.
std::byte* map(std::size_t bytes, std::size_t used) noexcept {
  const std::size_t around = surroundings();
  void* address =
      mmap(nullptr, bytes + 2 * around, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  std::byte* block = static_cast<std::byte*>(address) + around;
  poison(address, around);
  poison(block + used, bytes - used + around);
  return block;
}

void unmap(std::byte* block, std::size_t bytes) noexcept {
  const std::size_t around = surroundings();
  unpoison(block - around, bytes + 2 * around);
  munmap(block - around, bytes + 2 * around);
}

class KeptPages {
 public:
  /// The smaller blocks. Never destroyed: objects may be released while the process ends.
  static KeptPages& small() {
    static KeptPages* const kept = make(kMostKeptBytes);
    acquired(kept);
    return *kept;
  }
  /// Those that are lent to the system.
  static KeptPages& lent() {
    static KeptPages* const kept = make(std::min<std::uint64_t>(kMostLentBytes, host::physical_memory() / 8));
    acquired(kept);
    return *kept;
  }
  /// Where a block of this many bytes is kept.
  static KeptPages& of(std::size_t bytes) { return bytes < kLeastLentBytes ? small() : lent(); }

  /// For AddressSanitizer pages are not kept, so that it detects accesses after they have been freed.
  [[nodiscard]] bool keeps(std::size_t bytes) const { return !has_address_sanitizer() && bytes <= limit_; }

  std::byte* take(std::size_t bytes) noexcept {
    const MutexLock lock(mutex_);
    std::vector<std::byte*>& blocks = blocks_[class_index(bytes)];
    if (blocks.empty()) return nullptr;
    std::byte* block = blocks.back();
    blocks.pop_back();
    bytes_ -= bytes;
    --count_;
    return block;
  }

  /// False: the block is not kept.
  bool give(const Pages& pages) noexcept {
    const MutexLock lock(mutex_);
    if (count_ == kMostKeptBlocks || bytes_ + pages.bytes > limit_) return false;
    try {
      blocks_[class_index(pages.bytes)].push_back(pages.data);
    } catch (const std::bad_alloc&) {
      return false;
    }
    bytes_ += pages.bytes;
    ++count_;
    return true;
  }

  void drop() noexcept {
    std::array<std::vector<std::byte*>, kClasses> dropped;
    {
      const MutexLock lock(mutex_);
      dropped.swap(blocks_);
      bytes_ = 0;
      count_ = 0;
    }
    std::size_t bytes = 0;
    for (const auto& blocks : dropped) {
      bytes = class_bytes(bytes + 1);
      for (std::byte* block : blocks) unmap(block, bytes);
    }
  }

  std::size_t bytes() noexcept {
    const MutexLock lock(mutex_);
    return bytes_;
  }

 private:
  explicit KeptPages(std::size_t limit) : limit_(limit) {}
  static KeptPages* make(std::size_t limit) {
    auto* made = new KeptPages(limit);
    released(made);
    return made;
  }

  const std::size_t limit_;  ///< bytes
  Mutex mutex_;              ///< innermost
  std::array<std::vector<std::byte*>, kClasses> blocks_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::size_t count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::size_t page_class(std::size_t bytes) noexcept {
  return class_bytes(std::max<std::size_t>(bytes, 1));
}

Pages take_pages(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX / 2) return {};
  const std::size_t rounded = page_class(bytes);
  if (KeptPages& kept = KeptPages::of(rounded); kept.keeps(rounded))
    if (std::byte* block = kept.take(rounded)) return {block, rounded};
  std::byte* address = map(rounded, bytes);
  if (address == nullptr) {
    drop_kept_pages();  // they may be what a limit of the process counts
    address = map(rounded, bytes);
  }
  if (address == nullptr) return {};
  if (rounded >= kLeastLentBytes) madvise(address, rounded, MADV_HUGEPAGE);
  return {address, rounded};
}

void give_pages(const Pages& pages) noexcept {
  KeptPages& kept = KeptPages::of(pages.bytes);
  // Refused for locked memory, which the system cannot take back.
  const bool lent = pages.bytes < kLeastLentBytes || madvise(pages.data, pages.bytes, MADV_FREE) == 0;
  if (lent && kept.keeps(pages.bytes)) {
    if (kept.give(pages)) return;
    // The kept blocks reach the limit, perhaps with sizes that are no longer in use: free them and keep this one.
    kept.drop();
    if (kept.give(pages)) return;
  }
  unmap(pages.data, pages.bytes);
}

void drop_kept_pages() noexcept {
  KeptPages::small().drop();
  KeptPages::lent().drop();
}

std::size_t kept_page_bytes() noexcept {
  return KeptPages::small().bytes() + KeptPages::lent().bytes();
}

}  // namespace lanewise
