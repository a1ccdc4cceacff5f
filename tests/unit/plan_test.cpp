// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans that recorded commands become: sequences, graphs, or the command itself.
#include "runtime/command_buffer/plan.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint64_t kSmall = 1'000;
constexpr std::uint64_t kLarge = 1'000'000;

class Plan : public ExecTest {
 protected:
  /// A step that notes its number and the thread that it runs on.
  Step step(int number, std::uint64_t ns, std::vector<std::uint32_t> after = {}) {
    return {call(
                [this, number](std::uint64_t) {
                  const std::scoped_lock lock(mutex_);
                  order_.push_back(number);
                  threads_.push_back(std::this_thread::get_id());
                  return CL_SUCCESS;
                },
                1, ns),
            0, std::move(after)};
  }
  cl_int run(const lanewise::CommandPlan& plan) {
    order_.clear();
    threads_.clear();
    const auto q = queue(kInOrder);
    return submit(*q, plan.work())->wait();
  }

  std::mutex mutex_;
  std::vector<int> order_;
  std::vector<std::thread::id> threads_;
};

TEST_F(Plan, NothingIsNoWork) {
  const lanewise::CommandPlan plan(std::span<const Step>{});
  EXPECT_FALSE(plan.work());
  EXPECT_EQ(run(plan), CL_COMPLETE);
}

TEST_F(Plan, OneCommandIsItsOwnWork) {
  Step steps[] = {step(0, kLarge)};
  const lanewise::CommandPlan plan(steps);
  EXPECT_EQ(plan.work().get(), steps[0].work.get());
}

TEST_F(Plan, SmallCommandsAreOneSequence) {
  std::vector<Step> steps;
  for (std::uint32_t i = 0; i < 200; ++i)
    steps.push_back(
        step(static_cast<int>(i), kSmall, i != 0 ? std::vector<std::uint32_t>{i - 1} : std::vector<std::uint32_t>{}));
  const lanewise::CommandPlan plan(steps);
  ASSERT_TRUE(plan.work());
  EXPECT_EQ(plan.work()->pieces(), 1u);
  EXPECT_EQ(plan.work()->piece_ns(), 200 * kSmall);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(plan), CL_COMPLETE);
    ASSERT_EQ(order_.size(), 200u);
    for (int j = 0; j < 200; ++j) EXPECT_EQ(order_[static_cast<std::size_t>(j)], j);
    for (const auto& id : threads_) EXPECT_EQ(id, threads_.front());
  }
}

TEST_F(Plan, SmallCommandsThatDoNotWaitForEachOtherAreShared) {
  std::vector<Step> steps;
  for (int i = 0; i < 100; ++i) steps.push_back(step(i, 10 * kSmall));
  const lanewise::CommandPlan plan(steps);
  // A graph of sequences: its own run is one piece, and all of the steps run.
  EXPECT_EQ(plan.work()->piece_ns(), 100 * 10 * kSmall);
  EXPECT_EQ(run(plan), CL_COMPLETE);
  EXPECT_EQ(order_.size(), 100u);
}

TEST_F(Plan, AGraphKeepsTheOrder) {
  // small -> large, large -> small, small; the last waits for both large ones.
  Step steps[] = {step(0, kSmall), step(1, kLarge, {0}), step(2, kLarge, {0}), step(3, kSmall, {1, 2}),
                  step(4, 0, {3})};
  const lanewise::CommandPlan plan(steps);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(run(plan), CL_COMPLETE);
    ASSERT_EQ(order_.size(), 5u);
    EXPECT_EQ(order_[0], 0);
    EXPECT_EQ(order_[3], 3);
    EXPECT_EQ(order_[4], 4);
  }
}

TEST_F(Plan, WithoutWorkOnlyTheOrderIsLeft) {
  Step steps[] = {step(0, kLarge), Step{nullptr, 0, {0}}, step(1, kLarge, {1})};
  const lanewise::CommandPlan plan(steps);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(run(plan), CL_COMPLETE);
    EXPECT_EQ(order_, (std::vector{0, 1}));
  }
}

TEST_F(Plan, AnErrorEndsWhatWaitsForIt) {
  for (const std::uint64_t ns : {kSmall, kLarge}) {
    Step steps[] = {step(0, ns), Step{call([](std::uint64_t) { return -77; }, 1, ns), 0, {0}}, step(2, ns, {1})};
    const lanewise::CommandPlan plan(steps);
    EXPECT_EQ(run(plan), -77);
    EXPECT_EQ(order_, std::vector{0});
  }
}

/// A plan reports when a command that was small no longer is.
TEST_F(Plan, OutgrownSequences) {
  Step steps[] = {step(0, kSmall), Step{call(
                                            [](std::uint64_t) {
                                              std::this_thread::sleep_for(std::chrono::microseconds(200));
                                              return CL_SUCCESS;
                                            },
                                            1, kSmall),
                                        0,
                                        {0}}};
  const lanewise::CommandPlan plan(steps);
  // One run in sixteen is measured.
  for (int i = 0; i < 2000 && !plan.outgrown(); ++i) EXPECT_EQ(run(plan), CL_COMPLETE);
  EXPECT_TRUE(plan.outgrown());
}

TEST_F(Plan, NodesOfSeveralQueues) {
  Step steps[] = {step(0, kLarge), step(1, kLarge, {0})};
  steps[1].place = 1;
  const lanewise::CommandPlan plan(steps);
  const auto a = queue(kInOrder);
  const auto b = queue(kInOrder);
  for (int i = 0; i < 10; ++i) {
    order_.clear();
    EXPECT_EQ(submit(*a, plan.work({a, b}))->wait(), CL_COMPLETE);
    EXPECT_EQ(order_, (std::vector{0, 1}));
  }
}

/// Children have no place in the order of an in-order queue: later commands of it wait for their parent.
TEST_F(Plan, LaterCommandsOfTheQueueWaitForTheGraph) {
  Step steps[] = {step(0, kLarge), step(1, kLarge)};
  const lanewise::CommandPlan plan(steps);
  const auto q = queue(kInOrder);
  for (int i = 0; i < 20; ++i) {
    order_.clear();
    submit(*q, plan.work());
    submit(*q, step(9, kSmall).work.share());
    submit(*q, plan.work());
    EXPECT_EQ(q->finish(), CL_SUCCESS);
    ASSERT_EQ(order_.size(), 5u);
    EXPECT_EQ(order_[2], 9);
  }
}

}  // namespace
}  // namespace lanewise::test
