// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing that happens around a process may end or hang it (design D1, D12). Each test is a process of its own; after
// each of them stderr is silent, the working directory is empty and no helper is left.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "src/base/sanitizers.h"
#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

void expect_clean(const Outcome& outcome, const std::string& out = "") {
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, out);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.left_in_directory.empty()) << outcome.left_in_directory.front();
  EXPECT_FALSE(outcome.helper_left) << "a helper outlived its application";
}

TEST(Helper, KilledInTheMiddleOfABuild) {
  expect_clean(run_app({"kill_helper_once"}));
}
TEST(Helper, KilledWhileAKernelWaitsForItsCode) {
  expect_clean(run_app({"kill_helper_of_launch"}));
}
TEST(Helper, KilledAsOftenAsItStarts) {
  expect_clean(run_app({"kill_helper_always"}));
}
TEST(Helper, KilledWhileIdle) {
  expect_clean(run_app({"kill_idle_helper"}));
}
TEST(Helper, EndsWithTheApplication) {
  expect_clean(run_app({"helper_ends_with_us"}));
}
TEST(Helper, CrashOfTheCompilerFailsTheBuild) {
  expect_clean(run_app({"compiler_crash"}, {.seconds = 120}));
}
TEST(Helper, CrashDoesNotFailOtherBuilds) {
  expect_clean(run_app({"crash_beside_good_builds"}, {.seconds = 120}));
}

TEST(Helper, MissingCompilerIsAnErrorCode) {
  const TemporaryDirectory empty;
  // CL_COMPILER_NOT_AVAILABLE: neither a helper nor the library to fall back to is there.
  expect_clean(run_app({"build_code"}, {.environment = {{"LANEWISE_COMPILER_DIR", empty.path()}}}), "-3");
}

TEST(Helper, MissingCompilerDirectoryIsAnErrorCode) {
  expect_clean(run_app({"build_code"}, {.environment = {{"LANEWISE_COMPILER_DIR", "/nowhere/at/all"}}}), "-3");
}

