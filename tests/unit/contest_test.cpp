// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of the two forms of a kernel's code launches run in the end.
#include "runtime/tier/contest.h"

#include <gtest/gtest.h>

namespace lanewise::test {
namespace {

/// Runs `count` launches of `groups` groups, and returns how many of them ran one work-item at a time.
int scalar_launches(FewItems& few, std::uint64_t groups, double lanes_ns, double scalar_ns, int count = 1000) {
  int scalar = 0;
  for (int i = 0; i < count; ++i) {
    FewItems::Launches& launches = few.of(groups);
    const Form form = launches.next(static_cast<std::uint32_t>(i));
    launches.book(form, form == Form::scalar ? scalar_ns : lanes_ns);
    scalar += form == Form::scalar ? 1 : 0;
  }
  return scalar;
}

TEST(FewItems, MeasuresBothFormsFirst) {
  FewItems few;
  EXPECT_EQ(scalar_launches(few, 2, 1000, 1500, 4), 0);
  EXPECT_EQ(scalar_launches(few, 2, 1000, 1500, 4), 4);
}

TEST(FewItems, AFarSlowerFormIsMeasuredTwiceOnly) {
  FewItems few;
  EXPECT_EQ(scalar_launches(few, 2, 1000, 5000, 4), 0);
  EXPECT_EQ(scalar_launches(few, 2, 1000, 5000, 4), 2);
}

TEST(FewItems, KeepsTheFasterForm) {
  FewItems slow_lanes;
  EXPECT_GT(scalar_launches(slow_lanes, 2, 10'000, 1000), 950);
  FewItems slow_scalar;
  EXPECT_LT(scalar_launches(slow_scalar, 2, 1000, 10'000), 50);
}

TEST(FewItems, FollowsTheNumberOfWorkItems) {
  FewItems few;
  EXPECT_GT(scalar_launches(few, 2, 10'000, 4000), 900);
  EXPECT_LT(scalar_launches(few, 8, 10'000, 16'000), 100);
  EXPECT_GT(scalar_launches(few, 2, 10'000, 4000), 900);
}

TEST(FewItems, ABadSampleIsNotBelieved) {
  FewItems few;
  scalar_launches(few, 2, 2000, 1000);
  for (int i = 0; i < 5; ++i) few.of(2).book(Form::scalar, 90'000);  // the thread was preempted
  EXPECT_GT(scalar_launches(few, 2, 2000, 1000), 900);
}

TEST(FewItems, NoticesThatTheWorkHasChanged) {
  FewItems few;
  EXPECT_LT(scalar_launches(few, 2, 1000, 2000), 100);
  EXPECT_GT(scalar_launches(few, 2, 2000, 1000), 700);
}

TEST(FewItems, TrialsOfASlowFormAreRare) {
  for (const double ratio : {1.0, 2.0, 8.0, 100.0}) {
    FewItems few;
    scalar_launches(few, 2, 1000, 1000 * ratio, 8);
    const int trials = scalar_launches(few, 2, 1000, 1000 * ratio, 100'000);
    EXPECT_LT(trials * (ratio - 1), 100'000 * 0.035) << ratio;
    EXPECT_GT(trials, 0) << ratio;
  }
}

/// Runs chunks of 100 groups until there is a verdict; returns their number.
int chunks_until_verdict(Contest& contest, double lanes_ns, double scalar_ns) {
  int chunks = 0;
  for (; contest.verdict() == Contest::Verdict::open && chunks < 1000; ++chunks) {
    const Form form = contest.next();
    contest.book(form, 100, static_cast<std::uint64_t>(100 * (form == Form::scalar ? scalar_ns : lanes_ns)));
  }
  return chunks;
}

TEST(Contest, KeepsTheFasterForm) {
  Contest lanes;
  EXPECT_EQ(chunks_until_verdict(lanes, 100, 150), 2 * Contest::kChunks);
  EXPECT_EQ(lanes.verdict(), Contest::Verdict::lanes);
  Contest scalar;
  EXPECT_EQ(chunks_until_verdict(scalar, 150, 100), 2 * Contest::kChunks);
  EXPECT_EQ(scalar.verdict(), Contest::Verdict::scalar);
}

TEST(Contest, ALargeDifferenceIsSeenSoon) {
  Contest contest;
  EXPECT_EQ(chunks_until_verdict(contest, 100, 1600), 2 * Contest::kFewChunks);
  EXPECT_EQ(contest.verdict(), Contest::Verdict::lanes);
}

TEST(Contest, ASmallGainChangesNothing) {
  Contest contest;
  chunks_until_verdict(contest, 100, 95);
  EXPECT_EQ(contest.verdict(), Contest::Verdict::lanes);
}

TEST(Contest, ChunksThatWerePreemptedDoNotCount) {
  Contest contest;
  for (int i = 0; i < 20; ++i) {
    const Form form = contest.next();
    contest.book(form, 100, form == Form::scalar ? 10'000 : 8000);
  }
  contest.book(Form::lanes, 100, 5'000'000);
  chunks_until_verdict(contest, 80, 100);
  EXPECT_EQ(contest.verdict(), Contest::Verdict::lanes);
}

}  // namespace
}  // namespace lanewise::test
