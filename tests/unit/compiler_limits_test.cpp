// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What requests to the compiler wait for and need: other requests, descriptors, files.
#include <CL/cl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/code/compiler_client.h"
#include "src/base/sanitizers.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using test::request;

class CompilerLimitsTest : public test::FakeCompilerTest {
 protected:
  /// As many requests as the helper works on at once.
  static int slots() { return static_cast<int>(std::max(2U, std::thread::hardware_concurrency())); }

  /// Runs `count` requests at once and returns how many succeed.
  static int succeed(CompilerClient& client, int count, const std::string& source) {
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&] { good += client.run(request(source)).status == CL_SUCCESS; });
    for (auto& thread : threads) thread.join();
    return good;
  }
};

TEST_F(CompilerLimitsTest, WaitingForOthersDoesNotCount) {
  CompilerClient client = make(1000);
  EXPECT_EQ(succeed(client, 4 * slots(), "sleep 400"), 4 * slots());
}

TEST_F(CompilerLimitsTest, OneThatHangsFailsAloneWhileOthersWait) {
  CompilerClient client = make(700);
  abi::Reply hung;
  std::thread hanging([&] { hung = client.run(request("hang")); });
  usleep(50'000);
  EXPECT_EQ(succeed(client, 4 * slots(), "sleep 300"), 4 * slots());
  hanging.join();
  EXPECT_EQ(hung.status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(hung.log.find("seconds"), std::string::npos) << hung.log;
}

TEST_F(CompilerLimitsTest, OneThatCrashesFailsAloneWhileOthersWait) {
  CompilerClient client = make();
  (void)client.run(request("pid"));
  std::atomic<int> good{0};
  std::thread others([&] { good = succeed(client, 6 * slots(), "sleep 50"); });
  usleep(20'000);
  EXPECT_EQ(client.run(request("crash")).status, CL_BUILD_PROGRAM_FAILURE);
  others.join();
  EXPECT_EQ(good, 6 * slots());
}

TEST_F(CompilerLimitsTest, AHelperThatStandsStillIsReplaced) {
  CompilerClient client = make(500);
  const int helper = atoi(client.run(request("pid")).log.c_str());
  ASSERT_GT(helper, 0);
  ASSERT_EQ(kill(helper, SIGSTOP), 0);
  const auto reply = client.run(request("echo x"));
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  kill(helper, SIGKILL);
  EXPECT_TRUE(test::ends(helper));
}

TEST_F(CompilerLimitsTest, ManyRequestsAndFewDescriptors) {
  const int status = test::in_child([&] {
    CompilerClient client = make();
    const int free = dup(0);
    if (free < 0) return test::kSkipped;
    const rlimit low{static_cast<rlim_t>(free) + 3, static_cast<rlim_t>(free) + 3};  // enough to start a helper
    if (client.run(request("echo first")).status != CL_SUCCESS) return 1;
    if (setrlimit(RLIMIT_NOFILE, &low) != 0) return test::kSkipped;
    return succeed(client, 40, "sleep 10") == 40 ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(CompilerLimitsTest, NoDescriptorLeftIsNotTheEndOfTheHelper) {
  const int status = test::in_child([&] {
    CompilerClient client = make();
    const int helper = atoi(client.run(request("pid")).log.c_str());
    rlimit all{};
    getrlimit(RLIMIT_NOFILE, &all);
    const rlimit none{3, all.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) return test::kSkipped;
    const bool large = client.run(request("size 5000000")).ir.size() == 5'000'000;
    setrlimit(RLIMIT_NOFILE, &all);
    return large && atoi(client.run(request("pid")).log.c_str()) == helper ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(CompilerLimitsTest, NoFileMayBeWritten) {
  if (kThreadSanitizer) {
    GTEST_SKIP() << "ThreadSanitizer writes a file when the helper starts, and flushes the output when this child ends";
  }
  const int status = test::in_child([&] {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit none{0, 0};
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) return test::kSkipped;
    CompilerClient client = make();
    if (client.run(request("size 5000000")).ir.size() != 5'000'000) return 1;
    const std::string source = "echo " + std::string(5'000'000, 'x');
    return client.run(request(source)).log == source ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace lanewise
