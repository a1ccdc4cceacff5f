// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands that a work enqueues while it runs: what they wait for, what they may take, and times.
#include "runtime/exec/children.h"

#include "runtime/launch/device_events.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

class Children : public ExecTest {
 protected:
  static constexpr cl_command_queue_properties kProfiling =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

  static Result<Ref<Event>> enqueue(Queue& queue, WorkPtr work, After after = After::nothing, bool captures = false,
                                    Event* wait = nullptr) {
    return queue.submit_child(Worker::current(), {.type = CL_COMMAND_NATIVE_KERNEL,
                                                  .work = std::move(work),
                                                  .waits = {&wait, wait == nullptr ? std::size_t{0} : 1},
                                                  .after = after,
                                                  .has_captures = captures});
  }
  static void spin() {
    for (volatile int i = 0; i < 200'000; i = i + 1) {
    }
  }
};

TEST_F(Children, WaitForTheRunOfTheirParent) {
  constexpr int kPieces = 256;
  const auto host = queue(kInOrder);
  const auto inner = Queue::create_inner(*context_, device(), kOutOfOrder, 1U << 20U);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    std::atomic<int> seen{-1};
    const auto parent =
        submit(*host, call(
                          [&](std::uint64_t piece) {
                            if (piece == 0) {
                              const auto look = [&](std::uint64_t) { return seen = done.load(), CL_SUCCESS; };
                              EXPECT_TRUE(enqueue(*inner, call(look), After::run).ok());
                            }
                            if (piece % 16 == 0) spin();
                            ++done;
                            return CL_SUCCESS;
                          },
                          kPieces));
    EXPECT_EQ(parent->wait(), CL_COMPLETE);
    EXPECT_EQ(seen, kPieces);
  }
}

TEST_F(Children, WaitForThePiecesThatEnqueuedThem) {
  const auto host = queue(kInOrder);
  const auto inner = Queue::create_inner(*context_, device(), kOutOfOrder, 1U << 20U);
  std::atomic<bool> left{false};
  std::atomic<bool> early{false};
  const auto parent = submit(*host, call([&](std::uint64_t) {
    const auto look = [&](std::uint64_t) { return early = !left, CL_SUCCESS; };
    EXPECT_TRUE(enqueue(*inner, call(look), After::pieces).ok());
    spin();
    left = true;
    return CL_SUCCESS;
  }));
  EXPECT_EQ(parent->wait(), CL_COMPLETE);
  EXPECT_FALSE(early);
}

TEST_F(Children, TakeFromTheBudgetOfTheirQueue) {
  const auto host = queue(kInOrder);
  const auto inner = Queue::create_inner(*context_, device(), kOutOfOrder, 1000);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> refused{0};
    std::atomic<int> ran{0};
    const auto parent = submit(*host, call([&](std::uint64_t) {
      for (int i = 0; i < 5; ++i) {
        const auto made = enqueue(*inner, count(ran), After::run);
        if (made.ok()) continue;
        EXPECT_EQ(made.error().code, CL_OUT_OF_RESOURCES);
        ++refused;
      }
      return CL_SUCCESS;
    }));
    EXPECT_EQ(parent->wait(), CL_COMPLETE);
    EXPECT_EQ(ran, 2);
    EXPECT_EQ(refused, 3);
  }
}

TEST_F(Children, EndAndCompletionAreApart) {
  const auto host = queue(kProfiling);
  const auto inner = Queue::create_inner(*context_, device(), kProfiling, 1U << 20U);
  std::uint64_t before[2] = {};
  std::uint64_t after[2] = {};
  const auto parent = submit(*host, call([&](std::uint64_t) {
    auto slow = [&](std::uint64_t) {
      EXPECT_TRUE(enqueue(*inner, call([](std::uint64_t) { return spin(), CL_SUCCESS; }), After::run).ok());
      return CL_SUCCESS;
    };
    auto child = enqueue(*inner, call(slow), After::run, true);
    EXPECT_TRUE(child.ok());
    capture_times(*child.value(), before);
    const Ref<Event> event = child.value();
    const auto look = [&before, &after, event](std::uint64_t) {
      capture_times(*event, after);
      return before[1] > before[0] ? CL_SUCCESS : -1;
    };
    EXPECT_TRUE(enqueue(*inner, call(look), After::nothing, false, event.get()).ok());
    return CL_SUCCESS;
  }));
  EXPECT_EQ(parent->wait(), CL_COMPLETE);
  EXPECT_LT(parent->run_end(), parent->times().end);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1]);
}

TEST_F(Children, NumbersOfEvents) {
  DeviceEvents events;
  const auto make = [&] { return events.add(Ref<Event>(*user())); };
  const std::uint64_t first = make();
  const std::uint64_t second = make();
  EXPECT_NE(first, 0U);
  EXPECT_NE(first, second);
  EXPECT_TRUE(events.find(first));
  events.retain(first);
  events.release(first);
  EXPECT_TRUE(events.find(first));
  events.release(first);
  EXPECT_FALSE(events.find(first));
  const std::uint64_t third = make();
  EXPECT_NE(third, first);
  events.release(first);
  events.retain(first);
  EXPECT_TRUE(events.find(third));
  EXPECT_FALSE(events.find(first));
  EXPECT_FALSE(events.find(0));
  EXPECT_FALSE(events.find(~std::uint64_t{0}));
}

}  // namespace
}  // namespace lanewise::test
