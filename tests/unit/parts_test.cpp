// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of a command, one for each node: every piece is taken once, by whoever comes, whenever they come.
#include "runtime/exec/parts.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "runtime/exec/nodes.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

/// Parts keep the address of a command and never look at it.
Command& command_at(std::size_t number) {
  static std::array<std::byte, 64> places;
  return reinterpret_cast<Command&>(places[number]);
}

struct Taken {
  std::vector<Pieces> chunks;
  unsigned closed = 0;
  unsigned ended = 0;
};

/// Takes everything as a thread of `node` and retires what it took, part by part.
Taken take_all(Parts& parts, unsigned node) {
  Taken taken;
  Pieces pieces;
  std::uint64_t run = 0;
  for (;;) {
    const unsigned before = pieces.part;
    const bool more = parts.claim(pieces, node);
    if (before != Pieces::kNoPart && (!more || pieces.part != before)) {
      if (parts.retire(before, run)) ++taken.ended;
      run = 0;
    }
    if (!more) return taken;
    run += pieces.count();
    if (pieces.closes) ++taken.closed;
    taken.chunks.push_back(pieces);
  }
}

TEST(Parts, AThreadBeginsInItsNode) {
  Parts parts(4, 8);
  parts.prepare(command_at(0), {.first = 0, .last = 400}, 1, 10);
  parts.publish();
  const Taken taken = take_all(parts, 2);
  ASSERT_FALSE(taken.chunks.empty());
  EXPECT_EQ(taken.chunks.front().first, 200u);
  EXPECT_EQ(taken.chunks.front().part, 2u);
  std::vector<unsigned> order;
  for (const Pieces& chunk : taken.chunks)
    if (order.empty() || order.back() != chunk.part) order.push_back(chunk.part);
  EXPECT_EQ(order, (std::vector<unsigned>{2, 3, 0, 1}));
  EXPECT_EQ(taken.closed, 1u);
  EXPECT_TRUE(taken.chunks.back().closes);
  EXPECT_EQ(taken.ended, 1u);
  EXPECT_EQ(&parts.command(), &command_at(0));
}

TEST(Parts, ChunksAreMultiplesOfTheGrainUpToTheEnd) {
  Parts parts(3, 6);
  parts.prepare(command_at(0), {.first = 0, .last = 1001}, 8, 24);
  parts.publish();
  std::uint64_t sum = 0;
  for (const Pieces& chunk : take_all(parts, 0).chunks) {
    EXPECT_EQ(chunk.first % 8, 0u);
    if (chunk.last != 1001) EXPECT_EQ(chunk.count() % 8, 0u);
    sum += chunk.count();
  }
  EXPECT_EQ(sum, 1001u);
}

TEST(Parts, FewerPiecesThanNodes) {
  Parts parts(8, 64);
  parts.prepare(command_at(0), {.first = 0, .last = 3}, 1, 1);
  parts.publish();
  const Taken taken = take_all(parts, 7);
  EXPECT_EQ(taken.chunks.size(), 3u);
  EXPECT_EQ(taken.closed, 1u);
  EXPECT_EQ(taken.ended, 1u);
}

TEST(Parts, WhatWasRunBeforeTheDivisionIsRetiredToo) {
  Parts parts(2, 4);
  parts.prepare(command_at(0), {.first = 5, .last = 50}, 1, 5);
  parts.publish();
  EXPECT_EQ(take_all(parts, 0).ended, 0u);
  EXPECT_TRUE(parts.retire(Pieces::kNoPart, 5));
}

/// Threads try all the time, as those that look for work without the list's lock do, while the parts serve one command
/// after the other. Each command is published only when the one before it has been retired.
TEST(Parts, EveryPieceOnceThroughManyCommands) {
  constexpr unsigned kThreads = 4;
  constexpr std::uint64_t kCommands = 300;
  Parts parts(3, kThreads);
  std::vector<std::vector<std::atomic<int>>> hits(kCommands);
  for (std::uint64_t i = 0; i < kCommands; ++i) hits[i] = std::vector<std::atomic<int>>(1 + i * 7 % 500);
  std::atomic<std::uint64_t> ended{0};
  std::atomic<unsigned> closed{0};
  std::atomic<bool> stop{false};
  const auto number = [](const Command& command) {
    return static_cast<std::size_t>(&reinterpret_cast<const std::byte&>(command) -
                                    &reinterpret_cast<const std::byte&>(command_at(0)));
  };
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      while (!stop) {
        Pieces pieces;
        if (!parts.claim(pieces, thread % 3)) continue;
        const std::uint64_t current = ended.load();
        EXPECT_EQ(number(parts.command()), current % 64);
        for (std::uint64_t piece = pieces.first; piece < pieces.last; ++piece) ++hits[current].at(piece);
        if (pieces.closes) ++closed;
        if (parts.retire(pieces.part, pieces.count())) ended.fetch_add(1);
      }
    });
  }
  for (std::uint64_t i = 0; i < kCommands; ++i) {
    parts.prepare(command_at(i % 64), {.first = 0, .last = hits[i].size()}, 1 + i % 3, 1 + i % 5);
    parts.publish();
    while (ended.load() == i) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(closed.load(), kCommands);
  for (const auto& command : hits)
    for (const auto& hit : command) ASSERT_EQ(hit.load(), 1);
}

