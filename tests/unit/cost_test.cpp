// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The remembered cost of kernels.
#include "runtime/tier/cost.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>

#include "runtime/tier/executable.h"
#include "runtime/tier/tiers.h"

namespace lanewise {
namespace {

TEST(Cost, HeavyLaunchesAfterManyCheapOnesAreBelievedAtTheSecond) {
  const std::uint64_t key = CostEstimate::key_of(1'000'001, 1);
  CostEstimate& cost = CostEstimate::of(key);
  for (int i = 0; i < 50; ++i) cost.add(key, 16, 160);
  EXPECT_EQ(cost.ns(key), 10u);
  cost.add(key, 16, 70'000'000);
  EXPECT_GT(16 * cost.ns(key), 1'000u) << "the next one is measured";
  EXPECT_LT(16 * cost.ns(key), 20'000u) << "and still taken for small";
  cost.add(key, 16, 70'000'000);
  EXPECT_GT(cost.ns(key), 1'000'000u);
}

TEST(Cost, ACheapLaunchBetweenHeavyOnesDoesNotHideThem) {
  const std::uint64_t key = CostEstimate::key_of(1'000'002, 1);
  CostEstimate& cost = CostEstimate::of(key);
  for (int i = 0; i < 20; ++i) {
    cost.add(key, 1, i % 2 == 0 ? 1'000'000 : 100);
    EXPECT_GT(cost.ns(key), 100'000u);
  }
}

TEST(Cost, HeavyLaunchesBetweenCheapOnesAreBelieved) {
  const std::uint64_t key = CostEstimate::key_of(1'000'004, 1);
  CostEstimate& cost = CostEstimate::of(key);
  for (int i = 0; i < 50; ++i) cost.add(key, 1, 100);
  for (int i = 0; i < 6; ++i) cost.add(key, 1, i % 2 == 0 ? 1'000'000 : 100);
  EXPECT_GT(cost.ns(key), 100'000u);
}

TEST(Cost, ComesDownAgainAfterADisturbance) {
  const std::uint64_t key = CostEstimate::key_of(1'000'003, 1);
  CostEstimate& cost = CostEstimate::of(key);
  cost.add(key, 1, 300);
  cost.add(key, 1, 4'000'000);  // the thread was preempted
  for (int i = 0; i < 5; ++i) cost.add(key, 1, 300);
  EXPECT_LT(cost.ns(key), 1000u);
  for (int i = 0; i < 4; ++i) {  // again and again, but not twice in a row
    cost.add(key, 1, 4'000'000);
    for (int k = 0; k < 3; ++k) cost.add(key, 1, 300);
  }
  EXPECT_LT(cost.ns(key), 20'000u);
}

TEST(Cost, ExecutablesShareNoIdentity) {
  const Tiers first(3);
  std::uint64_t last = 0;
  {
    const Tiers second(2);
    EXPECT_NE(second.identity_of(0), first.identity_of(2));
    last = second.identity_of(1);
  }
  const Tiers third(2);  // may have the address of the second one
  EXPECT_GT(third.identity_of(0), last);
}

TEST(Cost, KeysDifferByGroupSizeAndForm) {
  EXPECT_NE(CostEstimate::key_of(7, 1), CostEstimate::key_of(7, 2));
  EXPECT_NE(CostEstimate::key_of(7, 1), CostEstimate::key_of(8, 1));
  EXPECT_NE(CostEstimate::key_of(7, 1), CostEstimate::key_of_parts(CostEstimate::key_of(7, 1)));
  EXPECT_NE(CostEstimate::key_of(0, 0), 0u);
  // The bits that tell forms apart are no part of the kernel's own key.
  const std::uint64_t key = CostEstimate::key_of(7, 1);
  EXPECT_EQ(std::set<std::uint64_t>({key, CostEstimate::key_of_parts(key), CostEstimate::key_of_scalar(key),
                                     CostEstimate::key_of_copies(key), CostEstimate::key_of(8, 1)})
                .size(),
            5U);
}

TEST(Cost, AKernelIsHotWhenItHasTakenAsLongAsItsCompileWill) {
  const auto artifact = std::make_shared<Artifact>();
  abi::KernelInfo& info = artifact->reply.kernels.emplace_back();
  const std::array<std::uint64_t, 3> local{64, 1, 1};
  std::vector<std::unique_ptr<KernelCode>> code;
  code.push_back(std::make_unique<KernelCode>(*artifact, 0, nullptr));
  const auto executable = std::make_shared<const Executable>(artifact, nullptr, std::move(code));
  const auto hot_after = [&](Tiers::Kind kind = Tiers::Kind::best, std::uint64_t arguments = 0) {
    return Tiers::hot_after({executable, 0, local, {.arguments = arguments}}, kind);
  };
  constexpr std::uint64_t kMs = 1'000'000;
  EXPECT_EQ(hot_after(), Tiers::kHotNanoseconds) << "a small kernel";
  EXPECT_EQ(hot_after(Tiers::Kind::best, 1), Tiers::kSoonHotNanoseconds) << "with images";
  info.has_barrier = true;
  EXPECT_EQ(hot_after(), Tiers::kSoonHotNanoseconds);
  info.instructions.code = 3000;
  EXPECT_EQ(hot_after(), 150 * kMs);
  info.instructions.item = 500;
  EXPECT_EQ(hot_after(), 200 * kMs) << "and what was inlined into it";
  info.instructions.item = 0;
  EXPECT_EQ(hot_after(Tiers::Kind::best, 1), 75 * kMs) << "code for formats is far better";
  EXPECT_EQ(hot_after(Tiers::Kind::copies), 75 * kMs);
  info.reqd_work_group_size = local;
  EXPECT_EQ(hot_after(), 600 * kMs) << "the first code knew the local size";
  info.own_vectors = true;
  EXPECT_EQ(hot_after(), 4800 * kMs) << "its own vectors are what lanes would be";
  info.instructions.code = 10;
  EXPECT_EQ(hot_after(), Tiers::kHotNanoseconds);
}

}  // namespace
}  // namespace lanewise
