// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of two forms of a kernel's code is faster, work-items in lanes or one at a time: found out by the launches of an
/// application. What a vector costs, the compiler can only estimate; it depends on the data where lanes go ways of their
/// own, and on the number of work-items where they are fewer than lanes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace lanewise {

enum class Form : unsigned char { lanes, scalar };

/// How long something takes when nothing disturbs it: a smaller sample is believed at once, a larger one, which may be
/// that of a thread that was preempted, for a small part. Racing samples may lose one.
class LeastTime {
 public:
  void add(double ns);
  [[nodiscard]] double ns() const { return ns_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool known() const { return samples_.load(std::memory_order_relaxed) >= kSamples; }

 private:
  static constexpr std::uint32_t kSamples = 4;
  std::atomic<double> ns_{0};
  std::atomic<std::uint32_t> samples_{0};
};

/// Launches of so many groups that a vector is not filled: each runs one form, by what launches like it have taken.
class FewItems {
 public:
  class Launches {
   public:
    /// What the next launch runs: after some launches of each form the faster one; now and then the other, so that an
    /// amount of work that has changed is noticed. @param random  another number for each launch
    [[nodiscard]] Form next(std::uint32_t random) const;
    /// A launch took so long from its begin to its end.
    void book(Form form, double ns) { times_[static_cast<std::size_t>(form)].add(ns); }

   private:
    std::array<LeastTime, 2> times_;
  };

  /// Launches of this number of groups. Two numbers that meet in one place spoil each other's times, no more.
  [[nodiscard]] Launches& of(std::uint64_t groups) { return launches_[groups % launches_.size()]; }

 private:
  std::array<Launches, 64> launches_;
};

/// Launches that fill their vectors: their chunks run the one form and the other in turn until enough of both has been
/// seen. A chunk is some 30 us of the code that the launch began with, so a form that is far slower costs some
/// milliseconds, once.
class Contest {
 public:
  enum class Verdict : unsigned char { open, lanes, scalar };

  [[nodiscard]] Verdict verdict() const { return verdict_.load(std::memory_order_relaxed); }
  /// What the next chunk runs.
  [[nodiscard]] Form next() {
    return (turn_.fetch_add(1, std::memory_order_relaxed) & 1U) != 0 ? Form::scalar : Form::lanes;
  }
  /// A chunk of so many groups took so long. Thread-safe; racing chunks may decide a little later.
  void book(Form form, std::uint64_t groups, std::uint64_t ns);

  /// Chunks of each form that decide; where one is four times as fast, fewer.
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
