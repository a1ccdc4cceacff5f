// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one thread needs to run pieces of commands: scratch memory for kernels, and the services that kernels call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "include/lanewise/kernel_abi.h"
#include "runtime/exec/dependency.h"
#include "runtime/exec/scratch.h"
#include "src/base/random.h"

namespace lanewise {

class Event;
class Kernel;
class PrintSink;

/// One per thread, created when the thread first runs a piece and freed with the thread. Not shared, not locked.
class Worker {
 public:
  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The worker of the calling thread.
  static Worker& current();
  static Worker& from(lanewise_worker* abi) { return *static_cast<Worker*>(abi->runtime); }

  /// What compiled code receives.
  [[nodiscard]] lanewise_worker& abi() { return abi_; }

  /// Scratch::reserve for this thread.
  bool reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes) {
    return scratch_.reserve(abi_, local_bytes, item_bytes, group_bytes);
  }
  [[nodiscard]] Scratch& scratch() { return scratch_; }

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
  [[nodiscard]] bool draws_sample() { return random_.next() % 16 == 0; }

 private:
  lanewise_worker abi_{};
  Scratch scratch_;
  PrintSink* sink_ = nullptr;
  Event* running_ = nullptr;
  Enqueueing enqueueing_;
  SplitMix random_{1};
};

/// What `lanewise_worker::services` points to: printf and reports of barriers. Kernels that ask for more are given more
/// (runtime/launch/device_services.h).
const lanewise_services& kernel_services();

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
