// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells AddressSanitizer which memory belongs to no object, because the driver takes memory from the system itself.
/// The functions do something only in applications that contain the sanitizer.
///
/// Source: compiler-rt/include/sanitizer/asan_interface.h of LLVM.
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);    // NOLINT(bugprone-*)
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);  // NOLINT(bugprone-*)
}

namespace lanewise {

/// Whether the process has the sanitizer.
inline bool has_address_sanitizer() noexcept {
  return __asan_poison_memory_region != nullptr && __asan_unpoison_memory_region != nullptr;
}

/// The sanitizer reports accesses to [begin, begin + bytes) by code that is built with it. `begin + bytes` is a
/// multiple of 8.
inline void poison(const void* begin, std::size_t bytes) noexcept {
  if (has_address_sanitizer()) [[unlikely]]
    __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(const void* begin, std::size_t bytes) noexcept {
  if (has_address_sanitizer()) [[unlikely]]
    __asan_unpoison_memory_region(begin, bytes);
}

}  // namespace lanewise
