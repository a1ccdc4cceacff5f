// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/participants.h"

#include <algorithm>

namespace lanewise {

bool Participants::join() {
  int running = running_.load();
  do {
    if (running >= threads_) return false;
  } while (!running_.compare_exchange_weak(running, running + 1));
  return true;
}

bool Participants::call(int wanted) {
  wanted = std::min(wanted - idle_.load(), threads_);
  for (; wanted > 0; --wanted) {
    const int active = running_.load() + requested_.load();
    if (active >= threads_) break;
    requested_.fetch_add(1);
    if (!pool_.start()) {
      requested_.fetch_sub(1);
      return false;
    }
  }
  return true;
}

void Participants::call_sleepers() {
  for (unsigned left = pool_.waiting(); left != 0; --left) {
    requested_.fetch_add(1);
    if (!pool_.start()) requested_.fetch_sub(1);
  }
}

}  // namespace lanewise
