// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The restoration of the driver's static data, including those of its private copy of oneTBB.
///
/// A forked child has none of the driver's threads, and data that other threads were changing at the fork. Static and
/// thread-local variables lead to all of these data. When they have their first values again, the driver is in the
/// state after loading: it makes new locks, threads, tables and pools, and the memory of the old ones is forgotten.
#pragma once

namespace lanewise {

/// Saves the values of all static variables of the library. Called when the library has been loaded, before anything
/// else. Has no effect if the values cannot be restored: a sanitizer watches the threads, or the driver is linked into
/// a program, whose data lie among the driver's.
void save_static_data() noexcept;
[[nodiscard]] bool static_data_saved() noexcept;

/// Restores all static variables except those that survive a fork (src/base/survives_fork.h). No thread may use them
/// meanwhile.
void restore_static_data() noexcept;
/// Restores the thread-local variables of the calling thread.
void restore_thread_data() noexcept;

}  // namespace lanewise
