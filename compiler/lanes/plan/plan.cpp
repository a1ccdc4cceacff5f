// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/plan.h"

#include <algorithm>

#include "compiler/lanes/plan/costs.h"

namespace lanewise::spmd {
namespace {

/// Bodies with more instructions than this for each memory access mostly compute.
constexpr unsigned kArithmetic = 24;

Tail cheaper_tail(const Measures& measures) {
  // A tail is half a vector on average; where groups are a single work-item, it is all that there is.
  if (costs::masked_vector * measures.part_cost > measures.scalar_cost / 2) return Tail::scalar;
  return measures.native_masks ? Tail::masked : Tail::scalar;
}

/// Whether a body is large and a mask on every vector costs it little. `tail`: the tail that it would have otherwise.
bool suits_one_form(const Measures& measures, Tail tail, Isa isa) {
  const bool masks = tail == Tail::masked;
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
  unsigned lanes = forced ? options.forced_width : std::clamp(options.isa.vector_bytes() / elements.bytes, 4U, 32U);
  // With 128 bits twice as many take too many of the registers.
  const bool second = elements.latency_bound || elements.chained;
  if (!forced && options.isa.vector_bits() > 128 && second) lanes = std::min(2 * lanes, 32U);
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
  plan.tail = forced || options.masked_tail ? Tail::masked : cheaper_tail(measures);
  if (options.quick && suits_one_form(measures, plan.tail, options.isa)) plan.tail = Tail::none;
  plan.brief_tail = options.quick && options.long_rows && plan.tail == Tail::masked;
  plan.few_forms = options.few_forms && plan.tail == Tail::none;
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
    case Tail::none:
      text += plan.few_forms ? ", all masked, few forms" : ", all masked";
      break;
  }
  if (plan.aligned) text += ", aligned";
  if (plan.guards != 0) text += ", " + std::to_string(plan.guards) + (plan.guards == 1 ? " guard" : " guards");
  if (plan.scalar_cost > 0) text += ", cost " + number(plan.vector_cost) + " against " + number(plan.scalar_cost);
  return text;
}

}  // namespace lanewise::spmd
