// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C++ side: threads, data, and the limits of the machine.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

using Body = std::function<void(std::size_t, std::size_t)>;

/// Threads that wait for a loop. They live as long as the process.
class Pool {
 public:
  static Pool& get() {
    static Pool* pool = new Pool;
    return *pool;
  }

  void run(std::size_t count, std::size_t pieces, const Body& body) {
    body_ = &body;
    count_ = count;
    pieces_ = std::max<std::size_t>(1, std::min(pieces, count));
    next_ = 0;
    {
      const std::lock_guard lock(mutex_);
      busy_ = threads_.size();
      ++round_;
    }
    wake_.notify_all();
    take();
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return busy_ == 0; });
  }

 private:
  Pool() {
    for (int i = 1; i < cores(); ++i) threads_.emplace_back([this] { serve(); });
    for (std::thread& t : threads_) t.detach();
  }
  void take() {
    for (std::size_t piece; (piece = next_++) < pieces_;)
      (*body_)(count_* piece / pieces_, count_ * (piece + 1) / pieces_);
  }
  void serve() {
    std::unique_lock lock(mutex_);
    for (unsigned seen = 0;;) {
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      lock.unlock();
      take();
      lock.lock();
      if (--busy_ == 0) idle_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  unsigned round_ = 0;
  std::size_t busy_ = 0, count_ = 0, pieces_ = 0;
  std::atomic<std::size_t> next_ = 0;
  const Body* body_ = nullptr;
};

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

template <class T, class Make>
std::vector<T> filled(std::size_t count, unsigned seed, const Make& make) {
  std::vector<T> values(count);
  parallel(count, [&](std::size_t i, std::size_t end) {
    for (; i < end; ++i) values[i] = make(mix((i + 1) * 0x9e3779b97f4a7c15ULL + seed));
  });
  return values;
}

template <class T>
double fma_peak() {
  constexpr std::size_t kValues = 768 / sizeof(T);  // 12 vectors of 64 bytes
  constexpr int kRounds = 200'000;
  double best = 1e9;
  std::atomic<int> sink = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const double begin = seconds_now();
    parallel(static_cast<std::size_t>(cores()), [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        T x[kValues];
        for (std::size_t k = 0; k < kValues; ++k) x[k] = static_cast<T>(k + i);
        const T a = static_cast<T>(0.999), b = static_cast<T>(0.001 * (sink + 1));
        for (int n = 0; n < kRounds; ++n)
#pragma clang loop unroll(full) vectorize(enable)
          for (std::size_t k = 0; k < kValues; ++k) x[k] = x[k] * a + b;
        T sum = 0;
        for (T value : x) sum += value;
        sink += sum > 1e9f ? 1 : 0;
      }
    });
    best = std::min(best, seconds_now() - begin);
  }
  return 2.0 * kValues * kRounds * cores() / best;
}

}  // namespace

int cores() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void parallel(std::size_t count, const Body& body, std::size_t pieces) {
  Pool::get().run(count, pieces != 0 ? pieces : static_cast<std::size_t>(cores()) * 8, body);
}

std::vector<float> floats(std::size_t count, unsigned seed, float low, float high) {
  return filled<float>(
      count, seed, [&](std::uint64_t bits) { return low + (high - low) * static_cast<float>(bits >> 40) * 0x1p-24f; });
}

std::vector<double> doubles(std::size_t count, unsigned seed, double low, double high) {
  return filled<double>(
      count, seed, [&](std::uint64_t bits) { return low + (high - low) * static_cast<double>(bits >> 11) * 0x1p-53; });
}

std::vector<std::uint32_t> integers(std::size_t count, unsigned seed, std::uint32_t bound) {
  return filled<std::uint32_t>(count, seed, [&](std::uint64_t bits) {
    return static_cast<std::uint32_t>(bound == 0 ? bits >> 32 : (bits >> 32) * bound >> 32);
  });
}

std::vector<std::uint8_t> octets(std::size_t count, unsigned seed) {
  return filled<std::uint8_t>(count, seed, [](std::uint64_t bits) { return static_cast<std::uint8_t>(bits >> 56); });
}

Machine measure_machine() {
  constexpr std::size_t kCount = 16'000'000;
  const auto b = floats(kCount, 1), c = floats(kCount, 2);
  std::vector<float> a(kCount);
  double best = 1e9;
  for (int repetition = 0; repetition < 10; ++repetition) {
    const double begin = seconds_now();
    parallel(kCount, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
    });
    best = std::min(best, seconds_now() - begin);
  }
  return {12.0 * kCount / best, fma_peak<float>(), fma_peak<double>()};
}

}  // namespace lanewise::bench
