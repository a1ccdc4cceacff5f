// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a forked child that begins anew keeps of its parent's state (runtime/process/static_data.h). All other static
/// data of the driver are put back to what they were before the first call.
#pragma once

/// Before a variable at namespace scope that has a constant initial value, for example
/// `LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_registered{false};`. For what the process still has of the
/// driver although its memory is forgotten: handlers, keys, names. Another thread of the parent may have been about to
/// change the variable, so it is atomic, or written before an atomic one that tells that it is complete.
#define LANEWISE_SURVIVES_FORK [[gnu::section("lanewise_survives_fork")]]
