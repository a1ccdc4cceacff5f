// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the vectoriser decides from the numbers of a loop (compiler/lanes/plan/plan.h).
#include <gtest/gtest.h>

#include "compiler/lanes/plan/plan.h"

namespace lanewise::test {
namespace {

using spmd::Measures;
using spmd::Options;
using spmd::Plan;
using spmd::Reason;
using spmd::Tail;

Options at(IsaLevel level) {
  return {.isa = Isa(level)};
}

/// A loop that vectors are good for.
Measures good() {
  return {
      .scalar_cost = 100, .vector_cost = 20, .part_cost = 20, .native_masks = true, .instructions = 10, .accesses = 2};
}

Plan plan_of(const Measures& measures, const Options& options, unsigned lanes = 8) {
  Plan plan;
  const spmd::Refusal refusal = spmd::choose_plan(lanes, measures, options, plan);
  EXPECT_FALSE(refusal.refused()) << refusal.text();
  return plan;
}

Reason refusal_of(const Measures& measures, const Options& options, unsigned lanes = 8) {
  Plan plan;
  return spmd::choose_plan(lanes, measures, options, plan).reason;
}

TEST(VectorPlan, LanesFillARegisterWithTheElements) {
  EXPECT_EQ(spmd::choose_lanes({.bytes = 4}, at(IsaLevel::x86_64_v2)), 4U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 4}, at(IsaLevel::x86_64_v3)), 8U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 4}, at(IsaLevel::x86_64_v4)), 16U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 8}, at(IsaLevel::x86_64_v3)), 4U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 8}, at(IsaLevel::x86_64_v2)), 4U) << "fewer than four are not worth it";
  EXPECT_EQ(spmd::choose_lanes({.bytes = 1}, at(IsaLevel::x86_64_v4)), 32U) << "more than 32 are too many";
}

TEST(VectorPlan, LoopsThatWaitForThemselvesGetASecondVector) {
  EXPECT_EQ(spmd::choose_lanes({.latency_bound = true}, at(IsaLevel::x86_64_v3)), 16U);
  EXPECT_EQ(spmd::choose_lanes({.latency_bound = true}, at(IsaLevel::x86_64_v4)), 32U);
  EXPECT_EQ(spmd::choose_lanes({.latency_bound = true}, at(IsaLevel::x86_64_v2)), 4U);
}

TEST(VectorPlan, ChainsGetASecondVector) {
  EXPECT_EQ(spmd::choose_lanes({.chained = true}, at(IsaLevel::x86_64_v3)), 16U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 8, .chained = true}, at(IsaLevel::x86_64_v3)), 8U);
  EXPECT_EQ(spmd::choose_lanes({.chained = true, .local_size = 8}, at(IsaLevel::x86_64_v3)), 8U);
  EXPECT_EQ(spmd::choose_lanes({.chained = true}, at(IsaLevel::x86_64_v2)), 4U);
  EXPECT_EQ(spmd::choose_lanes({.chained = true}, at(IsaLevel::x86_64_v4)), 32U);
}

TEST(VectorPlan, ManyStreamsGetSeveralVectors) {
  EXPECT_EQ(spmd::choose_lanes({.vectors = 4}, at(IsaLevel::x86_64_v3)), 32U);
  EXPECT_EQ(spmd::choose_lanes({.bytes = 8, .vectors = 4}, at(IsaLevel::x86_64_v3)), 16U);
  EXPECT_EQ(spmd::choose_lanes({.vectors = 4}, at(IsaLevel::x86_64_v4)), 32U) << "more than 32 are too many";
  EXPECT_EQ(spmd::choose_lanes({.vectors = 4, .local_size = 16}, at(IsaLevel::x86_64_v3)), 16U);
  EXPECT_EQ(spmd::choose_lanes({.vectors = 4}, at(IsaLevel::x86_64_v2)), 4U);
  EXPECT_EQ(spmd::choose_lanes({.vectors = 4}, {.isa = Isa(IsaLevel::x86_64_v3), .quick = true}), 8U) << "first code";
}

