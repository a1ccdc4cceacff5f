// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads of a device. They are its own: a limit that the application or another library sets for a shared pool
/// (TBB, OpenMP) does not change what the device can do, and the device changes no such limit.
#pragma once

#include <atomic>
#include <mutex>

namespace lanewise {

/// Threads that wait for their turn, run one function, and wait again. They are made when they are first needed, take
/// no signals, and never end: neither does the pool.
class ThreadPool {
 public:
  using Entry = void (*)(void*);

  /// @param most  threads at once, at least 1. Makes none.
  ThreadPool(unsigned most, Entry entry, void* argument) : most_(most), entry_(entry), argument_(argument) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Has one more thread run `entry(argument)`: one that waits, or a new one, or, if all are busy or none can be made,
  /// the first that comes back. False: there is no thread, and none can be made now. The next call tries again.
  bool start();
  /// How many threads wait for their turn at this moment.
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

  mutable std::mutex mutex_;     ///< guards what follows; innermost
  Sleeper* sleepers_ = nullptr;  ///< the last to fall asleep first: its memory is still in the caches
  unsigned sleeping_ = 0;
  unsigned reserved_ = 0;  ///< threads that are there or being made
  unsigned made_ = 0;
  unsigned pending_ = 0;  ///< turns for threads that come back
};

}  // namespace lanewise
