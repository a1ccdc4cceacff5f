// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The helper process from outside: what an application notices of it, and what failures it survives. The compiler
/// behind it is tests/unit/fake_compiler.
#include "runtime/code/compiler_client.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/sanitizers.h"
#include "tests/time_limits.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using test::request;

class CompilerClientTest : public test::FakeCompilerTest {
 protected:
  static int helper_of(CompilerClient& client) {
    return static_cast<int>(strtol(client.run(request("pid")).log.c_str(), nullptr, 10));
  }

  test::TemporaryDirectory scratch_;
};

TEST_F(CompilerClientTest, AnswersFromAnotherProcessThatIsKept) {
  CompilerClient client = make();
  const auto reply = client.run(request("echo hello"));
  EXPECT_EQ(reply.status, CL_SUCCESS);
  EXPECT_EQ(reply.log, "echo hello");
  EXPECT_EQ(client.run(request("fail")).status, CL_BUILD_PROGRAM_FAILURE);
  const int helper = helper_of(client);
  EXPECT_GT(helper, 0);
  EXPECT_NE(helper, getpid());
  EXPECT_EQ(helper_of(client), helper);
}

TEST_F(CompilerClientTest, LargeRequestsAndReplies) {
  CompilerClient client = make();
  const auto reply = client.run(request("size 50000000"));
  ASSERT_EQ(reply.ir.size(), 50'000'000u);
  EXPECT_EQ(reply.ir.back(), 7);
  const std::string source = "echo " + std::string(20'000'000, 'x');
  EXPECT_EQ(client.run(request(source)).log, source);
  EXPECT_EQ(client.run(request("")).status, CL_SUCCESS);
}

TEST_F(CompilerClientTest, SixteenThreadsAtOnce) {
  CompilerClient client = make();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  threads.reserve(16);
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string source = "echo " + std::to_string(t) + " " + std::to_string(i);
        right += client.run(request(source)).log == source;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 16 * 50);
}

TEST_F(CompilerClientTest, OneHelperForJobsThatEndWhileOthersBegin) {
  CompilerClient client = make();
  const int helper = helper_of(client);
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) (void)client.run(request("echo"));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(helper_of(client), helper);
}

TEST_F(CompilerClientTest, ASlowRequestDoesNotHoldAQuickOne) {
  CompilerClient client = make();
  (void)helper_of(client);
  std::atomic<bool> slow_done{false};
  std::thread slow([&] {
    (void)client.run(request("sleep 1500"));
    slow_done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(client.run(request("echo quick")).status, CL_SUCCESS);
  EXPECT_FALSE(slow_done);
  slow.join();
}

TEST_F(CompilerClientTest, ACrashFailsTheBuildAndNothingElse) {
  CompilerClient client = make();
  for (const char* how : {"crash", "exit"}) {
    const auto reply = client.run(request(how));
    EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE) << how;
    EXPECT_FALSE(reply.log.empty()) << how;
    EXPECT_EQ(client.run(request("echo after")).status, CL_SUCCESS) << how;
  }
  EXPECT_EQ(client.run(abi::Compile{.source = request("crash").source}).status, CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_EQ(client.run(abi::Link{.options = {"crash"}, .code = {}}).status, CL_LINK_PROGRAM_FAILURE);
}

TEST_F(CompilerClientTest, ACompileThatTakesAllMemoryFailsWithTheReason) {
  if (kAddressSanitizer || kThreadSanitizer) GTEST_SKIP() << "the helper has no limit there";
  CompilerClient client = make();
  const auto reply = client.run(request("memory"));
  EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(reply.log.find("more memory than it may take"), std::string::npos) << reply.log;
  EXPECT_EQ(client.run(request("echo after")).status, CL_SUCCESS);
}

TEST_F(CompilerClientTest, ARequestThatDiesOnceIsTriedAgain) {
  CompilerClient client = make();
  EXPECT_EQ(client.run(request("once " + (scratch_ / "flag"))).status, CL_SUCCESS);
}

TEST_F(CompilerClientTest, OthersInFlightSurviveACrash) {
  CompilerClient client = make();
  (void)helper_of(client);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] { good += client.run(request("sleep 200")).status == CL_SUCCESS; });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(client.run(request("crash")).status, CL_BUILD_PROGRAM_FAILURE);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
}