TEST(VectorPlan, AKnownLocalSizeIsTheMost) {
  EXPECT_EQ(spmd::choose_lanes({.local_size = 8}, at(IsaLevel::x86_64_v4)), 8U);
  EXPECT_EQ(spmd::choose_lanes({.local_size = 7}, at(IsaLevel::x86_64_v4)), 4U);
  EXPECT_LT(spmd::choose_lanes({.local_size = 1}, at(IsaLevel::x86_64_v4)), 2U);
  EXPECT_LT(spmd::choose_lanes({.local_size = 1}, {.isa = {}, .forced_width = 8}), 2U);
}

TEST(VectorPlan, AForcedWidthIsTaken) {
  const Options forced{.isa = Isa(IsaLevel::x86_64_v3), .forced_width = 2};
  EXPECT_EQ(spmd::choose_lanes({.bytes = 1, .latency_bound = true}, forced), 2U);
  Measures bad = good();
  bad.vector_cost = 1000;
  bad.spills = true;
  bad.native_masks = false;
  const Plan plan = plan_of(bad, forced, 2);
  EXPECT_EQ(plan.width, 2U);
  EXPECT_EQ(plan.tail, Tail::masked);
}

TEST(VectorPlan, TailsOfLongRowsAreBriefInQuickBuilds) {
  Options options = at(IsaLevel::x86_64_v3);
  options.quick = true;
  EXPECT_FALSE(plan_of(good(), options).brief_tail);
  options.long_rows = true;
  EXPECT_TRUE(plan_of(good(), options).brief_tail);
  options.quick = false;
  EXPECT_FALSE(plan_of(good(), options).brief_tail);
}

TEST(VectorPlan, VectorsMustWin) {
  Measures measures = good();
  measures.vector_cost = 89;
  EXPECT_EQ(refusal_of(measures, at(IsaLevel::x86_64_v3)), Reason::none);
  measures.vector_cost = 91;
  Plan plan;
  const spmd::Refusal refusal = spmd::choose_plan(8, measures, at(IsaLevel::x86_64_v3), plan);
  EXPECT_EQ(refusal.reason, Reason::expensive);
  EXPECT_EQ(refusal.text(), "vectors do not pay: cost 91 against 100 for 8 work-items");
  EXPECT_EQ(plan.width, 0U) << "a refusal leaves the plan alone";
}

TEST(VectorPlan, VectorsOfTheSourceStayWhereTheyFit) {
  Measures measures = good();
  measures.spills = true;
  EXPECT_EQ(refusal_of(measures, at(IsaLevel::x86_64_v3)), Reason::spills);
  measures = good();
  measures.passing = true;
  EXPECT_EQ(refusal_of(measures, at(IsaLevel::x86_64_v3)), Reason::passing);
}

TEST(VectorPlan, PrivateVariablesOfAllLanesFitTheStack) {
  Measures measures = good();
  measures.private_bytes = 4096;
  EXPECT_EQ(refusal_of(measures, at(IsaLevel::x86_64_v3), 8), Reason::none);
  EXPECT_EQ(refusal_of(measures, at(IsaLevel::x86_64_v3), 16), Reason::large_private);
  EXPECT_EQ(refusal_of(measures, {.isa = {}, .forced_width = 16}, 16), Reason::large_private);
}

TEST(VectorPlan, TheTailIsMaskedWhereMasksAreCheap) {
  Measures measures = good();
  EXPECT_EQ(plan_of(measures, at(IsaLevel::x86_64_v3)).tail, Tail::masked);
  measures.native_masks = false;
  EXPECT_EQ(plan_of(measures, at(IsaLevel::x86_64_v3)).tail, Tail::scalar);
  EXPECT_EQ(plan_of(measures, {.isa = {}, .masked_tail = true}).tail, Tail::masked);
  measures.native_masks = true;
  measures.part_cost = 45;  // half a vector of scalar work is less than a masked one
  EXPECT_EQ(plan_of(measures, at(IsaLevel::x86_64_v3)).tail, Tail::scalar);
}

