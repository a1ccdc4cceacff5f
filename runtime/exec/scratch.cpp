// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/scratch.h"

#include <sched.h>
#include <sys/mman.h>

#include <cstdlib>

#include "src/base/mutex.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// Areas of at least this size are mappings of their own, which go back to the system when they are freed.
constexpr std::uint64_t kLarge = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostScratch = std::uint64_t{1} << 40U;
/// An area that was eight times too large for this many chunks in a row shrinks. That is a second or more of work, so
/// the pages are not mapped again and again for a kernel that runs from time to time.
constexpr unsigned kOversized = 1U << 16U;

/// Large areas in the process.
constinit std::atomic<int> g_large_areas{0};

constinit Mutex g_mutex;  ///< nothing but areas is freed under it
constinit List<Scratch, Scratch::InAll> g_all GUARDED_BY(g_mutex);
constinit std::atomic<unsigned> g_asked{0};  ///< how often all threads have been asked to free their large areas

}  // namespace

Scratch::Scratch() : asked_(g_asked.load()) {
  const MutexLock lock(g_mutex);
  g_all.push_front(*this);
}

Scratch::~Scratch() {
  {
    const MutexLock lock(g_mutex);
    g_all.remove(*this);
  }
  for (Area* area : {&local_, &item_, &group_}) free(*area);
}

bool Scratch::fit(Area& area, std::uint64_t bytes) {
  if (bytes <= area.size) [[likely]] {
    if (area.size < kLarge) [[likely]]
      return true;
    area.oversized = bytes < area.size / 8 ? area.oversized + 1 : 0;
    return area.oversized < kOversized || replace(area, bytes);
  }
  // A quarter more than asked for, so that slowly growing needs do not allocate each time.
  return bytes <= kMostScratch && replace(area, bytes + bytes / 4);
}

bool Scratch::replace(Area& area, std::uint64_t bytes) {
  constexpr std::uint64_t kAlign = LANEWISE_SCRATCH_ALIGN;
  const std::uint64_t size = round_up(bytes, kAlign);
  // Freed first, so that the old and the new area never exist at the same time.
  free(area);
  if (size == 0) return true;
  void* data = nullptr;
  if (size >= kLarge) {
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return false;
    g_large_areas.fetch_add(1, std::memory_order_relaxed);
  } else if (data = std::aligned_alloc(kAlign, size); data == nullptr) {
    return false;
  }
  area = {static_cast<char*>(data), size, 0};
  return true;
}

void Scratch::free(Area& area) noexcept {
  if (area.size >= kLarge) {
    munmap(area.data, area.size);
    g_large_areas.fetch_sub(1, std::memory_order_relaxed);
  } else {
    std::free(area.data);
  }
  area = {};
}

void Scratch::begin() noexcept {
  while (busy_.exchange(true)) sched_yield();  // another thread frees the areas
}

void Scratch::end() noexcept {
  busy_.store(false);
  // Who asks raises the number and then looks whether the thread is busy; here it is the other way around.
  if (g_asked.load() == asked_.load()) [[likely]]
    return;
  begin();
  give_back();
  busy_.store(false);
}

void Scratch::give_back_all() noexcept {
  if (g_large_areas.load(std::memory_order_relaxed) == 0) return;
  g_asked.fetch_add(1);
  const MutexLock lock(g_mutex);
  for (Scratch* scratch = g_all.first(); scratch != nullptr; scratch = g_all.after(*scratch)) {
    if (scratch->busy_.exchange(true)) continue;
    scratch->give_back();
    scratch->busy_.store(false);
  }
}

void Scratch::give_back() noexcept {
  asked_.store(g_asked.load());
  for (Area* area : {&local_, &item_, &group_})
    if (area->size >= kLarge) free(*area);
}

bool Scratch::reserve(lanewise_worker& abi, std::uint64_t local_bytes, std::uint64_t item_bytes,
                      std::uint64_t group_bytes) {
  const bool fits = fit(local_, local_bytes) && fit(item_, item_bytes) && fit(group_, group_bytes);
  abi.local_memory = local_.data;
  abi.item_scratch = item_.data;
  abi.group_scratch = group_.data;
  abi.local_bytes = local_.size;
  abi.item_bytes = item_.size;
  abi.group_bytes = group_.size;
  return fits;
}

}  // namespace lanewise
