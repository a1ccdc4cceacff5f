// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Jobs that nobody waits for, in the helper beside kernels. The compiler behind it is tests/unit/fake_compiler.
#include "runtime/code/asked_job.h"

#include <CL/cl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "runtime/code/build_tasks.h"
#include "tests/time_limits.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using std::chrono::milliseconds;
using test::request;

constexpr unsigned kTicks = 50;  ///< of a job `ticks`, one every 10 ms

std::atomic<bool> g_kernels_run;
std::atomic<std::uint64_t> g_commands;

Kernels look() {
  return {.commands = g_commands, .run = g_kernels_run};
}

class AskedJobsTest : public test::FakeCompilerTest {
 protected:
  void SetUp() override {
    test::FakeCompilerTest::SetUp();
    g_kernels_run = false;
    g_commands = 0;
  }

  /// A job that makes ticks, on a thread of its own.
  struct Job {
    Job(CompilerClient& to, std::string path) : file(std::move(path)), client(to) {
      thread = std::thread([this] { reply = client.run(request("ticks " + file), &asked); });
    }
    ~Job() {
      g_kernels_run = false;
      if (thread.joinable()) thread.join();
    }
    [[nodiscard]] std::uintmax_t ticks() const {
      std::error_code error;
      const auto size = std::filesystem::file_size(file, error);
      return error ? 0 : size;
    }
    bool ticks_within(std::uintmax_t count, milliseconds limit) const {
      return test::within(limit, [&] { return ticks() >= count; });
    }
    /// Whether it makes no tick for long.
    [[nodiscard]] bool stands_still() const {
      std::this_thread::sleep_for(milliseconds(100));
      const auto before = ticks();
      std::this_thread::sleep_for(milliseconds(200));
      return ticks() == before && before < kTicks;
    }

    const std::string file;
    CompilerClient& client;
    AskedJob asked{look};
    abi::Reply reply;
    std::thread thread;
  };

  /// So many jobs of which one is to stand still beside kernels.
  static unsigned enough() { return spared_by_kernels() + 1; }

  /// Jobs that have begun, in their order.
  std::vector<std::unique_ptr<Job>> begin(CompilerClient& client) {
    std::vector<std::unique_ptr<Job>> jobs;
    for (unsigned i = 0; i < enough(); ++i) {
      jobs.push_back(std::make_unique<Job>(client, scratch_ / std::to_string(i)));
      EXPECT_TRUE(jobs.back()->ticks_within(1, milliseconds(20'000)));
    }
    return jobs;
  }

  test::TemporaryDirectory scratch_;
};

TEST_F(AskedJobsTest, GoOnWhileNoKernelRuns) {
  CompilerClient client = make();
  for (const auto& job : begin(client)) {
    job->thread.join();
    EXPECT_EQ(job->reply.status, CL_SUCCESS);
    EXPECT_EQ(job->ticks(), kTicks);
  }
}

TEST_F(AskedJobsTest, StandStillWhileKernelsRun) {
  CompilerClient client = make();
  auto jobs = begin(client);
  Job& last = *jobs.back();
  g_kernels_run = true;
  EXPECT_TRUE(last.stands_still());
  g_kernels_run = false;
  last.thread.join();
  EXPECT_EQ(last.reply.status, CL_SUCCESS);
  EXPECT_EQ(last.ticks(), kTicks);
}

/// Whatever a caller forgets: kernels that never end do not keep code away for ever.
TEST_F(AskedJobsTest, GoOnAfterFiveSeconds) {
  CompilerClient client = make();
  auto jobs = begin(client);
  Job& last = *jobs.back();
  g_kernels_run = true;
  EXPECT_TRUE(last.stands_still());
  EXPECT_TRUE(last.ticks_within(kTicks, milliseconds(20'000)));
  last.thread.join();
  EXPECT_EQ(last.reply.status, CL_SUCCESS);
}

/// Between two launches of an application no kernel runs for a moment.
TEST_F(AskedJobsTest, StandStillBetweenLaunches) {
  CompilerClient client = make();
  auto jobs = begin(client);
  std::atomic<bool> end{false};
  std::thread launches([&] {
    for (; !end; std::this_thread::sleep_for(milliseconds(1))) ++g_commands;
  });
  EXPECT_TRUE(jobs.back()->stands_still());
  end = true;
  launches.join();
}

TEST_F(AskedJobsTest, GoOnAtOnceWhenTheyAreWanted) {
  CompilerClient client = make();
  auto jobs = begin(client);
  Job& last = *jobs.back();
  g_kernels_run = true;
  EXPECT_TRUE(last.stands_still());
  const auto before = last.ticks();
  client.want(last.asked);
  EXPECT_TRUE(last.ticks_within(before + 1, milliseconds(1'000)));
  last.thread.join();
  EXPECT_EQ(last.reply.status, CL_SUCCESS);
}

/// A job that stands still may hold a lock that another job needs.
TEST_F(AskedJobsTest, GoOnBesideAJobThatIsWaitedFor) {
  CompilerClient client = make();
  auto jobs = begin(client);
  Job& last = *jobs.back();
  g_kernels_run = true;
  EXPECT_TRUE(last.stands_still());
  const auto before = last.ticks();
  EXPECT_EQ(client.run(request("sleep 300")).status, CL_SUCCESS);
  EXPECT_GE(last.ticks(), before + 5);
  EXPECT_TRUE(last.stands_still());
}

TEST_F(AskedJobsTest, MayStandStillForLongerThanACompileMayTake) {
  CompilerClient client = make(700);
  auto jobs = begin(client);
  g_kernels_run = true;
  std::this_thread::sleep_for(milliseconds(2'000));
  g_kernels_run = false;
  jobs.back()->thread.join();
  EXPECT_EQ(jobs.back()->reply.status, CL_SUCCESS);
}

TEST_F(AskedJobsTest, EndWithTheHelperWhileTheyStandStill) {
  CompilerClient client = make();
  auto jobs = begin(client);
  g_kernels_run = true;
  EXPECT_TRUE(jobs.back()->stands_still());
  for (const pid_t helper : test::processes_of(installation_->helper())) kill(helper, SIGKILL);
  g_kernels_run = false;
  jobs.back()->thread.join();
  EXPECT_EQ(jobs.back()->reply.status, CL_SUCCESS) << "a new helper has done it";
}

}  // namespace
}  // namespace lanewise
