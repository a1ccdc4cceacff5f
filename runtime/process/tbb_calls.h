// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that oneTBB asks for. The driver's private copy of oneTBB calls the functions of tbb_calls.cpp instead
/// of the C library's (scripts/lib/build-tbb). A thread that the system does not give is therefore no failure: it is
/// created later.
#pragma once

namespace lanewise {

/// Creates the threads that the system did not give when oneTBB asked for them. True: some are still missing. oneTBB
/// may then give a task to a thread that does not exist, and nobody runs the task.
[[nodiscard]] bool tbb_lacks_threads() noexcept;

/// Sets whether the calling worker looks for work, for some tens of microseconds. It does not yield to other threads
/// meanwhile: on a busy machine it would get the processor back only after milliseconds.
void set_looking_for_work(bool looks) noexcept;

}  // namespace lanewise
