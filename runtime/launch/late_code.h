// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Second-tier code for a launch that has begun without: a launch of a second or two is hot by itself, and often the
/// only one of its kernel. What it takes is booked while it runs, and the chunks that begin once there is code run that.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/core/device.h"
#include "runtime/launch/local_size.h"
#include "runtime/program/kernel.h"

namespace lanewise {

class LateCode {
 public:
  /// @param device  outlives the launch
  /// @param booked  what the launch will take has been booked when it was made
  void wait_for(const Device& device, const LaunchClass& launch_class, bool booked) {
    device_ = &device;
    launch_class_ = launch_class;
    booked_ = booked;
  }
  [[nodiscard]] bool is_awaited() const { return device_ != nullptr; }
  /// Null: there is none yet. Alive as long as the kernel.
  [[nodiscard]] const SpecialCode* code() const { return code_.load(std::memory_order_acquire); }

  /// After a chunk of the launch that has taken `ns`, while there is no code. Thread-safe.
  void book(const Kernel& kernel, const Sizes& local, std::uint64_t ns) {
    if (unbooked_.fetch_add(ns, std::memory_order_relaxed) + ns < kInterval) return;
    const std::uint64_t taken = unbooked_.exchange(0, std::memory_order_relaxed);
    const SpecialForms forms = kernel.special_forms(*device_, local, launch_class_, booked_ ? 0 : taken,
                                                    {.lanes = Lanes::fixed, .may_use_copies = false});
    if (forms.best != nullptr) code_.store(forms.best, std::memory_order_release);
  }

 private:
  /// Counts as a launch for Tiers, to which several of them make a kernel hot.
  static constexpr std::uint64_t kInterval = 5'000'000;

  const Device* device_ = nullptr;
  LaunchClass launch_class_;
  bool booked_ = false;
  std::atomic<std::uint64_t> unbooked_{0};
  std::atomic<const SpecialCode*> code_{nullptr};
};

}  // namespace lanewise
