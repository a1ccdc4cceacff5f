// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Measures which of two forms of a kernel's code is faster in the launches of an application: vectorised, or one
/// work-item at a time. The compiler can only estimate the cost of a vector: with divergent lanes it depends on the
/// data, and with fewer work-items than lanes on their number.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace lanewise {

/// A form of a kernel's code: vectorised, or one work-item at a time.
enum class Form : unsigned char { lanes, scalar };

/// An estimate of an undisturbed duration. A smaller sample replaces the estimate. A larger sample, whose thread may
/// have been preempted, has a small weight. Racing updates may lose a sample.
class LeastTime {
 public:
  void add(double ns);
  [[nodiscard]] double ns() const { return ns_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool known() const { return samples_.load(std::memory_order_relaxed) >= kSamples; }
  /// Whether the duration is more than twice `other`, which is known. Fewer samples suffice for this answer.
  [[nodiscard]] bool far_above(const LeastTime& other) const {
    return samples_.load(std::memory_order_relaxed) >= kFewSamples && ns() > 2 * other.ns();
  }

 private:
  static constexpr std::uint32_t kSamples = 4;
  static constexpr std::uint32_t kFewSamples = 2;
  std::atomic<double> ns_{0};
  std::atomic<std::uint32_t> samples_{0};
};

/// The choice for launches with fewer work-items than a vector has lanes. Each launch runs one form, chosen by the
/// times of earlier launches with the same number of groups.
class FewItems {
 public:
  class Launches {
   public:
    /// The form for the next launch. After some launches of each form it is the faster one, and now and then the other,
    /// to notice if the amount of work has changed.
    /// @param random  a new number for each launch
    [[nodiscard]] Form next(std::uint32_t random) const;
    /// Adds the wall-clock time of a launch in nanoseconds.
    void book(Form form, double ns) { times_[static_cast<std::size_t>(form)].add(ns); }

   private:
    std::array<LeastTime, 2> times_;
  };

  /// The launches of this number of groups. If two numbers share a slot, their times are mixed, which does little harm.
  [[nodiscard]] Launches& of(std::uint64_t groups) { return launches_[groups % launches_.size()]; }

 private:
  std::array<Launches, 64> launches_;
};

/// The choice for launches that fill their vectors. Their chunks run both forms in turn until enough chunks of each
/// have been measured. A chunk takes about 30 us in the form that the launch began with, so a form that is far slower
/// costs some milliseconds, once.
class Contest {
 public:
  enum class Verdict : unsigned char { open, lanes, scalar };

  [[nodiscard]] Verdict verdict() const { return verdict_.load(std::memory_order_relaxed); }
  /// The form for the next chunk.
  [[nodiscard]] Form next() {
    return (turn_.fetch_add(1, std::memory_order_relaxed) & 1U) != 0 ? Form::scalar : Form::lanes;
  }
  /// Adds the time of a chunk of `groups` groups, in nanoseconds. Thread-safe; races may delay the verdict a little.
  void book(Form form, std::uint64_t groups, std::uint64_t ns);

  /// Number of chunks of each form that decide; kFewChunks suffice if one form is four times as fast.
  static constexpr std::uint32_t kChunks = 64;
  static constexpr std::uint32_t kFewChunks = 8;

 private:
  struct Side {
    std::atomic<std::uint64_t> groups{0};
    std::atomic<std::uint64_t> ns{0};
    std::atomic<std::uint32_t> chunks{0};
    [[nodiscard]] double group_ns() const;
  };

  std::array<Side, 2> sides_;
  std::atomic<std::uint32_t> turn_{0};
  std::atomic<Verdict> verdict_{Verdict::open};
};

}  // namespace lanewise
