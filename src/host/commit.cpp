// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/commit.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>

#include "src/host/topology.h"

namespace lanewise::host {

bool can_commit() noexcept {
  // An empty range: the system only looks at the advice.
  return madvise(nullptr, 0, MADV_POPULATE_WRITE) == 0;
}

bool commit(const void* begin, std::size_t size, bool writable) noexcept {
  const std::uintptr_t page = page_bytes();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  std::uintptr_t end = 0;
  if (__builtin_add_overflow(address, size, &end)) return false;
  const std::uintptr_t first = address & ~(page - 1);
  void* const pages = reinterpret_cast<void*>(first);  // NOLINT(performance-no-int-to-ptr): a page of the caller's
  int result = 0;
  do {
    result = madvise(pages, end - first, writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace lanewise::host
