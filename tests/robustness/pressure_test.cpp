// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restrictions on a process from outside: set-user-ID, limits, cancelled threads, missing mounts.
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

namespace fs = std::filesystem;

void expect_clean(const Outcome& outcome) {
  if (outcome.exit_code == kNotAllowedHere) GTEST_SKIP() << "not allowed here";
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.left_in_directory.empty()) << outcome.left_in_directory.front();
  EXPECT_FALSE(outcome.helper_left) << "a helper outlived its application";
}

constexpr std::pair<const char*, const char*> kInProcess = {"LANEWISE_COMPILER", "inprocess"};

/// A set-user-ID copy of the application and a copy of the driver, and a caller who sets up everything that a process
/// without privilege would use.
class Privileged : public testing::Test {
 protected:
  static constexpr uid_t kCaller = 65534;

  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make a set-user-ID program";
    const fs::path real(LANEWISE_DRIVER_FILE);
    fs::permissions(base.path(), fs::perms(0755));
    fs::create_directories(parts());
    fs::copy_file(real, driver());
    for (const auto& entry : fs::directory_iterator(real.parent_path() / "lanewise"))
      fs::create_symlink(entry.path(), parts() / entry.path().filename());
    fs::copy_file(LANEWISE_ROBUSTNESS_APP, app());
    ASSERT_EQ(chmod(app().c_str(), 04755), 0);
    // The caller's directory: its built-in library is not one, so that using it would be noticed.
    fs::create_directories(callers() / "temporary");
    std::ofstream(callers() / "builtins-x86-64.lwb") << "the caller's own";
    std::ofstream(callers() / "liblanewise-compiler.so") << "the caller's own";
    fs::copy_file(real, callers() / "tool.so");  // any library that can be opened
    for (const auto& path : {callers(), callers() / "temporary"}) ASSERT_EQ(chown(path.c_str(), kCaller, kCaller), 0);
  }

  void run(const char* compiler, const char* identity) const {
    const std::string mine = callers();
    expect_clean(run_app({"privileged", compiler, identity, parts()},
                         {.environment = {{"ROBUSTNESS_DRIVER", driver()},
                                          {"LANEWISE_COMPILER_DIR", mine},
                                          {"LANEWISE_CACHE_DIR", mine + "/cache"},
                                          {"LANEWISE_DEBUG", "all"},
#ifdef LANEWISE_PRIVATE_TBB  // another one may load it
                                          {"INTEL_LIBITTNOTIFY64", mine + "/tool.so"},
#endif
                                          {"XDG_CACHE_HOME", mine + "/xdg"},
                                          {"HOME", mine + "/home"},
                                          {"TMPDIR", mine + "/temporary"}},
                          .before_exec =
                              [] {
                                return setgroups(0, nullptr) == 0 && setresgid(kCaller, kCaller, kCaller) == 0 &&
                                       setresuid(kCaller, kCaller, kCaller) == 0;
                              },
                          .program = app()}));
    for (const char* name : {"cache", "xdg", "home"}) EXPECT_FALSE(fs::exists(callers() / name)) << name;
    EXPECT_TRUE(fs::is_empty(callers() / "temporary"));
  }

  [[nodiscard]] fs::path app() const { return base.path() / "app"; }
  [[nodiscard]] fs::path driver() const { return base.path() / "driver" / "liblanewise.so"; }
  [[nodiscard]] fs::path parts() const { return base.path() / "driver" / "lanewise"; }
  [[nodiscard]] fs::path callers() const { return base.path() / "caller"; }

  TemporaryDirectory base;
};

TEST_F(Privileged, BelievesNothingOfItsCaller) {
  run("helper", "effective");
}
// The helper of such a process is not privileged itself, so only what the driver passes to it may decide.
TEST_F(Privileged, BelievesNothingAfterTakingTheIdentity) {
  run("helper", "full");
}
TEST_F(Privileged, BelievesNothingInProcess) {
  fs::remove(parts() / "lanewise-compiler");
  run("inprocess", "effective");
}

TEST(Cancel, InTheMiddleOfABuild) {
  expect_clean(run_app({"cancel_builds"}, {.seconds = 120}));
}
TEST(Cancel, InTheMiddleOfAnInProcessBuild) {
  expect_clean(run_app({"cancel_builds"}, {.environment = {kInProcess}, .seconds = 120}));
}
TEST(Cancel, WhileWaiting) {
  expect_clean(run_app({"cancel_waits"}));
}

// Enough for the image of a small kernel: the driver passes all other data without files.
TEST(FileSizeLimit, OfAnImageIsEnough) {
  for (const char* limit : {"65536", "16384"}) {
    expect_clean(run_app({"file_size_limit", limit}));
    expect_clean(run_app({"file_size_limit", limit}, {.environment = {kInProcess}}));
  }
}
TEST(FileSizeLimit, WithoutAnyFileNothingIsKilled) {
  for (const char* limit : {"0", "1", "1000"}) {
    expect_clean(run_app({"file_size_limit", limit, "fails"}));
    expect_clean(run_app({"file_size_limit", limit, "fails"}, {.environment = {kInProcess}}));
  }
}

TEST(CompilerMemory, WhatTakesAllOfItIsABuildFailure) {
  expect_clean(run_app({"compiler_memory"}));
}

TEST(FewDescriptors, ManyBuildsAtOnce) {
  expect_clean(run_app({"few_descriptors"}, {.seconds = 120}));
}

TEST(InProcess, CrashOfTheCompilerFailsTheBuild) {
  expect_clean(run_app({"compiler_crash"}, {.environment = {kInProcess}, .seconds = 120}));
}
TEST(InProcess, CrashDoesNotFailOtherBuilds) {
  expect_clean(run_app({"crash_beside_good_builds"}, {.environment = {kInProcess}, .seconds = 120}));
}
TEST(InProcess, CrashHandlersOfTheApplicationStay) {
  expect_clean(
      run_app({"own_crash_handlers"}, {.environment = {kInProcess, {"LANEWISE_BUILD", "all"}}, .seconds = 120}));
}

TEST(NoProc, BuildsAndRuns) {
  expect_clean(run_app({"compute"}, {.before_exec = [] { return mount_over("/proc"); }}));
}
TEST(NoProc, BuildsInProcess) {
  expect_clean(run_app({"compute"}, {.environment = {kInProcess}, .before_exec = [] { return mount_over("/proc"); }}));
}

}  // namespace
}  // namespace lanewise::robustness