TEST(Nodes, OnePerWantedShareOfTheProcessors) {
  const Nodes nodes({0, 1, 2, 3, 8, 9}, 6, 3);
  EXPECT_EQ(nodes.count(), 3u);
  EXPECT_EQ(nodes.of(1), 0u);
  EXPECT_EQ(nodes.of(2), 1u);
  EXPECT_EQ(nodes.of(9), 2u);
  EXPECT_EQ(nodes.of(100), 0u);
  EXPECT_LT(nodes.current(), 3u);
}

class FoundNodes : public ::testing::Test {
 protected:
  FoundNodes() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lanewise-nodes-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~FoundNodes() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    const auto full = std::filesystem::path(root_ + "/sys/devices/system/" + path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void write_caches(unsigned cpus, unsigned each) const {
    for (unsigned cpu = 0; cpu < cpus; ++cpu) {
      const std::string folder = "cpu/cpu" + std::to_string(cpu) + "/cache/index0/";
      const unsigned first = cpu / each * each;
      write(folder + "level", "3\n");
      write(folder + "type", "Unified\n");
      write(folder + "shared_cpu_list", std::to_string(first) + "-" + std::to_string(first + each - 1) + "\n");
    }
  }
  std::string root_;
  const host::CpuList cpus_{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

TEST_F(FoundNodes, AreThoseOfTheMemory) {
  write("node/online", "0-1\n");
  write("node/node0/cpulist", "0-7\n");
  write("node/node1/cpulist", "8-15\n");
  write_caches(16, 4);
  const Nodes nodes(cpus_, 16, 0, root_);
  EXPECT_EQ(nodes.count(), 2u);
  EXPECT_EQ(nodes.of(7), 0u);
  EXPECT_EQ(nodes.of(8), 1u);
  EXPECT_EQ(Nodes(cpus_, 16, 1, root_).count(), 1u);
}

TEST_F(FoundNodes, OrOfTheLastCache) {
  write("node/online", "0\n");
  write("node/node0/cpulist", "0-15\n");
  write_caches(16, 8);
  EXPECT_EQ(Nodes(cpus_, 16, 0, root_).count(), 2u);
}

/// Caches of two processors each: every processor is a node then, and not every cache.
TEST_F(FoundNodes, AreNotSmall) {
  write("node/online", "0\n");
  write("node/node0/cpulist", "0-15\n");
  write_caches(16, 2);
  EXPECT_EQ(Nodes(cpus_, 16, 0, root_).count(), 16u);
}

TEST_F(FoundNodes, AreProcessorsWhereThereIsOneNode) {
  write("node/online", "0\n");
  write("node/node0/cpulist", "0-15\n");
  write_caches(16, 16);
  const Nodes nodes(cpus_, 16, 0, root_);
  EXPECT_EQ(nodes.count(), 16u);
  for (const unsigned cpu : cpus_) EXPECT_EQ(nodes.of(cpu), cpu);
  EXPECT_EQ(Nodes(cpus_, 16, 1, root_).count(), 1u);
  EXPECT_EQ(Nodes({7}, 1, 0, root_).count(), 1u);
}

/// As in a container that may use the time of four processors, but on any of sixteen.
TEST_F(FoundNodes, AreNoMoreThanThreads) {
  const Nodes nodes(cpus_, 4, 0, root_);
  EXPECT_EQ(nodes.count(), 4u);
  EXPECT_EQ(nodes.of(3), 0u);
  EXPECT_EQ(nodes.of(15), 3u);
}

TEST_F(FoundNodes, AreSeveralProcessorsWhereThereAreMany) {
  host::CpuList cpus(40);
  std::iota(cpus.begin(), cpus.end(), 100u);
  const Nodes nodes(cpus, 40, 0, root_);
  EXPECT_EQ(nodes.count(), 16u);
  EXPECT_EQ(nodes.of(100), nodes.of(101));
  EXPECT_EQ(nodes.of(139), 15u);
}

}  // namespace
}  // namespace lanewise::test
