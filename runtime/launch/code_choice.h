// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The code that the work-groups of a launch run. The choice is made once, at the enqueue, among the code that the
/// kernel's tiers have. Only this class knows what each choice does while the launch runs:
///
///     as it is        all chunks run one form: the first build's code, or the second tier's if that has one form only
///                     or one that is known to be faster
///     late code       chunks run the first build's code until the second tier has some (tier/late_code.h)
///     forms in turn   chunks alternate between both forms of the second tier until the faster one is known (Contest)
///     form by time    all chunks run the form that took less time in launches with as few work-items (FewItems)
///     private copies  chunks add to copies of the buffers (tier/private_copies.h)
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstdint>
#include <variant>

#include "include/lanewise/kernel_abi.h"
#include "runtime/core/device.h"
#include "runtime/kernel/kernel.h"
#include "runtime/kernel/launch_args.h"
#include "runtime/tier/contest.h"
#include "runtime/tier/late_code.h"
#include "runtime/tier/launch_cost.h"
#include "runtime/tier/private_copies.h"
#include "runtime/tier/tiers.h"
#include "src/base/clock.h"
#include "src/base/sizes.h"

namespace lanewise {

/// A range function and the scratch memory that it needs.
struct LaunchCode {
  lanewise_range_fn* run = nullptr;
  std::uint64_t item_scratch = 0;   ///< bytes for all work-items of a full group
  std::uint64_t group_scratch = 0;  ///< bytes
  std::uint32_t local_copies = 1;   ///< groups whose local memory is in use at once

  static LaunchCode of(const SecondTierCode& code, std::uint64_t items) {
    return {code.run, saturating_product(code.item_bytes, items), code.group_bytes, std::max(code.team_groups, 1U)};
  }
};

/// The choice for one launch. Constant after `make`: measurements are stored in the tiers and in LateCode.
class CodeChoice {
 public:
  /// The launch to choose code for.
  struct Facts {
    const Kernel& kernel;  ///< has code for the device
    const Device& device;
    const lanewise_launch& sizes;
    const LaunchArgs& args;
    std::uint64_t groups;  ///< work-groups of the launch
    std::uint64_t items;   ///< work-items of a full group
  };

  /// Makes the choice; called once, before all other functions. May throw std::bad_alloc.
  void make(const Facts& launch);

  /// Chunks are multiples of this many groups.
  [[nodiscard]] std::uint64_t grain() const { return grain_; }
  /// Estimated nanoseconds per group; 0: not known.
  [[nodiscard]] std::uint64_t group_ns() const { return cost_.group_ns(); }
  /// The copies that the code works on; null: it works on the buffers themselves.
  [[nodiscard]] const PrivateCopies* copies() const { return std::get_if<PrivateCopies>(&how_); }

  /// The name of the code that a chunk runs, for traces.
  [[nodiscard]] const char* name_of(const LaunchCode& code) const;

  /// Runs a chunk of `groups` groups by `run(code)`, and returns the status that `run` returns.
  template <class Run>
  [[nodiscard]] cl_int run_chunk(std::uint64_t groups, const Run& run) const {
    if (const auto* late = std::get_if<LateCode>(&how_)) {
      // A launch that is one chunk is short.
      return groups == groups_ ? run(code_) : run_late(*late, run);
    }
    if (const auto* turns = std::get_if<InTurn>(&how_)) [[unlikely]]
      return run_in_turn(*turns, groups, run);
    return run(code_);
  }

  /// Books the time of all groups, in nanoseconds summed over all threads.
  void measured(std::uint64_t ns) const noexcept {
    if (std::holds_alternative<InTurn>(how_)) [[unlikely]]
      return;
    if (const auto* by_time = std::get_if<ByTime>(&how_)) [[unlikely]]
      by_time->launches.book(by_time->form, static_cast<double>(ns) * by_time->duration);
    cost_.book(ns);
  }

 private:
  struct AsItIs {};
  struct InTurn {
    Contest& contest;
    LaunchCode scalar;
  };
  struct ByTime {
    FewItems::Launches& launches;
    Form form;
    double duration = 0;  ///< wall-clock time of the launch as a fraction of its time summed over all threads
  };

  template <class Run>
  [[nodiscard]] cl_int run_late(const LateCode& late, const Run& run) const {
    if (const SecondTierCode* code = late.code()) return run(LaunchCode::of(*code, items_));
    const std::uint64_t start = now_ns();
    const cl_int status = run(code_);
    late.book(now_ns() - start);
    return status;
  }
  template <class Run>
  [[nodiscard]] cl_int run_in_turn(const InTurn& turns, std::uint64_t groups, const Run& run) const {
    // A recorded launch may run again after the contest has been decided.
    if (const Contest::Verdict verdict = turns.contest.verdict(); verdict != Contest::Verdict::open)
      return run(verdict == Contest::Verdict::scalar ? turns.scalar : code_);
    const Form next = turns.contest.next();
    const std::uint64_t start = now_ns();
    const cl_int status = run(next == Form::scalar ? turns.scalar : code_);
    turns.contest.book(next, groups, now_ns() - start);
    return status;
  }

  /// Chooses among the forms that exist. Null: the first build's code.
  const SecondTierCode* choose(const Facts& launch, const Tiers::Place& place, LaneUse lanes, bool may_use_copies);

  LaunchCode code_;
  lanewise_range_fn* first_ = nullptr;  ///< code of the first build
  std::variant<AsItIs, LateCode, InTurn, ByTime, PrivateCopies> how_;
  LaunchCost cost_;
  std::uint64_t groups_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t grain_ = 1;
};

}  // namespace lanewise
