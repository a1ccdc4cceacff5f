// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scenarios of lanewise-confined-app (confined_app.cpp), an application that gives rights up, is denied system calls,
/// closes the driver's descriptors, or whose helper processes others stop and end. Each returns the exit code;
/// confined_test.cpp and denied_calls_test.cpp say what each is about.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {

using Arguments = std::vector<std::string>;

/// Builds a program that includes the file and prints what there is in the log.
void print_log_of_include(Session& session, const std::string& file);

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A stopped process ends when it goes on, because its driver has given it up.
inline void let_go_on(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) kill(process, SIGCONT);
}

// confined_rights.cpp
int give_up(Session& session, const Arguments& arguments);
int new_process_namespace(Session& session, const Arguments& arguments);

// confined_translator.cpp; the first argument is a SPIR-V module.
int killed_translators(Session& session, const Arguments& arguments);
int stopped_translators(Session& session, const Arguments& arguments);
int no_processes(Session& session, const Arguments& arguments);

// denied_calls.cpp
int deny_call(const Arguments& arguments);

}  // namespace lanewise::robustness
