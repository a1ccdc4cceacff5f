// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The static data that a forked child that begins anew keeps (runtime/process/static_data.h). All other static data of
/// the driver get the values that they had before the parent's first call.
#pragma once

/// Marks a variable at namespace scope with a constant initial value: `LANEWISE_SURVIVES_FORK constinit
/// std::atomic<bool> g_registered{false};`. Such variables describe what the process still has of the driver although
/// its memory is forgotten: handlers, keys, names. Another thread of the parent may have been changing the variable, so
/// it is atomic, or written before an atomic variable that says that it is complete.
#define LANEWISE_SURVIVES_FORK [[gnu::section("lanewise_survives_fork")]]
