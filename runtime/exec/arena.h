// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads of a device: the only place that sees TBB.
#pragma once

#include <memory>

namespace lanewise {

class Arena {
 public:
  using Entry = void (*)(void*);

  /// Up to `threads` entries run at once, on worker threads only, whatever the caller does. Starts no thread.
  explicit Arena(unsigned threads);
  ~Arena() = delete;  // leaked with its scheduler

  /// Runs `entry(argument)` on a worker. `first`: no other entry is active, so one thread is enough to wake.
  /// False: no thread or memory is to be had.
  bool start(Entry entry, void* argument, bool first);

 private:
  struct Threads;
  Threads* threads_;
};

}  // namespace lanewise
