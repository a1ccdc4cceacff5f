// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of newer C and C++ libraries, so that what is built here runs with older ones: glibc 2.34 and libstdc++ of
/// GCC 11 (tests/packaging/oldest_libraries_test.py). A program or library of ours that calls one of them takes it from
/// here, and so do LLVM's archives. Nobody else sees them.
#include <sys/random.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>

/// glibc 2.36. LLVM names temporary files by it. Without getrandom(), which sandboxes may deny, time and a counter
/// serve.
extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  ssize_t got = 0;
  do {
    got = getrandom(&value, sizeof value, 0);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof value) return value;
  static std::atomic<std::uint32_t> calls;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr std::uint32_t kGolden = 0x9E3779B9;
  return static_cast<std::uint32_t>(now.tv_nsec) ^ (calls.fetch_add(1) + 1) * kGolden;
}

/// GCC 12: the same function has a new version there, because it may be cancelled.
__attribute__((visibility("hidden"))) void std::condition_variable::wait(std::unique_lock<std::mutex>& lock) {
  _M_cond.wait(*lock.mutex());
}
