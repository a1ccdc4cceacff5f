// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plan for a work-item loop, and the decision itself: numbers in, a plan or a refusal out. The numbers of a loop
/// are measured elsewhere (measures.h), so that every decision can be tested without a loop.
///
///     elements     -> lanes      how many of the elements that most of the work is on fit into a register
///     lanes        -> measures   what vectors of so many lanes would cost
///     measures     -> plan       the width, and what runs the work-items behind the last full vector
#pragma once

#include <cstdint>
#include <string>

#include "compiler/base/options.h"
#include "compiler/lanes/analysis/refusal.h"
#include "include/lanewise/vector_report.h"

namespace lanewise::spmd {

/// Vectors must be faster by this factor, because masks, tails and code size are not free.
inline constexpr double kMargin = 0.9;
/// Bodies with more instructions than this may have one form, if the build is to be quick. Without masked accesses
/// only those that mostly compute.
inline constexpr unsigned kMostTwoForms = 220;
inline constexpr unsigned kMostTwoFormsArithmetic = 120;
inline constexpr unsigned kMostTwoFormsStrided = 1000;
/// Bodies with more accesses than this have two forms all the same.
inline constexpr unsigned kMostTests = 1000;
/// Private variables of all lanes together; threads' stacks are of unknown size.
inline constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{32} * 1024;

/// What runs the work-items behind the last full vector.
using Tail = abi::TailForm;

/// The numbers that decide the number of lanes.
struct Elements {
  unsigned bytes = 4;             ///< size of the element that at most a third of the work is wider than
  bool latency_bound = false;     ///< the loop waits for its own results: a second vector fills the gaps
  bool chained = false;           ///< straight code in which most operations wait for the one before (chains.h)
  unsigned vectors = 1;           ///< vectors side by side, for code that walks through many arrays (streams.h)
  std::uint64_t local_size = 64;  ///< work-items in a row, if that is known; else enough of them
};

/// The measures of a loop for a given number of lanes.
struct Measures {
  double scalar_cost = 0;     ///< cost of as many work-items one by one; a rough count of operations
  double vector_cost = 0;     ///< cost of a vector
  double part_cost = 0;       ///< cost of a whole vector with few lanes: a gather takes as long for one lane as for all
  bool spills = false;        ///< the source's own vectors fit the registers, those of all lanes do not
  bool passing = false;       ///< work-items mostly pass the source's own vectors on
  bool native_masks = false;  ///< the processor has masked forms of all accesses that would need one
  std::uint64_t private_bytes = 0;  ///< bytes of a work-item on the stack
  unsigned instructions = 0;
  unsigned accesses = 0;  ///< accesses to memory at a different address for each lane
  unsigned strided = 0;   ///< accesses of these whose lanes are known distances apart, or whose neighbours are accessed
                          ///< together (field_groups.h), where no branch diverges
};

struct Plan {
  unsigned width = 0;
  Tail tail = Tail::scalar;
  unsigned least_masked = 0;    ///< work-items from which Tail::either is masked
  bool brief_tail = false;      ///< loops in the tail keep their form, which is less to compile: it seldom runs
  bool few_forms = false;       ///< consecutive lanes of a full vector, or lane by lane
  bool calls_in_loops = false;  ///< a function that stays a call is called in a loop over the lanes
  bool sub_groups = false;      ///< a vector is a sub-group
  bool aligned = false;         ///< first local ids are multiples of the width, and shapes make use of it
  unsigned guards = 0;          ///< branches that full vectors need not take, because all their work-items pass
  double scalar_cost = 0;       ///< cost of `width` work-items one by one; 0: not asked for
  double vector_cost = 0;
};

/// The number of lanes: a power of two; less than 2 if a row of work-items fills no vector.
[[nodiscard]] unsigned choose_lanes(const Elements& elements, const Options& options);

/// Sets width, tail and costs of the plan, unless vectors of so many lanes are refused.
[[nodiscard]] Refusal choose_plan(unsigned lanes, const Measures& measures, const Options& options, Plan& plan);

/// "width 8, masked tail, 1 guard, cost 40 against 88"
[[nodiscard]] std::string text_of(const Plan& plan);

}  // namespace lanewise::spmd
