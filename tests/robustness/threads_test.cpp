// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's threads, and those of the application on which it runs kernels: threads that cannot be made, small
// stacks, memory that stays with threads, and a thread pool of the application's own.
#include <gtest/gtest.h>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

void expect_clean(const std::vector<std::string>& arguments, const std::string& program = LANEWISE_THREADS_APP,
                  const std::vector<std::pair<std::string, std::string>>& environment = {}) {
  const Outcome outcome = run_app(arguments, {.environment = environment, .program = program});
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST(Threads, NoneToBeHad) {
  expect_clean({"no_threads"});
}
TEST(Threads, OfTheDriverTakeNoSignals) {
  expect_clean({"signals"}, LANEWISE_THREADS_APP, {{"LANEWISE_COMPILER", "inprocess"}});
}
TEST(Threads, OfTheApplicationWithASmallStack) {
  expect_clean({"small_stack"});
}
TEST(Threads, OfTheApplicationInACoroutine) {
  expect_clean({"coroutine"});
}
TEST(Threads, RunOnTheProcessorsOfTheDevice) {
  expect_clean({"bound"});
}
#ifdef LANEWISE_PRIVATE_TBB
/// TBB would write its version to standard error.
TEST(Threads, TbbReadsNoEnvironment) {
  expect_clean({"bound"}, LANEWISE_THREADS_APP, {{"TBB_VERSION", "1"}});
}
#endif
TEST(Threads, GiveScratchMemoryBack) {
  expect_clean({"scratch"});
  expect_clean({"scratch"}, LANEWISE_THREADS_APP, {{"LANEWISE_THREADS", "1"}});
}
#ifdef LANEWISE_TBB_APP
TEST(Threads, ApplicationUsesTbb) {
  expect_clean({"0"}, LANEWISE_TBB_APP);
}
TEST(Threads, ApplicationLimitsTbb) {
  expect_clean({"1"}, LANEWISE_TBB_APP);
  expect_clean({"1", "first"}, LANEWISE_TBB_APP);
}
#endif

}  // namespace
}  // namespace lanewise::robustness
