// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state that one thread needs to run pieces of commands: scratch memory for kernels, and services that kernels
/// call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "runtime/check/shadow.h"
#include "runtime/exec/dependency.h"
#include "runtime/exec/scratch.h"
#include "src/base/random.h"
#include "src/host/processor.h"

namespace lanewise {

namespace check {
class LaunchChecks;
}
class Event;
class Kernel;
class PrintSink;

/// The worker of one thread, created when the thread first runs a piece and freed with the thread. Used by its own
/// thread only.
class Worker {
 public:
  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The worker of the calling thread.
  static Worker& current();
  static Worker& from(lanewise_worker* abi) { return *static_cast<Worker*>(abi->runtime); }

  /// The part that compiled code receives.
  [[nodiscard]] lanewise_worker& abi() { return abi_; }

  /// Scratch::reserve for this thread.
  bool reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes) {
    return scratch_.reserve(abi_, local_bytes, item_bytes, group_bytes);
  }
  [[nodiscard]] Scratch& scratch() { return scratch_; }

  /// The sink for the printf output of the running kernel; null: none, and printf returns -1.
  [[nodiscard]] PrintSink* sink() const { return sink_; }
  void set_sink(PrintSink* sink) { sink_ = sink; }

  /// The checks of the running kernel (LANEWISE_CHECK); null: its code has none.
  [[nodiscard]] check::LaunchChecks* checks() const { return checks_; }
  void set_checks(check::LaunchChecks* checks) { checks_ = checks; }
  [[nodiscard]] check::WorkerRecords& records() { return records_; }
  /// To be called after `reserve`: what the code of checked builds gets. False: out of memory.
  [[nodiscard]] bool begin_checks(std::uint64_t local_bytes) noexcept;
  /// LANEWISE_CHECK=init: a group begins, whose local memory nobody has written.
  void forget_local_memory();

  /// The command of the piece that the thread runs; the piece may enqueue children of the command. Null: none.
  [[nodiscard]] Event* running() const { return running_; }
  /// Sets the running command, and returns the previous one, which the caller must set again afterwards.
  Event* set_running(Event* command) { return std::exchange(running_, command); }

  /// The state of pieces that enqueue, while they run.
  struct Enqueueing {
    const Kernel* kernel = nullptr;  ///< the kernel whose blocks the piece may enqueue
    DependentList held;              ///< children that may start after the chunk of pieces (After::pieces)
  };
  [[nodiscard]] Enqueueing& enqueueing() { return enqueueing_; }

  /// Whether to measure a command: true one time in sixteen, at random. With a fixed period, some commands of a
  /// repeated sequence could be missed forever.
  [[nodiscard]] bool draws_sample() { return random_.next() % 16 == 0; }

 private:
  lanewise_worker abi_{};
  Scratch scratch_;
  PrintSink* sink_ = nullptr;
  check::LaunchChecks* checks_ = nullptr;
  check::WorkerRecords records_;
  std::vector<lanewise_bounds>
      bounds_;  ///< LaunchChecks::bounds; then `begin` is how far the next is from local memory
  std::vector<std::uint8_t> local_shadow_;  ///< bits of local memory that nobody has written
  Event* running_ = nullptr;
  Enqueueing enqueueing_;
  SplitMix random_{1};
};

/// The services of all kernels: printf and reports of divergent barriers. Kernels that enqueue get more
/// (runtime/launch/device_services.h).
const lanewise_services& kernel_services();

/// Frees the large scratch areas of the calling thread and of the threads of all devices. Areas in use are freed when
/// their thread stops running pieces.
void give_back_scratch() noexcept;

/// Sets the floating-point environment of kernels while the object exists: round to nearest even, exceptions masked, no
/// flush-to-zero (OpenCL C 7). The destructor restores the thread's environment, without the flags that the kernel
/// raised.
class KernelFloatEnvironment {
 public:
  KernelFloatEnvironment() noexcept;
  ~KernelFloatEnvironment();
  KernelFloatEnvironment(const KernelFloatEnvironment&) = delete;
  KernelFloatEnvironment& operator=(const KernelFloatEnvironment&) = delete;

 private:
  host::FloatControl saved_;
};

}  // namespace lanewise
