// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that start together with an empty cache: each program is compiled once, and no process waits for good.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntries = 2;  ///< a program with one kernel: its IR, and the code of the kernel

class Ranks : public testing::Test {
 protected:
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments, std::function<bool()> before_exec = {}) const {
    return run_app(arguments, {.environment = {{"LANEWISE_CACHE_DIR", cache()}, {"LANEWISE_DEBUG", "cache"}},
                               .before_exec = std::move(before_exec)});
  }
  [[nodiscard]] std::string cache() const { return base / "cache"; }
  static void expect_works(const Outcome& outcome) {
    EXPECT_FALSE(outcome.timed_out);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(outcome.helper_left);
  }
  /// Lines of the cache's messages that contain `text`.
  static std::size_t count(const Outcome& outcome, const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = outcome.err.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  }
  [[nodiscard]] std::size_t files(const std::string& extension) const {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(cache())) found += entry.path().extension() == extension ? 1U : 0U;
    return found;
  }

  TemporaryDirectory base;
};

TEST_F(Ranks, CompileOnceTogether) {
  const Outcome outcome = run({"ranks", "8", "good"});
  expect_works(outcome);
  // On a machine that stands still for seconds, a second one may begin.
  EXPECT_LE(count(outcome, ": kept "), 2 * kEntries) << outcome.err;
  EXPECT_GE(count(outcome, ": hit "), 6 * kEntries) << outcome.err;
  EXPECT_EQ(files(".lock"), 0u);
}

TEST_F(Ranks, HaveTheirErrorsTogether) {
  const auto begin = std::chrono::steady_clock::now();
  expect_works(run({"ranks", "8", "bad"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(files(".lock"), 0u);
}

TEST_F(Ranks, AKilledOneIsReplaced) {
  const Outcome outcome = run({"lost_rank", std::to_string(SIGKILL)});
  expect_works(outcome);
  EXPECT_EQ(count(outcome, "takes long"), 0u) << "its lock is free at once" << outcome.err;
  EXPECT_EQ(files(".lwc"), 2 * kEntries);
  EXPECT_EQ(files(".lock"), 0u);
}

TEST_F(Ranks, AStoppedOneIsReplaced) {
  const Outcome outcome = run({"lost_rank", std::to_string(SIGSTOP)});
  expect_works(outcome);
  EXPECT_GE(count(outcome, "takes long"), 1u) << outcome.err;
  EXPECT_EQ(files(".lwc"), 2 * kEntries);
}

/// Where nothing can be kept, or no lock be made, each of them compiles.
TEST_F(Ranks, CompileEachWithoutACache) {
  for (const auto& [options, flags] : std::initializer_list<std::pair<const char*, unsigned long>>{
           {"mode=0700", MS_RDONLY}, {"mode=0700,size=4k", 0}, {"mode=0700,nr_inodes=1", 0}}) {
    fs::create_directory(cache());
    ASSERT_EQ(chmod(cache().c_str(), 0700), 0);
    const Outcome outcome = run({"ranks", "3", "good"},
                                [&, options = options, flags = flags] { return mount_over(cache(), options, flags); });
    if (outcome.exit_code == kNotAllowedHere) GTEST_SKIP() << "mounting is not allowed here";
    expect_works(outcome);
    EXPECT_GE(count(outcome, ": could not keep "), 3u) << options << "\n" << outcome.err;
  }
}

/// What is no lock is left alone, and nobody waits for it. A lock that a dead process left is used and removed.
TEST_F(Ranks, StrangeLocksAreNoLocks) {
  expect_works(run({"compute"}));
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cache()))
    if (entry.path().extension() == ".lwc") names.push_back(entry.path().string() + ".0.lock");
  ASSERT_EQ(names.size(), 2 * kEntries);
  ASSERT_EQ(mkfifo(names[0].c_str(), 0600), 0);
  fs::create_directory(names[1]);
  fs::create_symlink(base.path() / "elsewhere", names[2]);
  std::ofstream(names[3]).close();
  for (const std::string& name : names) fs::remove(name.substr(0, name.find(".lwc") + 4));
  const Outcome outcome = run({"compute"});
  expect_works(outcome);
  EXPECT_EQ(count(outcome, ": kept "), 2 * kEntries);
  EXPECT_EQ(count(outcome, "takes long"), 0u);
  EXPECT_FALSE(fs::exists(base.path() / "elsewhere"));
  EXPECT_FALSE(fs::exists(names[3]));
  EXPECT_EQ(files(".lock"), 3u);
}

}  // namespace
}  // namespace lanewise::robustness
