// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scenarios of the application with restrictions from outside: set-user-ID, limits on what it may write or open, and
/// threads that are cancelled. app.cpp runs them by name; pressure_test.cpp explains each of them.
#pragma once

#include <string>
#include <vector>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {

using Arguments = std::vector<std::string>;

/// Runs set-user-ID. Arguments: "helper" or "inprocess" (where the compiler must run), "full" (first makes the
/// effective user the real one, as programs do that keep their privilege), and the driver's private directory.
int privileged(const Arguments& arguments);

/// Cancels threads that are inside clBuildProgram, at several moments of it.
int cancel_builds(Session& session, const Arguments& arguments);
/// Cancels threads that wait for an event, for a queue and for a blocking read, and one whose callback can be
/// cancelled.
int cancel_waits(Session& session, const Arguments& arguments);

/// Builds and runs a kernel with RLIMIT_FSIZE set to the first argument. With "fails" as the second one the build may
/// fail; it works again with the old limit.
int file_size_limit(Session& session, const Arguments& arguments);

/// Builds a program that takes all memory which the compiler may have, in a process that may have 1 GiB, and one that
/// does not.
int compiler_memory(Session& session, const Arguments& arguments);

/// 40 builds at once in a process that may have 24 descriptors.
int few_descriptors(Session& session, const Arguments& arguments);

/// Crashes of an in-process compiler in an application that handles crashes itself: its handlers stay installed, and
/// receive the application's own crashes while the compiler works.
int own_crash_handlers(Session& session, const Arguments& arguments);

}  // namespace lanewise::robustness
