// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes of the driver and what others do to them: an application that gives rights up after its first build, one
// that closes descriptors it does not know, processes that are stopped and killed, no more processes. An answer comes
// soon, and where nothing is wrong with the program it is the right one.
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "tests/robustness/confined_outcome.h"

namespace lanewise::robustness {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr gid_t kGroup = 4242;
constexpr std::pair<const char*, const char*> kInProcess = {"LANEWISE_COMPILER", "inprocess"};

// --- Rights -----------------------------------------------------------------------------------------------------------

struct GivenUp {
  const char* how;
  uid_t owner;
  gid_t group;
  mode_t mode;
};

std::ostream& operator<<(std::ostream& out, const GivenUp& given) {
  return out << given.how;
}

/// A file that the application may read before it gives rights up, and not afterwards.
class Rights : public testing::TestWithParam<GivenUp> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root has rights to give up";
    for (fs::path folder = fs::path(LANEWISE_DRIVER_FILE).parent_path(); folder != "/"; folder = folder.parent_path())
      if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none)
        GTEST_SKIP() << "others cannot reach the driver in " << folder;
    fs::permissions(base_.path(), fs::perms(0755));
    fs::create_directories(base_ / "root");
    fs::create_directories(base_ / "hidden");
    std::ofstream(file()) << "the_secret_line of_root;\n";
    ASSERT_EQ(chown(file().c_str(), GetParam().owner, GetParam().group), 0);
    ASSERT_EQ(chmod(file().c_str(), GetParam().mode), 0);
  }

  [[nodiscard]] std::string file() const { return base_ / "hidden/file"; }

  /// What a build after that shows of the file.
  [[nodiscard]] Outcome build(const std::string& how, const char* when, Options options = {}) const {
    options.before_exec = [] {
      const gid_t group = kGroup;
      return setgroups(1, &group) == 0 && (std::string(GetParam().how) != "setgid" || drop_groups_but_own());
    };
    return run_confined({"give_up", how, file(), when, base_ / "root"}, options);
  }

 private:
  static bool drop_groups_but_own() { return setgroups(0, nullptr) == 0 && setgid(kGroup) == 0; }

  TemporaryDirectory base_;
};

TEST_P(Rights, AreNotKeptByTheCompiler) {
  const Outcome before = build("nothing", "first");
  expect_clean(before);
  EXPECT_NE(before.out.find("the_secret_line"), std::string::npos) << "it can be read before: " << before.out;
  for (const char* when : {"first", "later"}) {
    const Outcome after = build(GetParam().how, when);
    SKIP_IF_NOT_ALLOWED(after);
    expect_clean(after);
    EXPECT_TRUE(after.out.starts_with("-11\n")) << after.out;
    EXPECT_EQ(after.out.find("the_secret_line"), std::string::npos) << after.out;
  }
}

TEST_P(Rights, AreNotKeptInProcess) {
  const Outcome after = build(GetParam().how, "first", {.environment = {kInProcess}});
  SKIP_IF_NOT_ALLOWED(after);
  expect_clean(after);
  EXPECT_EQ(after.out.find("the_secret_line"), std::string::npos) << after.out;
}

INSTANTIATE_TEST_SUITE_P(GivenUp, Rights,
                         testing::Values(GivenUp{"setuid", 0, 0, 0600}, GivenUp{"seteuid", 0, 0, 0600},
                                         GivenUp{"setfsuid", 0, 0, 0600}, GivenUp{"setgid", kNobody, kGroup, 0040},
                                         GivenUp{"setgroups", kNobody, kGroup, 0040},
                                         GivenUp{"capset", kNobody, kNobody, 0600},
                                         GivenUp{"capset_for_good", kNobody, kNobody, 0600},
                                         GivenUp{"unshare", 0, 0, 0644}, GivenUp{"chroot", 0, 0, 0644}),
                         [](const auto& info) { return std::string(info.param.how); });

TEST(Namespaces, TheFirstProcessOfOneIsTheApplications) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a namespace of processes";
  const Outcome outcome = run_confined({"new_process_namespace"});
  SKIP_IF_NOT_ALLOWED(outcome);
  expect_clean(outcome);
}

// --- Surroundings -----------------------------------------------------------------------------------------------------

TEST(HelperSurroundings, TheEnvironmentIsTheDriversPart) {
  const Outcome outcome = run_confined({"print_helper_environment"}, {.environment = {{"LANEWISE_THREADS", "2"},
                                                                                      {"TMPDIR", "/tmp"},
                                                                                      {"LD_AUDIT_NOT", "1"},
                                                                                      {"SOME_SECRET", "of_mine"},
                                                                                      {"HOME", "/home/of/mine"}}});
  expect_clean(outcome);
  EXPECT_NE(outcome.out.find("LANEWISE_THREADS=2\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("TMPDIR=/tmp\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("of_mine"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("PATH=/"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("LD_AUDIT_NOT"), std::string::npos) << outcome.out;
}

/// A library that writes its process into a file when it is loaded.
TEST(HelperSurroundings, NothingIsPreloaded) {
  const TemporaryDirectory folder;
  const Outcome outcome = run_confined(
      {"compute"}, {.environment = {{"LD_PRELOAD", LANEWISE_PRELOADED}, {"ROBUSTNESS_LOADED", folder / "loaded"}}});
  expect_clean(outcome);
  std::ifstream list(folder / "loaded");
  std::vector<std::string> programs;
  for (std::string line; std::getline(list, line);) programs.push_back(line);
  ASSERT_EQ(programs.size(), 1u) << "only the application";
}

TEST(HelperSurroundings, OnlyItsOwnDescriptors) {
  const Outcome outcome = run_confined({"print_helper_descriptors"});
  expect_clean(outcome);
  std::istringstream lines(outcome.out);
  int sockets = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool known = line.ends_with("=/dev/null") || line.find("anon_inode:[pidfd]") != std::string::npos;
    const bool socket = line.starts_with("3=socket:");
    sockets += socket ? 1 : 0;
    EXPECT_TRUE(known || socket) << line;
  }
  EXPECT_EQ(sockets, 1);
}

TEST(HelperSurroundings, NoDevices) {
  const Outcome outcome = run_confined({"compute"}, {.before_exec = [] { return mount_over("/dev"); }});
  SKIP_IF_NOT_ALLOWED(outcome);
  expect_clean(outcome);
}

// --- Descriptors ------------------------------------------------------------------------------------------------------

TEST(OwnDescriptors, AreNeitherUsedNorClosed) {
  expect_clean(run_confined({"close_descriptors"}, {.seconds = 60}));
}
TEST(OwnDescriptors, MayBeClosedDuringBuilds) {
  expect_clean(run_confined({"close_descriptors_during_builds"}, {.seconds = 60}));
}

// --- Stopped and killed -----------------------------------------------------------------------------------------------

TEST(Stopped, HelperBeforeABuild) {
  expect_soon(run_confined({"stopped_helper"}, {.seconds = 100}));
}
TEST(Stopped, HelperThatTakesNoRequest) {
  expect_soon(run_confined({"stopped_helper", "large"}, {.seconds = 100}));
}
TEST(Stopped, HelperInABuild) {
  expect_soon(run_confined({"stopped_in_a_build"}, {.seconds = 300}));
}

}  // namespace
}  // namespace lanewise::robustness
