// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/stream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "src/host/topology.h"

namespace lanewise {

namespace {

using Vector = unsigned long long __attribute__((vector_size(16)));
constexpr std::size_t kLine = 64;  ///< bytes of a cache line, which streaming stores should fill completely

std::size_t last_level_cache() {
  constexpr std::size_t kUnknown = std::size_t{16} << 20;
  static const std::size_t bytes = [] {
    const auto caches = host::read_caches(host::allowed_cpus().front());
    return caches.last_level != 0 ? static_cast<std::size_t>(caches.last_level) : kUnknown;
  }();
  return bytes;
}

/// Bytes up to the next cache line, at most `size`.
std::size_t to_line(const std::byte* at, std::size_t size) {
  const std::size_t over = reinterpret_cast<std::uintptr_t>(at) % kLine;
  return over == 0 ? 0 : std::min(size, kLine - over);
}

/// Reads the whole block before it writes any of it. If source and destination are a few bytes apart modulo 4096, as
/// the application's memory and a buffer often are, the processor takes a read of the next line for a read of what it
/// has just written (4K aliasing) and stalls: line by line, reading 64 MiB took 4.6 ms, in blocks of four lines 3.8 ms.
template <std::size_t Bytes>
void stream_block(std::byte* to, const std::byte* from) {
  std::array<Vector, Bytes / sizeof(Vector)> block;
  std::memcpy(block.data(), from, Bytes);
  for (const Vector v : block) {
    __builtin_nontemporal_store(v, reinterpret_cast<Vector*>(to));
    to += sizeof(Vector);
  }
}

/// Only a fence orders streaming stores before the stores that follow.
void settle() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace

bool worth_streaming(std::size_t bytes) {
  return bytes >= last_level_cache();
}

void stream_copy(std::byte* to, const std::byte* from, std::size_t size) {
  const std::size_t head = to_line(to, size);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; size - at >= 4 * kLine; at += 4 * kLine) stream_block<4 * kLine>(to + at, from + at);
  for (; size - at >= kLine; at += kLine) stream_block<kLine>(to + at, from + at);
  settle();
  std::memcpy(to + at, from + at, size - at);
}

void stream_fill(std::byte* to, std::size_t size, std::span<const std::byte> line) {
  // Each cache line begins at a multiple of 64 bytes in the rotated pattern, so one rotated copy serves all lines.
  const std::size_t head = to_line(to, size);
  constexpr std::size_t kMost = 256;
  alignas(kLine) std::byte turned[kMost];
  const std::size_t period = line.size();
  for (std::size_t i = 0; i < period; ++i) turned[i] = line[(head + i) % period];
  std::memcpy(to, line.data(), head);
  const std::size_t lines_end = head + (size - head) / kLine * kLine;
  std::size_t phase = 0;
  for (std::size_t at = head; at < lines_end; at += kLine) {
    stream_block<kLine>(to + at, turned + phase);
    phase = phase + kLine == period ? 0 : phase + kLine;
  }
  settle();
  std::memcpy(to + lines_end, turned + phase, size - lines_end);
}

}  // namespace lanewise
