// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/shadow.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace lanewise::check {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

/// Zeros, of which the system gives only what is used.
Shadow::Cell* new_cells(std::size_t count) {
  static_assert(sizeof(Shadow::Cell) == 24);
  void* cells = std::calloc(count, sizeof(Shadow::Cell));
  if (cells == nullptr) throw std::bad_alloc();
  return static_cast<Shadow::Cell*>(cells);
}

/// The cells, made by the first thread that needs them.
Shadow::Cell* cells_of(std::atomic<Shadow::Cell*>& cells, std::size_t count) {
  Shadow::Cell* there = cells.load(std::memory_order_acquire);
  if (there != nullptr) return there;
  Shadow::Cell* made = new_cells(count);
  if (cells.compare_exchange_strong(there, made, std::memory_order_acq_rel)) return made;
  std::free(made);
  return there;
}

/// Makes a page's records ones of bytes. A record that another thread writes meanwhile may be lost.
Shadow::Cell* refine(Shadow::Page& page) {
  if (Shadow::Cell* there = page.bytes.load(std::memory_order_acquire)) return there;
  Shadow::Cell* fine = new_cells(Shadow::kPageBytes);
  if (const Shadow::Cell* words = page.words.load(std::memory_order_acquire); words != nullptr) {
    for (std::size_t i = 0; i < Shadow::kPageBytes; ++i) {
      fine[i].write.store(words[i / Shadow::kWord].write.load(kRelaxed), kRelaxed);
      fine[i].read.store(words[i / Shadow::kWord].read.load(kRelaxed), kRelaxed);
      fine[i].change.store(words[i / Shadow::kWord].change.load(kRelaxed), kRelaxed);
    }
  }
  Shadow::Cell* there = nullptr;
  if (page.bytes.compare_exchange_strong(there, fine, std::memory_order_acq_rel)) return fine;
  std::free(fine);
  return there;
}

/// Those that read a place, or change it by atomic operations, are one work-item, several of a group, or several
/// groups.
std::uint64_t joined(std::uint64_t before, const AccessRecord& now, std::uint64_t packed) {
  if (before == 0 || before == packed) return packed;
  const AccessRecord old = AccessRecord::of(before);
  AccessRecord both = now;
  if (old.group != now.group) {
    both.group = AccessRecord::kSeveralGroups;
    both.atomic = old.atomic && now.atomic;
  } else if (old.interval == now.interval && old.item != now.item) {
    both.item = AccessRecord::kSeveralItems;
    both.atomic = old.atomic && now.atomic;
  }
  return both.packed();
}

std::uint64_t touch(Shadow::Cell& cell, const AccessRecord& now, std::uint64_t packed, bool writes, bool across_groups,
                    bool ordered) {
  std::uint64_t found = 0;
  const auto compare = [&](const std::atomic<std::uint64_t>& record) {
    const std::uint64_t before = record.load(kRelaxed);
    if (found == 0 && before != 0 && before != packed &&
        conflicts(AccessRecord::of(before), now, across_groups, ordered))
      found = before;
    return before;
  };
  compare(cell.write);
  if (!now.atomic) compare(cell.change);
  if (!writes) {
    const std::uint64_t read = cell.read.load(kRelaxed);
    if (read != packed) cell.read.store(joined(read, now, packed), kRelaxed);
    return found;
  }
  compare(cell.read);
  if (!now.atomic) {
    cell.write.store(packed, kRelaxed);
  } else if (const std::uint64_t change = cell.change.load(kRelaxed); change != packed) {
    cell.change.store(joined(change, now, packed), kRelaxed);
  }
  return found;
}

}  // namespace

std::uint64_t AccessRecord::packed() const {
  return std::uint64_t{1} << 63U | std::uint64_t{atomic} << 62U | std::uint64_t{item & kSeveralItems} << 49U |
         std::uint64_t{place & 4095U} << 37U | std::uint64_t{std::min(interval, kLastInterval)} << 27U |
         (group & kSeveralGroups);
}

AccessRecord AccessRecord::of(std::uint64_t packed) {
  return {.atomic = (packed >> 62U & 1U) != 0,
          .item = static_cast<std::uint32_t>(packed >> 49U) & kSeveralItems,
          .place = static_cast<std::uint32_t>(packed >> 37U) & 4095U,
          .interval = static_cast<std::uint32_t>(packed >> 27U) & kLastInterval,
          .group = static_cast<std::uint32_t>(packed) & kSeveralGroups};
}