TEST(VectorPlan, ShortTailsAreScalarWhereARowMayBeShort) {
  Measures measures = good();
  Options options = at(IsaLevel::x86_64_v3);
  options.short_rows = true;
  EXPECT_EQ(plan_of(measures, options).tail, Tail::masked) << "less than two work-items";
  measures.part_cost = 30;
  const Plan plan = plan_of(measures, options);
  EXPECT_EQ(plan.tail, Tail::either);
  EXPECT_EQ(plan.least_masked, 3U) << "eight work-items cost 100, and a masked vector 1.2 x 30";
  EXPECT_EQ(text_of(plan), "width 8, tail masked from 3 work-items, cost 20 against 100");
  measures.part_cost = 45;
  EXPECT_EQ(plan_of(measures, options).tail, Tail::scalar) << "more than half a vector";
  measures.part_cost = 20;
  measures.native_masks = false;
  EXPECT_EQ(plan_of(measures, options).tail, Tail::scalar);
}

TEST(VectorPlan, QuickBuildsGiveLargeLoopsOneForm) {
  const auto tail = [](unsigned instructions, unsigned accesses, unsigned strided, IsaLevel level, bool quick = true) {
    Measures measures = good();
    measures.native_masks = level != IsaLevel::x86_64_v2;
    measures.instructions = instructions;
    measures.accesses = accesses;
    measures.strided = strided;
    return plan_of(measures, {.isa = Isa(level), .quick = quick}).tail;
  };
  EXPECT_EQ(tail(spmd::kMostTwoForms, 20, 0, IsaLevel::x86_64_v3), Tail::masked);
  EXPECT_EQ(tail(spmd::kMostTwoForms + 1, 20, 0, IsaLevel::x86_64_v3), Tail::all_masked);
  EXPECT_EQ(tail(spmd::kMostTwoForms + 1, 20, 0, IsaLevel::x86_64_v3, false), Tail::masked);
  EXPECT_EQ(tail(spmd::kMostTwoForms + 1, 20, 1, IsaLevel::x86_64_v3), Tail::masked) << "known distances apart";
  EXPECT_EQ(tail(spmd::kMostTwoFormsStrided + 1, 90, 1, IsaLevel::x86_64_v3), Tail::all_masked);
  EXPECT_EQ(tail(spmd::kMostTwoForms + 1, 20, 0, IsaLevel::x86_64_v2), Tail::scalar) << "no masked accesses";
  EXPECT_EQ(tail(spmd::kMostTwoFormsArithmetic + 1, 1, 0, IsaLevel::x86_64_v2), Tail::all_masked)
      << "hardly any accesses";
  EXPECT_EQ(tail(spmd::kMostTwoFormsArithmetic, 1, 0, IsaLevel::x86_64_v2), Tail::scalar);
  EXPECT_EQ(tail(20000, spmd::kMostTests, 0, IsaLevel::x86_64_v3), Tail::all_masked);
  EXPECT_EQ(tail(20000, spmd::kMostTests + 1, 0, IsaLevel::x86_64_v3), Tail::masked) << "a test at each access";
}

TEST(VectorPlan, FewFormsAreForLoopsInOneForm) {
  Measures measures = good();
  measures.native_masks = true;
  measures.accesses = 20;
  Options options{.isa = Isa(IsaLevel::x86_64_v3), .quick = true, .few_forms = true};
  measures.instructions = spmd::kMostTwoForms;
  EXPECT_FALSE(plan_of(measures, options).few_forms);
  measures.instructions = spmd::kMostTwoForms + 1;
  EXPECT_TRUE(plan_of(measures, options).few_forms);
  options.few_forms = false;
  EXPECT_FALSE(plan_of(measures, options).few_forms);
}

TEST(VectorPlan, AsText) {
  EXPECT_EQ(text_of(plan_of(good(), at(IsaLevel::x86_64_v3))), "width 8, masked tail, cost 20 against 100");
  EXPECT_EQ(text_of(Plan{.width = 4, .aligned = true, .guards = 1}), "width 4, scalar tail, aligned, 1 guard");
  EXPECT_EQ(text_of(Plan{.width = 4, .guards = 2}), "width 4, scalar tail, 2 guards");
  EXPECT_EQ(text_of(Plan{.width = 16, .tail = Tail::all_masked, .sub_groups = true}), "sub-groups of 16, all masked");
}

}  // namespace
}  // namespace lanewise::test
