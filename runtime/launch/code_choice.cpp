// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/code_choice.h"

#include <algorithm>
#include <numeric>

#include "runtime/kernel/distinct_buffers.h"
#include "src/base/random.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// Random and not a counter, because launches of several kernels may alternate.
std::uint32_t next_random() {
  constinit thread_local SplitMix numbers(1);
  return static_cast<std::uint32_t>(numbers.next() >> 33U);
}

/// How many groups the code runs at once, from the work-items of a row (NDRangeShape::row_items).
std::uint64_t groups_of_row(std::uint64_t row_items, const lanewise_launch& launch) {
  if (row_items <= 1) return 1;
  return std::min(row_items / std::gcd(row_items, launch.local_size[0]), launch.group_count[0]);
}

LaneUse lanes_of(const lanewise_launch& launch, const abi::KernelInfo& info) {
  if (info.shape.row_items <= 1) return LaneUse::fixed;
  return launch.group_count[0] * launch.local_size[0] < info.shape.row_items ? LaneUse::few : LaneUse::all;
}

/// Bytes of the local arguments of a team, which should stay in the nearest cache.
constexpr std::uint64_t kMostLocalOfTeam = 32'768;

/// LaunchClass::team_groups of a launch.
std::uint32_t team_groups_of(const CodeChoice::Facts& launch, std::uint64_t threads) {
  const Kernel& kernel = launch.kernel;
  const abi::KernelInfo& info = kernel.info();
  // Groups that run as rows or squares have better, and those of the other kernels may not run together.
  if (info.shape.row_items != 0 || info.shape.any_local_size || info.accumulates || info.uses_print || info.enqueues)
    return 0;
  // Zeroed local memory is that of one group.
  if (kernel.context().zeroes_local()) return 0;
  const std::uint64_t local_bytes = launch.args.local_bytes - info.local_bytes;
  std::uint32_t groups = groups_of_teams(launch.sizes.group_count[0], threads);
  while (local_bytes * groups > kMostLocalOfTeam) groups /= 2;
  return groups;
}

/// Whether SecondTierCode may be used for the launch: no offset, uniform groups, sizes below 2^31.
bool is_plain(const lanewise_launch& launch) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.global_offset[i] != 0 || launch.global_size[i] >= kMost ||
        launch.group_count[i] * launch.local_size[i] != launch.global_size[i])
      return false;
  }
  return true;
}

/// The work-groups of a chunk with private copies, which a launch may use if there is code for them; 0: it may not.
std::uint64_t grain_of_copies(const CodeChoice::Facts& launch, std::uint64_t threads) {
  if (!launch.kernel.info().accumulates) [[likely]]
    return 0;
  // A kernel that is stopped in the middle would not bring its sums.
  if (launch.kernel.context().termination() != nullptr) return 0;
  return PrivateCopies::grain_of(launch.kernel.info(), {launch.args.block.bytes(), launch.args.memory},
                                 {.groups = launch.groups, .items = launch.items, .threads = threads});
}

/// How long a launch of so many groups takes, as a fraction of its time summed over all threads.
double duration_of(std::uint64_t groups, std::uint64_t grain, std::uint64_t threads) {
  const std::uint64_t pieces = divide_up(groups, grain);
  const std::uint64_t in_turn = divide_up(pieces, threads);  // on the thread that runs most of them
  return static_cast<double>(in_turn) / static_cast<double>(pieces);
}

}  // namespace

void CodeChoice::make(const Facts& launch) {
  const abi::KernelInfo& info = launch.kernel.info();
  const std::uint64_t threads = launch.device.facts().compute_units;
  groups_ = launch.groups;
  items_ = launch.items;
  const LaneUse lanes = lanes_of(launch.sizes, info);
  cost_.set(launch.kernel.identity(launch.device), items_, groups_, lanes == LaneUse::few);
  first_ = launch.kernel.code(launch.device);
  code_ = {first_, saturating_product(info.item_bytes, items_), info.group_bytes};
  std::uint64_t row_items = info.shape.row_items;
  std::uint64_t copies_grain = 0;
  if (is_plain(launch.sizes)) {
    copies_grain = grain_of_copies(launch, threads);
    const LaunchClass launch_class{
        .arguments = launch.kernel.class_of(launch.args),
        .team_groups = team_groups_of(launch, threads),
        .distinct_buffers = info.gains_by_distinct_buffers && has_distinct_buffers(info, launch.args)};
    const auto& local = launch.sizes.local_size;
    const Tiers::Place place = launch.kernel.place(launch.device, {local[0], local[1], local[2]}, launch_class);
    if (const SecondTierCode* special = choose(launch, place, lanes, copies_grain != 0)) {
      code_ = LaunchCode::of(*special, items_);
      row_items = special->row_items;
    }
  }
  grain_ = cost_.grain(groups_of_row(row_items, launch.sizes), threads);
  if (auto* copies = std::get_if<PrivateCopies>(&how_)) [[unlikely]] {
    code_.group_scratch = copies->lie_behind(code_.group_scratch);
    grain_ = round_up(copies_grain, grain_);
  }
  if (auto* by_time = std::get_if<ByTime>(&how_)) [[unlikely]]
    by_time->duration = duration_of(groups_, grain_, threads);
}

const char* CodeChoice::name_of(const LaunchCode& code) const {
  if (code.run == first_) return "first tier";
  if (copies() != nullptr) return "second tier, private copies";
  if (const auto* turns = std::get_if<InTurn>(&how_); turns != nullptr && code.run == turns->scalar.run)
    return "second tier, one work-item at a time";
  if (const auto* by_time = std::get_if<ByTime>(&how_); by_time != nullptr && by_time->form == Form::scalar)
    return "second tier, one work-item at a time";
  return "second tier";
}

const SecondTierCode* CodeChoice::choose(const Facts& launch, const Tiers::Place& place, LaneUse lanes,
                                         bool may_use_copies) {
  const SecondTierForms forms = place.forms(cost_.full_ns(), {.lanes = lanes, .may_use_copies = may_use_copies});
  if (forms.copies != nullptr) [[unlikely]] {
    how_.emplace<PrivateCopies>(launch.kernel.info(),
                                PrivateCopies::Arguments{launch.args.block.bytes(), launch.args.memory});
    cost_.set_copies();
    return forms.copies;
  }
  if (forms.scalar != nullptr) [[unlikely]] {
    SecondTierCode::Rivalry& rivalry = *forms.scalar->rivalry;
    if (lanes == LaneUse::all) {
      how_.emplace<InTurn>(rivalry.contest, LaunchCode::of(*forms.scalar, items_));
      return forms.best;
    }
    FewItems::Launches& launches = rivalry.few_items.of(groups_);
    const Form form = launches.next(next_random());
    how_.emplace<ByTime>(launches, form);
    if (form == Form::lanes) return forms.best;
    cost_.set_scalar();
    return forms.scalar;
  }
  if (forms.best == nullptr) how_.emplace<LateCode>(place, cost_.full_ns() != 0);
  return forms.best;
}

}  // namespace lanewise