bool conflicts(const AccessRecord& before, const AccessRecord& now, bool across_groups, bool ordered) {
  if (before.atomic && now.atomic) return false;
  if (before.group == (now.group & AccessRecord::kSeveralGroups)) {
    const std::uint32_t interval = std::min(now.interval, AccessRecord::kLastInterval);
    return before.item != now.item && before.interval == interval && interval != AccessRecord::kLastInterval;
  }
  return across_groups && !ordered;
}

Shadow::Shadow()
    : number_([] {
        static constinit std::atomic<std::uint64_t> next{1};
        return next.fetch_add(1, kRelaxed);
      }()) {}

Shadow::~Shadow() {
  for (std::atomic<Page*>& bucket : buckets_) {
    for (Page* page = bucket.load(kRelaxed); page != nullptr;) {
      Page* next = page->next.load(kRelaxed);
      std::free(page->words.load(kRelaxed));
      std::free(page->bytes.load(kRelaxed));
      delete page;
      page = next;
    }
  }
}

void Shadow::clear() noexcept {
  const auto forget = [](Cell* cells, std::size_t count) {
    for (std::size_t i = 0; cells != nullptr && i < count; ++i) {
      cells[i].write.store(0, kRelaxed);
      cells[i].read.store(0, kRelaxed);
      cells[i].change.store(0, kRelaxed);
    }
  };
  for (std::atomic<Page*>& bucket : buckets_) {
    for (Page* page = bucket.load(std::memory_order_acquire); page != nullptr; page = page->next.load(kRelaxed)) {
      forget(page->words.load(std::memory_order_acquire), kPageBytes / kWord);
      forget(page->bytes.load(std::memory_order_acquire), kPageBytes);
    }
  }
}

Shadow::Page& Shadow::page(std::uint64_t address) {
  struct Last {
    std::uint64_t shadow = 0;
    std::uint64_t page = 0;
    Page* found = nullptr;
  };
  static constinit thread_local std::array<Last, 16> last_pages{};
  const std::uint64_t number = address / kPageBytes;
  Last& last = last_pages[number % last_pages.size()];
  if (last.shadow != number_ || last.page != number) last = {number_, number, &find(number)};
  return *last.found;
}

Shadow::Page& Shadow::find(std::uint64_t number) {
  std::atomic<Page*>& bucket = buckets_[number % kBuckets];
  Page* first = bucket.load(std::memory_order_acquire);
  for (Page* page = first; page != nullptr; page = page->next.load(kRelaxed))
    if (page->number == number) return *page;
  auto made = std::make_unique<Page>();
  made->number = number;
  made->next.store(first, kRelaxed);
  while (!bucket.compare_exchange_weak(first, made.get(), std::memory_order_acq_rel)) {
    for (Page* page = first; page != nullptr; page = page->next.load(kRelaxed))
      if (page->number == number) return *page;
    made->next.store(first, kRelaxed);
  }
  return *made.release();
}

std::uint64_t record_access(Shadow& shadow, std::uint64_t address, std::uint64_t bytes, const AccessRecord& now,
                            bool writes, bool across_groups, bool ordered) {
  const std::uint64_t packed = now.packed();
  std::uint64_t found = 0;
  for (std::uint64_t end = address + bytes; address < end;) {
    Shadow::Page& page = shadow.page(address);
    const std::uint64_t in_page = address % Shadow::kPageBytes;
    const std::uint64_t count = std::min(end - address, Shadow::kPageBytes - in_page);
    const bool whole = (in_page | count) % Shadow::kWord == 0;
    Shadow::Cell* fine = whole ? page.bytes.load(std::memory_order_acquire) : refine(page);
    const std::uint64_t step = fine != nullptr ? 1 : Shadow::kWord;
    Shadow::Cell* cells = fine != nullptr ? fine : cells_of(page.words, Shadow::kPageBytes / Shadow::kWord);
    for (std::uint64_t i = in_page; i < in_page + count; i += step)
      if (const std::uint64_t other = touch(cells[i / step], now, packed, writes, across_groups, ordered); found == 0)
        found = other;
    address += count;
  }
  return found;
}

}  // namespace lanewise::check
