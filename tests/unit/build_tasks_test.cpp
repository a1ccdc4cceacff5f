// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/build_tasks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "runtime/exec/activity.h"
#include "src/host/topology.h"
#include "tests/time_limits.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise {
namespace {

/// Tasks that wait as a build does, and the largest number of them that ran at once.
int most_at_once(Urgency urgency) {
  static std::atomic<int> running;
  static std::atomic<int> most;
  static std::atomic<int> ended;
  running = most = ended = 0;
  constexpr int kTasks = 40;
  for (int i = 0; i < kTasks; ++i) {
    EXPECT_TRUE(run_in_background(
        [] {
          const int now = ++running;
          for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
          }
          usleep(5'000);
          --running;
          ++ended;
        },
        urgency));
  }
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [] { return ended == kTasks; })) << ended;
  return most;
}

int processors() {
  return static_cast<int>(host::usable_threads(static_cast<unsigned>(host::allowed_cpus().size()), 0));
}

TEST(BuildTasks, TakeAThreadForEachProcessor) {
  const int most = most_at_once(Urgency::awaited);
  EXPECT_LE(most, processors());
  EXPECT_GE(most, std::min(processors(), 2));
}

TEST(BuildTasks, OfWhichNobodyWaitsTakeAQuarterOfThem) {
  EXPECT_LE(most_at_once(Urgency::hidden), std::max(processors() / 4, 1));
}

TEST(BuildTasks, ThatAreWantedOvertakeOthers) {
  static std::atomic<bool> open;
  static std::atomic<int> ended;
  static std::atomic<int> before;
  open = false;
  ended = before = 0;
  constexpr int kAsked = 200;
  const auto asked = [] {
    while (!open) usleep(500);
    usleep(1'000);
    ++ended;
  };
  for (int i = 0; i < kAsked; ++i) ASSERT_TRUE(run_in_background(asked, Urgency::asked));
  ASSERT_TRUE(run_in_background([] { before = ++ended; }, Urgency::wanted));
  open = true;
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [] { return ended == kAsked + 1; })) << ended;
  EXPECT_LE(before, 2 * processors()) << "only those that had begun come first";
}

class BuildTasksBesideKernels : public test::ExecTest {};

/// Code that nobody waits for takes no processor away from kernels, and code that is wanted comes at once.
TEST_F(BuildTasksBesideKernels, AskedOnesWaitForAProcessor) {
  static std::atomic<bool> open;
  static std::atomic<unsigned> inside;
  static std::atomic<int> begun;
  static std::atomic<int> ended;
  static std::atomic<int> wanted;
  open = false;
  inside = 0;
  begun = ended = wanted = 0;
  const unsigned units = device().facts().compute_units;
  const auto kernels = queue(kInOrder);
  const auto run_until_open = [](std::uint64_t) {
    for (++inside; !open;) usleep(200);
    return CL_SUCCESS;
  };
  const auto event = submit(*kernels, test::call(run_until_open, units));
  std::thread waiter([&] { event->wait(); });
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [&] { return inside == units; })) << inside;
  constexpr int kAsked = 40;
  const LookAtKernels look = [] {
    const Activity activity = activity_now();
    return Kernels{.commands = activity.kicks, .run = activity.participants != 0};
  };
  const auto compile_until_open = [] {
    for (++begun; !open;) usleep(200);
    ++ended;
  };
  for (int i = 0; i < kAsked; ++i) EXPECT_TRUE(run_in_background(compile_until_open, Urgency::asked, look));
  EXPECT_TRUE(run_in_background([] { ++wanted; }, Urgency::wanted));
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [] { return wanted == 1; })) << "what is wanted waits for nothing";
  usleep(50'000);
  EXPECT_LE(begun, processors() / 4);
  open = true;
  waiter.join();
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [] { return ended == kAsked; })) << ended;
}

TEST(BuildTasks, BeginOthers) {
  static std::atomic<int> ended;
  static std::function<void(int)> begin;
  ended = 0;
  begin = [](int left) {
    EXPECT_TRUE(run_in_background([left] {
      if (left != 0) begin(left - 1);
      ++ended;
    }));
  };
  begin(1000);
  EXPECT_TRUE(test::within(std::chrono::seconds(10), [] { return ended == 1001; })) << ended;
}

}  // namespace
}  // namespace lanewise
