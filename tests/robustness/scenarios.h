// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scenarios of the application (app.cpp) that are in other files. Each returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {

using Arguments = std::vector<std::string>;

// fork.cpp
int fork_after_use(Session& session, const Arguments& arguments);
int fork_beside_busy_threads(Session& session, const Arguments& arguments);
int fork_in_callback(Session& session, const Arguments& arguments);
int fork_before_use(const Arguments& arguments);
int fork_before_queues(const Arguments& arguments);

// fork_anew.cpp
int fork_anew(Session& session, const Arguments& arguments);
int fork_inherited(Session& session, const Arguments& arguments);
int fork_generations(Session& session, const Arguments& arguments);
int fork_beside_work(Session& session, const Arguments& arguments);
int fork_on_driver_threads(Session& session, const Arguments& arguments);
int fork_signals(Session& session, const Arguments& arguments);
int fork_for_little(Session& session, const Arguments& arguments);

// ranks.cpp
int ranks(const Arguments& arguments);
int lost_rank(const Arguments& arguments);

// shared.cpp
int share_semaphores(const Arguments& arguments);

}  // namespace lanewise::robustness