/// A wrong option would give whoever compares two runs a wrong answer.
TEST(IgnoredOptions, AreNamedOnceAProcess) {
  const Outcome outcome =
      run_app({"build_code"}, {.environment = {{"LANEWISE_ISA", "avx2"}, {"LANEWISE_THREAD", "1"}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "lanewise: LANEWISE_ISA=avx2 is ignored: it takes x86-64-v2, x86-64-v3 or x86-64-v4\n"
            "lanewise: LANEWISE_THREAD is ignored: there is no such option; LANEWISE_THREADS?\n");
}
TEST(IgnoredOptions, AreNotRepeatedByForkedChildren) {
  const Outcome outcome = run_app({"fork_anew"}, {.environment = {{"LANEWISE_TIER", "3"}}, .seconds = 300});
  EXPECT_EQ(outcome.err, "lanewise: LANEWISE_TIER=3 is ignored: it takes auto, 1 or 2\n");
}

/// The driver's private directory as symbolic links, so that one file of it can be another.
void mirror_private_directory(const std::filesystem::path& to) {
  const std::filesystem::path driver(LANEWISE_DRIVER_FILE);
  for (const auto& entry : std::filesystem::directory_iterator(driver.parent_path() / "lanewise"))
    std::filesystem::create_symlink(entry.path(), to / entry.path().filename());
}

TEST(Helper, NotExecutableFallsBackToInProcess) {
  const TemporaryDirectory directory;
  mirror_private_directory(directory.path());
  const auto helper = directory.path() / "lanewise-compiler";
  const auto real = std::filesystem::canonical(helper);
  std::filesystem::remove(helper);
  std::filesystem::copy_file(real, helper);
  std::filesystem::permissions(helper, std::filesystem::perms::owner_read);
  expect_clean(run_app({"compute"}, {.environment = {{"LANEWISE_COMPILER_DIR", directory.path()}}}));
}

TEST(Helper, AbsentFallsBackToInProcess) {
  const TemporaryDirectory directory;
  mirror_private_directory(directory.path());
  std::filesystem::remove(directory.path() / "lanewise-compiler");
  expect_clean(run_app({"compute"}, {.environment = {{"LANEWISE_COMPILER_DIR", directory.path()}}}));
}

/// An application that looks at no event learns from the calls that wait, and from one line for each kernel.
TEST(Helper, MissingAfterTheBuildIsAnErrorOfWhatWaits) {
  const TemporaryDirectory directory;
  mirror_private_directory(directory.path());
  const Outcome outcome = run_app({"lose_compiler"}, {.environment = {{"LANEWISE_COMPILER_DIR", directory.path()}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("lanewise: no code for kernel k3: no compiler: ")) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST(Helper, MissingAfterTheBuildIsToldToTheContext) {
  const TemporaryDirectory directory;
  mirror_private_directory(directory.path());
  const Outcome outcome =
      run_app({"lose_compiler_told"}, {.environment = {{"LANEWISE_COMPILER_DIR", directory.path()}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with("no code for kernel k3: no compiler: ")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST(Helper, AnotherProgramInItsPlaceIsNoHang) {
  for (const char* program : {"/bin/true", "/bin/cat", "/bin/false"}) {
    const TemporaryDirectory directory;
    mirror_private_directory(directory.path());
    std::filesystem::remove(directory.path() / "lanewise-compiler");
    std::filesystem::create_symlink(program, directory.path() / "lanewise-compiler");
    expect_clean(run_app({"compute"}, {.environment = {{"LANEWISE_COMPILER_DIR", directory.path()}}}));
  }
}

TEST(Helper, InProcessOnRequest) {
  expect_clean(run_app({"compute"}, {.environment = {{"LANEWISE_COMPILER", "inprocess"}}}));
}

TEST(Build, ErrorsHaveALogAndNoConsequence) {
  expect_clean(run_app({"bad_kernels"}));
}

TEST(Fork, InheritedObjectsGiveErrorsParentGoesOn) {
  expect_clean(run_app({"fork_after_use"}));
}
TEST(Fork, WhileAnotherThreadIsInTheDriver) {
  expect_clean(run_app({"fork_after_use", "busy"}, {.seconds = 120}));
}
TEST(Fork, BesideBusyThreads) {
  expect_clean(run_app({"fork_beside_busy_threads"}, {.seconds = 120}));
}
TEST(Fork, BeforeQueuesTheChildWorks) {
  expect_clean(run_app({"fork_before_queues"}));
}
TEST(Fork, BeforeQueuesBesideBusyThreads) {
  expect_clean(run_app({"fork_before_queues", "busy"}, {.seconds = 120}));
}
TEST(Fork, InACallback) {
  expect_clean(run_app({"fork_in_callback"}));
}
TEST(Fork, WhileAKernelWaitsForItsCode) {
  expect_clean(run_app({"fork_before_launch"}, {.seconds = 120}));
}
TEST(Fork, BeforeUseBothSidesWork) {
  expect_clean(run_app({"fork_before_use"}));
}
#if !LANEWISE_THREAD_SANITIZER  // which ends a forked child that makes threads
TEST(Fork, ChildrenBeginAnew) {
  expect_clean(run_app({"fork_anew"}, {.seconds = 300}));
}
TEST(Fork, EveryInheritedObject) {
  expect_clean(run_app({"fork_inherited"}, {.seconds = 120}));
}
TEST(Fork, ChildrenOfChildren) {
  expect_clean(run_app({"fork_generations"}, {.seconds = 300}));
}
TEST(Fork, ChildrenBeginAnewBesideWork) {
  expect_clean(run_app({"fork_beside_work"}, {.seconds = 300}));
}
TEST(Fork, OnThreadsOfTheDriver) {
  expect_clean(run_app({"fork_on_driver_threads"}));
}
#ifdef LANEWISE_PRIVATE_TBB  // else a child has no thread beside the one that stops the kernel
TEST(Fork, SignalsInChildren) {
  expect_clean(run_app({"fork_signals"}, {.seconds = 120}));
}
#endif
TEST(Fork, ForAnotherProgram) {
  expect_clean(run_app({"fork_for_little"}));
}
TEST(Fork, ChildrenBeginAnewWithTheCompilerInside) {
  // Without builds in the background: a child that is forked while the compiler runs in its parent has none.
  expect_clean(run_app({"fork_anew"},
                       {.environment = {{"LANEWISE_COMPILER", "inprocess"}, {"LANEWISE_TIER", "1"}}, .seconds = 300}));
}
#endif

class End : public testing::TestWithParam<const char*> {};
TEST_P(End, WithWorkInFlight) {
  expect_clean(run_app({"end_in_flight", GetParam()}, {.seconds = 30}));
}
INSTANTIATE_TEST_SUITE_P(Ways, End, testing::Values("return", "exit", "_exit", "quick_exit", "thread_exit"),
                         [](const auto& info) { return std::string(info.param[0] == '_' ? "_exit" : info.param); });

TEST(EndOfProcess, InTheMiddleOfABuild) {
  expect_clean(run_app({"end_in_build"}, {.seconds = 30}));
}
TEST(EndOfProcess, WhileAKernelWaitsForItsCode) {
  expect_clean(run_app({"end_before_launch"}, {.seconds = 30}));
}
TEST(EndOfProcess, WithoutReleasingAnything) {
  expect_clean(run_app({"compute"}));
}
TEST(EndOfProcess, AfterListingOnly) {
  expect_clean(run_app({"list_only"}));
}

TEST(Close, AndOpenAgain) {
  expect_clean(run_app({"reopen"}));
}
TEST(Close, WithLiveObjects) {
  expect_clean(run_app({"close_without_release"}));
}

TEST(Threads, ShareEverything) {
  expect_clean(run_app({"share_everything"}, {.seconds = 120}));
}

class SharedSemaphores : public testing::TestWithParam<const char*> {};
TEST_P(SharedSemaphores, OfTwoProcesses) {
  expect_clean(run_app({"share_semaphores", GetParam()}, {.seconds = 30}));
}
INSTANTIATE_TEST_SUITE_P(Ways, SharedSemaphores,
                         testing::Values("ping_pong", "importer_killed", "exporter_killed", "importer_ends"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Surroundings, ApplicationReapsAllChildren) {
  expect_clean(run_app({"reap_everything"}));
}
TEST(Surroundings, ApplicationIgnoresSigchld) {
  expect_clean(run_app({"reap_everything", "ignore"}));
}
TEST(Surroundings, NoDescriptorSurvivesExec) {
  expect_clean(run_app({"descriptors_across_exec"}));
}
TEST(Surroundings, NoDescriptorsLeft) {
  expect_clean(run_app({"out_of_descriptors"}));
}
TEST(Surroundings, StandardStreamsClosed) {
  expect_clean(run_app({"closed_streams"}));
}
TEST(Surroundings, ListingIsLight) {
  expect_clean(run_app({"listing_is_light"}));
}
TEST(Surroundings, NoHomeAndNoCacheVariable) {
  expect_clean(run_app({"compute"}, {.unset = {"HOME", "XDG_CACHE_HOME", "LANEWISE_CACHE_DIR"}}));
}

}  // namespace
}  // namespace lanewise::robustness
