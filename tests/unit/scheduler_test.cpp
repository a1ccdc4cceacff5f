// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scheduler under load, and what must not happen around it: lost or repeated works, waits that never return,
/// deep recursion, hanging children, hanging exits.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "runtime/exec/arena.h"
#include "src/base/clock.h"
#include "tests/time_limits.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

using namespace std::chrono_literals;

class SchedulerTest : public ExecTest {};

/// Fewer rounds still stress the scheduler where each is slow.
constexpr int kScale = kTimeFactor;

TEST_F(SchedulerTest, EveryPieceRunsOnce) {
  const auto q = queue(kInOrder);
  for (const std::uint64_t pieces : {1u, 2u, 3u, 7u, 64u, 1000u, 100'003u}) {
    std::vector<std::atomic<int>> hits(pieces);
    auto event = submit(*q, call([&](std::uint64_t piece) { return ++hits[piece], CL_SUCCESS; }, pieces));
    EXPECT_EQ(event->wait(), CL_COMPLETE);
    for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
  }
}

/// Where the pieces of a command run: in an arena of oneTBB, on its workers and on threads that wait.
TEST_F(SchedulerTest, PiecesRunInAnArena) {
  const auto q = queue(kInOrder);
  const auto self = std::this_thread::get_id();
  for (const bool help : {true, false}) {
    std::atomic<int> outside{0};
    std::atomic<int> by_workers{0};
    auto event = submit(*q, call(
                                [&](std::uint64_t) {
                                  if (!Arena::here()) ++outside;
                                  if (std::this_thread::get_id() != self) ++by_workers;
                                  std::this_thread::sleep_for(1ms);
                                  return CL_SUCCESS;
                                },
                                50));
    if (!help) {
      event->flush();
      static_cast<void>(within(20s, [&] { return event->ended(); }));
      EXPECT_EQ(by_workers.load(), 50);
    }
    EXPECT_EQ(event->wait(), CL_COMPLETE);
    EXPECT_EQ(outside.load(), 0) << (help ? "with" : "without") << " the waiting thread";
  }
  EXPECT_FALSE(Arena::here());
}

TEST_F(SchedulerTest, ThreadsAtOnceAreTheDevicesComputeUnits) {
  const auto limit = static_cast<int>(device().facts().compute_units);
  const auto q = queue(kOutOfOrder);
#ifdef LANEWISE_PRIVATE_TBB
  const auto ways = {true, false};
#else
  const auto ways = {true};  // the installed oneTBB gives one worker fewer than there are processors
#endif
  for (const bool help : ways) {
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    auto event = submit(*q, call(
                                [&](std::uint64_t) {
                                  const int now = ++inside;
                                  for (int old = most; now > old && !most.compare_exchange_weak(old, now);) {
                                  }
                                  std::this_thread::sleep_for(1ms);
                                  --inside;
                                  return CL_SUCCESS;
                                },
                                100));
    if (!help) std::this_thread::sleep_for(200ms);
    event->wait();
    EXPECT_EQ(most.load(), limit) << (help ? "with" : "without") << " the waiting thread";
  }
}

TEST_F(SchedulerTest, CommandsOfDifferentQueuesRunAtTheSameTime) {
  if (device().facts().compute_units < 2) GTEST_SKIP() << "one compute unit";
  const auto a = queue(kInOrder);
  const auto b = queue(kInOrder);
  std::atomic<int> met{0};
  const auto meet = [&](std::uint64_t) {
    ++met;
    while (met.load() < 2) std::this_thread::yield();
    return CL_SUCCESS;
  };
  auto first = submit(*a, call(meet));
  auto second = submit(*b, call(meet));
  EXPECT_EQ(first->wait(), CL_COMPLETE);
  EXPECT_EQ(second->wait(), CL_COMPLETE);
}

TEST_F(SchedulerTest, SmallCommandsRunWithoutAWait) {
  const auto q = queue(kInOrder);
  std::atomic<int> done{0};
  auto event = submit(*q, count(done, 1, 100));
  event->flush();
  static_cast<void>(within(5s, [&] { return event->ended(); }));
  EXPECT_EQ(event->status(), CL_COMPLETE);
  EXPECT_EQ(done.load(), 1);
}

TEST_F(SchedulerTest, ManySmallCommandsStartByThemselves) {
  const auto q = queue(kInOrder);
  std::atomic<int> done{0};
  for (int i = 0; i < 2000; ++i) submit(*q, count(done, 1, 100));
  EXPECT_TRUE(within(5s, [&] { return done.load() >= 500; })) << done;
  EXPECT_EQ(q->finish(), CL_SUCCESS);
  EXPECT_EQ(done.load(), 2000);
}

/// 64 independent works, many rounds, every way to wait.
TEST_F(SchedulerTest, StormOfIndependentWorks) {
  const auto q = queue(kOutOfOrder);
  for (int round = 0; round < 300; ++round) {
    std::array<std::atomic<int>, 64> ran{};
    std::vector<Ref<Event>> events;
    for (auto& one : ran) events.push_back(submit(*q, count(one, 1, round % 2 == 0 ? 0 : 200)));
    switch (round % 4) {
      case 0:
        EXPECT_EQ(q->finish(), CL_SUCCESS);
        break;
      case 1:
        for (auto& event : events) EXPECT_EQ(event->wait(), CL_COMPLETE);
        break;
      case 2:
        q->flush();
        for (auto& event : events) {
          while (!event->ended()) std::this_thread::yield();
        }
        break;
      default:
        EXPECT_EQ(submit(*q, nullptr, {}, SubmitKind::marker)->wait(), CL_COMPLETE);
    }
    for (auto& one : ran) ASSERT_EQ(one.load(), 1) << "round " << round;
  }
}

/// 8 queues, 4 threads; every command waits for the newest ones of other queues.
TEST_F(SchedulerTest, CrossedDependenciesFromManyThreads) {
  constexpr int kQueues = 8;
  constexpr int kThreads = 4;
  const int commands = 2000 / kScale;
  std::vector<Ref<Queue>> queues;
  for (int i = 0; i < kQueues; ++i) queues.push_back(queue(i % 2 == 0 ? kInOrder : kOutOfOrder));
  std::atomic<int> ran{0};
  std::atomic<int> too_early{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<Ref<Event>> mine(kQueues);
      for (int i = 0; i < commands; ++i) {
        const int at = (i * 5 + t) % kQueues;
        std::vector<Event*> waits;
        std::vector<Ref<Event>> kept;
        for (int k = 1; k <= i % 4; ++k) {
          if (auto& other = mine[(at + k) % kQueues]) {
            waits.push_back(other.get());
            kept.push_back(other);
          }
        }
        auto body = [&, kept](std::uint64_t) {
          for (const auto& before : kept) too_early += before->status() == CL_COMPLETE ? 0 : 1;
          return ++ran, CL_SUCCESS;
        };
        mine[at] = submit(*queues[at], call(body, i % 7 == 0 ? 5 : 1, i % 3 == 0 ? 0 : 300), waits,
                          i % 50 == 49 ? SubmitKind::barrier : SubmitKind::normal);
        if (i % 97 == 0) mine[at]->wait();
        if (i % 31 == 0) EXPECT_EQ(queues[(at + 3) % kQueues]->finish(), CL_SUCCESS);
      }
      for (auto& event : mine) EXPECT_EQ(event->wait(), CL_COMPLETE);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& q : queues) EXPECT_EQ(q->finish(), CL_SUCCESS);
  int expected = 0;
  for (int i = 0; i < commands; ++i) expected += i % 7 == 0 ? 5 : 1;
  EXPECT_EQ(ran.load(), expected * kThreads);
  EXPECT_EQ(too_early.load(), 0);
}

/// Callbacks set user events, which release the next command, whose callback sets the next one.
TEST_F(SchedulerTest, UserEventsSetFromCallbacks) {
  const auto q = queue(kOutOfOrder);
  constexpr int kLinks = 500;
  std::vector<Ref<UserEvent>> gates;
  for (int i = 0; i <= kLinks; ++i) gates.push_back(user());
  std::atomic<int> ran{0};
  std::vector<Ref<Event>> events;
  for (int i = 0; i < kLinks; ++i) {
    events.push_back(submit(*q, count(ran), {gates[i].get()}));
    const auto open = [](cl_event, cl_int status, void* next) { static_cast<UserEvent*>(next)->set_status(status); };
    ASSERT_TRUE(events.back()->add_callback(CL_COMPLETE, open, gates[i + 1].get()).ok());
  }
  EXPECT_EQ(ran.load(), 0);
  gates[0]->set_status(CL_COMPLETE);
  EXPECT_EQ(gates[kLinks]->wait(), CL_COMPLETE);
  EXPECT_EQ(q->finish(), CL_SUCCESS);
  EXPECT_EQ(ran.load(), kLinks);
}

TEST_F(SchedulerTest, ChainOfAMillionEvents) {
  const auto q = queue(kInOrder);
  const int length = 1'000'000 / kScale;
  auto gate = user();
  std::atomic<int> ran{0};
  submit(*q, nullptr, {gate.get()});
  for (int i = 0; i < length; ++i) submit(*q, i % 1000 == 0 ? count(ran) : nullptr);
  auto last = submit(*q, nullptr);
  EXPECT_EQ(last->status(), CL_SUBMITTED);
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(last->wait(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), length / 1000);
}

TEST_F(SchedulerTest, WaitsFromManyThreadsForOneEvent) {
  const auto q = queue(kInOrder);
  for (int round = 0; round < 200 / kScale; ++round) {
    auto gate = user();
    auto event = submit(*q, call([](std::uint64_t) { return CL_SUCCESS; }), {gate.get()});
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) threads.emplace_back([&] { EXPECT_EQ(event->wait(), CL_COMPLETE); });
    gate->set_status(CL_COMPLETE);
    for (auto& thread : threads) thread.join();
  }
}

