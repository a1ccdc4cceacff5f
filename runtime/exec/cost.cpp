// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanewise {

namespace {
constexpr unsigned kSlotBits = 10;
constexpr float kWeight = 0.25F;
/// One sample counts at most this many times the average: a thread that was preempted says nothing about the kernel,
/// while a kernel that really got slower is believed after a few launches.
constexpr float kOutlier = 64;

constinit CostEstimate g_estimates[1u << kSlotBits];
}  // namespace

std::uint64_t CostEstimate::key_of(const void* code, std::uint64_t items) {
  return (std::bit_cast<std::uint64_t>(code) ^ items * 0x9e3779b97f4a7c15u) | 1;
}

CostEstimate& CostEstimate::of(const void* code, std::uint64_t items) {
  return g_estimates[key_of(code, items) * 0x9e3779b97f4a7c15u >> (64 - kSlotBits)];
}

std::uint64_t CostEstimate::ns(std::uint64_t key) const {
  if (key_.load(std::memory_order_relaxed) != key) return 0;
  return static_cast<std::uint64_t>(std::max(ns_.load(std::memory_order_relaxed), 1.0F));
}

void CostEstimate::add(std::uint64_t key, std::uint64_t groups, std::uint64_t ns) {
  const float sample = std::max(static_cast<float>(ns) / static_cast<float>(groups), 0.5F);
  if (key_.load(std::memory_order_relaxed) != key) {
    ns_.store(sample, std::memory_order_relaxed);
    key_.store(key, std::memory_order_relaxed);
    return;
  }
  const float old = ns_.load(std::memory_order_relaxed);
  ns_.store(old + (std::min(sample, old * kOutlier) - old) * kWeight, std::memory_order_relaxed);
}

}  // namespace lanewise
