// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What happens to commands, for LANEWISE_TRACE and LANEWISE_DEBUG=scheduler. Without these options each of the places
/// that call these functions costs one load and one branch.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/exec/pieces.h"
#include "src/host/domains.h"

namespace lanewise {

class Command;
class Event;

namespace observe {

extern std::atomic<bool> g_on;

/// Whether commands are observed. The functions below are called only then.
[[nodiscard]] inline bool on() {
  return g_on.load(std::memory_order_relaxed);
}

/// Called for each new scheduler: finds out whether commands are observed, and reports what limits the threads.
void begin(unsigned threads, unsigned nodes, const host::CpuList& cpus, bool confined);

/// An enqueue, from before the command gets its place in its queue until it has been given to the scheduler.
class Enqueue {
 public:
  /// Gives the command its number.
  Enqueue(Command& command, std::span<Event* const> waits);
  ~Enqueue();
  Enqueue(const Enqueue&) = delete;
  Enqueue& operator=(const Enqueue&) = delete;

 private:
  std::uint64_t begin_;
  std::uint64_t command_;
  std::uint64_t queue_;
  std::uint32_t type_;
  std::string text_;
};

/// The command's last dependency has ended.
void ready(const Command& command) noexcept;
/// The pieces have been divided for the first time.
void divided(const Command& command, unsigned threads) noexcept;
/// A chunk of pieces has run since `begin` on the calling thread.
void ran(const Command& command, const Pieces& pieces, std::uint64_t begin) noexcept;
/// The command is about to end.
void ended(const Command& command, std::int32_t status) noexcept;

}  // namespace observe
}  // namespace lanewise