TEST_F(SchedulerTest, AWaitingThreadDoesNotRunWhatItsTargetDoesNotNeed) {
  if (device().facts().compute_units < 2) GTEST_SKIP() << "one compute unit";
  const auto q = queue(kOutOfOrder);
  const auto self = std::this_thread::get_id();
  std::atomic<bool> release{false};
  std::atomic<bool> here{false};
  // Blocks until this thread has returned from its wait, so that it must run on a worker.
  auto blocked = submit(*q, call([&](std::uint64_t) {
    here = here || std::this_thread::get_id() == self;
    while (!release) std::this_thread::yield();
    return CL_SUCCESS;
  }));
  EXPECT_EQ(submit(*q, call([](std::uint64_t) { return CL_SUCCESS; }))->wait(), CL_COMPLETE);
  EXPECT_FALSE(here);
  release = true;
  EXPECT_EQ(blocked->wait(), CL_COMPLETE);
}

TEST_F(SchedulerTest, IdleUsesNoProcessorTime) {
  const auto q = queue(kInOrder);
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) submit(*q, count(ran, 100));
  q->finish();
  std::this_thread::sleep_for(50ms);
  const auto used = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  const double before = used();
  std::this_thread::sleep_for(500ms);
  EXPECT_LT(used() - before, 0.01 * kScale);
}

