// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/scaling/measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "src/base/clock.h"
#include "src/host/processor.h"

namespace lanewise::scaling {

namespace {

template <class Body>
double shortest(int rounds, int repeats, Body&& body) {
  double best = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t begin = now_ns();
    for (int i = 0; i < repeats; ++i) body(i);
    best = std::min(best, static_cast<double>(now_ns() - begin) / repeats);
  }
  return best;
}

void alone() {
  alignas(64) static std::atomic<std::uint64_t> line{0};
  std::printf("own_atomic %.1f\n", shortest(50, 10'000, [](int) { line.fetch_add(1); }));
  static std::mutex mutex;
  std::printf("own_mutex %.1f\n", shortest(50, 10'000, [](int) { const std::scoped_lock lock(mutex); }));
  std::printf("clock %.1f\n", shortest(50, 10'000, [](int) { line.store(now_ns(), std::memory_order_relaxed); }));
}

/// A line that two threads write in turn: half a round is one journey.
void line_between_two() {
  constexpr int kTurns = 50;
  alignas(64) static std::atomic<int> turn{0};
  double best = 1e18;
  // On a machine with other load most rounds are interrupted.
  for (const std::uint64_t end = now_ns() + 2'000'000'000; now_ns() < end;) {
    turn = 0;
    std::thread other([] {
      for (int i = 0; i < kTurns; ++i) {
        while (turn.load(std::memory_order_acquire) != 2 * i + 1) host::pause();
        turn.store(2 * i + 2, std::memory_order_release);
      }
    });
    const std::uint64_t begin = now_ns();
    for (int i = 0; i < kTurns; ++i) {
      turn.store(2 * i + 1, std::memory_order_release);
      while (turn.load(std::memory_order_acquire) != 2 * i + 2) host::pause();
    }
    best = std::min(best, static_cast<double>(now_ns() - begin) / (2 * kTurns));
    other.join();
  }
  std::printf("same_node %.1f\n", best);
}

/// Waking a thread that sleeps: what it costs the caller, and when that thread runs.
void wakes() {
  constexpr int kWakes = 100;
  static std::atomic<int> called{0};
  static std::atomic<std::uint64_t> ran{0};
  std::thread sleeper([] {
    for (int i = 0; i < kWakes; ++i) {
      called.wait(i);
      ran.store(now_ns());
    }
  });
  std::vector<double> calls;
  std::vector<double> delays;
  for (int i = 0; i < kWakes; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ran = 0;
    const std::uint64_t begin = now_ns();
    called.store(i + 1);
    called.notify_one();
    calls.push_back(static_cast<double>(now_ns() - begin));
    while (ran.load() == 0) host::pause();
    delays.push_back(static_cast<double>(ran.load() - begin));
  }
  sleeper.join();
  for (auto [name, values] : {std::pair{"wake_call", &calls}, std::pair{"wake_delay", &delays}}) {
    std::sort(values->begin(), values->end());
    std::printf("%s %.0f (a tenth is below %.0f)\n", name, (*values)[kWakes / 2], (*values)[kWakes / 10]);
  }
}

}  // namespace

int measure() {
  alone();
  line_between_two();
  wakes();
  return 0;
}

}  // namespace lanewise::scaling
