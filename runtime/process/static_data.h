// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The static data of the driver, among them those of its private copy of oneTBB, as one thing that can be put back.
///
/// A forked child has none of the driver's threads, and data that others were changing at that moment. All of it is
/// reached from static and thread-local variables. So when these have their first values again, the driver is as
/// after loading: it makes new locks, threads, tables and pools, and the memory of the old ones is forgotten.
#pragma once

namespace lanewise {

/// Notes the present values of all static variables of the library. To be called once the library is loaded, and before
/// anything is done. Without effect where they cannot be put back: a sanitizer watches the threads, or the driver
/// is linked into a program, whose data are among its own.
void save_static_data() noexcept;
[[nodiscard]] bool static_data_saved() noexcept;

/// Puts back all static variables except those that survive (src/base/survives_fork.h). No thread may use them meanwhile.
void restore_static_data() noexcept;
/// The same for the thread-local variables of the calling thread.
void restore_thread_data() noexcept;

}  // namespace lanewise
