// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=memory: which memory of this process is an object of OpenCL, and which was one. Nothing is recorded
/// without the option.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanewise::check {

/// Whether LANEWISE_CHECK asks for any check.
[[nodiscard]] bool on() noexcept;

struct KnownMemory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool released = false;
};

/// Records an object. Objects may overlap. Out of memory: it is not recorded.
void remember(const void* begin, std::size_t bytes) noexcept;
/// The object recorded last at `begin` is released. Some thousand released objects are kept.
void forget(const void* begin) noexcept;

/// The object that contains the address: one that exists, otherwise one that was released and whose memory no other
/// object has. Nothing: there is none.
[[nodiscard]] std::optional<KnownMemory> find_memory(std::uintptr_t address) noexcept;

}  // namespace lanewise::check
