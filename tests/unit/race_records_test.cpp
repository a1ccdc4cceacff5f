// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The records of LANEWISE_CHECK=race.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "runtime/check/shadow.h"

namespace lanewise::check {
namespace {

using namespace race_record;

constexpr std::uint64_t record(std::uint64_t group, std::uint64_t interval, std::uint64_t item,
                               std::uint64_t epoch = 1) {
  return epoch << kEpochShift | group << kGroupShift | interval << kIntervalShift | item << kItemShift;
}

TEST(RaceRecords, WhatHasNoOrder) {
  const std::uint64_t before = record(2, 3, 4);
  const auto races = [&](std::uint64_t now, Meeting meeting = Meeting::anywhere, bool ordered = false) {
    return conflicts(before, now, meeting, ordered);
  };
  EXPECT_FALSE(races(before)) << "the same work-item";
  EXPECT_FALSE(races(before | 7)) << "the same at another place";
  EXPECT_TRUE(races(record(2, 3, 5)));
  EXPECT_FALSE(races(record(2, 4, 5))) << "a barrier between";
  EXPECT_TRUE(races(record(9, 4, 5))) << "no barrier orders groups";
  EXPECT_FALSE(races(record(9, 3, 5), Meeting::in_group)) << "the next group has the local memory";
  EXPECT_FALSE(races(record(9, 4, 5), Meeting::anywhere, true));
  EXPECT_FALSE(races(record(2, 3, 5, 2))) << "an earlier use of the memory";
  EXPECT_TRUE(races(record(2, 4, 5), Meeting::without_groups)) << "one number";
  EXPECT_FALSE(conflicts(before | kAtomic, record(9, 0, 0) | kAtomic, Meeting::anywhere, false));
  EXPECT_TRUE(races(record(9, 0, 0) | kAtomic));
  EXPECT_FALSE(conflicts(record(2, 1023, 4), record(2, 1023, 5), Meeting::anywhere, false)) << "the last interval";
  EXPECT_FALSE(conflicts(0, before, Meeting::anywhere, false));
}

struct Cell {
  std::array<std::uint64_t, 3> records{};
  RecordCell cell() { return {&records[0], &records[1], &records[2]}; }
  std::uint64_t touch(std::uint64_t now, bool writes, Meeting meeting = Meeting::anywhere,
                      AccessStep step = AccessStep::whole) {
    return check::touch(cell(), {.record = now, .writes = writes, .meeting = meeting, .step = step});
  }
};

TEST(RaceRecords, ReadersBecomeSeveral) {
  Cell cell;
  EXPECT_EQ(cell.touch(record(1, 0, 1), false), 0u);
  EXPECT_EQ(cell.touch(record(1, 0, 2), false), 0u);
  EXPECT_EQ(cell.records[1] & kSeveralItems, kSeveralItems);
  EXPECT_NE(cell.touch(record(1, 0, 2), true), 0u) << "the first reader is not forgotten";
  Cell groups;
  groups.touch(record(1, 0, 1), false);
  groups.touch(record(2, 0, 1), false);
  EXPECT_EQ(groups.records[1] & kSeveralGroups, kSeveralGroups);
  EXPECT_NE(groups.touch(record(2, 1, 1), true), 0u);
  Cell later;
  later.touch(record(1, 0, 1), false);
  later.touch(record(1, 1, 2), false);
  EXPECT_EQ(later.touch(record(1, 1, 2), true), 0u) << "a barrier after the first reader";
}

TEST(RaceRecords, LanesSeeEachOtherInTheLastStep) {
  Cell cell;
  for (const AccessStep step : {AccessStep::announced, AccessStep::recorded})
    for (const std::uint64_t item : {1, 2})
      EXPECT_EQ(cell.touch(record(0, 0, item), true, Meeting::anywhere, step), 0u);
  EXPECT_EQ(cell.touch(record(0, 0, 1), true, Meeting::anywhere, AccessStep::made), record(0, 0, 2));
  EXPECT_EQ(cell.touch(record(0, 0, 2), true, Meeting::anywhere, AccessStep::made), 0u);
}

abi::KernelInfo kernel(std::initializer_list<bool> written) {
  abi::KernelInfo info;
  for (const bool is_written : written) {
    abi::ArgInfo& argument = info.args.emplace_back();
    argument.kind = abi::ArgKind::global_pointer;
    argument.written = is_written;
  }
  return info;
}

lanewise_bounds bounds(std::span<const std::uint32_t> memory) {
  return {reinterpret_cast<std::uintptr_t>(memory.data()), memory.size_bytes(), memory.size_bytes()};
}

TEST(RaceRecords, OnlyWhatIsWrittenIsWatched) {
  // Far enough apart: neighbours within 128 bytes are watched together.
  const std::vector<std::uint32_t> memory(256);
  const std::span<const std::uint32_t> one(memory.data(), 64);
  const std::span<const std::uint32_t> other(memory.data() + 128, 64);
  const abi::KernelInfo info = kernel({false, true, false});
  // The last argument is a part of the one that is written.
  const std::vector<lanewise_bounds> all{bounds(one), bounds(other), bounds(other.subspan(32))};
  RunRecords run(info, all, {});
  EXPECT_EQ(run.races().shifts[0], kNotWatched);
  EXPECT_EQ(run.races().shifts[1] % 128, 0 - bounds(other).begin / 128 * 128 % 128);
  EXPECT_EQ(run.races().shifts[1], run.races().shifts[2]);
  EXPECT_EQ(run.cell(all[0].begin, 2).write, nullptr);
  EXPECT_NE(run.cell(all[1].begin, 2).write, nullptr);
  EXPECT_EQ(run.cell(all[2].begin, 2).write, run.cell(all[1].begin + 128, 2).write);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(run.cell(all[2].begin, 2).read),
            run.races().global.records + (all[2].begin + run.races().shifts[2]) * 2 + run.races().global.plane / 4);
}

TEST(RaceRecords, EarlierUsersOfTheMemoryAreForgotten) {
  const std::vector<std::uint32_t> memory(64);
  const abi::KernelInfo info = kernel({true});
  const std::vector<lanewise_bounds> all{bounds(memory)};
  for (unsigned run = 0; run < 3 * kLastEpoch; ++run) {
    RunRecords records(info, all, {});
    WorkerRecords worker;
    worker.use(&records);
    const std::uint64_t epoch = worker.begin(nullptr, 0)->global.epoch;
    ASSERT_NE(epoch, 0u);
    const SharedAccess access{
        .address = all[0].begin, .bytes = 4, .record = epoch | record(0, 0, run % 7, 0), .writes = true};
    ASSERT_EQ(worker.touch(access, 2), 0u) << run;
  }
}

/// Two runs of one launch at once, and threads of one run. ThreadSanitizer looks at this one.
TEST(RaceRecords, RunsAndThreadsAtOnce) {
  constexpr std::uint64_t kThreads = 4;
  std::vector<std::uint32_t> memory(4096);
  abi::KernelInfo info = kernel({true});
  info.writes_elsewhere = true;
  const std::vector<lanewise_bounds> all{bounds(memory)};
  std::vector<std::uint32_t> elsewhere(64);
  std::array<RunRecords, 2> runs{RunRecords(info, all, {}), RunRecords(info, all, {})};
  const auto races = [&](RunRecords& run, std::uint64_t group, std::uint64_t address) {
    WorkerRecords worker;
    worker.use(&run);
    std::array<char, 256> local{};
    const lanewise_races* table = worker.begin(local.data(), local.size());
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < 1024; ++i) {
      const std::uint64_t now = table->global.epoch | record(group, 0, 0, 0);
      found += worker.touch({.address = address + i % 64 * 4, .bytes = 4, .record = now, .writes = true}, 2) != 0;
      const auto in_local = reinterpret_cast<std::uintptr_t>(local.data()) + i % 64 * 4;
      found += worker.touch({.address = in_local,
                             .bytes = 4,
                             .record = table->local.epoch | record(group, 0, 0, 0),
                             .writes = true,
                             .meeting = Meeting::in_group},
                            2) != 0;
    }
    return found;
  };
  // Each thread has a part of its own in one run, and all have one part in the other.
  std::array<std::atomic<std::uint64_t>, 3> found{};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      found[0] += races(runs[0], t, all[0].begin + t * 256);
      found[1] += races(runs[1], t, all[0].begin);
      found[2] += races(runs[1], t, reinterpret_cast<std::uintptr_t>(elsewhere.data()));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], 0u);
  // Two threads at the very same place and moment may miss each other once, not in each of sixteen rounds.
  EXPECT_GE(found[1], 64u);
  EXPECT_GE(found[2], 64u);
}

}  // namespace
}  // namespace lanewise::check
