// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that oneTBB has asked for. The driver's private copy of it calls the functions of tbb_calls.cpp where it would
/// otherwise call those of the C library (scripts/lib/build-tbb), so that a thread which the system does not give is no
/// failure: it is made later.
#pragma once

namespace lanewise {

/// Makes the threads that the system did not give when TBB asked for them. True: some are missing still, so TBB may count on
/// a thread that does not exist, and nobody may run what it is given.
[[nodiscard]] bool tbb_lacks_threads() noexcept;

/// While it looks for work, which takes some tens of microseconds, a worker does not yield to other threads: where many
/// want to run, it would get the processor back only after milliseconds.
void set_looking_for_work(bool looks) noexcept;

}  // namespace lanewise
