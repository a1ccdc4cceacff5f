// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one thread brings to the pieces of a command: scratch memory for kernels and the way to their services.
#pragma once

#include <cstddef>
#include <cstdint>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

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
  /// False: out of memory; the areas are as they were.
  bool reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes);

  /// Where printf output of the running kernel goes; null: nowhere (the call returns -1).
  [[nodiscard]] PrintSink* sink() const { return sink_; }
  void set_sink(PrintSink* sink) { sink_ = sink; }

 private:
  struct Area {
    char* data = nullptr;
    std::uint64_t size = 0;
  };
  static bool grow(Area& area, std::uint64_t bytes);

  lanewise_worker abi_{};
  Area local_;
  Area item_;
  Area group_;
  PrintSink* sink_ = nullptr;
};

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
