// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the pieces of a command are divided among threads when the assumed cost is right, wrong or missing.
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "tests/time_limits.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

using namespace std::chrono_literals;

/// Pieces that take a millisecond each, whatever their assumed cost.
class HeavyWork final : public Work {
 public:
  struct Seen {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> chunks;
    std::atomic<std::uint64_t> measured_ns{0};
  };
  HeavyWork(Seen& seen, std::uint64_t pieces, std::uint64_t believed_ns, std::uint64_t grain = 1)
      : seen_(seen), pieces_(pieces), believed_ns_(believed_ns), grain_(grain) {}

  [[nodiscard]] std::uint64_t pieces() const override { return pieces_; }
  [[nodiscard]] std::uint64_t grain() const override { return grain_; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return believed_ns_; }
  void measured(std::uint64_t ns) const noexcept override { seen_.measured_ns = ns; }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    {
      const std::scoped_lock lock(seen_.mutex);
      seen_.threads.insert(std::this_thread::get_id());
      seen_.chunks.emplace_back(first, last);
    }
    for (std::uint64_t piece = first; piece < last; ++piece) std::this_thread::sleep_for(1ms);
    return CL_SUCCESS;
  }

 private:
  Seen& seen_;
  std::uint64_t pieces_;
  std::uint64_t believed_ns_;
  std::uint64_t grain_;
};

class SpreadPieces : public ExecTest {
 protected:
  void SetUp() override {
    if (device().facts().compute_units < 2) GTEST_SKIP() << "one compute unit";
  }
  void run(std::uint64_t pieces, std::uint64_t believed_ns, std::uint64_t grain = 1) {
    const auto q = queue(kInOrder);
    EXPECT_EQ(submit(*q, std::make_unique<HeavyWork>(seen_, pieces, believed_ns, grain))->wait(), CL_COMPLETE);
    std::uint64_t sum = 0;
    for (const auto& [first, last] : seen_.chunks) sum += last - first;
    EXPECT_EQ(sum, pieces);
  }
  HeavyWork::Seen seen_;
};

TEST_F(SpreadPieces, OfUnknownCost) {
  run(32, 0);
  EXPECT_GT(seen_.threads.size(), 1u);
  EXPECT_GT(seen_.measured_ns, 32'000'000u);
}

TEST_F(SpreadPieces, KnownToBeHeavy) {
  run(32, 1'000'000);
  EXPECT_GT(seen_.threads.size(), 1u);
}

/// Assumed to be one small chunk: after the first piece the thread shares the rest.
TEST_F(SpreadPieces, BelievedToBeSmall) {
  run(32, 500);
  EXPECT_GT(seen_.threads.size(), 1u);
  EXPECT_GT(seen_.measured_ns, 32'000'000u);
}

/// Assumed to be so small that the exact clock is not read: once it may stay on one thread, but that is noticed.
TEST_F(SpreadPieces, BelievedToBeTiny) {
  run(32, 1);
  EXPECT_GT(seen_.measured_ns, 16'000'000u);
}

TEST_F(SpreadPieces, ChunksAreMultiplesOfTheGrain) {
  for (const std::uint64_t believed : {0u, 500u, 1'000'000u}) {
    run(50, believed, 8);
    for (const auto& [first, last] : seen_.chunks) {
      EXPECT_EQ(first % 8, 0u);
      EXPECT_TRUE(last % 8 == 0 || last == 50) << last;
    }
    EXPECT_GT(seen_.threads.size(), 1u);
    seen_.chunks.clear();
    seen_.threads.clear();
  }
}

/// Each piece waits until the one before it has begun.
class ChainedWork final : public Work {
 public:
  struct Seen {
    std::atomic<std::uint64_t> begun{0};  ///< the first that has not
    std::atomic<bool> late{false};
  };
  ChainedWork(Seen& seen, std::uint64_t pieces, std::uint64_t believed_ns)
      : seen_(seen), pieces_(pieces), believed_ns_(believed_ns) {}

  [[nodiscard]] std::uint64_t pieces() const override { return pieces_; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return believed_ns_; }
  [[nodiscard]] bool ordered() const override { return true; }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    for (std::uint64_t piece = first; piece < last; ++piece) {
      const auto deadline = time_limit(10s);
      while (seen_.begun != piece && !seen_.late)
        if (std::chrono::steady_clock::now() > deadline) seen_.late = true;
      seen_.begun = piece + 1;
    }
    return CL_SUCCESS;
  }

 private:
  Seen& seen_;
  std::uint64_t pieces_;
  std::uint64_t believed_ns_;
};

TEST_F(SpreadPieces, InOrderIfTheyWaitForEachOther) {
  const auto q = queue(kInOrder);
  for (const std::uint64_t believed : {0u, 10u, 500u, 100'000u}) {
    ChainedWork::Seen chain;
    EXPECT_EQ(submit(*q, std::make_unique<ChainedWork>(chain, 5000, believed))->wait(), CL_COMPLETE);
    EXPECT_FALSE(chain.late) << believed;
    EXPECT_EQ(chain.begun, 5000u);
  }
}

TEST_F(SpreadPieces, AnErrorInTheFirstPieceSkipsTheRest) {
  const auto q = queue(kInOrder);
  std::atomic<int> ran{0};
  EXPECT_EQ(submit(*q, call([&](std::uint64_t) { return ++ran, CL_OUT_OF_RESOURCES; }, 16, 500))->wait(),
            CL_OUT_OF_RESOURCES);
  EXPECT_EQ(ran.load(), 1);
}

}  // namespace
}  // namespace lanewise::test
