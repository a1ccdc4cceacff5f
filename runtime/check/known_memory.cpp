// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/known_memory.h"

#include <deque>
#include <iterator>
#include <map>
#include <new>

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
  std::optional<KnownMemory> find(std::uintptr_t address) {
    const MutexLock lock(mutex_);
    auto at = live_.upper_bound(address);
    for (int i = 0; i < kMostOverlapping && at != live_.begin(); ++i) {
      --at;
      if (contains(at->second, address)) return at->second;
    }
    for (auto last = released_.rbegin(); last != released_.rend(); ++last)
      if (contains(*last, address)) return *last;
    return std::nullopt;
  }

 private:
  static bool contains(const KnownMemory& memory, std::uintptr_t address) {
    return address - memory.begin < memory.bytes;
  }
  Mutex mutex_;  ///< innermost
  std::multimap<std::uintptr_t, KnownMemory> live_ GUARDED_BY(mutex_);
  std::deque<KnownMemory> released_ GUARDED_BY(mutex_);
};

/// Never destroyed: threads may use it while the process exits.
Memory& all_memory() {
  static auto* const memory = new Memory;
  return *memory;
}

}  // namespace

bool on() noexcept {
  return config().check.kinds != 0;
}

void remember(const void* begin, std::size_t bytes) noexcept {
  if (!on() || begin == nullptr) return;
  try {
    all_memory().add({reinterpret_cast<std::uintptr_t>(begin), bytes, false});
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

std::optional<KnownMemory> find_memory(std::uintptr_t address) noexcept {
  return all_memory().find(address);
}

}  // namespace lanewise::check
