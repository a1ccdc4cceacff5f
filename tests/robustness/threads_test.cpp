// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's threads, and those of the application on which it runs kernels: threads that cannot be made, small
// stacks, memory that stays with threads, and a thread pool of the application's own.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "src/base/sanitizers.h"
#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

void expect_clean(const std::vector<std::string>& arguments, const std::string& program = LANEWISE_THREADS_APP,
                  const std::vector<std::pair<std::string, std::string>>& environment = {},
                  const std::string& may_say = "") {
  const Outcome outcome = run_app(arguments, {.environment = environment, .program = program});
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  if (outcome.err != may_say) EXPECT_EQ(outcome.err, "");
}

#ifdef LANEWISE_PRIVATE_TBB  // another one does not tell that it lacks threads
TEST(Threads, NoneToBeHad) {
  // A thread may have begun with the code before there were none.
  expect_clean({"no_threads"}, LANEWISE_THREADS_APP, {},
               "lanewise: no code for kernel f: no thread for the compiler\n");
}
#endif
TEST(Threads, OfTheDriverTakeNoSignals) {
  expect_clean({"signals"}, LANEWISE_THREADS_APP, {{"LANEWISE_COMPILER", "inprocess"}});
}
TEST(Threads, OfTheApplicationWithASmallStack) {
  expect_clean({"small_stack"});
}
TEST(Threads, OfTheApplicationInACoroutine) {
  if (kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer writes a warning about threads that change their stack";
  expect_clean({"coroutine"});
}
#ifdef LANEWISE_PRIVATE_TBB  // another one has its own number of threads, and writes warnings
TEST(Threads, RunOnTheProcessorsOfTheDevice) {
  expect_clean({"bound"});
}
TEST(Threads, StayOnOneProcessor) {
  expect_clean({"pinned"}, LANEWISE_THREADS_APP, {{"LANEWISE_PIN", "on"}});
}
/// TBB would write its version to standard error.
TEST(Threads, TbbReadsNoEnvironment) {
  expect_clean({"bound"}, LANEWISE_THREADS_APP, {{"TBB_VERSION", "1"}});
}

/// A control group of its own that gives its processes so much time of processors in each tenth of a second. It is made
/// where this process is, or above: version 2 allows groups with a quota only below some.
class ControlGroup {
 public:
  explicit ControlGroup(unsigned quota_us) {
    std::ifstream groups("/proc/self/cgroup");
    std::string line;
    while (std::getline(groups, line) && path_.empty()) {  // "hierarchy-ID:controller-list:path"
      const std::size_t second = line.find(':', line.find(':') + 1);
      const std::string controllers = line.substr(line.find(':') + 1, second - line.find(':') - 1);
      if (controllers.empty()) make_version_2(line.substr(second + 1), quota_us);
      if ((',' + controllers + ',').find(",cpu,") != std::string::npos) {
        if (make("/sys/fs/cgroup/cpu" + line.substr(second + 1)))
          limited_ = write(path_ + "/cpu.cfs_period_us", "100000") &&
                     write(path_ + "/cpu.cfs_quota_us", std::to_string(quota_us));
      }
    }
  }
  ~ControlGroup() {
    if (path_.empty()) return;
    // A process that has ended leaves its group a moment later.
    for (int i = 0; i < 1000 && rmdir(path_.c_str()) != 0; ++i) usleep(10'000);
    EXPECT_NE(access(path_.c_str(), F_OK), 0) << path_;
  }
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  [[nodiscard]] bool limited() const { return limited_; }
  /// Puts the calling process into it.
  [[nodiscard]] bool enter() const { return write(path_ + "/cgroup.procs", "0"); }

 private:
  static bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text << std::flush;
    return file.good();
  }
  bool make(const std::string& parent) {
    const std::string path = parent + "/lanewise-test-" + std::to_string(getpid());
    if (mkdir(path.c_str(), 0755) == 0) path_ = path;
    return !path_.empty();
  }
  void make_version_2(std::string group, unsigned quota_us) {
    for (;; group.resize(std::min(group.rfind('/'), group.size()))) {
      std::ifstream file("/sys/fs/cgroup" + group + "/cgroup.subtree_control");
      std::stringstream controllers;
      controllers << ' ' << file.rdbuf() << ' ';
      std::string text = controllers.str();
      std::replace(text.begin(), text.end(), '\n', ' ');
      if (text.find(" cpu ") != std::string::npos) {
        if (make("/sys/fs/cgroup" + group)) limited_ = write(path_ + "/cpu.max", std::to_string(quota_us) + " 100000");
        return;
      }
      if (group.empty()) return;
    }
  }

  std::string path_;
  bool limited_ = false;
};

/// The compute units of the device and the threads that run kernels, of a process in `group`.
std::pair<int, int> units_and_workers(const ControlGroup* group) {
  const Outcome outcome =
      run_app({"count"}, {.environment = {{"LANEWISE_TIER", "1"}},  // a thread for builds looks like one for kernels
                          .before_exec = [&] { return group == nullptr || group->enter(); },
                          .program = LANEWISE_THREADS_APP});
  EXPECT_EQ(outcome.exit_code, 0);
  std::pair<int, int> found{0, 0};
  std::istringstream(outcome.out) >> found.first >> found.second;
  return found;
}

TEST(Threads, AreAsManyAsTheControlGroupPaysFor) {
  const auto [units, workers] = units_and_workers(nullptr);
  EXPECT_EQ(workers, units);
  if (units < 2) GTEST_SKIP() << "one processor leaves nothing to a quota";
  for (const unsigned quota : {50'000U, 100'000U, 150'000U}) {
    const ControlGroup group(quota);
    if (!group.limited()) GTEST_SKIP() << "this process cannot make a control group with a quota";
    const int expected = std::min(units, quota > 100'000 ? 2 : 1);
    EXPECT_EQ(units_and_workers(&group), std::pair(expected, expected)) << quota;
  }
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
