// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/allocations.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>

#include "runtime/check/known_memory.h"
#include "runtime/process/pages.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// From this size on an allocation is a mapping of its own, which can have huge pages and is unmapped when freed.
constexpr std::size_t kMapped = std::size_t{1} << 20;
constexpr std::size_t kPage = 4096;

std::byte* take(std::size_t size, std::size_t alignment, bool pages) {
  if (pages) return take_pages(size).data;
  return static_cast<std::byte*>(std::aligned_alloc(alignment, round_up(size, alignment)));
}

void give(const Allocation& allocation) noexcept {
  if (!allocation.pages) {
    std::free(allocation.begin);
  } else {
    give_pages({allocation.begin, page_class(allocation.size)});
  }
}

}  // namespace

Allocations::~Allocations() {
  for (const auto& [address, allocation] : by_address_) {
    check::forget(allocation.begin);
    give(allocation);
  }
}

Result<void*> Allocations::allocate(Allocation wanted, std::size_t alignment) {
  wanted.pages = wanted.size >= kMapped && alignment <= kPage;
  wanted.begin = take(wanted.size, std::max(alignment, kAlignment), wanted.pages);
  if (wanted.begin == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "no memory for the allocation"};
  try {
    const MutexLock lock(mutex_);
    by_address_.emplace(reinterpret_cast<std::uintptr_t>(wanted.begin), wanted);
    check::remember(wanted.begin, wanted.size);
  } catch (const std::bad_alloc&) {
    give(wanted);
    return Error{CL_OUT_OF_HOST_MEMORY, "no memory to record the allocation"};
  }
  return static_cast<void*>(wanted.begin);
}

std::optional<Allocation> Allocations::find(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const MutexLock lock(mutex_);
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const Allocation& found = std::prev(after)->second;
  if (address - reinterpret_cast<std::uintptr_t>(found.begin) >= found.size) return std::nullopt;
  return found;
}

bool Allocations::release(const void* pointer, bool svm) {
  Allocation taken;
  {
    const MutexLock lock(mutex_);
    const auto found = by_address_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == by_address_.end() || (found->second.kind == AllocationKind::svm) != svm) return false;
    taken = found->second;
    by_address_.erase(found);
  }
  check::forget(taken.begin);
  give(taken);
  return true;
}

}  // namespace lanewise
