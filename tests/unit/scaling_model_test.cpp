// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The simulated machine of tests/bench/scaling: its times follow from its costs, and a scheduler on it ends what it has
/// begun.
#include <gtest/gtest.h>

#include "tests/bench/scaling/model.h"

namespace lanewise::scaling::test {
namespace {

constexpr Costs kCosts{.own_access = 1, .own_atomic = 5, .same_node = 60, .other_node = 150, .directory = 10};

struct Trace {
  std::vector<Ns> times;
};

Task write_twice(Machine& machine, unsigned worker, Line& line, Trace& trace) {
  for (int i = 0; i < 2; ++i) {
    co_await machine.write(worker, line);
    trace.times.push_back(machine.now());
  }
}
Task read_once(Machine& machine, unsigned worker, Line& line, Trace& trace) {
  co_await machine.read(worker, line);
  trace.times.push_back(machine.now());
}

TEST(ScalingMachine, ALineIsWrittenByOneAfterTheOther) {
  Machine machine({.workers = 4, .nodes = 2}, kCosts);
  Line line;
  Trace trace;
  machine.start(write_twice(machine, 0, line, trace));  // nobody has it
  machine.start(write_twice(machine, 1, line, trace));  // of the same node
  machine.run();
  EXPECT_EQ(trace.times, (std::vector<Ns>{5, 70, 135, 200}));
  EXPECT_EQ(machine.transfers(), 3u);
  machine.start(write_twice(machine, 2, line, trace));  // of the other
  machine.run();
  EXPECT_EQ(trace.times[4], 200 + 155);
  EXPECT_EQ(trace.times[5], 200 + 160);
}

TEST(ScalingMachine, ReadersShareALineAndAWriterTakesItFromTheFarthest) {
  Machine machine({.workers = 4, .nodes = 2}, kCosts);
  Line line;
  line.owner = 0;
  Trace trace;
  machine.start(read_once(machine, 1, line, trace));
  machine.start(read_once(machine, 3, line, trace));
  machine.run();
  EXPECT_EQ(trace.times, (std::vector<Ns>{60, 60 + 150}));
  machine.start(read_once(machine, 1, line, trace));
  machine.run();
  EXPECT_EQ(trace.times[2], 211);
  machine.start(write_twice(machine, 0, line, trace));
  machine.run();
  EXPECT_EQ(trace.times[3], 211 + 155);
}

Task hold(Machine& machine, Mutex& mutex, unsigned worker, int& inside, Trace& trace) {
  co_await mutex.lock(worker);
  EXPECT_EQ(inside++, 0);
  co_await machine.spend(10'000);
  --inside;
  co_await mutex.unlock(worker);
  trace.times.push_back(machine.now());
}

TEST(ScalingMachine, AMutexHoldsOneAtATime) {
  for (const bool spins : {false, true}) {
    Machine machine({.workers = 4, .nodes = 2}, kCosts);
    Mutex mutex(machine, spins);
    Trace trace;
    int inside = 0;
    for (unsigned worker = 0; worker < 4; ++worker) machine.start(hold(machine, mutex, worker, inside, trace));
    machine.run();
    EXPECT_EQ(trace.times.size(), 4u);
    EXPECT_GE(trace.times.back(), 40'000);
  }
}

TEST(ScalingModel, OneWorkerTakesAsLongAsTheWork) {
  const Load load{.launches = 3, .worker_ns = 1'000'000, .pieces = 1000};
  const Result result = simulate({.workers = 1, .nodes = 1}, kCosts, {.name = "first"}, load);
  EXPECT_GT(result.makespan, 3'000'000);
  EXPECT_LT(result.makespan, 3'100'000);
  EXPECT_GE(result.chunks, 100u);
}

TEST(ScalingModel, NothingIsFasterThanTheWorkDividedAmongAll) {
  for (const bool in_order : {true, false}) {
    for (const unsigned workers : {7u, 64u}) {
      for (int bits = 0; bits < 64; ++bits) {
        const Protocol protocol{
            "", (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0};
        const Load load{.launches = 4, .in_order = in_order, .queues = 2, .worker_ns = 200'000, .pieces = 100};
        const Result result = simulate({workers, workers / 7}, kCosts, protocol, load);
        EXPECT_GT(result.makespan, 800'000) << bits;
        EXPECT_LT(result.efficiency, 1) << bits;
        EXPECT_GT(result.efficiency, 0.05) << bits;
        EXPECT_LE(result.home, 1);
      }
    }
  }
}

TEST(ScalingModel, WorkersOfTbbEndWhatTheyHaveBegun) {
  for (const bool in_order : {true, false}) {
    for (const unsigned workers : {2u, 7u, 64u}) {
      for (const bool by_node : {false, true}) {
        const Protocol protocol{.name = "",
                                .quiet = true,
                                .batched = true,
                                .unlocked = true,
                                .by_node = by_node,
                                .stays = true,
                                .tbb = true};
        const Load load{.launches = 4, .in_order = in_order, .queues = 2, .worker_ns = 200'000, .pieces = 100};
        const Result result = simulate({workers, workers > 2 ? workers / 7 : 1}, kCosts, protocol, load);
        EXPECT_GT(result.makespan, 800'000);
        EXPECT_LT(result.efficiency, 1);
        EXPECT_GT(result.efficiency, 0.4) << workers;
      }
    }
  }
}

TEST(ScalingModel, TheSameInputGivesTheSameTimes) {
  const Load load{.launches = 5, .worker_ns = 200'000, .pieces = 200};
  const Protocol protocol{.name = "", .batched = true, .by_node = true};
  const Shape shape{.workers = 64, .nodes = 8};
  EXPECT_EQ(simulate(shape, {}, protocol, load).makespan, simulate(shape, {}, protocol, load).makespan);
}

}  // namespace
}  // namespace lanewise::scaling::test
