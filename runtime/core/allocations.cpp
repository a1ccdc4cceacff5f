// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/allocations.h"

#include <sys/mman.h>

#include <cstdlib>
#include <iterator>
#include <new>

namespace lanewise {

namespace {

/// From here on a mapping of its own pays: it can have huge pages, and goes back to the system when it is freed.
constexpr std::size_t kMapped = std::size_t{1} << 20;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

std::size_t mapped_bytes(std::size_t size) {
  return round_up(size, kHugePage);
}

std::byte* take(std::size_t size) {
  if (size > SIZE_MAX - kHugePage) return nullptr;
  if (size < kMapped) {
    constexpr std::size_t kAlign = Allocations::kLargestAlignment;
    return static_cast<std::byte*>(std::aligned_alloc(kAlign, round_up(size, kAlign)));
  }
  void* address =
      mmap(nullptr, mapped_bytes(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  madvise(address, mapped_bytes(size), MADV_HUGEPAGE);
  return static_cast<std::byte*>(address);
}

void give(const Allocation& allocation) noexcept {
  if (allocation.size < kMapped) {
    std::free(allocation.begin);
  } else {
    munmap(allocation.begin, mapped_bytes(allocation.size));
  }
}

}  // namespace

Allocations::~Allocations() {
  for (const auto& [address, allocation] : by_address_) give(allocation);
}

Result<void*> Allocations::allocate(Allocation wanted) {
  wanted.begin = take(wanted.size);
  if (wanted.begin == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "no memory for the allocation"};
  try {
    const std::lock_guard lock(mutex_);
    by_address_.emplace(reinterpret_cast<std::uintptr_t>(wanted.begin), wanted);
  } catch (const std::bad_alloc&) {
    give(wanted);
    return Error{CL_OUT_OF_HOST_MEMORY, "no memory to note the allocation"};
  }
  return static_cast<void*>(wanted.begin);
}

std::optional<Allocation> Allocations::find(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::lock_guard lock(mutex_);
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const Allocation& found = std::prev(after)->second;
  if (address - reinterpret_cast<std::uintptr_t>(found.begin) >= found.size) return std::nullopt;
  return found;
}

bool Allocations::release(const void* pointer, bool svm) {
  Allocation taken;
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_address_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == by_address_.end() || (found->second.kind == AllocationKind::svm) != svm) return false;
    taken = found->second;
    by_address_.erase(found);
  }
  give(taken);
  return true;
}

}  // namespace lanewise
