// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/contest.h"

#include <algorithm>

namespace lanewise {

namespace {

/// The weight of a larger sample, which counts as at most twice the estimate.
constexpr double kWeightOfMore = 1.0 / 16;
/// Launches between two trials of the other form if both are equally fast. If it is slower, trials are so much rarer
/// that they never cost more than three per cent.
constexpr double kTrialPeriod = 32;
constexpr double kSlowest = 1000;
/// The form that the compiler chose is kept unless the other one takes less than this fraction of its time.
constexpr double kWorthChanging = 0.9;
/// If one form is this many times as fast, fewer chunks decide.
constexpr double kFar = 4;
/// A chunk that took this many times as long as the average has probably been preempted and is not counted.
constexpr double kDisturbed = 8;
constexpr std::uint32_t kUsual = 4;  ///< chunks after which the average is known

}  // namespace

void LeastTime::add(double ns) {
  const double old = ns_.load(std::memory_order_relaxed);
  const std::uint32_t samples = samples_.load(std::memory_order_relaxed);
  ns_.store(samples == 0 || ns < old ? ns : old + (std::min(ns, 2 * old) - old) * kWeightOfMore,
            std::memory_order_relaxed);
  if (!known()) samples_.store(samples + 1, std::memory_order_relaxed);
}

Form FewItems::Launches::next(std::uint32_t random) const {
  const auto& [lanes, scalar] = times_;
  if (!lanes.known()) return Form::lanes;
  if (!scalar.known() && !scalar.far_above(lanes)) return Form::scalar;
  const bool better = scalar.ns() < lanes.ns();
  const double ratio = std::max(scalar.ns(), lanes.ns()) / std::max(std::min(scalar.ns(), lanes.ns()), 1.0);
  const bool trial = random % static_cast<std::uint32_t>(kTrialPeriod * std::min(ratio, kSlowest)) == 0;
  return better != trial ? Form::scalar : Form::lanes;
}

double Contest::Side::group_ns() const {
  return static_cast<double>(ns.load(std::memory_order_relaxed)) /
         static_cast<double>(std::max<std::uint64_t>(groups.load(std::memory_order_relaxed), 1));
}

void Contest::book(Form form, std::uint64_t groups, std::uint64_t ns) {
  Side& side = sides_[static_cast<std::size_t>(form)];
  const bool usual_known = side.chunks.fetch_add(1, std::memory_order_relaxed) >= kUsual;
  if (!usual_known || static_cast<double>(ns) < kDisturbed * side.group_ns() * static_cast<double>(groups)) {
    side.groups.fetch_add(groups, std::memory_order_relaxed);
    side.ns.fetch_add(ns, std::memory_order_relaxed);
  }
  const auto& [lanes, scalar] = sides_;
  const std::uint32_t seen =
      std::min(lanes.chunks.load(std::memory_order_relaxed), scalar.chunks.load(std::memory_order_relaxed));
  if (seen < kFewChunks) return;
  const double lanes_ns = lanes.group_ns();
  const double scalar_ns = scalar.group_ns();
  if (seen < kChunks && lanes_ns < scalar_ns * kFar && scalar_ns < lanes_ns * kFar) return;
  verdict_.store(scalar_ns < lanes_ns * kWorthChanging ? Verdict::scalar : Verdict::lanes, std::memory_order_relaxed);
}

}  // namespace lanewise
