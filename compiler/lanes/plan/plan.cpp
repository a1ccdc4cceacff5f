// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/plan.h"

#include <algorithm>
#include <cmath>

#include "compiler/lanes/plan/costs.h"

namespace lanewise::spmd {
namespace {

constexpr unsigned kMostLanes = 32;
/// Where a level has one width only, LLVM keeps masks of loops in a byte for each lane of 128 bits, and takes longer
/// ones apart in memory.
constexpr unsigned kMostMaskedLanes = 16;

/// Bodies with more instructions than this for each memory access mostly compute.
constexpr unsigned kArithmetic = 24;

/// Sets the tail, and how many work-items make a masked one pay.
void choose_tail(const Measures& measures, const Options& options, Plan& plan) {
  const double masked = costs::masked_vector * measures.part_cost;
  plan.tail = Tail::scalar;
  if (!measures.native_masks) return;
  if (!options.short_rows) {
    // A tail is half a vector on average.
    if (masked <= measures.scalar_cost / 2) plan.tail = Tail::masked;
    return;
  }
  // Here it may be all that there is: one work-item of a group of 1 x 64, or eight of 8 x 8.
  const auto items = static_cast<unsigned>(std::ceil(plan.width * masked / measures.scalar_cost));
  if (items > plan.width / 2) return;
  // A third body pays where a single work-item would take twice as long, or more, in a vector.
  plan.tail = items <= 2 ? Tail::masked : Tail::either;
  plan.least_masked = items;
}

/// Whether a body is large and a mask on every vector costs it little. `tail`: the tail that it would have otherwise.
bool suits_one_form(const Measures& measures, Tail tail, Isa isa) {
  const bool masks = tail == Tail::masked || tail == Tail::either;
  // Without masked forms of all its accesses a body in one form does those of the last vector lane by lane.
  if (!masks && isa.has_masked_moves() && measures.instructions <= kMostTwoForms) return false;
  // In one form each access tests whether the mask is full, and LLVM's passes take quadratic time in branches on one
  // condition.
  if (measures.accesses > kMostTests) return false;
  // Without a mask the distances of such accesses are known, so that they can be combined; under one each lane has its
  // own address.
  if (measures.strided > 0) return masks && measures.instructions > kMostTwoFormsStrided;
  // Masks cost arithmetic nothing; accesses, for which they are expensive, first test whether the mask is full
  // (Masks::is_full).
  if (kArithmetic * measures.accesses < measures.instructions) return measures.instructions > kMostTwoFormsArithmetic;
  return (masks || isa.has_masked_moves()) && measures.instructions > kMostTwoForms;
}

std::string number(double cost) {
  return std::to_string(static_cast<long>(cost));
}

}  // namespace

unsigned choose_lanes(const Elements& elements, const Options& options) {
  const bool forced = options.forced_width != 0;
  unsigned lanes =
      forced ? options.forced_width : std::clamp(options.isa.vector_bytes() / elements.bytes, 4U, kMostLanes);
  // With 128 bits twice as many take too many of the registers.
  // As many streams are as many accesses to compile, which first code does without.
  const unsigned streams = options.quick ? 1 : elements.vectors;
  const unsigned vectors = elements.latency_bound || elements.chained ? 2 : streams;
  if (!forced && options.isa.vector_bits() > 128 && vectors > 1)
    lanes = std::max(lanes, std::min(vectors * lanes, options.isa.has_exact_width() ? kMostMaskedLanes : kMostLanes));
  while (lanes > elements.local_size) lanes /= 2;
  return lanes;
}

Refusal choose_plan(unsigned lanes, const Measures& measures, const Options& options, Plan& plan) {
  const bool forced = options.forced_width != 0;
  if (!forced && measures.vector_cost > kMargin * measures.scalar_cost)
    return {Reason::expensive, "cost " + number(measures.vector_cost) + " against " + number(measures.scalar_cost) +
                                   " for " + std::to_string(lanes) + " work-items"};
  if (!forced && measures.spills) return {Reason::spills};
  if (!forced && measures.passing) return {Reason::passing};
  if (measures.private_bytes * lanes > kMostPrivateBytes) return {Reason::large_private};
  plan.width = lanes;
  if (forced || options.masked_tail)
    plan.tail = Tail::masked;
  else
    choose_tail(measures, options, plan);
  if (options.quick && suits_one_form(measures, plan.tail, options.isa)) plan.tail = Tail::all_masked;
  plan.brief_tail = options.quick && options.long_rows && plan.tail == Tail::masked;
  plan.few_forms = options.few_forms && plan.tail == Tail::all_masked;
  plan.calls_in_loops = options.quick;
  plan.scalar_cost = measures.scalar_cost;
  plan.vector_cost = measures.vector_cost;
  return {};
}

std::string text_of(const Plan& plan) {
  std::string text = (plan.sub_groups ? "sub-groups of " : "width ") + std::to_string(plan.width);
  switch (plan.tail) {
    case Tail::scalar:
      text += ", scalar tail";
      break;
    case Tail::masked:
      text += plan.brief_tail ? ", brief masked tail" : ", masked tail";
      break;
    case Tail::either:
      text += ", tail masked from " + std::to_string(plan.least_masked) + " work-items";
      break;
    case Tail::all_masked:
      text += plan.few_forms ? ", all masked, few forms" : ", all masked";
      break;
  }
  if (plan.aligned) text += ", aligned";
  if (plan.guards != 0) text += ", " + std::to_string(plan.guards) + (plan.guards == 1 ? " guard" : " guards");
  if (plan.scalar_cost > 0) text += ", cost " + number(plan.vector_cost) + " against " + number(plan.scalar_cost);
  return text;
}

}  // namespace lanewise::spmd