TEST_F(CompilerClientTest, KilledWhileIdle) {
  CompilerClient client = make();
  const int helper = helper_of(client);
  ASSERT_EQ(kill(helper, SIGKILL), 0);
  ASSERT_TRUE(test::ends(helper));
  const int next = helper_of(client);
  EXPECT_GT(next, 0);
  EXPECT_NE(next, helper);
}

TEST_F(CompilerClientTest, KilledInTheMiddleOfABuild) {
  CompilerClient client = make();
  const int helper = helper_of(client);
  abi::Reply reply;
  std::thread build([&] { reply = client.run(request("sleep 1000")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_EQ(kill(helper, SIGKILL), 0);
  build.join();
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_NE(helper_of(client), helper);
}

TEST_F(CompilerClientTest, AHungCompilerIsStopped) {
  CompilerClient client = make(500);
  const int helper = helper_of(client);
  const auto end = test::time_limit(std::chrono::seconds(20));
  const auto reply = client.run(request("hang"));
  EXPECT_EQ(reply.status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_FALSE(reply.log.empty());
  EXPECT_LT(std::chrono::steady_clock::now(), end);
  EXPECT_TRUE(test::ends(helper));
  EXPECT_EQ(client.run(request("echo after")).status, CL_SUCCESS);
}

/// Lets a stopped helper go on, and expects that it then ends: nothing waits for it any more.
void expect_given_up(int helper) {
  EXPECT_EQ(kill(helper, SIGCONT), 0);
  EXPECT_TRUE(test::ends(helper));
}

constexpr std::chrono::milliseconds kPatience{1500};

TEST_F(CompilerClientTest, StoppedWhileIdle) {
  CompilerClient client(installation_->path(), false, kTimeoutMs, kPatience);
  const int helper = helper_of(client);
  for (const std::string& source : {std::string("pid"), "echo " + std::string(4'000'000, 'x')}) {
    const int stopped = helper_of(client);
    ASSERT_EQ(kill(stopped, SIGSTOP), 0);
    const auto end = test::time_limit(std::chrono::seconds(30));
    EXPECT_EQ(client.run(request(source)).status, CL_SUCCESS);
    EXPECT_LT(std::chrono::steady_clock::now(), end);
    EXPECT_NE(helper_of(client), stopped);
    expect_given_up(stopped);
  }
  EXPECT_NE(helper_of(client), helper);
}

TEST_F(CompilerClientTest, StoppedWhileItWorks) {
  CompilerClient client(installation_->path(), false, kTimeoutMs, kPatience);
  const int helper = helper_of(client);
  const auto end = test::time_limit(std::chrono::seconds(30));
  EXPECT_EQ(client.run(request("stop " + (scratch_ / "flag"))).status, CL_SUCCESS);
  EXPECT_LT(std::chrono::steady_clock::now(), end);
  expect_given_up(helper);
}

TEST_F(CompilerClientTest, StoppedAlwaysIsAnErrorWithTheReason) {
  CompilerClient client(installation_->path(), false, kTimeoutMs, std::chrono::milliseconds(300));
  std::set<int> helpers;
  std::atomic<bool> done{false};
  std::thread watch([&] {
    while (!done) {
      for (const int process : test::processes_of(installation_->helper())) helpers.insert(process);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  const auto reply = client.run(request("stop"));
  done = true;
  watch.join();
  EXPECT_EQ(reply.status, CL_OUT_OF_HOST_MEMORY);
  EXPECT_NE(reply.log.find("stopped from outside"), std::string::npos) << reply.log;
  EXPECT_EQ(helpers.size(), 4u);
  for (const int helper : helpers) expect_given_up(helper);
}

TEST_F(CompilerClientTest, WhatTakesLongIsNotStopped) {
  CompilerClient client(installation_->path(), false, kTimeoutMs, 2 * kPatience);
  EXPECT_EQ(client.run(request("slow " + (scratch_ / "count"))).status, CL_SUCCESS);
  EXPECT_EQ(std::filesystem::file_size(scratch_ / "count"), 1u) << "compiled once";
}

TEST_F(CompilerClientTest, AProgramMayTakeLongerThanItsKernels) {
  CompilerClient client = make(4'000);
  EXPECT_EQ(client.run(request("kernels 1000")).status, CL_SUCCESS);
  const abi::Reply reply = client.run(request("kernels 20000"));
  EXPECT_NE(reply.status, CL_SUCCESS);
  EXPECT_NE(reply.log.find("did not finish"), std::string::npos) << reply.log;
}

/// Sockets of this process.
std::set<int> sockets() {
  std::set<int> found;
  for (int number = 0; number < 1024; ++number) {
    struct stat info{};
    if (fstat(number, &info) == 0 && S_ISSOCK(info.st_mode)) found.insert(number);
  }
  return found;
}

TEST_F(CompilerClientTest, ASocketOfTheApplicationIsLeftAlone) {
  const auto before = sockets();
  int ends[2];
  {
    CompilerClient client = make();
    const int helper = helper_of(client);
    auto made = sockets();
    std::erase_if(made, [&](int number) { return before.contains(number); });
    ASSERT_EQ(made.size(), 1u);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    ASSERT_EQ(dup2(ends[0], *made.begin()), *made.begin());
    close(std::exchange(ends[0], *made.begin()));
    const int next = helper_of(client);
    EXPECT_GT(next, 0);
    EXPECT_NE(next, helper);
    char byte = 0;
    EXPECT_EQ(recv(ends[1], &byte, 1, 0), -1);
    EXPECT_EQ(errno, EAGAIN) << "nothing has been sent, and the socket is open";
    EXPECT_TRUE(test::ends(helper));
  }
  EXPECT_NE(fcntl(ends[0], F_GETFD), -1);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CompilerClientTest, OtherRightsGetAnotherHelper) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can change its ids";
  std::filesystem::permissions(installation_->path(), std::filesystem::perms(0755));
  CompilerClient client = make();
  const int first = helper_of(client);
  std::thread([&] {
    setfsuid(65534);  // of this thread alone
    const int other = helper_of(client);
    EXPECT_NE(other, first);
    EXPECT_EQ(helper_of(client), other);
  }).join();
  EXPECT_TRUE(test::ends(first)) << "a helper with rights that are given up does not stay";
  EXPECT_NE(helper_of(client), first);
}

TEST_F(CompilerClientTest, WithoutAHelperTheLibraryServes) {
  ASSERT_EQ(unlink(installation_->helper().c_str()), 0);
  CompilerClient missing = make();
  EXPECT_EQ(helper_of(missing), getpid());

  std::ofstream(installation_->helper()) << "#!/missing/interpreter\n";
  CompilerClient not_executable = make();
  EXPECT_EQ(helper_of(not_executable), getpid());

  ASSERT_EQ(chmod(installation_->helper().c_str(), 0755), 0);
  CompilerClient no_program = make();
  EXPECT_EQ(helper_of(no_program), getpid());

  std::ofstream(installation_->helper()) << "#!/bin/false\n";
  CompilerClient ends_at_once = make();
  EXPECT_EQ(helper_of(ends_at_once), getpid());
}

TEST_F(CompilerClientTest, InProcessByRequest) {
  CompilerClient client(installation_->path(), true, kTimeoutMs);
  EXPECT_EQ(helper_of(client), getpid());
}

TEST_F(CompilerClientTest, NoCompilerAtAllIsAnErrorWithALog) {
  ASSERT_EQ(unlink(installation_->library().c_str()), 0);
  for (const bool in_process : {false, true}) {
    CompilerClient client(installation_->path(), in_process, kTimeoutMs);
    const auto reply = client.run(request("echo x"));
    EXPECT_EQ(reply.status, CL_COMPILER_NOT_AVAILABLE);
    EXPECT_FALSE(reply.log.empty());
  }
  std::ofstream(installation_->library()) << "not a library";
  CompilerClient damaged = make();
  EXPECT_EQ(damaged.run(request("echo x")).status, CL_COMPILER_NOT_AVAILABLE);
  CompilerClient nowhere("/missing", false, kTimeoutMs);
  EXPECT_EQ(nowhere.run(request("echo x")).status, CL_COMPILER_NOT_AVAILABLE);
}

std::atomic<int> g_child_signals{0};

TEST_F(CompilerClientTest, AnApplicationThatReapsAllItsChildrenSeesNone) {
  struct sigaction count{};
  struct sigaction before{};
  count.sa_handler = [](int) { ++g_child_signals; };
  count.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGCHLD, &count, &before), 0);
  std::atomic<bool> stop{false};
  std::atomic<int> reaped{0};
  std::thread reaper([&] {
    while (!stop) {
      int status = 0;
      if (waitpid(-1, &status, WNOHANG) >= 0) ++reaped;
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < 20; ++round) {
    CompilerClient client = make();
    EXPECT_EQ(client.run(request("echo x")).status, CL_SUCCESS);
    (void)client.run(request("crash"));
  }
  stop = true;
  reaper.join();
  sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(reaped, 0);
  EXPECT_EQ(g_child_signals, 0);
}

TEST_F(CompilerClientTest, ChildrenThatAreIgnoredDoNotDisturb) {
  const int status = test::in_child([&] {
    signal(SIGCHLD, SIG_IGN);
    CompilerClient client = make();
    return client.run(request("echo x")).status == CL_SUCCESS ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(CompilerClientTest, TheHelperInheritsNothingButItsSocket) {
  const int leak = open("/etc/passwd", O_RDONLY);  // without close-on-exec, as applications do
  sigset_t some;
  sigset_t before;
  sigemptyset(&some);
  sigaddset(&some, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &some, &before);
  const auto previous = signal(SIGUSR1, SIG_IGN);
  CompilerClient client = make();
  const std::string seen = client.run(request("surroundings")).log;
  signal(SIGUSR1, previous);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(leak);
  EXPECT_EQ(seen.find("passwd"), std::string::npos) << seen;
  EXPECT_NE(seen.find("0=/dev/null"), std::string::npos) << seen;
  EXPECT_NE(seen.find("1=/dev/null"), std::string::npos) << seen;
  EXPECT_NE(seen.find("3=socket:"), std::string::npos) << seen;
  EXPECT_NE(seen.find("session shared"), std::string::npos) << seen;  // in which priorities count
  EXPECT_NE(seen.find("group own"), std::string::npos) << seen;       // no signals of the terminal
  EXPECT_NE(seen.find("blocked 0"), std::string::npos) << seen;
  EXPECT_NE(seen.find("SIGUSR1 default"), std::string::npos) << seen;
}

TEST_F(CompilerClientTest, TheApplicationKeepsNoDescriptorAndNoThread) {
  const auto count = [](const char* path) {
    return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  };
  {
    CompilerClient warm = make();
    (void)helper_of(warm);
  }
  const auto descriptors = count("/proc/self/fd");
  const auto threads = count("/proc/self/task");
  for (int round = 0; round < 30; ++round) {
    CompilerClient client = make();
    EXPECT_EQ(client.run(request("size 100000")).status, CL_SUCCESS);
    (void)client.run(request("crash"));
    EXPECT_EQ(count("/proc/self/task"), threads);
  }
  EXPECT_EQ(count("/proc/self/fd"), descriptors);
}

TEST_F(CompilerClientTest, TheHelperEndsWithItsClient) {
  int helper = 0;
  {
    CompilerClient client = make();
    helper = helper_of(client);
  }
  EXPECT_TRUE(test::ends(helper));
}

TEST_F(CompilerClientTest, TheHelperEndsWithItsApplicationEvenWhileItCompiles) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const int status = test::in_child([&] {
    // Leaked: the thread still uses it when this process ends.
    CompilerClient& client = *new CompilerClient(make());
    const int helper = helper_of(client);
    std::thread([&client] { (void)client.run(request("hang")); }).detach();
    usleep(100'000);
    return write(ends[1], &helper, sizeof helper) == sizeof helper ? 0 : 1;
  });
  ASSERT_EQ(status, 0);
  int helper = 0;
  ASSERT_EQ(read(ends[0], &helper, sizeof helper), static_cast<ssize_t>(sizeof helper));
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(test::ends(helper));
}

}  // namespace
}  // namespace lanewise