TEST_F(SchedulerTest, QueueReleasedWithWorkInFlight) {
  std::atomic<int> ran{0};
  Ref<Event> last;
  {
    auto q = queue(kInOrder);
    for (int i = 0; i < 100; ++i) last = submit(*q, count(ran));
    q.detach()->release_api();
  }
  EXPECT_EQ(last->wait(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), 100);
  EXPECT_NE(last->queue(), nullptr);
}

/// Runs `body` in a forked child; returns its exit code, or -1 if it does not end within 20 seconds.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::_Exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(SchedulerTest, ForkedChildGetsErrorsAndNeverHangs) {
  const auto q = queue(kInOrder);
  std::atomic<int> ran{0};
  auto gate = user();
  auto waiting = submit(*q, count(ran, 1000), {gate.get()});
  auto done = submit(*queue(kOutOfOrder), count(ran, 1000));
  done->wait();
  const int code = in_child([&]() -> int {
    if (done->wait() != CL_COMPLETE) return 1;
    if (waiting->wait() != CL_OUT_OF_RESOURCES) return 2;
    if (q->submit(CL_COMMAND_MARKER, nullptr, {}).ok()) return 3;
    if (q->finish() != CL_OUT_OF_RESOURCES) return 4;
    if (UserEvent::create(*context_).ok()) return 5;
    if (gate->set_status(CL_COMPLETE) != CL_OUT_OF_RESOURCES) return 6;
    q->flush();
    return 0;
  });
  EXPECT_EQ(code, 0);
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(waiting->wait(), CL_COMPLETE);
}

/// A new process (this program again) that ends while commands run, wait and call back.
TEST_F(SchedulerTest, ExitWithWorkInFlight) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (int i = 0; i < 5; ++i) {
    EXPECT_EXIT(
        {
          alarm(20);
          const auto q = queue(kOutOfOrder);
          auto gate = user();
          for (int k = 0; k < 100; ++k) {
            auto event =
                submit(*q, call([](std::uint64_t) { return std::this_thread::sleep_for(1ms), CL_SUCCESS; }, 50));
            (void)event->add_callback(
                CL_COMPLETE, [](cl_event, cl_int, void*) { std::this_thread::sleep_for(1ms); }, nullptr);
            submit(*q, nullptr, {gate.get()});
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(i * 3));
          std::exit(7);
        },
        ::testing::ExitedWithCode(7), "");
  }
}

}  // namespace
}  // namespace lanewise::test
