// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes of the SPIR-V translator, killed, stopped and not to be had: nothing of that is the module's fault.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/robustness/confined_outcome.h"

namespace lanewise::robustness {
namespace {

constexpr const char* kModule = LANEWISE_TEST_MODULES "/saxpy.spv";

Outcome run_with_module(const std::string& scenario, const std::string& argument = {}) {
  return run_confined({scenario, kModule, argument}, {.environment = {{"LANEWISE_CACHE", "off"}}, .seconds = 100});
}

TEST(StoppedTranslator, IsTriedAgain) {
  expect_soon(run_with_module("stopped_translators"));
}

TEST(KilledTranslator, IsTriedAgain) {
  const Outcome outcome = run_with_module("killed_translators", "often");
  expect_clean(outcome);
  EXPECT_EQ(outcome.out, "0 ");
}

TEST(KilledTranslator, IsNeverTheModulesFault) {
  const Outcome outcome = run_with_module("killed_translators", "always");
  expect_clean(outcome);
  for (const char* expected : {"-6 ", "0 ", "-6 0 "})
    if (outcome.out == expected) return;
  FAIL() << outcome.out;
}

TEST(NoProcesses, AreNotTheModulesFault) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a user who has no other processes";
  for (const char* when : {"late", "early"}) {
    const Outcome outcome = run_with_module("no_processes", when);
    SKIP_IF_NOT_ALLOWED(outcome);
    expect_clean(outcome);
    EXPECT_EQ(outcome.out, "-6") << when;
  }
}

}  // namespace
}  // namespace lanewise::robustness
