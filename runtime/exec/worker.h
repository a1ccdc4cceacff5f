// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one thread needs to run pieces of commands: scratch memory for kernels, and the services that kernels call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "include/lanewise/kernel_abi.h"
#include "runtime/exec/dependency.h"

namespace lanewise {

class Event;
class Kernel;
class PrintSink;

/// One per thread, created when the thread first runs a piece and freed with the thread. Not shared, not locked.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The worker of the calling thread.
  static Worker& current();
  static Worker& from(lanewise_worker* abi) { return *static_cast<Worker*>(abi->runtime); }

  /// What compiled code receives.
  [[nodiscard]] lanewise_worker& abi() { return abi_; }

  /// Makes the three areas at least this large (bytes; 0: not needed), aligned to LANEWISE_SCRATCH_ALIGN. The content
  /// is undefined afterwards. The thread that will use the memory allocates it, so it is on that thread's NUMA node.
  /// False: out of memory. Areas that have been far too large for a long time shrink.
  bool reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes);

  /// Asks all threads to free their large areas; each checks when it starts or stops taking part. False: there are
  /// none.
  static bool ask_for_scratch() noexcept;
  /// To be called by the worker's own thread while it runs no piece.
  void give_back_if_asked() noexcept {
    if (times_asked_.load(std::memory_order_relaxed) != asked_) [[unlikely]]
      give_back();
  }

  /// Where the printf output of the running kernel goes; null: nowhere (printf returns -1).
  [[nodiscard]] PrintSink* sink() const { return sink_; }
  void set_sink(PrintSink* sink) { sink_ = sink; }

  /// The command of which the thread runs a piece; that piece may enqueue children of it. Null: none.
  [[nodiscard]] Event* running() const { return running_; }
  /// Returns the previous one, which the caller must set again afterwards.
  Event* set_running(Event* command) { return std::exchange(running_, command); }

  /// What pieces that enqueue need while they run.
  struct Enqueueing {
    const Kernel* kernel = nullptr;  ///< whose blocks the piece may enqueue
    DependentList held;  ///< what still has the dependency of its own enqueue, until the chunk of pieces has been run
  };
  [[nodiscard]] Enqueueing& enqueueing() { return enqueueing_; }

  /// True one time in sixteen, at random: with a fixed period, a repeated sequence of commands could miss some forever.
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
  Enqueueing enqueueing_;
  std::uint32_t random_ = 1;
  unsigned asked_ = 0;  ///< the value of times_asked_ when this worker last checked
};

/// Frees the large scratch areas of the calling thread and of the threads of all devices, if they are not in use. Those
/// of other threads are freed when these run something again.
void give_back_scratch() noexcept;

/// Sets the floating-point environment of kernels as long as the object lives: round to nearest even, exceptions
/// masked, no flush-to-zero (OpenCL C 7). Then restores that of the thread, without the flags that the kernel raised.
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
