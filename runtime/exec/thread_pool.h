// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads of a device. They are not those of a shared pool (TBB, OpenMP): limits that the application or another
/// library sets for such a pool have no effect on the device, and the device changes no such limit.
#pragma once

#include <atomic>
#include <mutex>

namespace lanewise {

/// Threads that sleep until they are called, run one function, and sleep again. They are created when they are first
/// needed, block signals, and never end; the pool is never destroyed either.
class ThreadPool {
 public:
  using Entry = void (*)(void*);

  /// @param most  the largest number of threads, at least 1. The constructor creates none.
  ThreadPool(unsigned most, Entry entry, void* argument) : most_(most), entry_(entry), argument_(argument) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Makes one more thread run `entry(argument)`: a sleeping one, or a new one, or, if all are busy or none can be
  /// created, the first that returns. False: there is no thread and none can be created now. The next call tries again.
  bool start();
  /// How many threads sleep at the moment.
  unsigned waiting() const;

 private:
  struct Sleeper {
    std::atomic<int> called{0};
    Sleeper* below = nullptr;
  };
  static void* run(void* pool);
  bool create();
  [[noreturn]] void loop();

  const unsigned most_;
  const Entry entry_;
  void* const argument_;

  mutable std::mutex mutex_;     ///< guards the members below; innermost
  Sleeper* sleepers_ = nullptr;  ///< a stack: the thread that slept last still has its memory in the caches
  unsigned sleeping_ = 0;
  unsigned reserved_ = 0;  ///< threads that exist or are being created
  unsigned made_ = 0;
  unsigned pending_ = 0;  ///< calls for the next threads that return
};

}  // namespace lanewise
