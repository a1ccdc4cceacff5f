// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns of processes that want the same compile. A lock belongs to an open file, so two objects of one process are as
// strange to each other as two processes; what becomes of a process that ends is in robustness/turns_test.cpp.
#include "runtime/code/compile_turn.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "tests/temporary_directory.h"
#include "tests/time_limits.h"

namespace lanewise {
namespace {

using file::LockFile;
using std::chrono::milliseconds;
using State = LockFile::State;

class Turns : public testing::Test {
 protected:
  [[nodiscard]] std::string path(unsigned owner = 0) const {
    return folder.path() / ("name." + std::to_string(owner) + ".lock");
  }
  [[nodiscard]] std::optional<LockFile> open(unsigned owner = 0) const { return LockFile::open(path(owner)); }
  /// How long it takes to get a turn.
  [[nodiscard]] milliseconds wait(milliseconds first) const {
    const auto begin = std::chrono::steady_clock::now();
    const CompileTurn turn(folder.path(), "name", first);
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  }

  test::TemporaryDirectory folder;
};

TEST_F(Turns, ALockSaysWhetherItsOwnerIsAtWork) {
  auto first = open();
  auto second = open();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->try_lock(), State::owned);
  EXPECT_EQ(second->try_lock(), State::taken);
  first.reset();
  EXPECT_EQ(second->try_lock(), State::ended);
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_EQ(open()->try_lock(), State::owned) << "the next one begins again";
}

TEST_F(Turns, AFileThatADeadOwnerLeftIsFree) {
  std::ofstream(path()).close();
  EXPECT_EQ(open()->try_lock(), State::owned);
}

TEST_F(Turns, OnlyFilesOfTheUserAreLocks) {
  ASSERT_EQ(mkfifo(path(0).c_str(), 0600), 0);
  std::filesystem::create_directory(path(1));
  std::filesystem::create_symlink(path(3), path(2));
  for (unsigned owner = 0; owner < 3; ++owner) EXPECT_FALSE(open(owner)) << owner;
  EXPECT_FALSE(LockFile::open(folder.path() / "absent/name.0.lock"));
  if (geteuid() == 0) {
    std::ofstream(path(3)).close();
    ASSERT_EQ(chown(path(3).c_str(), 65534, 65534), 0);
    EXPECT_FALSE(open(3)) << "a file of another user";
  }
  EXPECT_LT(wait(milliseconds(600'000)), test::kTimeFactor * milliseconds(30'000))
      << "without a lock there is nothing to wait for";
}

TEST_F(Turns, OneOfManyWorksAtATime) {
  constexpr unsigned kThreads = 8;
  std::atomic<unsigned> began = 0;
  std::atomic<unsigned> working = 0;
  std::atomic<unsigned> together = 0;
  std::atomic<bool> stored = false;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      const CompileTurn turn(folder.path(), "name", milliseconds(60'000));
      if (stored) return;
      ++began;
      if (++working > 1) ++together;
      std::this_thread::sleep_for(milliseconds(30));
      stored = true;
      --working;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, 0u);
  EXPECT_EQ(began, 1u);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(Turns, WorkThatLeavesNothingIsNotDoneOneByOne) {
  constexpr unsigned kThreads = 8;
  constexpr milliseconds kWork = test::kTimeFactor * milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      const CompileTurn turn(folder.path(), "name", milliseconds(60'000));
      std::this_thread::sleep_for(kWork);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kWork * kThreads / 2);
}

TEST_F(Turns, AStoppedOwnerIsReplaced) {
  auto stopped = open(0);
  ASSERT_EQ(stopped->try_lock(), State::owned);
  const milliseconds first(20);
  std::optional<CompileTurn> second(std::in_place, folder.path(), "name", first);
  EXPECT_TRUE(std::filesystem::exists(path(1))) << "the second process works beside the first";
  EXPECT_GE(wait(first), 3 * first);
  second.reset();
  EXPECT_FALSE(std::filesystem::exists(path(1)));
  EXPECT_TRUE(std::filesystem::exists(path(0)));
}

TEST_F(Turns, NobodyWaitsForGood) {
  std::vector<LockFile> stopped;
  for (unsigned owner = 0; owner < CompileTurn::kMostOwners; ++owner) {
    stopped.push_back(*open(owner));
    ASSERT_EQ(stopped.back().try_lock(), State::owned);
  }
  EXPECT_GE(wait(milliseconds(4)), milliseconds(4 * 15));
}

TEST_F(Turns, AnOwnerThatEndsLateIsNoticed) {
  auto slow = open(0);
  auto slower = open(1);
  ASSERT_EQ(slow->try_lock(), State::owned);
  ASSERT_EQ(slower->try_lock(), State::owned);
  const milliseconds first = test::kTimeFactor * milliseconds(200);
  std::thread ends([&] {
    std::this_thread::sleep_for(2 * first);
    slow.reset();
  });
  EXPECT_LT(wait(first), 12 * first) << "while it waits for the second owner";
  ends.join();
}

}  // namespace
}  // namespace lanewise
