// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What scenarios with forked children share.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "src/base/sanitizers.h"
#include "tests/robustness/driver.h"

namespace lanewise::robustness {

/// Seconds after which a child counts as hanging: nothing that it does takes a hundredth of that.
constexpr unsigned kHang = 20;

/// What a child gets for an object of its parent whose type has the error `code`. ThreadSanitizer ends a child that makes
/// threads, so there is none that could begin anew.
inline cl_int code_of_inherited(cl_int code) {
  return kThreadSanitizer ? CL_OUT_OF_RESOURCES : code;
}

inline void expect_child_ends(pid_t child) {
  expect(child > 0, "fork", errno);
  int status = 0;
  expect(waitpid(child, &status, 0) == child, "waitpid", errno);
  expect(!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM, "the forked child hangs");
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the forked child", status);
}

}  // namespace lanewise::robustness
