// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/known_memory.h"

#include <deque>
#include <iterator>
#include <map>
#include <new>

#include "include/lanewise/check_abi.h"
#include "src/base/mutex.h"
#include "src/config/config.h"

namespace lanewise::check {

namespace {

/// Most released objects that are kept.
constexpr std::size_t kMostReleased = 4096;
/// Objects that overlap are few, so a search looks at this many that begin before the address.
constexpr int kMostOverlapping = 16;

class Memory {
 public:
  void add(KnownMemory memory) {
    const MutexLock lock(mutex_);
    live_.emplace(memory.begin, memory);
  }
  void release(std::uintptr_t begin) {
    const MutexLock lock(mutex_);
    const auto after = live_.upper_bound(begin);
    if (after == live_.begin() || std::prev(after)->first != begin) return;
    KnownMemory memory = std::prev(after)->second;
    live_.erase(std::prev(after));
    memory.released = true;
    released_.push_back(memory);
    if (released_.size() > kMostReleased) released_.pop_front();
  }
  void write(std::uintptr_t address) {
    const MutexLock lock(mutex_);
    each_live(address, [](KnownMemory& memory) { return memory.written = true, false; });
  }
  void write_all() {
    const MutexLock lock(mutex_);
    for (auto& [begin, memory] : live_) memory.written = true;
  }
  bool is_unwritten(std::uintptr_t address) {
    const MutexLock lock(mutex_);
    bool known = false;
    const bool written = each_live(address, [&](const KnownMemory& memory) {
      known = true;
      return memory.written;
    });
    return known && !written;
  }
  std::optional<KnownMemory> find(std::uintptr_t address) {
    const MutexLock lock(mutex_);
    std::optional<KnownMemory> found;
    if (each_live(address, [&](const KnownMemory& memory) { return found = memory, true; })) return found;
    for (auto last = released_.rbegin(); last != released_.rend(); ++last)
      if (contains(*last, address)) return *last;
    return std::nullopt;
  }

 private:
  /// Calls `take` for the live objects that contain the address, until it is true. @returns whether it was
  template <class Take>
  bool each_live(std::uintptr_t address, const Take& take) REQUIRES(mutex_) {
    auto at = live_.upper_bound(address);
    for (int i = 0; i < kMostOverlapping && at != live_.begin(); ++i) {
      --at;
      if (contains(at->second, address) && take(at->second)) return true;
    }
    return false;
  }
  static bool contains(const KnownMemory& memory, std::uintptr_t address) {
    return address - memory.begin < memory.bytes;
  }
  Mutex mutex_;  ///< innermost
  std::multimap<std::uintptr_t, KnownMemory> live_ GUARDED_BY(mutex_);
  std::deque<KnownMemory> released_ GUARDED_BY(mutex_);
};

bool watches_buffers() {
  return (config().check.kinds & buffers) != 0;
}

/// Never destroyed: threads may use it while the process exits.
Memory& all_memory() {
  static auto* const memory = new Memory;
  return *memory;
}

}  // namespace

bool on() noexcept {
  return config().check.kinds != 0;
}

void remember(const void* begin, std::size_t bytes, bool written) noexcept {
  if (!on() || begin == nullptr) return;
  try {
    all_memory().add({reinterpret_cast<std::uintptr_t>(begin), bytes, false, written});
  } catch (const std::bad_alloc&) {
    return;
  }
}

void forget(const void* begin) noexcept {
  if (!on() || begin == nullptr) return;
  try {
    all_memory().release(reinterpret_cast<std::uintptr_t>(begin));
  } catch (const std::bad_alloc&) {
    return;
  }
}

void note_written(const void* address) noexcept {
  if (watches_buffers()) all_memory().write(reinterpret_cast<std::uintptr_t>(address));
}

void note_all_written() noexcept {
  if (watches_buffers()) all_memory().write_all();
}

bool is_unwritten(const void* address) noexcept {
  return watches_buffers() && all_memory().is_unwritten(reinterpret_cast<std::uintptr_t>(address));
}

std::optional<KnownMemory> find_memory(std::uintptr_t address) noexcept {
  return all_memory().find(address);
}

}  // namespace lanewise::check
