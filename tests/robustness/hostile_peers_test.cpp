// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process can do that has been given the handle of a semaphore, or of memory, and no more. Each test is an
// application of its own with such a peer (hostile_app.cpp).
#include <gtest/gtest.h>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

void expect_unharmed(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_app(arguments, {.seconds = 300, .program = LANEWISE_HOSTILE_APP});
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.left_in_directory.empty());
  // Kernels print numbers; what an application says is about something else.
  EXPECT_EQ(outcome.out.find("not as expected"), std::string::npos) << outcome.out;
}

TEST(HostileSemaphore, EveryWordScribbled) {
  expect_unharmed({"scribbled_words"});
}
TEST(HostileSemaphore, WordsThatChangeAllTheTime) {
  expect_unharmed({"storm_of_words"});
}
TEST(HostileSemaphore, DescriptorsMisused) {
  expect_unharmed({"other_deeds"});
}
TEST(HostileSemaphore, WakesWithoutEnd) {
  expect_unharmed({"flooded_waits"});
}
TEST(HostileSemaphore, PartnersKilledAtAnyPoint) {
  expect_unharmed({"killed_partners"});
}
TEST(HostileSemaphore, PartnerKilledWhoseChildLives) {
  expect_unharmed({"orphaned_child"});
}

TEST(HostileMemory, FileMadeSmaller) {
  expect_unharmed({"shrunk_memory"});
}
TEST(HostileMemory, FileMadeSmallerUnderKernelsThatCanBeStopped) {
  expect_unharmed({"shrunk_memory", "terminable"});
}
TEST(HostileMemory, FileThatChangesAllTheTime) {
  expect_unharmed({"flapping_memory"});
}
TEST(HostileMemory, FaultsOfTheApplication) {
  for (const char* way : {"no_handler", "handler_before", "handler_later", "ignored", "blocked"})
    expect_unharmed({"own_faults", way});
}
TEST(HostileMemory, OddHandles) {
  expect_unharmed({"odd_handles"});
}

}  // namespace
}  // namespace lanewise::robustness
