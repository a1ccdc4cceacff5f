// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/cost.h"

#include <algorithm>

namespace lanewise {

namespace {
constexpr unsigned kSlotBits = 10;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;
constexpr float kWeightOfMore = 0.25F;
constexpr float kWeightOfLess = 0.5F;
/// A sample is far above the average if it is more than this many times as large.
constexpr float kFar = 4;
/// Launches below this run on one thread, and one sample of a preempted launch must not change that.
constexpr float kSmallNs = 20'000;
/// While in doubt, a launch is estimated to take at least this many nanoseconds: still small, but large enough that
/// each launch is measured (execution.cpp).
constexpr float kDoubtNs = 8'000;

constinit CostEstimate g_estimates[1U << kSlotBits];
}  // namespace

std::uint64_t CostEstimate::key_of(std::uint64_t kernel, std::uint64_t items) {
  return ((kernel * kMix ^ items) << 4U) | 1U;  // not 0, which marks an empty slot
}

CostEstimate& CostEstimate::of(std::uint64_t key) {
  return g_estimates[key * kMix >> (64 - kSlotBits)];
}

std::uint64_t CostEstimate::ns(std::uint64_t key) const {
  if (key_.load(std::memory_order_relaxed) != key) return 0;
  return static_cast<std::uint64_t>(std::max(ns_.load(std::memory_order_relaxed), 1.0F));
}

void CostEstimate::add(std::uint64_t key, std::uint64_t groups, std::uint64_t ns) {
  const float sample = std::max(static_cast<float>(ns) / static_cast<float>(groups), 0.5F);
  if (key_.load(std::memory_order_relaxed) != key) {
    doubts_.store(0, std::memory_order_relaxed);
    ns_.store(sample, std::memory_order_relaxed);
    key_.store(key, std::memory_order_relaxed);
    return;
  }
  const float old = ns_.load(std::memory_order_relaxed);
  const int doubts = doubts_.load(std::memory_order_relaxed);
  if (sample > old * kFar && old * static_cast<float>(groups) < kSmallNs) {
    const bool believed = doubts > 0;
    doubts_.store(2, std::memory_order_relaxed);
    const float doubt = std::max(old, std::min(sample, kDoubtNs / static_cast<float>(groups)));
    ns_.store(believed ? sample : doubt, std::memory_order_relaxed);
    return;
  }
  if (doubts > 0) doubts_.store(doubts - 1, std::memory_order_relaxed);
  ns_.store(old + (sample - old) * (sample < old ? kWeightOfLess : kWeightOfMore), std::memory_order_relaxed);
}

}  // namespace lanewise
