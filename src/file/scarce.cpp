// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/scarce.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "src/file/file.h"

namespace lanewise::file {

bool descriptors_are_scarce() {
  const Descriptor probe(open("/", O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (!probe) return errno == EMFILE || errno == ENFILE;
  // The kernel assigns the lowest free number, so this one is close to how many are in use.
  constexpr rlim_t kFew = 32;
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && static_cast<rlim_t>(probe.get()) + kFew >= limit.rlim_cur;
}

constinit Mutex scarce_mutex;

namespace detail {

bool wait_for_descriptor(int turn) {
  constexpr int kTurns = 100;
  if (turn >= kTurns) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return true;
}

}  // namespace detail

}  // namespace lanewise::file
