// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_TRACE: what commands, threads and builds did, written at exit as a trace of the Trace Event Format that
/// Perfetto and Chrome show.
///
/// Each thread appends records to a buffer of its own and takes no lock. The writer (writer.h) reads all buffers when
/// the process exits, also while threads still append. Buffers together take at most kMostBytes; what does not fit is
/// counted and left out. Without the option each place that records costs one load and one branch.
///
/// A forked child records nothing and writes nothing. A process with more rights than its user has no options, and so
/// no trace (src/config/config.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "runtime/trace/record.h"

namespace lanewise::trace {

namespace detail {
extern std::atomic<bool> g_on;
}

/// Whether this process records.
[[nodiscard]] inline bool on() {
  return detail::g_on.load(std::memory_order_relaxed);
}

/// Begins to record if the option names a file, and writes the file at exit. Called once, by the first API call.
void start();

/// Appends a record. Never blocks and never throws; a record for which there is no room is lost. Texts are cut at
/// 4 KiB.
void add(const Record& record, std::string_view text = {}) noexcept;

/// Adds a record of a task that began at `begin` and ends now, or of a note if `begin` is 0.
void add_task(std::uint64_t begin, std::string_view category, std::string_view name,
              std::string_view details = {}) noexcept;

/// A number for a command or a queue that no other has; never 0.
[[nodiscard]] std::uint32_t next_number() noexcept;

/// The name of the code that the calling thread runs, for its next record of a run. A string that is never freed.
void set_code(const char* name) noexcept;
[[nodiscard]] const char* take_code() noexcept;

}  // namespace lanewise::trace
