// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one thread brings to the pieces of a command: scratch memory for kernels and the way to their services.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

class Event;
class PrintSink;

/// One per thread, created when the thread first runs a piece and freed with the thread. Not shared, not locked.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The calling thread's.
  static Worker& current();
  static Worker& from(lanewise_worker* abi) { return *static_cast<Worker*>(abi->runtime); }

  /// What compiled code gets.
  [[nodiscard]] lanewise_worker& abi() { return abi_; }

  /// Makes the three areas at least this large (bytes; 0: not needed), aligned to LANEWISE_SCRATCH_ALIGN. The content
  /// is undefined afterwards. The memory comes from the thread that will use it, so it lies on its NUMA node.
  /// False: out of memory. Areas that have long been far too large shrink.
  bool reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes);

  /// The large areas of all threads are wanted back: each looks when it comes or goes. False: there are none.
  static bool ask_for_scratch() noexcept;
  /// By the worker's own thread, when it runs nothing.
  void give_back_if_asked() noexcept {
    if (times_asked_.load(std::memory_order_relaxed) != asked_) [[unlikely]]
      give_back();
  }

  /// Where printf output of the running kernel goes; null: nowhere (the call returns -1).
  [[nodiscard]] PrintSink* sink() const { return sink_; }
  void set_sink(PrintSink* sink) { sink_ = sink; }

  /// The command that the thread runs a piece of, of which that piece may enqueue children; null: none.
  [[nodiscard]] Event* running() const { return running_; }
  /// Returns the one before, which goes on after it.
  Event* set_running(Event* command) { return std::exchange(running_, command); }

  /// True one time in sixteen, at random: what comes in a fixed order is not missed for ever.
  [[nodiscard]] bool draws_sample() {
    random_ = random_ * 1664525U + 1013904223U;
    return random_ >> 28U == 0;
  }

 private:
  struct Area {
    char* data = nullptr;
    std::uint64_t size = 0;
    unsigned oversized = 0;  ///< uses in a row that needed far less
  };
  static bool fit(Area& area, std::uint64_t bytes);
  static bool replace(Area& area, std::uint64_t bytes);
  static void free(Area& area) noexcept;
  void give_back() noexcept;

  static std::atomic<unsigned> times_asked_;

  lanewise_worker abi_{};
  Area local_;
  Area item_;
  Area group_;
  PrintSink* sink_ = nullptr;
  Event* running_ = nullptr;
  std::uint32_t random_ = 1;
  unsigned asked_ = 0;  ///< how often large areas had been wanted back when this worker last looked
};

/// Large scratch areas that nobody uses now go back to the system: those of the calling thread and of the threads of all
/// devices. Others follow when their thread comes to run something.
void give_back_scratch() noexcept;

/// The floating-point environment of kernels, as long as the object lives: round to nearest even, exceptions masked,
/// no flush-to-zero (OpenCL C 7). Gives the thread its own back, without the flags that the kernel raised.
class KernelFloatEnvironment {
 public:
  KernelFloatEnvironment() noexcept;
  ~KernelFloatEnvironment();
  KernelFloatEnvironment(const KernelFloatEnvironment&) = delete;
  KernelFloatEnvironment& operator=(const KernelFloatEnvironment&) = delete;

 private:
  unsigned saved_;
};

}  // namespace lanewise
