// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=memory: which memory of this process is an object of OpenCL, and which was one; with `buffers` also
/// whether anybody has written to it. Nothing is recorded without the option.
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
  bool written = true;  ///< a command has written to some of it, or others than commands may have
};

/// Records an object. Objects may overlap. Out of memory: it is not recorded.
/// @param written  KnownMemory::written
void remember(const void* begin, std::size_t bytes, bool written = true) noexcept;
/// A command writes to the objects that contain the address.
void note_written(const void* address) noexcept;
/// A command writes to memory that nobody knows.
void note_all_written() noexcept;
/// LANEWISE_CHECK=buffers: whether nobody has written to any object that contains the address. False without the check.
[[nodiscard]] bool is_unwritten(const void* address) noexcept;
/// The object recorded last at `begin` is released. Some thousand released objects are kept.
void forget(const void* begin) noexcept;

/// The object that contains the address: one that exists, otherwise one that was released and whose memory no other
/// object has. Nothing: there is none.
[[nodiscard]] std::optional<KnownMemory> find_memory(std::uintptr_t address) noexcept;

}  // namespace lanewise::check
