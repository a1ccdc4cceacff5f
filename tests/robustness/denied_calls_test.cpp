// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// System calls that a sandbox denies (seccomp), in the application and so in the processes that the driver starts. The
// driver lists the device, builds and runs a kernel, or says with an error code, at once, what it cannot do.
#include <gtest/gtest.h>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

struct Denied {
  const char* call;
  bool works = true;            ///< the driver has another way
  const char* error = "EPERM";  ///< what the call returns
};

std::ostream& operator<<(std::ostream& out, const Denied& denied) {
  return out << denied.call << " " << denied.error;
}

class DeniedCalls : public testing::TestWithParam<Denied> {};

TEST_P(DeniedCalls, WorkOrAnErrorAtOnce) {
  const Outcome outcome =
      run_app({"deny_call", GetParam().call, GetParam().error}, {.seconds = 60, .program = LANEWISE_CONFINED_APP});
  if (outcome.exit_code == kNotAllowedHere) GTEST_SKIP() << "no filters here";
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(outcome.helper_left);
  // Where only the code generator fails, the launch does, and the context has no callback for the reason.
  if (!outcome.err.starts_with("lanewise: no code for kernel f: ") || GetParam().works) EXPECT_EQ(outcome.err, "");
  if (GetParam().works) {
    EXPECT_EQ(outcome.out, "works\n");
  } else {
    // The kind of the call, its error and, of a build, a reason.
    const auto space = outcome.out.find(' ');
    EXPECT_EQ(outcome.out.substr(space + 1, 1), "-") << outcome.out;
    if (outcome.out.starts_with("build")) EXPECT_GT(outcome.out.size(), 20u) << outcome.out;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Seccomp, DeniedCalls,
    testing::Values(Denied{"memfd_create"}, Denied{"memfd_create", true, "ENOSYS"}, Denied{"readlink"}, Denied{"poll"},
                    Denied{"eventfd"}, Denied{"socketpair"}, Denied{"pipe"}, Denied{"clone", false}, Denied{"execve"},
                    Denied{"mmap", false}, Denied{"mprotect", false}, Denied{"munmap"}, Denied{"getrandom"},
                    Denied{"sched_getaffinity"}, Denied{"sched_setaffinity"}, Denied{"stat", false}, Denied{"fstat"},
                    Denied{"statfs"}, Denied{"open", false}, Denied{"access"}, Denied{"mkdir"}, Denied{"rename"},
                    Denied{"unlink"}, Denied{"getdents"}, Denied{"getcwd"}, Denied{"flock"}, Denied{"ftruncate"},
                    Denied{"fcntl"}, Denied{"madvise"}, Denied{"limits"}, Denied{"utimens"}, Denied{"ids"},
                    Denied{"priority"}, Denied{"sendmsg"}, Denied{"recvmsg"}, Denied{"sockopt"}, Denied{"write", false},
                    Denied{"close_range"}, Denied{"sysinfo"}, Denied{"sigaltstack"}, Denied{"signals", false},
                    Denied{"sleep"}, Denied{"wait"}, Denied{"pidfd_open"}, Denied{"membarrier"}),
    [](const auto& info) { return std::string(info.param.call) + "_" + info.param.error; });

}  // namespace
}  // namespace lanewise::robustness
